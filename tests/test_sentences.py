"""Commands and pages are wrong no more often than they say: the short form of bench/sentences.py."""

import math

import pytest

from conftest import benchmark_module

sentences = benchmark_module("sentences")
EVALUATIONS = 24


@pytest.mark.parametrize("design", list(sentences.DESIGNS))
def test_no_promise_is_broken(design: str) -> None:
    """With so few evaluations only gross falsehood shows: z-scores of uneven groups were false in all of them."""
    row = sentences.measured(design, EVALUATIONS, pages=1)
    for kind, count in row.counts.items():
        chance = sum(
            math.comb(count.of, k) * 0.06**k * 0.94 ** (count.of - k)
            for k in range(count.false, count.of + 1)
        )
        assert chance > 1e-4, f"{kind}: {count.false} of {count.of}"


def test_what_is_counted_is_read_as_a_user_reads_it() -> None:
    assert sentences.claimed(["A is better than B on texts like these (chrF +1.2, p = 0.01)."])
    assert sentences.claimed(["A is preferred to B on texts like these (9 comparisons to 1, p = 0.01)."])
    assert sentences.claimed(["neural wins: by BLEU it is better."])
    assert not sentences.claimed(["A and B cannot be told apart (chrF +0.2, p = 0.5)."])
