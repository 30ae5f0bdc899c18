"""Shares on the same segments: the difference itself, p as often as it says, and no alarm over lengths alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.ratios import ratio_test, sign_flip
from adjudge.stats.units import Units

counts = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1
)


def columns(rows) -> tuple[np.ndarray, ...]:
    a, more_a, b, more_b = np.array(rows, float).T
    return a, a + more_a, b, b + more_b


@given(counts)
def test_the_difference_is_that_of_the_shares(rows) -> None:
    a, of_a, b, of_b = columns(rows)
    test = ratio_test((a, of_a, b, of_b))
    if not (of_a.sum() and of_b.sum()):
        assert np.isnan(test.delta)
        assert np.isnan(test.p)
        return
    assert test.delta == pytest.approx(a.sum() / of_a.sum() - b.sum() / of_b.sum(), abs=1e-12)
    assert 0 < test.p <= 1
    back = ratio_test((b, of_b, a, of_a))
    assert back.delta == pytest.approx(-test.delta, abs=1e-12)
    assert back.p == pytest.approx(test.p, rel=0.05)


def test_one_error_is_no_difference_however_short_a_system_is() -> None:
    of_a, of_b = np.full(60, 4.0), np.full(60, 9.0)
    a = np.zeros(60)
    a[7] = 1
    assert ratio_test((a, of_a, np.zeros(60), of_b)).p == 1
    assert ratio_test((a, of_b, np.zeros(60), of_a)).p == 1


def test_of_equal_numbers_it_is_the_sign_flip_of_the_differences() -> None:
    rng = np.random.default_rng(2)
    a, b, of = rng.integers(0, 4, 30).astype(float), rng.integers(0, 3, 30).astype(float), np.full(30, 7.0)
    assert ratio_test((a, of, b, of)).p == pytest.approx(sign_flip(a - b), rel=1e-6)


def test_where_the_whole_and_its_parts_point_apart_nothing_is_claimed() -> None:
    # In each segment a errs less, but it says most where errors are frequent.
    a, of_a = np.array([40.0, 0.0] * 9), np.array([90.0, 9.0] * 9)
    b, of_b = np.array([5.0, 2.0] * 9), np.array([10.0, 90.0] * 9)
    test = ratio_test((a, of_a, b, of_b))
    assert test.delta > 0
    assert test.p == 1


def test_equal_shares_of_unequal_lengths_are_seldom_told_apart_and_unequal_ones_mostly() -> None:
    rng = np.random.default_rng(11)
    alarms = finds = 0
    for _ in range(200):
        of_a, of_b = rng.integers(2, 6, 150).astype(float), rng.integers(5, 20, 150).astype(float)
        a, b = rng.binomial(of_a.astype(int), 0.1), rng.binomial(of_b.astype(int), 0.1)
        alarms += ratio_test((a.astype(float), of_a, b.astype(float), of_b)).p < 0.05
        more = rng.binomial(of_a.astype(int), 0.18)
        finds += ratio_test((more.astype(float), of_a, b.astype(float), of_b)).p < 0.05
    assert 2 <= alarms <= 20  # 10 expected, standard deviation 3.1
    assert finds > 165


def test_sums_of_shares() -> None:
    one = (np.array([1.0, 2, 0]), np.array([5.0, 5, 5]), np.array([0.0, 1, 0]), np.array([6.0, 6, 6]))
    other = (np.array([0.0, 0, 3]), np.array([9.0, 9, 9]), np.array([1.0, 1, 1]), np.array([9.0, 9, 9]))
    expected = (3 / 15 + 3 / 27) - (1 / 18 + 3 / 27)
    assert ratio_test(one, other).delta == pytest.approx(expected)


@given(counts, st.integers(1, 4))
def test_units_are_tested_as_segments_of_the_same_sums(rows, size) -> None:
    """Shares of the same totals are differences of counts, of which a unit has the sum."""
    a, of, b, _ = columns(rows)
    if not of.sum():
        return
    units = Units.of(len(a), [str(i // size) for i in range(len(a))])
    test = ratio_test((a, of, b, of), units=units)
    assert test.p == sign_flip(units.sums(a - b))
    assert test.delta == ratio_test((a, of, b, of)).delta
