"""Ratings that count: who is left out, and what is said where nothing is left."""

import pytest

from adjudge.errors import DataError
from adjudge.human.ratings import analyse_ratings
from helpers.judged import QUICK, ratings


def test_who_fails_can_be_left_out() -> None:
    rows = [("good", s, str(i), v + i) for i in range(6) for s, v in (("a", 80.0), ("b", 60.0))]
    rows += [("bored", s, str(i), v - i) for i in range(6) for s, v in (("a", 30.0), ("b", 90.0))]
    kinds = ["ordinary"] * 24
    for i in range(6):
        rows += [("good", "a", str(i), 10.0 + i % 3), ("bored", "a", str(i), 60.0 + i % 3)]
        kinds += ["bad reference"] * 2
    judgements = ratings(rows, kinds)
    kept = analyse_ratings(judgements, score="raw", **QUICK)
    assert any("bored does not tell damaged" in warning for warning in kept.warnings)
    dropped = analyse_ratings(judgements, score="raw", drop_failed=True, **QUICK)
    assert dropped.facts.dropped == ("bored",)
    assert dropped.groups[0].systems[0].mean == pytest.approx(82.5)
    assert any("left out bored" in warning for warning in dropped.warnings)


def test_nothing_at_all() -> None:
    with pytest.raises(DataError, match="there are no judgements"):
        analyse_ratings(ratings([]), **QUICK)
    with pytest.raises(DataError, match="none of these judgements is of an ordinary item"):
        analyse_ratings(ratings([("x", "a", "1", 1.0)], ["reference"]), **QUICK)


def test_everybody_fails() -> None:
    rows = [("x", "a", str(i), 10.0 + i) for i in range(4)] + [("x", "a", str(i), 90.0 - i) for i in range(4)]
    with pytest.raises(DataError, match="the only annotator fails"):
        analyse_ratings(ratings(rows, ["ordinary"] * 4 + ["bad reference"] * 4), drop_failed=True, **QUICK)
