"""Shares with intervals: scipy's where items are independent, and wider ones, which hold, where they are not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from adjudge.stats.intervals import share_of


@given(st.integers(0, 200), st.integers(0, 200), st.sampled_from([0.01, 0.05, 0.2]))
def test_wilson_is_scipys(hits, misses, alpha):
    if not hits + misses:
        return
    share = share_of(np.array([True] * hits + [False] * misses), alpha=alpha)
    expected = binomtest(hits, hits + misses).proportion_ci(1 - alpha, method="wilson")
    assert (share.low, share.high) == pytest.approx(tuple(expected), abs=1e-12)
    assert share.value == hits / (hits + misses)
    assert share.low <= share.value <= share.high


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(2, 9))
def test_items_repeated_as_clusters_say_no_more_than_once(hits, times):
    values = np.repeat(np.array(hits), times)
    share = share_of(values, np.repeat(np.arange(len(hits)), times))
    plain = share_of(np.array(hits))
    assert share.effective <= len(hits) + 1e-9
    assert share.high - share.low >= plain.high - plain.low - 1e-12


def test_of_nothing_there_is_no_share():
    assert math.isnan(share_of(np.zeros(0, bool)).value)


def test_clusters_of_one_are_no_clusters():
    hits = np.array([True, False, True, True])
    assert share_of(hits, np.arange(4)) == share_of(hits)


def test_intervals_of_clustered_items_hold():
    """40 sources of 1 to 8 items each, alike within a source: 95 % intervals hold the truth about so often."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 9, 40)
    cluster = np.repeat(np.arange(40), sizes)
    covered = naive = 0
    for _ in range(600):
        chance = rng.beta(2, 1, 40)  # 2/3 on average
        hits = rng.random(len(cluster)) < chance[cluster]
        share, plain = share_of(hits, cluster), share_of(hits)
        covered += share.low <= 2 / 3 <= share.high
        naive += plain.low <= 2 / 3 <= plain.high
    assert 0.92 <= covered / 600 <= 0.98
    assert naive < covered - 30
