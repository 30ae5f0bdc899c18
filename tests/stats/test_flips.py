"""Pairs that change their order: counts by brute force, and intervals that hold as often as they say."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from adjudge.stats.flips import HalfDraws, bounded_correlation, difference_p_values, flips

PAIRS = list(combinations(range(6), 2))


def half(rng, truth, segments=200, resamples=200):
    scores = truth + rng.normal(size=(segments, 1)) * 5 + rng.normal(size=(segments, len(truth))) * 5
    drawn = scores[rng.integers(0, segments, size=(resamples, segments))].mean(1)
    return HalfDraws(scores.mean(0), drawn, segments), scores


def apart(scores):
    return np.array([scores[a] - scores[b] for a, b in PAIRS])


def changes(forward, reverse):
    return flips(
        apart(forward.scores),
        apart(reverse.scores),
        difference_p_values(forward, PAIRS),
        difference_p_values(reverse, PAIRS),
    )


def test_p_is_that_of_a_paired_t_test():
    draws, scores = half(np.random.default_rng(1), np.arange(6) / 3, resamples=4000)
    exact = [stats.ttest_rel(scores[:, a], scores[:, b]).pvalue for a, b in PAIRS]
    got = difference_p_values(draws, PAIRS)
    assert np.abs(stats.norm.isf(got / 2) - stats.norm.isf(np.array(exact) / 2)).max() < 0.2


def test_flips_are_counted_and_sure_ones_need_both_halves():
    rng = np.random.default_rng(2)
    truth = np.array([0.0, 10, 20, 30, 40, 40])
    other = np.array([10.0, 0, 20, 30, 40, 40])
    forward, _ = half(rng, truth)
    reverse, _ = half(rng, other)
    own = changes(forward, reverse)
    assert [pair for pair, sure in zip(PAIRS, own.sure_flips, strict=True) if sure] == [(0, 1)]
    expected = np.mean([a * b < 0 for a, b in zip(apart(forward.scores), apart(reverse.scores), strict=True)])
    share = own.share()
    assert share.value == pytest.approx(expected)
    assert share.low == pytest.approx(1 / 15)
    assert share.high == pytest.approx(2 / 15)  # 40 and 40 cannot be told apart: that pair is left open
    assert own.share(np.array([pair == (2, 3) for pair in PAIRS])).high == 0
    assert math.isnan(own.share(np.zeros(15, dtype=bool)).value)


def test_the_share_lies_in_its_interval_as_often_as_said():
    rng = np.random.default_rng(3)
    held = wrong = 0
    for _ in range(200):
        common = rng.normal(size=6)
        truths = [common * 2, 2 * (0.8 * common + 0.6 * rng.normal(size=6))]
        own = changes(*(half(rng, truth, 100, 100)[0] for truth in truths))
        truth = float((apart(truths[0]) * apart(truths[1]) < 0).mean())
        share = own.share()
        held += share.low - 1e-12 <= truth <= share.high + 1e-12
        wrong += bool((own.sure_flips & (apart(truths[0]) * apart(truths[1]) > 0)).any())
    assert held >= 190
    assert wrong <= 10


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_correlations_are_scipys_and_their_intervals_are_about_them(name):
    rng = np.random.default_rng(4)
    first = rng.normal(size=12)
    second = first + rng.normal(size=12)
    expected = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[name]
    bounded = bounded_correlation(name, first, second)
    assert bounded.value == pytest.approx(expected(first, second)[0])
    assert bounded.low < bounded.value < bounded.high
    if name == "pearson":
        interval = stats.pearsonr(first, second).confidence_interval(0.95)
        assert (bounded.low, bounded.high) == pytest.approx(tuple(interval))


def test_few_systems_have_no_interval():
    assert math.isnan(bounded_correlation("pearson", np.arange(4.0), np.array([1.0, 0, 2, 3])).low)
    assert math.isnan(bounded_correlation("kendall", np.arange(9.0), np.arange(9.0)).low)
    assert math.isnan(bounded_correlation("pearson", np.arange(2.0), np.arange(2.0)).value)
    assert bounded_correlation("pearson", np.arange(3.0), np.array([1.0, 0, 2])).value == pytest.approx(0.5)
