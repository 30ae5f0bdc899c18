"""Correlations against slow twins, scipy's and published figures."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.stats.correlation import CORRELATIONS, kendall, pearson, spearman, williams
from oracles import correlation as oracle

few = st.integers(-3, 3).map(float)
numbers = st.one_of(few, st.floats(-1e6, 1e6, allow_subnormal=False), st.just(-0.0))


@st.composite
def lists(draw):
    n = draw(st.integers(1, 40))
    column = st.lists(draw(st.sampled_from([few, numbers])), min_size=n, max_size=n)
    return np.array(draw(st.lists(column, min_size=1, max_size=3))), np.array(draw(column))


@given(lists())
def test_kendall_is_the_count_of_pairs(drawn):
    many, target = drawn
    expected = [oracle.tau_b(entry, target) for entry in many]
    np.testing.assert_allclose(kendall(many, target), expected, rtol=0, atol=1e-12)


@given(lists())
def test_ranks_are_places_and_equals_share_them(drawn):
    many, _ = drawn
    np.testing.assert_array_equal(
        _native.average_ranks(many, 1), [oracle.ranks(list(entry)) for entry in many]
    )


@given(lists())
def test_spearman_is_pearson_of_ranks(drawn):
    many, target = drawn
    expected = [oracle.pearson(oracle.ranks(list(entry)), oracle.ranks(list(target))) for entry in many]
    np.testing.assert_allclose(spearman(many, target), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n", [15, 63, 64, 65, 2047, 2048, 2049, 5000])
def test_as_scipy_has_them(n):
    rng = np.random.default_rng(n)
    many, target = rng.integers(0, n // 3, (3, n)).astype(float), np.round(rng.normal(size=n), 1)
    for name, theirs in (
        ("pearson", scipy.stats.pearsonr),
        ("spearman", scipy.stats.spearmanr),
        ("kendall", scipy.stats.kendalltau),
    ):
        expected = [theirs(entry, target)[0] for entry in many]
        np.testing.assert_allclose(CORRELATIONS[name](many, target), expected, rtol=0, atol=1e-12)


def test_numbers_that_differ_in_their_last_bits_only():
    """Half of a number's bits are looked at first; beside an outlier, those of all others are the same."""
    rng = np.random.default_rng(3)
    close = 1 + rng.integers(0, 40, 3000) * 2.0**-52
    wide = np.where(rng.random(3000) < 0.01, 1e300, close)
    signs = close * rng.choice([-1, 1], 3000)
    many, target = np.stack([close, wide, signs]), close + rng.integers(0, 3, 3000) * 2.0**-51
    expected = [scipy.stats.kendalltau(entry, target)[0] for entry in many]
    np.testing.assert_allclose(kendall(many, target), expected, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(
        _native.average_ranks(many, 1), [scipy.stats.rankdata(entry) for entry in many]
    )


def test_a_target_that_is_in_order_already():
    rng = np.random.default_rng(4)
    many, target = rng.normal(size=(2, 500)), rng.integers(0, 50, 500).astype(float)
    order = np.argsort(target, kind="stable")
    np.testing.assert_array_equal(kendall(many[:, order], target[order]), kendall(many, target))


def test_threads_change_nothing():
    rng = np.random.default_rng(1)
    many, target = rng.normal(size=(9, 300)), rng.normal(size=300)
    for threads in (1, 2, 5):
        for name in ("spearman", "kendall"):
            first = CORRELATIONS[name](many, target, threads=threads)
            assert (first == CORRELATIONS[name](many, target, threads=1)).all()


@pytest.mark.parametrize("name", CORRELATIONS)
def test_what_is_constant_correlates_with_nothing(name):
    rising = np.arange(9.0)
    constant = np.full(9, 0.1 + 0.2)
    assert np.isnan(CORRELATIONS[name](np.stack([constant, rising]), rising)).tolist() == [True, False]
    assert np.isnan(CORRELATIONS[name](rising[None], constant)).all()


def test_rounding_alone_is_constant():
    assert np.isnan(pearson(np.array([[0.1 * 3, 0.3, 0.1 + 0.2, 0.3]]), np.arange(4.0))).all()


def test_a_target_of_another_length_is_refused():
    with pytest.raises(ValueError, match="another length"):
        _native.concordance(np.zeros((1, 3)), np.zeros(2), 1)


def test_williams_of_the_literature():
    # A metrics task: r of .9903 and .9165 with people, .9334 with each other, 12 systems
    assert round(williams(0.9903, 0.9165, 0.9334, 12), 4) == 0.0010


def test_williams_is_symmetric_and_knows_no_difference():
    assert williams(0.5, 0.5, 0.9, 20) == 0.5
    assert williams(0.5, 0.5, 1.0, 20) == 0.5
    assert williams(0.6, 0.4, 0.8, 20) == pytest.approx(1 - williams(0.4, 0.6, 0.8, 20), abs=1e-12)
    assert np.isnan(williams(float("nan"), 0.5, 0.5, 20))
    with pytest.raises(UsageError, match="4 items"):
        williams(0.5, 0.4, 0.3, 3)
