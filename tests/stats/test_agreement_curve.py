"""Curves of agreement: they rise from a half, are what pooling by hand gives, and their intervals hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.agreement_curve import SystemPairs, _monotone, agreement_curve

SIZES = (13, 11, 16, 16, 8, 10, 8, 13, 12)


def world(rng, sizes=SIZES, uneven=0.3):
    """Test sets of systems with a quality of their own, which people and a metric see through noise."""
    people, metric = [], []
    for size in sizes:
        quality = rng.standard_t(6, size) * rng.gamma(6, 0.4)
        people.append(quality + rng.normal(0, 0.6, size))
        metric.append(quality + rng.normal(0, 1.4 * np.exp(rng.normal(0, uneven)), size))
    return people, metric


def pooled_by_hand(shares, weights):
    """Pool adjacent violators, one block after the other."""
    blocks = []
    for share, weight in zip(shares, weights, strict=True):
        blocks.append([share * weight, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    return [max(0.5, total / weight) for total, weight, count in blocks for _ in range(count)]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 50)), min_size=1, max_size=14))
def test_pooling_is_that_by_hand(bins):
    shares, weights = (np.array(column, float) for column in zip(*bins, strict=True))
    monotone = _monotone((shares * weights)[None], weights[None])[0]
    np.testing.assert_allclose(monotone, pooled_by_hand(shares, weights), atol=1e-9)


def test_bins_without_pairs_follow_their_neighbours():
    monotone = _monotone(np.array([[6.0, 0.0, 9.0, 0.0]]), np.array([[10.0, 0.0, 10.0, 0.0]]))[0]
    assert monotone[0] == pytest.approx(0.6)
    assert 0.6 <= monotone[1] <= 0.9
    assert monotone[2] == monotone[3] == pytest.approx(0.9)


def test_pairs_of_systems():
    pairs = SystemPairs.of([np.array([1.0, 2, 2])], [np.array([5.0, 7, 5])])
    assert len(pairs) == 2  # the metric ties the first and the third
    np.testing.assert_array_equal(pairs.delta, [2, 2])
    np.testing.assert_array_equal(pairs.agree, [1, 0.5])  # people tie the second and the third


@given(st.integers(0, 10_000))
def test_a_curve_rises_from_a_half_within_its_interval(seed):
    curve = agreement_curve(SystemPairs.of(*world(np.random.default_rng(seed))), resamples=50, seed=seed)
    assert curve.at(0.0) == (0.5, 0.5, 0.5, int(curve.pairs[1]))
    for line in (curve.agreement, curve.low, curve.high, curve.delta):
        assert (np.diff(line) >= 0).all()
    assert (curve.low <= curve.agreement).all()
    assert (curve.agreement <= curve.high).all()
    assert curve.pairs.sum() == len(SystemPairs.of(*world(np.random.default_rng(seed))))
    far = curve.at(1e9)
    assert far[0] == curve.agreement[-1]
    assert curve.at(-1.0) == curve.at(1.0)


def test_all_agree_is_not_certain():
    people = [np.arange(9.0)] * 6
    curve = agreement_curve(SystemPairs.of(people, people), seed=1)
    assert (curve.agreement[1:] == 1).all()
    assert 0.5 < curve.low[-1] < 0.99


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "uneven"), [(SIZES, 0.0), (SIZES, 0.4), (SIZES[:5], 0.4)])
def test_intervals_hold(sizes, uneven):
    """95 % intervals hold the truth at differences of all sizes, in worlds that they were not made in."""
    at = np.array([0.4, 0.9, 1.5, 2.5, 4.0, 6.0])
    rng = np.random.default_rng(99)
    leads, agree = [], []
    for _ in range(3000):
        pairs = SystemPairs.of(*world(rng, sizes, uneven))
        leads.append(pairs.delta)
        agree.append(pairs.agree)
    lead, right = np.concatenate(leads), np.concatenate(agree)
    truth = np.array([right[np.abs(lead - x) < 0.08 * x].mean() for x in at])
    covered = np.zeros(len(at))
    worlds = 400
    for number in range(worlds):
        curve = agreement_curve(SystemPairs.of(*world(rng, sizes, uneven)), resamples=400, seed=number)
        ends = np.array([curve.at(x)[1:3] for x in at])
        covered += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    shares = covered / worlds
    print(sizes, uneven, truth.round(2), shares.round(3))
    assert shares.mean() > 0.93
    assert shares.min() > 0.88
