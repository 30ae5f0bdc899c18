"""Work on post-edits: quotients of sums, tested as metrics are, and bills that add up."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.human.postediting import Rates, bill, efforts
from adjudge.people.postediting import post_edits
from adjudge.stats.resampling import quotient
from helpers.judged import ratings


def edited(seed: int = 1, slower: float = 1.5, items: int = 60):
    random = np.random.default_rng(seed)
    rows, words, seconds, keys = [], [], [], []
    for system, factor in (("fast", 1.0), ("slow", slower)):
        for item in range(items):
            length = int(random.integers(5, 30))
            rows.append(("x", system, str(item), float(random.uniform(0, 0.5))))
            words.append(length)
            seconds.append(length * factor * random.uniform(1, 3))
            keys.append(length * factor * 2)
    return ratings(
        rows,
        protocol="post-edit",
        seconds=np.array(seconds),
        measures={"words": np.array(words, float), "keystrokes": np.array(keys, float)},
        higher_is_better=False,
    )


def test_speed_is_all_seconds_over_all_words() -> None:
    judgements = edited()
    edits = post_edits(judgements, resamples=200, trials=200)
    by_name = {(s.metric, s.system): s.score for s in edits.comparison.results}
    for code, system in enumerate(judgements.system.names):
        own = judgements.system.codes == code
        words = judgements.measures["words"][own]
        assert by_name["seconds a word", system] == pytest.approx(judgements.seconds[own].sum() / words.sum())
        assert by_name["HTER", system] == pytest.approx((judgements.score[own] * words).sum() / words.sum())
    assert by_name["keystrokes a word", "slow"] == pytest.approx(3)
    pair = next(p for p in edits.comparison.pairs if p.metric == "seconds a word")
    assert pair.significant
    assert edits.bills == ()


def test_the_bill_is_what_a_clerk_would_write() -> None:
    bill_of_system = bill("a", (4.0, 3.0, 5.0), Rates(wage=36, scratch_speed=400, engine=2))
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
    bill_of_system = bill("a", (s, s * 0.9, s * 1.1), Rates(wage, speed, engine))
    assert (bill_of_system.saved > 0) == (bill_of_system.cost < bill_of_system.scratch)
    assert bill_of_system.saved_low <= bill_of_system.saved <= bill_of_system.saved_high


def test_costs_come_with_intervals() -> None:
    edits = post_edits(edited(), rates=Rates(wage=40, scratch_speed=350), resamples=200, trials=200)
    assert [entry.system for entry in edits.bills] == ["fast", "slow"]
    for price in edits.bills:
        assert price.cost_low < price.cost < price.cost_high
    assert edits.bills[0].saved > edits.bills[1].saved


def test_what_is_missing_is_said() -> None:
    with pytest.raises(DataError, match="a column 'words'"):
        efforts(ratings([("x", "a", "1", 0.1)]))
    with pytest.raises(DataError, match="judgement 1: -1 is no number of words"):
        efforts(ratings([("x", "a", "1", 0.1)], measures={"words": np.array([-1.0])}))
    timeless = ratings([("x", "a", "1", 0.1), ("x", "b", "1", 0.2)], measures={"words": np.array([3.0, 3.0])})
    with pytest.raises(UsageError, match="seconds"):
        post_edits(timeless, rates=Rates(10, 100), resamples=50, trials=50)
    nothing = ratings([("x", "a", "1", math.nan)], measures={"words": np.array([3.0])})
    with pytest.raises(DataError, match="nothing to measure"):
        efforts(nothing)
    negative = ratings([("x", "a", "1", 0.1)], seconds=np.array([-2.0]), measures={"words": np.array([3.0])})
    with pytest.raises(DataError, match="judgement 1: less than nothing"):
        efforts(negative)
    for rates in ((0, 100), (10, 0), (10, 100, -1)):
        with pytest.raises(UsageError):
            Rates(*rates)


def test_segments_without_words_count_for_nothing() -> None:
    judgements = ratings(
        [("x", "a", "1", 0.1), ("x", "a", "2", 0.3)],
        seconds=np.array([5.0, 9.0]),
        measures={"words": np.array([5.0, 0.0])},
    )
    (seconds, _) = efforts(judgements)
    assert quotient(seconds.rows["a"].sum(0)) == 1.0
