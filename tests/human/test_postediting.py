"""Work on post-edits: quotients of sums, tested as metrics are, and bills that add up."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.human.postediting import PostEditingRates, bill, efforts
from adjudge.human.postediting_results import post_edits
from adjudge.stats.resampling import quotient
from helpers.judged import ratings


def test_the_bill_is_what_a_clerk_would_write() -> None:
    bill_of_system = bill("a", (4.0, 3.0, 5.0), PostEditingRates(wage=36, scratch_speed=400, engine=2))
    assert bill_of_system.words_an_hour == 900
    assert (bill_of_system.words_low, bill_of_system.words_high) == (720, 1200)
    assert bill_of_system.cost == pytest.approx(2 + 40)  # 4,000 s at 36 an hour
    assert bill_of_system.scratch == pytest.approx(90)  # 2.5 h
    assert bill_of_system.saved == pytest.approx(48)
    assert (bill_of_system.saved_low, bill_of_system.saved_high) == (pytest.approx(38), pytest.approx(58))
    assert bill_of_system.gain == pytest.approx(48 / 42)
    assert (bill_of_system.gain_low, bill_of_system.gain_high) == (
        pytest.approx(38 / 52),
        pytest.approx(58 / 32),
    )


@given(st.floats(0.1, 20), st.floats(1, 100), st.floats(50, 2000), st.floats(0, 50))
def test_saving_is_positive_exactly_where_it_is_cheaper(
    s: float, wage: float, speed: float, engine: float
) -> None:
    bill_of_system = bill("a", (s, s * 0.9, s * 1.1), PostEditingRates(wage, speed, engine))
    assert (bill_of_system.saved > 0) == (bill_of_system.cost < bill_of_system.scratch)
    assert bill_of_system.saved_low <= bill_of_system.saved <= bill_of_system.saved_high


def test_what_is_missing_is_said() -> None:
    with pytest.raises(DataError, match="a column 'words'"):
        efforts(ratings([("x", "a", "1", 0.1)]))
    with pytest.raises(DataError, match="judgement 1: -1 is no number of words"):
        efforts(ratings([("x", "a", "1", 0.1)], measures={"words": np.array([-1.0])}))
    timeless = ratings([("x", "a", "1", 0.1), ("x", "b", "1", 0.2)], measures={"words": np.array([3.0, 3.0])})
    with pytest.raises(UsageError, match="seconds"):
        post_edits(timeless, rates=PostEditingRates(10, 100), resamples=50, trials=50)
    nothing = ratings([("x", "a", "1", math.nan)], measures={"words": np.array([3.0])})
    with pytest.raises(DataError, match="nothing to measure"):
        efforts(nothing)
    negative = ratings([("x", "a", "1", 0.1)], seconds=np.array([-2.0]), measures={"words": np.array([3.0])})
    with pytest.raises(DataError, match="judgement 1: less than nothing"):
        efforts(negative)
    for rates in ((0, 100), (10, 0), (10, 100, -1)):
        with pytest.raises(UsageError):
            PostEditingRates(*rates)


def test_segments_without_words_count_for_nothing() -> None:
    judgements = ratings(
        [("x", "a", "1", 0.1), ("x", "a", "2", 0.3)],
        seconds=np.array([5.0, 9.0]),
        measures={"words": np.array([5.0, 0.0])},
    )
    (seconds, _) = efforts(judgements)
    assert quotient(seconds.rows["a"].sum(0)) == 1.0
