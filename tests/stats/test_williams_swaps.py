"""Swaps of whole systems by Williams' t: what they are, and that they keep quiet between equal metrics."""

from itertools import product

import numpy as np
import pytest

from adjudge.stats.metric_swaps import williams_permutations, williams_test


def by_hand(gold, first, second):
    """Williams' t of two lists as they stand."""
    rows = np.corrcoef([gold, first, second])
    return williams_test(rows[0, 1], rows[0, 2], rows[1, 2], len(gold)).t


def scaled(values):
    return (values - values.mean()) / values.std()


@pytest.mark.parametrize("seed", range(5))
def test_every_swap_is_that_by_hand(seed):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=6)
    metrics = np.stack(
        [gold + 0.5 * rng.normal(size=6), 7 - 30 * (gold + rng.normal(size=6)), rng.normal(size=6)]
    )
    found = williams_permutations(gold, metrics, seed=1)
    assert found.exhaustive
    assert found.values == pytest.approx([np.corrcoef(gold, metric)[0, 1] for metric in metrics])
    p_values = found.p_values()
    for a, b in ((0, 1), (0, 2), (1, 2), (2, 0)):
        one, two = scaled(metrics[a]), scaled(metrics[b])
        assert found.observed[a, b] == pytest.approx(by_hand(gold, one, two))
        swapped = []
        for coins in product([False, True], repeat=6):
            swapped.append(by_hand(gold, np.where(coins, two, one), np.where(coins, one, two)))
        assert sorted(found.differences[:, a, b]) == pytest.approx(sorted(swapped))
        seen = abs(by_hand(gold, one, two))
        assert p_values[a, b] == pytest.approx((np.abs(swapped) >= seen - 1e-9).mean())
        assert p_values[a, b] == p_values[b, a]


def test_a_metric_is_not_better_than_itself_and_what_is_constant_has_no_p():
    gold = np.arange(7.0)
    own = np.array([3.0, 1, 2, 5, 4, 6, 9])
    p_values = williams_permutations(gold, np.stack([own, 2 * own, np.ones(7), gold]), seed=1).p_values()
    assert p_values[0, 1] == 1
    assert np.isnan(p_values[0, 2])
    assert p_values[0, 3] < 0.2


def test_more_systems_than_can_be_gone_through_are_drawn():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=30)
    metrics = np.stack([gold + 0.1 * rng.normal(size=30), gold + rng.normal(size=30)])
    found = williams_permutations(gold, metrics, draws=500, seed=1)
    assert (found.exhaustive, len(found.differences)) == (False, 500)
    assert found.p_values()[0, 1] == pytest.approx(1 / 501)


def test_equal_metrics_of_few_systems_are_seldom_told_apart():
    """Eight systems, errors with long tails: the bare difference finds 9 to 10 % at .05, Williams' own test 8."""
    rng, found, times = np.random.default_rng(4), 0, 600
    for _ in range(times):
        quality = 0.5 * rng.standard_t(2, size=8)
        gold, first, second = quality + 0.25 * rng.standard_t(3, size=(3, 8))
        found += williams_permutations(gold, np.stack([first, 3 * second]), seed=1).p_values()[0, 1] <= 0.05
    assert found <= 0.075 * times
