"""Clusters, rank ranges and rank intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.clusters import placements, range_clusters, rank_intervals
from oracles.resampling import wmt_clusters


def matrix(size, *pairs):
    beats = np.zeros((size, size), dtype=bool)
    for winner, loser in pairs:
        beats[winner, loser] = True
    return beats


def shown(scores, beats):
    return [(p.cluster, *p.rank) for p in placements(np.array(scores, dtype=float), beats)]


@given(st.integers(1, 9), st.randoms(use_true_random=False))
def test_clusters_are_the_twins(size, random):
    scores = [random.choice([1.0, 2.0, 3.0, random.random()]) for _ in range(size)]
    beats = matrix(size)
    for a in range(size):
        for b in range(size):
            beats[a, b] = scores[a] > scores[b] and random.random() < 0.7
    result = placements(np.array(scores), beats)
    expected = wmt_clusters(scores, beats.tolist())
    assert [[s for s in range(size) if result[s].cluster == c + 1] for c in range(len(expected))] == [
        sorted(members) for members in expected
    ]
    for s, place in enumerate(result):
        wins, losses = sum(beats[s]), sum(beats[:, s])
        assert place.rank == (1 + losses, size - wins)
        assert place.rank[0] <= place.rank[1]


def test_all_apart_and_all_alike():
    apart = matrix(3, (0, 1), (0, 2), (1, 2))
    assert shown([3, 2, 1], apart) == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    assert shown([3, 2, 1], matrix(3)) == [(1, 1, 3)] * 3
    assert shown([1], matrix(1)) == [(1, 1, 1)]


def test_as_in_a_wmt_table():
    """The first beats all, the next two cannot be told apart and beat the rest; of the last three only the ends
    differ, so they share a cluster but not a rank range."""
    beats = matrix(6, *((0, s) for s in range(1, 6)), *((a, b) for a in (1, 2) for b in (3, 4, 5)), (3, 5))
    assert shown([9, 8, 7, 6, 5, 4], beats) == [
        (1, 1, 1),
        (2, 2, 3),
        (2, 2, 3),
        (3, 4, 5),
        (3, 4, 6),
        (3, 5, 6),
    ]


def test_order_of_the_systems_does_not_matter():
    beats = matrix(4, (3, 0), (3, 1), (3, 2), (1, 0), (1, 2))
    assert shown([1, 5, 2, 9], beats) == [(3, 3, 4), (2, 2, 2), (3, 3, 4), (1, 1, 1)]


def test_systems_without_a_score_come_last():
    assert shown([np.nan, 2, 1], matrix(3, (1, 2), (1, 0))) == [(2, 2, 3), (1, 1, 1), (2, 2, 3)]


def test_rank_intervals_by_hand():
    scores = np.array([[3.0, 2.0, 1.0]] * 90 + [[2.0, 3.0, 1.0]] * 10)
    assert rank_intervals(scores) == [(1, 2), (1, 2), (3, 3)]
    assert rank_intervals(scores, confidence=0.5) == [(1, 1), (2, 2), (3, 3)]
    assert rank_intervals(np.array([[1.0, 1.0, 0.0]])) == [(1, 1), (1, 1), (3, 3)]


@given(st.integers(1, 6), st.integers(1, 40), st.integers(0, 999))
def test_rank_intervals_are_the_ranks_of_the_middle(systems, resamples, seed):
    scores = np.random.default_rng(seed).integers(0, 5, size=(resamples, systems)).astype(float)
    for s, (low, high) in enumerate(rank_intervals(scores, 0.9)):
        ranks = sorted(1 + sum(other > row[s] for other in row) for row in scores)
        # As few as 5 % of the resamples may lie outside on either side.
        assert low == next(r for i, r in enumerate(ranks) if (i + 1) / resamples >= 0.05 - 1e-12)
        assert high == next(r for i, r in enumerate(ranks) if (i + 1) / resamples >= 0.95 - 1e-12)


def test_level_counts():
    with pytest.raises(ValueError, match="Quantiles"):
        rank_intervals(np.zeros((3, 2)), confidence=2)


def test_ranges_by_hand():
    scores = np.array([1.0, 5.0, 3.0, 4.0])
    assert range_clusters(scores, [(4, 4), (1, 2), (3, 3), (1, 2)]) == [3, 1, 2, 1]
    assert range_clusters(scores, [(3, 4), (1, 1), (3, 4), (2, 2)]) == [3, 1, 3, 2]
    assert range_clusters(np.array([2.0]), [(1, 1)]) == [1]
    # The second one's range ends before the third one's begins, but the first one's does not.
    assert range_clusters(np.array([3.0, 2.0, 1.0]), [(1, 3), (1, 2), (3, 3)]) == [1, 1, 1]


@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_no_range_reaches_into_another_cluster(size, random):
    ranks = [tuple(sorted(random.choices(range(1, size + 1), k=2))) for _ in range(size)]
    order = sorted(range(size), key=lambda s: (sum(ranks[s]), s))
    scores = np.array([-float(order.index(s)) for s in range(size)])
    clusters = range_clusters(scores, ranks)
    for line in range(1, size):
        above, below = order[:line], order[line:]
        apart = max(ranks[s][1] for s in above) < min(ranks[s][0] for s in below)
        assert (clusters[order[line]] > clusters[order[line - 1]]) == apart
    assert sorted(set(clusters)) == list(range(1, max(clusters) + 1))
