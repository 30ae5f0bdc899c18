"""The sign-flip test: all signs in all ways, as scipy and plain enumeration have it."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test

from adjudge.stats.ratios import LEAST, POINTS, sign_flip

twelfths = st.lists(st.integers(-12, 12), min_size=1, max_size=10)


@given(twelfths)
def test_all_signs_are_turned_in_all_ways(numbers):
    values = np.array(numbers) / 12
    sums = np.array(list(product((1, -1), repeat=len(numbers)))) @ np.array(numbers)
    expected = (np.abs(sums) >= abs(sum(numbers))).mean()
    assert sign_flip(values, parts=12) == pytest.approx(expected, abs=1e-12)


def test_as_scipy_has_it():
    values = np.array([0.5, -1 / 3, 1, 1, 0, 2 / 3, -1, 1, 1 / 3, 0.5, 1])
    expected = permutation_test((values,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(values, parts=6) == pytest.approx(expected.pvalue, abs=1e-12)


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 20))
def test_of_one_size_it_is_the_sign_test(wins, losses, ties):
    values = np.repeat([0.25, -0.25, 0.0], [wins, losses, ties])
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_flip(values, parts=4) == pytest.approx(expected, rel=1e-9)


@given(twelfths, st.randoms())
def test_neither_order_nor_side_nor_scale_matter(numbers, random):
    p = sign_flip(np.array(numbers, dtype=float))
    random.shuffle(numbers)
    assert sign_flip(-np.array(numbers, dtype=float)) == pytest.approx(p, abs=1e-12)
    assert sign_flip(np.array(numbers) / 7, parts=7) == pytest.approx(p, abs=1e-12)


def test_many_values_are_rounded_a_little():
    rng = np.random.default_rng(1)
    values = rng.integers(-2520, 2521, 3000) / 2520 + 0.02
    assert np.abs(values).sum() * 2520 > POINTS
    from scipy.stats import norm

    near = 2 * norm.sf(abs(values.sum()) / np.sqrt((values**2).sum()))
    assert sign_flip(values, parts=2520) == pytest.approx(near, rel=0.02)


def test_p_is_never_rounded_to_nothing():
    assert sign_flip(np.repeat([1.0, 0.5], 300), parts=2) == LEAST
    assert sign_flip(np.zeros(4)) == sign_flip(np.array([])) == 1.0
