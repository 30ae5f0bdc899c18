"""Spreads of scores and correlations of metrics: numpy's and scipy's, and every segment in one bin."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.analysis.scores import bin_edges, score_distributions
from adjudge.data import Outputs, TestSet


def made(count: int = 60) -> tuple[TestSet, list[Outputs]]:
    rng = np.random.default_rng(5)
    words = np.array(["sun", "moon", "star", "sky", "sea", "land", "wind", "rain"])
    reference = [" ".join(rng.choice(words, 3 + i % 9)) for i in range(count)]

    def damaged(share: float) -> list[str]:
        return [
            " ".join(word if rng.random() > share else str(rng.choice(words)) for word in line.split())
            for line in reference
        ]

    return TestSet(references=[reference]), [Outputs("a", damaged(0.2)), Outputs("b", damaged(0.6))]


def test_numbers_are_numpys_and_scipys() -> None:
    test_set, outputs = made()
    result = score_distributions(test_set, outputs, ["chrf", "ter", "length-ratio"], bins=7, resamples=200)
    by_metric = {spread.metric: spread for spread in result.spreads}
    for spread in result.spreads:
        for place, own in enumerate(spread.systems):
            assert own.mean == pytest.approx(own.scores.mean())
            assert own.deviation == pytest.approx(own.scores.std(ddof=1))
            assert own.quartiles == pytest.approx(np.percentile(own.scores, [0, 25, 50, 75, 100]))
            members = [spread.members(place, b) for b in range(7)]
            assert [len(m) for m in members] == list(own.counts)
            assert sorted(np.concatenate(members)) == list(range(60))
    assert [(pair.a, pair.b, pair.system) for pair in result.pairs] == [
        ("chrf", "ter", "a"),
        ("chrf", "ter", "b"),
        ("chrf", "ter", ""),
    ]
    for pair in result.pairs:
        chosen = [p for p, name in enumerate(result.systems) if pair.system in ("", name)]
        x, y = (np.concatenate([by_metric[m].systems[p].scores for p in chosen]) for m in ("chrf", "ter"))
        assert pair.pearson == pytest.approx(stats.pearsonr(x, -y)[0])
        assert pair.spearman == pytest.approx(stats.spearmanr(x, -y)[0])
        assert pair.kendall == pytest.approx(stats.kendalltau(x, -y)[0])
        assert pair.low < pair.pearson < pair.high


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Simulated: two metrics on normal segments with a known correlation."""
    from adjudge.comparison.results import measured_means

    rng = np.random.default_rng(11)
    truth, inside, times = 0.6, 0, 200
    for turn in range(times):
        x = rng.normal(size=150)
        y = truth * x + math.sqrt(1 - truth**2) * rng.normal(size=150)
        measured = [
            measured_means(name, {"s": (np.stack([values, np.ones(150)], axis=1),)})
            for name, values in (("x", x), ("y", y))
        ]
        measured = [__import__("dataclasses").replace(own, runs={"s": ("",)}) for own in measured]
        [pair] = score_distributions(
            TestSet(references=[[f"r{i}" for i in range(150)]]),
            [],
            measured=measured,
            resamples=200,
            seed=turn,
        ).pairs
        inside += pair.low <= truth <= pair.high
    assert (
        0.89 <= inside / times <= 0.985
    )  # 95 %, within three standard errors, and a little less for percentiles


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.integers(2, 12))
def test_bins_are_ascending_and_hold_the_middle(scores, bins) -> None:
    edges = bin_edges(np.array(scores), bins)
    assert len(edges) == bins + 1
    assert (np.diff(edges) > 0).all()
    low, high = np.quantile(scores, [0.01, 0.99])
    assert edges[0] <= low + 1e-6
    assert edges[-1] >= high - 1e-6


def test_one_that_lies_far_off_leaves_bars_of_the_others() -> None:
    edges = bin_edges(np.array([*range(200), 10_000.0]), 10)
    assert edges[-1] < 400


def test_what_does_not_vary_has_no_correlation() -> None:
    test_set = TestSet(references=[["a b", "c d", "e f"]])
    [pair] = score_distributions(test_set, [Outputs("x", ["a b", "c d", "e f"])], ["chrf", "ter"]).pairs
    assert (pair.segments, math.isnan(pair.pearson)) == (3, True)
