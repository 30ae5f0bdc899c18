"""TSKM is the mean of its parts, and asks for what a pair lacks."""

import math

import numpy as np
import pytest

import adjudge
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import Treebank
from adjudge.errors import UsageError
from adjudge.kernels import PTK, SK
from adjudge.metrics.tskm import Tskm
from adjudge.text.trees import WordReading, tree
from helpers.tree_scores import TREES, scores


def normalised(kernel, first, other):
    return kernel(first, other) / math.sqrt(kernel(first, first) * kernel(other, other))


def by_hand(first: str, other: str) -> dict[str, float]:
    def shape(text):
        return tree(TREES[text], WordReading())

    return {
        "sk": normalised(SK(), first.lower().split(), other.lower().split()),
        "ptk": normalised(PTK(), shape(first), shape(other)),
    }


@pytest.mark.parametrize("pairs", ["rc", "cs", "sc", "rc+cs", "cs+sc", "rc+cs+sc"])
@pytest.mark.parametrize("kernels", ["sk", "ptk", "sk+ptk"])
def test_tskm_is_the_mean_of_its_parts(pairs, kernels):
    texts = {
        "rc": ("the cat sat", "a cat sat"),
        "cs": ("cat sat there", "a cat sat"),
        "sc": ("die Katze sass", "eine Katze sass"),
    }
    expected = np.mean(
        [
            np.mean([by_hand(*texts[pair])[kernel] for kernel in kernels.split("+")])
            for pair in pairs.split("+")
        ]
    )
    values = scores(
        f"tskm(pairs={pairs},kernels={kernels})",
        [["the cat sat"], ["cat sat there"]],
        ["a cat sat"],
        TREES,
        sources=["die Katze sass"],
        pseudo=1,
        back_translations={"a cat sat": "eine Katze sass"},
    )
    assert values == pytest.approx([100 * expected])


def test_a_worked_example_of_the_sequence_part():
    """'the cat sat' and 'a cat sat' share cat, sat and cat sat: 2·λ² + λ⁴ of 3·λ² + 2·λ⁴ + 2·λ⁶ (ends, all three)."""
    decay = 0.75
    shared_parts = 2 * decay**2 + decay**4
    own = 3 * decay**2 + 2 * decay**4 + decay**6 + decay**6
    values = scores("tskm(kernels=sk)", [["the cat sat"]], ["a cat sat"], TREES)
    assert values == pytest.approx([100 * shared_parts / own])


def test_tskm_needs_no_reference_for_the_other_pairs():
    test_set = TestSet(
        sources=["die Katze sass"],
        references=[["cat sat there"]],
        pseudo=1,
        back_translations={"a cat sat": "eine Katze sass"},
        trees=Treebank(TREES),
    )
    result = adjudge.score(test_set, Outputs("a", ["a cat sat"]), "tskm(pairs=cs+sc)").results[0]
    assert 0 < result.score < 100
    assert "|pseudo:1|trees:" in result.signature
    assert "|source-trees:" in result.signature
    assert "nrefs" not in result.signature
    only = TestSet(
        sources=["die Katze sass"], back_translations=test_set.back_translations, trees=Treebank(TREES)
    )
    assert adjudge.score(only, Outputs("a", ["a cat sat"]), "tskm(pairs=sc)").results[0].score > 0


@pytest.mark.parametrize(
    ("pairs", "facts", "message"),
    [
        ("rc", {"references": [["x"]], "pseudo": 1}, r"\(rc\) needs a reference .*tskm\(pairs=cs\+sc\)"),
        (
            "cs",
            {"references": [["x"]]},
            r"\(cs\) needs a machine translation of the source: --pseudo-reference",
        ),
        ("sc", {"references": [["x"]]}, r"\(sc\) needs the source \(-s\)"),
        ("sc", {"sources": ["the cat sat"]}, "1 of 1 are not, as 'a cat sat': --back-translation SYS=FILE"),
    ],
)
def test_what_a_pair_lacks_is_asked_for(pairs, facts, message):
    scorer = Tskm(pairs=pairs)
    with pytest.raises(UsageError, match=message):
        scorer.segments(scorer.prepare(TestSet(trees=Treebank(TREES), **facts)), ["a cat sat"])


def test_blank_outputs_need_no_back_translation():
    values = scores(
        "tskm(pairs=sc)",
        [],
        ["", "a cat sat"],
        TREES,
        sources=["die Katze sass"] * 2,
        back_translations={"a cat sat": "eine Katze sass"},
    )
    assert values[0] == 0
    assert values[1] > 0
