"""Two one-sided tests: those of scipy, their interval, and how often they are wrong at the margin and right inside."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp, ttest_ind

from adjudge.errors import UsageError
from adjudge.stats.design import Design
from adjudge.stats.equivalence import clustered_error, error_over_runs, resampled_error, within_margin
from adjudge.stats.resampling import quotient, resampled_scores
from adjudge.stats.units import Units

SOUND = Design("segment", 40)
"""All that belongs together is drawn."""
numbers = st.floats(-5, 5)


def test_as_scipy_has_it():
    values = np.random.default_rng(1).normal(0.1, 1, 40)
    error = clustered_error(values, np.ones(40))
    equivalence = within_margin(values.mean(), error, 40, 0.5, design=SOUND)
    above = ttest_1samp(values, -0.5, alternative="greater")
    below = ttest_1samp(values, 0.5, alternative="less")
    assert equivalence.p_not_worse == pytest.approx(above.pvalue)
    assert equivalence.p_not_better == pytest.approx(below.pvalue)
    assert equivalence.p == pytest.approx(max(above.pvalue, below.pvalue))
    interval = ttest_1samp(values, 0).confidence_interval(0.9)
    assert (equivalence.low, equivalence.high, equivalence.confidence) == (
        pytest.approx(interval.low),
        pytest.approx(interval.high),
        pytest.approx(0.9),
    )


@given(numbers, st.floats(0.01, 3), st.integers(2, 500), st.floats(0.01, 5), st.integers(1, 20))
def test_the_interval_says_what_the_tests_say(delta, error, units, margin, tests):
    equivalence = within_margin(delta, error, units, margin, tests=tests, design=SOUND)
    if abs(equivalence.p - 0.05) > 1e-9:
        assert equivalence.equivalent == (-margin < equivalence.low and equivalence.high < margin)
    if abs(equivalence.p_not_worse - 0.05) > 1e-9:
        assert equivalence.not_worse == (-margin < equivalence.low)
    back = within_margin(-delta, error, units, margin, tests=tests, design=SOUND)
    assert equivalence.turned == back
    assert equivalence.p == max(equivalence.p_not_worse, equivalence.p_not_better)


def test_what_is_not_known_shows_nothing():
    for entry in (
        within_margin(0.0, math.nan, 40, 1.0, design=SOUND),
        within_margin(0.0, 0.1, 1, 1.0, design=SOUND),
    ):
        assert not entry.equivalent
        assert not entry.not_worse
        assert math.isnan(entry.low)
    assert within_margin(0.0, 0.0, 40, 1.0, design=SOUND).equivalent
    assert within_margin(0.0, 0.0, 40, 1.0, design=SOUND).p > 0
    for margin in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(UsageError, match="above 0"):
            within_margin(0.0, 0.1, 40, margin, design=SOUND)


def test_errors_of_resamples_are_those_of_units():
    """Documents of several segments: the bootstrap's deviation and the formula agree."""
    rng = np.random.default_rng(2)
    label = np.repeat(np.arange(60), rng.integers(2, 9, 60))
    values = rng.normal(0, 1, 60)[label] + rng.normal(0, 1, len(label))
    units = Units.of(len(label), [str(d) for d in label])
    rows = [np.column_stack([values + shift, np.ones(len(label))]) for shift in (0, 0.0)]
    drawn = resampled_scores(rows[:1], quotient, resamples=4000, seed=1, units=units)[:, 0]
    sums, counts = np.bincount(label, values), np.bincount(label).astype(float)
    expected = clustered_error(sums, counts)
    assert resampled_error(float(drawn.std(ddof=1)), 60) == pytest.approx(expected, rel=0.05)


def shown(rng, times, documents, difference, margin):
    """How often equivalence is shown by documents of 3 to 8 segments that resemble each other, and by segments."""
    result = np.zeros(2)
    for _ in range(times):
        sizes = rng.integers(3, 9, documents)
        label = np.repeat(np.arange(documents), sizes)
        values = difference + rng.normal(0, 0.7, documents)[label] + rng.normal(0, 0.7, len(label))
        mean = float(values.mean())
        for place, (sums, counts) in enumerate(
            ((np.bincount(label, values), sizes.astype(float)), (values, np.ones(len(values))))
        ):
            result[place] += within_margin(
                mean, clustered_error(sums, counts), len(sums), margin, design=SOUND
            ).equivalent
    return result / times


def test_level_at_the_margin_and_power_inside():
    """2,000 campaigns: 5 % ± 1.5 % is three standard errors; segments taken for independent are wrong too often."""
    rng = np.random.default_rng(3)
    by_documents, by_segments = shown(rng, 2000, 60, 0.5, 0.5)
    assert 0.035 < by_documents < 0.07
    assert by_segments > 0.11
    inside, _ = shown(rng, 300, 60, 0.0, 0.5)
    assert inside > 0.95
    few, _ = shown(rng, 300, 8, 0.0, 0.3)
    assert few < 0.3  # too few data show nothing, instead of parity


def test_without_a_choice_of_segments_runs_are_welchs_test():
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.2, 1, 4), rng.normal(0, 2, 6)
    error, units = error_over_runs(0.0, 1000, [(a.std(ddof=1), 4), (b.std(ddof=1), 6)])
    welch = ttest_ind(a + 1.0, b, equal_var=False, alternative="greater")
    assert units - 1 == pytest.approx(welch.df)
    equivalence = within_margin(a.mean() - b.mean(), error, units, 1.0, design=SOUND)
    assert equivalence.p_not_worse == pytest.approx(welch.pvalue)
    assert error_over_runs(0.3, 50, []) == (0.3, 50)
    assert all(map(math.isnan, error_over_runs(0.3, 50, [(1.0, 3), (math.nan, 1)])))


@pytest.mark.parametrize("luck", [0.0, 0.05, 0.3])
def test_runs_that_vary_at_the_margin_are_hardly_ever_shown_to_be_alike(luck):
    """Three runs each on 100 segments: training moves a run by `luck`, and every segment of it for itself."""
    rng = np.random.default_rng(3)
    margin, shown, inside, simulations, n = 0.25, 0, 0, 1500, 100
    for truth in (margin, 0.0):
        hard = rng.normal(0, 1, (simulations, 2, 1, n)) * 0.3
        moved = rng.normal(0, luck, (simulations, 2, 3, 1)) + rng.normal(0, 0.5, (simulations, 2, 3, n))
        scores = hard + moved + np.array([truth, 0.0])[:, None, None]
        mean = scores.mean(2)
        of_segments = (mean[:, 0] - mean[:, 1]).std(1, ddof=1) / np.sqrt(n)
        of_runs = scores.mean(3).std(2, ddof=1)
        for delta, error, own in zip((mean[:, 0] - mean[:, 1]).mean(1), of_segments, of_runs, strict=True):
            equivalence = within_margin(
                delta, *error_over_runs(error, n, [(own[0], 3), (own[1], 3)]), margin, design=SOUND
            )
            shown += equivalence.equivalent and truth > 0
            inside += equivalence.equivalent and truth == 0
    assert shown <= simulations * 0.05 + 3 * np.sqrt(simulations * 0.05 * 0.95)
    assert inside > 0.5 * simulations or luck == 0.3
