"""The core's distribution functions beside scipy's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from adjudge.stats import distributions as own

FREEDOM = st.one_of(
    st.integers(1, 10**7).map(float), st.floats(0.3, 1e9), st.floats(-0.5, 5).map(lambda power: 10**power)
)
CHANCES = st.one_of(
    st.floats(1e-9, 1 - 1e-9), st.floats(-12, -0.31).map(lambda power: 10**power), st.just(0.5)
)


@given(st.floats(-8, 8))
def test_normal_cdf(x):
    assert own.normal_cdf(x) == pytest.approx(special.ndtr(x), rel=1e-14)


@given(CHANCES)
def test_normal_quantile(p):
    assert own.normal_quantile(p) == pytest.approx(special.ndtri(p), rel=1e-14, abs=1e-300)


@given(FREEDOM, st.floats(-12, 12))
def test_t_cdf(freedom, t):
    # Both round the exponent of the density, so that the far tail of many degrees of freedom has fewer digits.
    expected = special.stdtr(freedom, t)
    assert own.t_cdf(freedom, t) == pytest.approx(expected, rel=1e-14 + 4e-16 * max(30, -math.log(expected)))


@given(FREEDOM, CHANCES)
def test_t_quantile_is_where_the_cdf_has_the_chance(freedom, p):
    t = own.t_quantile(freedom, p)
    below, above = own.t_cdf(freedom, t), own.t_cdf(freedom, -t)
    assert below == pytest.approx(p, rel=3e-14)
    assert above == pytest.approx(1 - p, rel=3e-14)
    # scipy's own is less exact near 1/2, where it also gives 0 for what is not.
    assert t == pytest.approx(special.stdtrit(freedom, p), rel=1e-9, abs=1e-9)


@given(st.data(), st.integers(1, 10**6), st.floats(0.001, 0.999))
def test_binomial_cdf(data, n, p):
    spread = 5 * math.sqrt(n * p * (1 - p)) + 1
    k = data.draw(st.integers(max(0, round(n * p - spread)), min(n, round(n * p + spread))))
    # Of scipy's two functions, bdtr has 9 digits for a million trials.
    assert own.binomial_cdf(k, n, p) == pytest.approx(
        stats.binom.cdf(k, n, p), rel=2e-12 if n > 1e4 else 2e-13
    )


@given(st.floats(1e-12, 0.999), st.integers(0, 3000))
def test_most_even_successes_is_the_last_within_the_chance(chance, n):
    chances = own.binomial_cdf(np.arange(n + 1), n, 0.5)
    assert own.most_even_successes(chance, n) == int((chances <= chance).sum()) - 1


@given(st.floats(0, 9), st.floats(0.01, 1))
def test_owens_t(h, a):
    assert own.owens_t(h, a) == pytest.approx(special.owens_t(h, a), rel=2e-12, abs=1e-300)


def test_ends_and_what_is_no_number():
    assert own.normal_cdf(np.array([-np.inf, 0.0, np.inf])).tolist() == [0.0, 0.5, 1.0]
    assert own.normal_quantile(np.array([0.0, 0.5, 1.0])).tolist() == [-math.inf, 0.0, math.inf]
    assert own.t_cdf(3, np.array([-np.inf, 0.0, np.inf])).tolist() == [0.0, 0.5, 1.0]
    assert own.t_quantile(3, np.array([0.0, 0.5, 1.0])).tolist() == [-math.inf, 0.0, math.inf]
    assert own.t_cdf(math.inf, 1.5) == own.normal_cdf(1.5)
    assert own.t_quantile(math.inf, 0.9) == own.normal_quantile(0.9)
    for value in (
        own.normal_quantile(1.5),
        own.t_cdf(0, 1.0),
        own.t_cdf(3, math.nan),
        own.t_quantile(3, -0.1),
    ):
        assert math.isnan(value)
    for value in (own.normal_cdf(math.nan), own.normal_quantile(math.nan), own.binomial_cdf(4, 3, 0.5)):
        assert math.isnan(value)


def test_numbers_give_a_float_and_arrays_broadcast():
    assert isinstance(own.t_cdf(np.int64(3), 1), float)
    table = own.t_cdf(np.array([[3], [30]]), np.array([0.5, 1.0, 2.0]))
    assert table.shape == (2, 3)
    assert table[1, 2] == own.t_cdf(30, 2)
    assert own.normal_cdf(np.empty((0, 2))).shape == (0, 2)


@given(st.integers(1, 400), st.floats(0, 2000))
def test_chi_square_tail(freedom, x):
    assert own.chi_square_tail(freedom, x) == pytest.approx(special.chdtrc(freedom, x), rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("freedom", [1, 2, 3.5, 9, 40, 1000, 1e6])
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.8, 4.0, 9.0])
@pytest.mark.parametrize("t", [0.0, 0.1, 1.96, 2.8, 12.7, 636.6])
def test_noncentral_t_cdf(freedom, shift, t):
    expected = stats.nct.cdf(t, freedom, shift) if shift else stats.t.cdf(t, freedom)
    assert own.noncentral_t_cdf(freedom, shift, t) == pytest.approx(expected, abs=2e-11)
    assert own.noncentral_t_cdf(freedom, -shift, -t) == pytest.approx(1 - expected, abs=2e-11)


def test_log_factorials():
    numbers = np.array([0, 1, 5, 170, 3000])
    assert own.log_factorials(numbers) == pytest.approx(special.gammaln(numbers + 1.0), rel=1e-14)
