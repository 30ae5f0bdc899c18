"""Intervals of errors, of areas under the curve and of choices: what they are made of, and how often they hold."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy import stats

from adjudge.qe.uncertainty import (
    UnitsOfDraw,
    _off_the_ends,
    auc_interval,
    few_wrong_interval,
    mean_interval,
    skewness,
)

DRAWS = {"draws": 300, "alpha": 0.05, "seed": 1}


def alone(count):
    return np.arange(count)


def placement_variance(yes, no):
    """DeLong's, pair by pair."""
    above = (yes[:, None] > no) + 0.5 * (yes[:, None] == no)
    return above.mean(1).var(ddof=1) / len(yes) + above.mean(0).var(ddof=1) / len(no)


def score_ends(area, yes, no, t):
    """Newcombe's fifth method as roots of its polynomial."""
    x, others = Polynomial([0, 1]), (yes + no) / 2 - 1
    line = (2 - x) * (1 + x)
    above = x * (1 - x) * (line + others * (1 - x) * (1 + x) + others * x * (2 - x))
    roots = (yes * no * (x - area) ** 2 * line - t**2 * above).roots()
    return sorted(root.real for root in roots if abs(root.imag) < 1e-9 and -1e-9 < root.real < 1 + 1e-9)


def test_an_area_has_newcombe_s_interval_where_estimates_are_spread_as_it_assumes():
    rng, seen = np.random.default_rng(2), 0
    for _ in range(40):
        good = np.arange(50) < 20
        predicted = rng.normal(size=50) + 1.5 * good
        area = stats.mannwhitneyu(predicted[good], predicted[~good]).statistic / 600
        low, high = auc_interval(good, predicted, alone(50))
        usual = score_ends(area, 20, 30, stats.t.ppf(0.975, 19))
        usual = [end for end in usual if min(abs(end - area), end, 1 - end) > 1e-6]
        half = 24 * ((1 - area) / (2 - area) + area / (1 + area))
        wider = placement_variance(predicted[good], predicted[~good]) / (area * (1 - area) / 600 * (1 + half))
        if wider <= 1:
            seen += 1
            assert [low, high] == pytest.approx(usual, abs=1e-9)
        else:
            again = score_ends(area, 20, 30, stats.t.ppf(0.975, 19) * math.sqrt(wider))
            assert [low, high] == pytest.approx([again[0], again[-1]], abs=1e-9)
    assert 5 <= seen <= 35


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=4, max_size=30),
    st.integers(1, 4),
)
def test_intervals_of_areas_are_about_the_area_and_turn_with_it(rows, copies):
    good, predicted = (np.array(part) for part in zip(*rows, strict=True))
    low, high = auc_interval(good, predicted.astype(float), alone(len(rows)))
    if min(good.sum(), (~good).sum()) < 2:
        assert math.isnan(low)
        return
    area = stats.mannwhitneyu(predicted[good], predicted[~good]).statistic / (good.sum() * (~good).sum())
    assert 0 <= low <= area <= high <= 1
    assert low < high
    turned = auc_interval(good, -predicted.astype(float), alone(len(rows)))
    assert turned == pytest.approx((1 - high, 1 - low), abs=1e-9)
    again = np.repeat(np.arange(len(rows)), copies)  # copies of a segment teach nothing
    assert auc_interval(good[again], predicted[again].astype(float), again) == pytest.approx(
        (low, high), abs=1e-9
    )


@pytest.mark.parametrize(("number", "share", "distance"), [(20, 0.5, 2.56), (40, 0.15, 3.3), (100, 0.1, 3.3)])
def test_intervals_of_areas_near_1_hold(number, share, distance):
    """Areas of .965 and .99: by the spread of resamples 72, 53 and 81 % hold, and points they are, mostly."""
    rng, held, times = np.random.default_rng(7), 0, 300
    truth = float(stats.norm.cdf(distance / math.sqrt(2)))
    for _ in range(times):
        good = rng.permutation(number) < share * number
        low, high = auc_interval(good, rng.normal(size=number) + distance * good, alone(number))
        held += low <= truth <= high
    assert held >= 0.93 * times


def test_documents_make_intervals_of_areas_wider():
    rng, held, times = np.random.default_rng(8), np.zeros(2), 200
    for place in range(times + 1):
        documents = 12 if place else 20_000  # first very many of them: the truth
        unit = np.repeat(np.arange(documents), 20)
        good = rng.normal(size=len(unit)) + rng.normal(size=documents)[unit] > 0
        predicted = good + rng.normal(size=len(unit)) + rng.normal(size=documents)[unit]
        if not place:
            count = good.sum()
            truth = (stats.rankdata(predicted)[good].sum() - count * (count + 1) / 2) / (
                count * (~good).sum()
            )
            continue
        for way, own in enumerate((unit, alone(len(unit)))):
            low, high = auc_interval(good, predicted, own)
            held[way] += low <= truth <= high
    assert held[0] >= 0.91 * times
    assert held[1] < 0.85 * times


def test_a_mean_error_is_about_what_student_says_where_errors_are_symmetric():
    errors = 5 + np.random.default_rng(4).normal(size=400)
    low, high = mean_interval(errors, UnitsOfDraw.of(None, 400), draws=20_000, alpha=0.05, seed=1)
    usual = stats.t.interval(0.95, 399, errors.mean(), stats.sem(errors))
    assert (low, high) == pytest.approx(usual, abs=0.01)


def test_intervals_of_lopsided_errors_reach_further_up_and_hold_more_often():
    """Squared errors of 100 scores with a long tail: Student's interval of their logarithms holds 80 %, this one 85."""
    rng, held, times = np.random.default_rng(5), np.zeros(2), 400

    def squared(count):
        return (np.exp(0.707 * rng.normal(size=count)) - 1.3 + 0.5 * rng.normal(size=count)) ** 2

    truth = squared(4_000_000).mean()
    for seed in range(times):
        errors = squared(100)
        low, high = mean_interval(errors, UnitsOfDraw.of(None, 100), draws=200, alpha=0.05, seed=seed)
        held[0] += low <= truth <= high
        reach = stats.t.ppf(0.975, 99) * stats.sem(errors) / errors.mean()
        held[1] += abs(math.log(errors.mean() / truth)) <= reach
    assert held[0] >= held[1] + 0.025 * times


def test_a_mean_error_of_documents_is_that_of_their_segments():
    errors = np.random.default_rng(6).exponential(size=40)
    units = UnitsOfDraw.of([f"{place:02}" for place in np.repeat(np.arange(40), 3)], 120)
    assert mean_interval(np.repeat(errors, 3), units, **DRAWS) == pytest.approx(
        mean_interval(errors, UnitsOfDraw.of(None, 40), **DRAWS), abs=1e-12
    )


def test_errors_that_are_all_the_same_have_no_width_and_one_unit_has_no_interval():
    assert mean_interval(np.full(20, 0.3), UnitsOfDraw.of(None, 20), **DRAWS) == pytest.approx((0.3, 0.3))
    assert all(map(math.isnan, mean_interval(np.ones(20), UnitsOfDraw.of(["a"] * 20, 20), **DRAWS)))


def test_skewness_is_scipy_s():
    values = np.random.default_rng(1).exponential(size=50)
    assert skewness(values) == pytest.approx(stats.skew(values))
    assert skewness(np.full(9, 0.1)) == 0


@pytest.mark.parametrize(("number", "noise", "share"), [(20, 0.1, 0.5), (40, 0.03, 0.5), (100, 0.1, 0.1)])
def test_choices_of_which_next_to_none_is_wrong_have_a_least_value_that_holds(number, noise, share):
    """Where all are right, resamples are too, and intervals by them are points."""
    rng, few, held = np.random.default_rng(9), 0, 0
    cut = stats.norm.ppf(1 - share)
    quality = rng.normal(size=400_000)
    truth = np.corrcoef(quality > cut, quality + noise * rng.normal(size=400_000) > cut)[0, 1]
    for _ in range(400):
        quality = rng.normal(size=number)
        good, chosen = quality > cut, quality + noise * rng.normal(size=number) > cut
        found = few_wrong_interval(good, chosen, alone(number))
        if found:
            few += 1
            held += found[0] <= truth <= found[1]
    assert few > 200
    assert held >= 0.95 * few


def test_the_least_value_of_choices_is_that_of_a_table_with_halves_added():
    good = np.arange(40) < 15
    chosen = good.copy()
    chosen[0] = False
    low, high = few_wrong_interval(good, chosen, alone(40))
    table = np.array([[14.5, 1.5], [0.5, 25.5]])
    phi = (table[0, 0] * table[1, 1] - table[0, 1] * table[1, 0]) / math.sqrt(
        table.sum(0).prod() * table.sum(1).prod()
    )
    rng = np.random.default_rng(1)
    drawn = rng.multinomial(42 * 500, table.ravel() / 42, 20_000).reshape(-1, 2, 2).astype(float)
    below = np.sqrt(drawn.sum(1).prod(1) * drawn.sum(2).prod(1))
    own = (drawn[:, 0, 0] * drawn[:, 1, 1] - drawn[:, 0, 1] * drawn[:, 1, 0]) / below
    error = np.arctanh(own).std() * math.sqrt(500)  # of so many that the table is spread as its error says
    assert high == 1
    assert low == pytest.approx(math.tanh(math.atanh(phi) - stats.t.ppf(0.975, 39) * error), abs=0.01)
    assert few_wrong_interval(good, ~chosen, alone(40)) is None
    again = np.repeat(alone(40), 5)
    assert few_wrong_interval(good[again], chosen[again], again) == pytest.approx((low, high), abs=1e-12)


def test_resamples_at_the_end_of_a_scale_lie_half_as_far_from_it_as_the_next():
    drawn = np.array([0.5, 0.9, 1.0, 1.0, -1.0])
    with np.errstate(divide="ignore"):
        found = _off_the_ends(drawn, np.arctanh)
    assert found.tolist() == pytest.approx([0.5, 0.9, 0.95, 0.95, -0.25])
