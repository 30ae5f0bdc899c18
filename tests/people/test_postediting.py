"""Post-edits of several systems compared: speed, typing, HTER and what they cost."""

import numpy as np
import pytest

from adjudge.human.postediting import Rates
from adjudge.people.postediting import post_edits
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


def test_costs_come_with_intervals() -> None:
    edits = post_edits(edited(), rates=Rates(wage=40, scratch_speed=350), resamples=200, trials=200)
    assert [entry.system for entry in edits.bills] == ["fast", "slow"]
    for price in edits.bills:
        assert price.cost_low < price.cost < price.cost_high
    assert edits.bills[0].saved > edits.bills[1].saved
