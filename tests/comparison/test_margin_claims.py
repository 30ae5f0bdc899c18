"""Sentences beside a margin: a pair is the same, not worse, or open; who is better is not called not worse."""

import pytest

from adjudge.comparison.claims import FIXED, MOST, margin_claims
from adjudge.stats.design import Design, Grouping
from adjudge.stats.equivalence import Equivalence

SOUND = Design("segment", 40)
"""All that belongs together is drawn."""


def beside(low: float, high: float, margin: float = 1.0) -> Equivalence:
    """A difference that was shown to lie in an interval; p follows from whether the margin is in it."""
    not_worse, not_better = (0.01 if low > -margin else 0.4), (0.01 if high < margin else 0.4)
    return Equivalence(margin, low, high, 0.9, max(not_worse, not_better), not_worse, not_better, 0.05)


SAME = "a and b differ by less than 1 BLEU (90 % interval −0.40 to +0.50, p = 0.010)."
OPEN = "It is not shown that a and b differ by less than 1 BLEU (90 % interval −1.20 to +1.50)."


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ((-0.4, 0.5), SAME),
        ((-0.5, 1.5), "a is not worse than b by 1 BLEU or more (90 % interval −0.50 to +1.50, p = 0.010)."),
        ((-1.5, 0.5), "b is not worse than a by 1 BLEU or more (90 % interval −0.50 to +1.50, p = 0.010)."),
        ((-1.2, 1.5), OPEN),
        ((0.2, 1.5), ""),
        ((-1.5, -0.2), ""),
    ],
)
def test_what_is_said_of_a_pair(interval, expected):
    sentences = margin_claims(SOUND, ([("a", "b", beside(*interval))], "BLEU", 2))
    assert sentences == ((expected, FIXED) if expected else ())


def test_the_better_one_is_named_first():
    (sentence, _) = margin_claims(SOUND, ([("a", "b", beside(-0.5, 0.4))], "BLEU", 2))
    assert sentence == SAME.replace("a and b", "b and a")


def test_what_shows_most_comes_first_and_metrics_one_after_the_other():
    pairs = [("a", "b", beside(-1.2, 1.5)), ("c", "d", beside(-0.5, 1.5)), ("e", "f", beside(-0.4, 0.5))]
    sentences = margin_claims(SOUND, (pairs, "BLEU", 2), ([("a", "b", beside(-0.4, 0.5))], "TER", 2))
    assert [sentence[:7] for sentence in sentences] == ["e and f", "c is no", "It is n", "a and b", "It coun"]
    assert "TER" in sentences[3]


def test_many_pairs_are_counted():
    pairs = [("a", f"b{i}", beside(-0.4, 0.5)) for i in range(MOST + 2)]
    count, *some, rest, _ = margin_claims(SOUND, (pairs, "BLEU", 2))
    assert count == f"Of {MOST + 2} pairs, {MOST + 2} are shown to differ by less than 1 BLEU."
    assert len(some) == MOST
    assert rest.startswith("… and 2 more")
    assert len(margin_claims(SOUND, (pairs[:MOST], "BLEU", 2))) == MOST + 1


def test_nothing_is_said_of_nothing():
    assert margin_claims(SOUND, ([], "BLEU", 2)) == ()


def test_what_intervals_allow_for_is_said() -> None:
    design = Design("document", 20, groupings=(Grouping("annotator", 8, 2.0),))
    *_, last = margin_claims(design, ([("a", "b", beside(-0.4, 0.5))], "BLEU", 2))
    assert last == "Intervals beside the margin allow for annotators, which the test does not draw."
