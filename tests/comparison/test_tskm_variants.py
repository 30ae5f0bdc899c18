"""All variants of TSKM at once are what the metric gives one by one."""

import pytest

import adjudge
from adjudge.comparison.tskm_variants import tskm_variants
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import Treebank
from helpers.treebanks import chain

TEXTS = ("the cat sat", "a cat sat", "cats sit", "die Katze sass", "eine Katze sass", "das Tier")
TREES = Treebank({text: (chain(text, lemmas=tuple(word[:3] for word in text.split())),) for text in TEXTS})
FULL = TestSet(
    references=[["the cat sat", "a cat sat"], ["cats sit", None], ["a cat sat", "cats sit"]],
    pseudo=1,
    sources=["die Katze sass", "eine Katze sass"],
    back_translations={"a cat sat": "eine Katze sass", "cats sit": "das Tier"},
    trees=TREES,
)
OUTPUTS = [Outputs("one", ["a cat sat", "cats sit"]), Outputs("two", ["cats sit", "a cat sat"])]


def test_each_variant_is_the_metric_itself():
    variants = tskm_variants(FULL, OUTPUTS)
    assert len(variants) == 7 * 3 * 2
    assert len({variant.spec for variant in variants}) == 42
    for variant in variants:
        results = adjudge.score(FULL, OUTPUTS, variant.spec).results
        assert variant.scores == pytest.approx([result.score for result in results])


def test_only_what_the_test_set_allows_is_computed():
    plain = TestSet(references=[["the cat sat", "a cat sat"]], trees=TREES)
    assert {(v.pairs, v.kernels) for v in tskm_variants(plain, OUTPUTS)} == {
        ("rc", "sk"),
        ("rc", "ptk"),
        ("rc", "sk+ptk"),
    }
