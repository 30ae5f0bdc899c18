"""Which items to judge: those that metrics say most of, and samples in which each has the same chance."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats import selection as choice


def scores(seed=0, metrics=2, systems=4, items=30):
    return np.random.default_rng(seed).normal(size=(metrics, systems, items))


def test_utilities_by_hand():
    table = np.array([[[1.0, 0, 2], [1, 4, 2]], [[1, 0, 2], [1, 4, 9]]])
    assert np.argmax(choice.variance(table[:1])) == 1  # systems differ there alone
    assert np.argmax(choice.difficulty(table[:1])) == 0
    assert np.argmax(choice.disagreement(table)) == 2  # the second metric alone sees a difference there


@given(st.integers(0, 999))
def test_consistency_is_kendalls_tau_with_the_order_of_all_items(seed):
    table = scores(seed, metrics=1)
    whole = table[0].mean(1)
    expected = [scipy.stats.kendalltau(own, whole).statistic for own in table[0].T]
    np.testing.assert_allclose(choice.consistency(table), expected, atol=1e-12)


def test_an_item_that_ties_all_systems_orders_none():
    table = scores(metrics=1)
    table[:, :, 7] = 1.0
    assert choice.consistency(table)[7] == 0


@given(st.integers(0, 999), st.floats(0.1, 50), st.floats(-9, 9))
def test_the_scale_of_a_metric_does_not_matter(seed, factor, shift):
    table = scores(seed)
    other = table.copy()
    other[0] = factor * other[0] + shift
    for utility in (choice.variance, choice.difficulty, choice.disagreement, choice.consistency):
        np.testing.assert_allclose(utility(table), utility(other), atol=1e-9)


def test_a_constant_metric_says_nothing():
    table = np.concatenate([scores(), np.ones((1, 4, 30))])
    np.testing.assert_allclose(choice.variance(table), choice.variance(table[:2]) * 2 / 3)


def test_the_highest_in_their_order():
    np.testing.assert_array_equal(choice.highest(np.array([1.0, 5, 3, 5, 0]), 3), [1, 2, 3])
    np.testing.assert_array_equal(choice.highest(np.zeros(5), 2), [0, 1])


@given(st.integers(2, 60), st.integers(0, 999), st.data())
def test_systematic_samples_are_spread(items, seed, data):
    count = data.draw(st.integers(1, items))
    order = np.random.default_rng(seed).normal(size=items)
    sample = choice.systematic(order, count, np.random.default_rng(seed))
    assert len(np.unique(sample)) == count
    ranks = np.sort(np.argsort(np.argsort(order))[sample])
    assert (np.diff(ranks) >= np.floor(items / count)).all()
    assert (np.diff(ranks) <= np.ceil(items / count)).all()


@pytest.mark.parametrize(("items", "count"), [(10, 4), (7, 3), (12, 5)])
def test_every_item_has_the_same_chance(items, count):
    rng = np.random.default_rng(1)
    order = np.random.default_rng(2).integers(0, 3, items).astype(float)  # many equal ones
    draws = 6000
    times = np.zeros(items)
    for _ in range(draws):
        times[choice.systematic(order, count, rng)] += 1
    share = count / items
    assert np.abs(times / draws - share).max() < 5 * np.sqrt(share * (1 - share) / draws)


def test_a_spread_sample_varies_less():
    """Where difficulty tells people's scores, means of spread samples lie nearer to the truth."""
    rng = np.random.default_rng(3)
    order = rng.normal(size=200)
    people = order + rng.normal(0, 0.5, 200)
    spread = [people[choice.systematic(order, 20, rng)].mean() for _ in range(400)]
    plain = [people[rng.permutation(200)[:20]].mean() for _ in range(400)]
    assert np.std(spread) < 0.7 * np.std(plain)
    assert np.mean(spread) == pytest.approx(people.mean(), abs=0.03)
