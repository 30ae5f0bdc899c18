"""Curves of agreement: they rise from a half, find what was put into simulated data, and hold on new test sets."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge.stats import agreement_curve as module
from adjudge.stats.agreement_curve import AgreementCurve, SystemPairs, agreement_curve, fit_agreement

SIZES = (13, 11, 16, 16, 8, 10, 8, 13, 12)


def kind_of_set(rng, uneven):
    """How far apart systems of a test set are, and how much noise a metric has on it."""
    return rng.gamma(6, 0.4), 1.4 * np.exp(rng.normal(0, uneven))


def scores(rng, shape, spread, noise):
    """A quality of systems that people and a metric see through noise."""
    quality = rng.standard_t(6, shape) * spread
    return quality + rng.normal(0, 0.6, shape), quality + rng.normal(0, noise, shape)


def world(rng, sizes=SIZES, uneven=0.3):
    made = [scores(rng, size, *kind_of_set(rng, uneven)) for size in sizes]
    return [people for people, _ in made], [metric for _, metric in made]


def independent_pairs(rng, steepness, exponent=1.0):
    """Test sets of two systems each, whose people agree as the model says; one steepness per test set."""
    people, metric = [], []
    for own in steepness:
        delta = rng.gamma(2, 1)
        agrees = rng.random() < 1 / (1 + math.exp(-math.exp(own) * delta**exponent))
        metric.append(np.array([delta, 0.0]))
        people.append(np.array([1.0, 0.0]) if agrees else np.array([0.0, 1.0]))
    return people, metric


def test_pairs_of_systems():
    pairs = SystemPairs.of([np.array([1.0, 2, 2])], [np.array([5.0, 7, 5])], [2020])
    assert len(pairs) == 2  # the metric ties the first and the third
    np.testing.assert_array_equal(pairs.delta, [2, 2])
    np.testing.assert_array_equal(pairs.agree, [1, 0.5])  # people tie the second and the third
    assert pairs.years == (2020,)


def test_years_count_only_where_all_are_known():
    people = [np.array([1.0, 2])] * 2
    assert SystemPairs.of(people, people, [2020, None]).years is None
    assert SystemPairs.of(people, people).years is None


def test_some_of_the_test_sets():
    pairs = SystemPairs.of(*world(np.random.default_rng(1)), range(2010, 2019))
    some = pairs.of_sets([4, 1])
    assert (some.systems, some.years) == ((8, 11), (2014, 2011))
    np.testing.assert_array_equal(some.delta[some.test_set == 1], pairs.delta[pairs.test_set == 1])


@settings(max_examples=8)
@given(st.integers(0, 10_000), st.booleans())
@example(425, True)  # the mean of shares that are nearly 1 lies below their lower quantile
def test_a_curve_rises_from_a_half_within_its_interval(seed, dated):
    years = range(2015, 2024) if dated else ()
    pairs = SystemPairs.of(*world(np.random.default_rng(seed)), years)
    curve = agreement_curve(pairs)
    assert curve.at(0.0) == (0.5, 0.5, 0.5)
    for line in (curve.agreement, curve.low, curve.high, curve.delta):
        assert (np.diff(line) >= 0).all()
    assert (curve.low <= curve.agreement).all()
    assert (curve.agreement <= curve.high).all()
    assert curve.pairs.sum() == len(pairs)
    assert curve.at(1e9)[0] == curve.agreement[-1]
    assert curve.at(-1.0) == curve.at(1.0)


@pytest.mark.parametrize("exponent", [0.6, 1.0])
def test_the_curve_that_data_were_made_with_is_found(exponent):
    """Two systems per test set are independent, so nothing but the model is tried: 3,000 of them, ± 2 points."""
    rng = np.random.default_rng(7)
    model = fit_agreement(SystemPairs.of(*independent_pairs(rng, np.full(3000, -0.4), exponent)))
    at = np.array([0.3, 1.0, 2.0, 4.0])
    truth = 1 / (1 + np.exp(-np.exp(-0.4) * at**exponent))
    np.testing.assert_allclose(model.agreement(at)[0], truth, atol=0.02)
    assert abs(model.exponent - exponent) < abs(model.exponent - (1.6 - exponent))  # 0.6 and 1 are told apart


def test_a_trend_over_years_is_found_and_followed():
    rng = np.random.default_rng(8)
    years = np.repeat(np.arange(2014, 2024), 300)
    people, metric = independent_pairs(rng, 0.5 - 0.8 * (years - 2014) / 5)
    pairs = SystemPairs.of(people, metric, years.tolist())
    model = fit_agreement(pairs)
    assert model.trend == pytest.approx(-0.8, abs=0.25)
    at = np.array([1.0])
    first, last = fit_agreement(pairs, year=2014).agreement(at)[0], model.agreement(at)[0]
    assert first[0] == pytest.approx(1 / (1 + math.exp(-math.exp(0.5))), abs=0.05)
    assert last[0] == pytest.approx(1 / (1 + math.exp(-math.exp(0.5 - 0.8 * 9 / 5))), abs=0.05)


def test_unlike_test_sets_make_wide_intervals():
    def width(uneven):
        pairs = SystemPairs.of(*world(np.random.default_rng(3), SIZES * 2, uneven))
        _, low, high = fit_agreement(pairs).agreement(np.array([1.5]))
        return high[0] - low[0]

    assert width(1.0) > 1.4 * width(0.0)


def test_neighbours_of_large_test_sets_are_taken_together(monkeypatch):
    pairs = SystemPairs.of(*world(np.random.default_rng(5), (40, 30, 30, 20)))
    at = np.array([0.5, 1.5, 4.0])
    exact = fit_agreement(pairs).agreement(at)
    monkeypatch.setattr(module, "MOST_PAIRS", 150)
    np.testing.assert_allclose(fit_agreement(pairs).agreement(at), exact, atol=0.002)


def test_all_agree_is_not_certain():
    people = [np.arange(9.0)] * 6
    curve = agreement_curve(SystemPairs.of(people, people))
    assert curve.agreement[-1] > 0.97
    assert 0.5 < curve.low[1] < curve.agreement[1] < 1


def test_lines_between_points_keep_to_the_model():
    pairs = SystemPairs.of(*world(np.random.default_rng(6)))
    model = fit_agreement(pairs)
    curve = model.curve(pairs.delta)
    at = np.quantile(pairs.delta, np.linspace(0.02, 0.99, 30))
    np.testing.assert_allclose([curve.at(d)[0] for d in at], model.agreement(at)[0], atol=0.003)


def test_where_a_share_is_reached():
    curve = AgreementCurve(np.array([0.0, 1, 3]), *[np.array([0.5, 0.6, 0.8])] * 3, pairs=np.array([0, 1, 1]))
    assert curve.reaches(0.5) == 0
    assert curve.reaches(0.7) == pytest.approx(2)
    assert curve.reaches(0.9) == math.inf
    assert curve.stretched(2.5, np.array([4.0])).reaches(0.7) == pytest.approx(5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "uneven"), [(SIZES, 0.0), (SIZES, 0.4), (SIZES[:5], 0.4), (SIZES * 2 + SIZES[:4], 0.4)]
)
def test_intervals_hold_for_a_new_test_set(sizes, uneven):
    """95 % intervals hold the curve of one more test set, in worlds whose curves are not the model's."""
    at = np.array([0.4, 0.9, 1.5, 2.5, 4.0, 6.0])
    rng = np.random.default_rng(77)
    covered, worlds = np.zeros(len(at)), 200
    for _ in range(worlds):
        _, low, high = fit_agreement(SystemPairs.of(*world(rng, sizes, uneven))).agreement(at)
        people, metric = scores(rng, (2, 150_000), *kind_of_set(rng, uneven))
        lead = metric[0] - metric[1]
        agree = np.sign(lead) == np.sign(people[0] - people[1])
        truth = np.array([agree[np.abs(np.abs(lead) - x) < 0.08 * x].mean() for x in at])
        covered += (low <= truth) & (
            truth <= high + 0.005
        )  # a share of 150,000 pairs can be 1, a curve cannot
    shares = covered / worlds
    print(sizes, uneven, shares.round(3))
    assert shares.mean() > 0.94
    assert shares.min() > 0.90
