"""Commands and pages are wrong no more often than they say: the short form of bench/sentences.py."""

import math
from dataclasses import replace

import numpy as np
import pytest

from conftest import benchmark_module

sentences = benchmark_module("sentences")
EVALUATIONS = 8
MORE = 24
"""Where some of the first ones are false: 8 alone show what is false in two of three, 24 what is in one of three."""


def chance(count) -> float:
    """How likely so many are false where 6 of 100 are."""
    return sum(
        math.comb(count.of, k) * 0.06**k * 0.94 ** (count.of - k) for k in range(count.false, count.of + 1)
    )


@pytest.mark.parametrize("design", list(sentences.DESIGNS))
def test_no_promise_is_broken(design: str) -> None:
    """With so few evaluations only gross falsehood shows: z-scores of uneven groups were false in all of them."""
    row = sentences.measured(design, EVALUATIONS, pages=1)
    if min(map(chance, row.counts.values())) < 0.1:
        row = sentences.measured(design, MORE, pages=1)
    for kind, count in row.counts.items():
        assert chance(count) > 1e-4, f"{kind}: {count.false} of {count.of}"
    known, kinds = sentences.DESIGNS[design], set(row.counts)
    assert ("drop" in kinds) == isinstance(known, sentences.Texts)  # a gate is asked of texts
    usual = getattr(known, "options", ()) in ((), sentences.RAW)
    assert ("page" in kinds) == (usual and not getattr(known, "shift", 0.0))


@pytest.mark.parametrize(("worse", "name"), [("B", "drop"), ("A", "none")])
def test_a_real_difference_is_counted_as_said(worse: str, name: str, tmp_path) -> None:
    """What counts false sentences must see them: systems that differ are told apart by every command."""
    material = sentences.material()
    rng = np.random.default_rng(1)
    texts = [" ".join(reversed(line.split())) for line in material.reference]
    both = (material.systems[0], texts) if worse == "B" else (texts, material.systems[0])
    unequal = replace(material, systems=both)
    design = OneSided(100)
    said = design(unequal, rng, tmp_path, True)
    assert said.better
    assert said.page
    assert said.drop == (name == "drop")


class OneSided(sentences.Texts):
    """Systems that do not change places."""

    def __call__(self, own, rng, folder, pages):
        return super().__call__(own, Unmoved(rng), folder, pages)


class Unmoved:
    """Draws as a generator does, but all coins fall alike."""

    def __init__(self, rng) -> None:
        self.rng = rng

    def random(self) -> float:
        return 1.0

    def __getattr__(self, name):
        return getattr(self.rng, name)


def test_what_is_counted_is_read_as_a_user_reads_it() -> None:
    assert sentences.claimed(["A is better than B on texts like these (chrF +1.2, p = 0.01)."])
    assert sentences.claimed(["A is preferred to B on texts like these (9 comparisons to 1, p = 0.01)."])
    assert sentences.claimed(["neural wins: by BLEU it is better."])
    assert not sentences.claimed(["A and B cannot be told apart (chrF +0.2, p = 0.5)."])
    assert sentences.names_winner('<p class="verdict">A. By every measure it translates better.</p>')
    for answer in (
        "No clear winner: x",
        "No single winner: x",
        "Too short a test to tell: x",
        "No difference: x",
    ):
        assert not sentences.names_winner(f'<p class="verdict">{answer}</p>')
