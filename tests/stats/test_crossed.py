"""Units of two kinds at once: the textbook's variance, and false alarms in simulated campaigns."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.stats.crossed import (
    Clustered,
    Crossed,
    _signs,
    difference_of,
    joint_variance,
    mean_of,
    swaps_p,
)
from adjudge.stats.design import FEWEST
from adjudge.stats.equivalence import clustered_error
from conftest import benchmark_module

calibration = benchmark_module("calibration_crossed")


def rows(values, weights):
    return np.column_stack([np.multiply(values, weights), weights])


def crossed(first, second):
    return Crossed.of([str(x) for x in first], [str(x) for x in second])


@given(st.integers(0, 2**32 - 1), st.integers(FEWEST, 9), st.integers(FEWEST, 9))
def test_the_variance_is_that_of_all_pairs_of_residuals(seed, documents, annotators):
    """Cameron, Gelbach and Miller's middle matrix: residuals multiplied wherever two rows share a unit.

    Those of a unit are scaled by its share of all rows: CR2.
    """
    rng = np.random.default_rng(seed)
    first = np.concatenate([np.arange(documents), rng.integers(documents, size=60)])
    second = np.concatenate([np.arange(documents) % annotators, rng.integers(annotators, size=60)])
    second[: min(len(second), annotators)] = np.arange(annotators)
    values = rng.normal(size=len(first))
    result = crossed(first, second).mean(rows(values, np.ones(len(first))))
    off = (values - values.mean()) / len(values)

    def variance(together):
        scaled = off / np.sqrt(1 - together.sum(0) / len(off))
        return scaled @ together @ scaled

    same, alike = first[:, None] == first, second[:, None] == second
    this, other = variance(same), variance(alike)
    joint = max(this + other - variance(same & alike), min(this, other))
    wanted = joint + max(this - joint, other - joint, 0.0) / 3
    assert result.error == pytest.approx(math.sqrt(wanted))
    assert result.value == pytest.approx(values.mean())


@given(st.integers(0, 2**32 - 1), st.integers(FEWEST, 9), st.integers(FEWEST, 9))
def test_the_estimate_without_bias_is_that_of_statsmodels(seed, documents, annotators):
    """Where both kinds of units vary much, nothing but that estimate counts."""
    sandwich = pytest.importorskip("statsmodels.stats.sandwich_covariance")
    linear = pytest.importorskip("statsmodels.regression.linear_model")
    rng = np.random.default_rng(seed)
    first, second = np.divmod(np.arange(documents * annotators), annotators)
    values = rng.normal(size=documents)[first] + rng.normal(size=annotators)[second]
    values += 0.1 * rng.normal(size=len(values))
    fit = linear.OLS(values, np.ones(len(values))).fit()
    both, this, other = (
        float(part.item()) for part in sandwich.cov_cluster_2groups(fit, first, second, use_correction=True)
    )
    cells = this + other - both
    assert float(joint_variance(this, other, cells, caution=0.0)) == pytest.approx(
        max(both, min(this, other))
    )
    if both >= max(this, other):
        result = crossed(first, second).mean(rows(values, np.ones(len(values))))
        assert result.error == pytest.approx(math.sqrt(both))


@given(st.floats(0, 9), st.floats(0, 9), st.floats(0, 9), st.floats(0, 1))
def test_caution_leads_from_the_estimate_without_bias_to_the_larger_variance(first, other, both, caution):
    variance = float(joint_variance(first, other, both, caution))
    least, most = (float(joint_variance(first, other, both, end)) for end in (0.0, 1.0))
    assert variance == pytest.approx(least + caution * (most - least))
    assert variance == float(joint_variance(other, first, both, caution))
    assert least == max(first + other - both, min(first, other))
    assert most == pytest.approx(max(first + other - both, first, other))


def test_of_one_kind_it_is_the_clustered_error():
    rng = np.random.default_rng(3)
    documents = np.repeat(np.arange(12), 5)
    a, b = rng.normal(size=(2, 60))
    result = crossed(documents, documents).difference(rows(a, np.ones(60)), rows(b, np.ones(60)))
    sums = (a - b).reshape(12, 5).sum(1)
    error = clustered_error(sums, np.full(12, 5.0))
    assert result.error == pytest.approx(error)
    assert result.units == pytest.approx(12)
    wanted = stats.ttest_1samp(sums, 0)
    assert result.p() == pytest.approx(wanted.pvalue)
    assert result.p(one_sided=True) == pytest.approx(stats.ttest_1samp(sums, 0, alternative="greater").pvalue)
    low, high = wanted.confidence_interval(0.95)
    limits = replace(result, skewness=0.0).limits(0.05)
    assert [limits.low, limits.high] == pytest.approx([low / 5, high / 5])


def test_units_of_unequal_size_count_for_fewer():
    documents = np.repeat(np.arange(10), [41, *[1] * 9])
    first = rows(np.random.default_rng(1).normal(size=50), np.ones(50))
    assert crossed(documents, np.arange(50)).mean(first).units == pytest.approx(50**2 / (41**2 + 9))


def test_few_units_show_nothing():
    documents, annotators = np.divmod(np.arange(2 * 40), 40)
    result = crossed(documents, annotators).mean(rows(np.full(80, 9.0) + annotators, np.ones(80)))
    assert result.p() == 1.0
    assert math.isnan(result.limits(0.05).low)


@pytest.mark.filterwarnings("error")
def test_a_system_of_one_annotator_alone_shows_nothing():
    """Nothing but that annotator stands behind the system, so nobody knows how others would judge it."""
    items, annotators = np.arange(40), np.repeat([0, 1, 2, 3], 10)
    a = rows(np.random.default_rng(2).normal(9, 1, 40), (annotators == 0).astype(float))
    b = rows(np.random.default_rng(3).normal(0, 1, 40), (annotators > 0).astype(float))
    assert crossed(items, annotators).difference(a, b).p() == 1.0


def test_what_is_drawn_varies_as_the_errors_say():
    rng = np.random.default_rng(8)
    documents, annotators = np.divmod(np.arange(20 * 15), 15)
    a, b = (
        rows(x + rng.normal(size=20)[documents] + rng.normal(size=15)[annotators], np.ones(300))
        for x in rng.normal(size=(2, 300))
    )
    units = crossed(documents, annotators)
    drawn = units.drawn([a, b], 20_000, 1)
    assert drawn.std(0) == pytest.approx([units.mean(a).error, units.mean(b).error], rel=0.02)
    assert (drawn[:, 0] - drawn[:, 1]).std() == pytest.approx(units.difference(a, b).error, rel=0.02)


def test_the_simulation_tests_as_we_do():
    panel = calibration.Panel(9, 7, 3)
    drawn = calibration.Campaigns.drawn(panel, (0.2, 0.1), 4, np.random.default_rng(4))
    documents, annotators = np.divmod(np.arange(9 * 7), 7)
    for values, weights, *seen in zip(drawn.values, drawn.weights, *drawn.tested(), strict=True):
        present = weights.ravel() > 0
        weight = weights.ravel()[present]
        units = crossed(documents[present], annotators[present])
        if units.fewest < FEWEST:
            continue
        a, b = rows(values.ravel()[present], weight), rows(np.zeros(len(weight)), weight)
        result = units.difference(a, b)
        assert [result.value, result.error, result.units] == pytest.approx(seen)


@pytest.mark.parametrize("name", ["independent, 30 items", "20 documents of 1 to 30 items"])
def test_the_simulation_of_designs_tests_as_we_do(name):
    drawn = calibration.RATING_DESIGNS[name].drawn(
        np.random.default_rng(2).normal(70, 18, (2, 90)), 3, np.random.default_rng(4)
    )
    half = drawn.given.shape[1] // 2
    estimates = drawn.tested()
    means, variances, units = estimates.mean, estimates.variances, estimates.units
    first_half = np.arange(2 * half) < half
    for campaign, z in enumerate(drawn.z):
        a, b = rows(z, first_half.astype(float)), rows(z, (~first_half).astype(float))
        result = crossed(drawn.unit[campaign], drawn.annotator[campaign]).difference(a, b)
        error = math.sqrt(joint_variance(*(float(variance[campaign]) for variance in variances)))
        assert [result.value, result.error, result.units] == pytest.approx(
            [means[campaign], error, units[campaign]]
        )


FEW = ("3 annotators with strong tastes", "5 annotators with strong tastes")


@pytest.mark.parametrize("name", [name for name in calibration.RATING_DESIGNS if name not in FEW])
def test_default_false_alarms_of_ratings(name):
    """2,000 campaigns: 7 % is four standard errors above 5 %. The larger variance alone never finds more."""
    scores = 100 - np.random.default_rng(3).gamma(0.6, 20.0, (2, 400))
    ours, without, most = calibration.rating_shares(calibration.RATING_DESIGNS[name], scores, 2000)
    assert ours[0] < 0.07
    assert most[1] <= ours[1] <= without[1]


def test_independent_ratings_find_more_than_with_the_larger_variance():
    quality = np.random.default_rng(3).normal(70, 15, 400)
    scores = quality + np.random.default_rng(4).normal(0, 6, (2, 400))
    ours, _, most = calibration.rating_shares(
        calibration.RATING_DESIGNS["independent, 200 items"], scores, 1000
    )
    assert ours[1] > most[1] + 0.1


@pytest.mark.parametrize("annotators", [6, 7, 8])
@pytest.mark.parametrize("name", ["each always favours one system", "each mostly favours one system"])
def test_annotators_of_two_minds_are_held_to_swaps(name, annotators):
    """2,000 campaigns: by Student's t alone up to 8 % are false alarms; 6.5 % is three standard errors above 5 %."""
    scores = 100 - np.random.default_rng(3).gamma(0.6, 20.0, (2, 400))
    design = replace(calibration.TWO_MINDS[name], annotators=annotators)
    estimates = calibration._estimates(design, scores, 2000, np.random.default_rng(annotators))
    assert estimates.found(0.0) < 0.065
    assert estimates.found(0.0) < estimates.found(0.0, swaps=False)


def test_swaps_cost_nothing_where_annotators_agree():
    """Without tastes the variance by annotators is no larger than by single judgements, and swaps are not asked."""
    scores = 100 - np.random.default_rng(3).gamma(0.6, 20.0, (2, 400))
    design = calibration.RATING_DESIGNS["independent, 200 items"]
    estimates = calibration._estimates(design, scores, 1000, np.random.default_rng(1))
    shift = 3 * float(estimates.mean.std())
    assert estimates.found(shift) == pytest.approx(estimates.found(shift, swaps=False), abs=0.01)


@pytest.mark.parametrize("panel", calibration.PANELS[::4], ids=lambda panel: panel.name)
@pytest.mark.parametrize("of", [(0.1, 0.1), (0.0, 0.3)])
def test_false_alarms_roughly(panel, of):
    """500 campaigns: 8.5 % is three and a half standard errors above 5 %."""
    wrong, right = calibration.found(panel, of, 500)
    assert wrong < 0.085
    assert 0.7 < right < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("panel", calibration.PANELS, ids=lambda panel: panel.name)
@pytest.mark.parametrize("of", calibration.CORRELATIONS)
def test_false_alarms(panel, of):
    wrong, right = calibration.found(panel, of, 8000)
    assert wrong < 0.065
    assert 0.73 < right < 0.87


@given(st.integers(0, 2**32 - 1), st.integers(3, 30))
def test_the_error_of_one_kind_is_that_of_statsmodels_hc2(seed, count):
    linear = pytest.importorskip("statsmodels.regression.linear_model")
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, count))
    sizes = rng.integers(1, 9, size=count).astype(float)
    for values, result in (
        (a, mean_of(rows(a, sizes))),
        (a - b, difference_of(rows(a, sizes), rows(b, sizes))),
    ):
        fitted = linear.WLS(values, np.ones(count), weights=sizes).fit(cov_type="HC2")
        assert result.value == pytest.approx(fitted.params[0])
        assert result.error == pytest.approx(fitted.bse[0])


def test_of_units_of_one_size_it_is_the_t_interval_and_the_skewness_of_the_textbook():
    values = np.random.default_rng(5).gamma(0.7, size=40)
    result = mean_of(rows(values, np.ones(40)))
    assert result.error == pytest.approx(stats.sem(values))
    assert result.units == pytest.approx(40)
    assert result.skewness == pytest.approx(stats.skew(values, bias=False) / math.sqrt(40))
    limits = replace(result, skewness=0.0).limits(0.05)
    assert [limits.low, limits.high] == pytest.approx(
        list(stats.ttest_1samp(values, 0).confidence_interval(0.95))
    )


def hall(t, skewness):
    """The inverse of Hall's transformation (1992), of an estimate of this skewness."""
    a = skewness / 3
    return (np.cbrt(1 + 3 * a * (t - a / 2)) - 1) / a


@given(st.floats(0.001, 0.03), st.floats(0.001, 0.3))
def test_the_long_side_reaches_as_far_as_halls_transformation(skewness, error):
    t = stats.norm.isf(error / 2)
    limits = Clustered(0.0, 1.0, 1e9, skewness).limits(error)
    assert -limits.low == pytest.approx(t - skewness / 12 * (t**2 + 0.5), abs=1e-6)
    # Of third order is what is left out, and of second what is not a power of t alone.
    assert limits.high == pytest.approx(-hall(-t, skewness), abs=skewness**2 * t + skewness**3 * t**4)


@given(st.floats(-1, 1), st.floats(0.001, 0.3), st.floats(2, 100))
def test_skewness_makes_an_interval_longer_on_its_own_side(skewness, error, units):
    """The other side is shorter, by less, and the interval as a whole is never shorter."""
    plain = Clustered(2.0, 1.0, units).limits(error)
    limits, mirrored = (Clustered(2.0, 1.0, units, s).limits(error) for s in (skewness, -skewness))
    far, near = (limits.high - 2.0, 2.0 - limits.low)[:: 1 if skewness >= 0 else -1]
    reach = plain.high - 2.0
    assert reach / 2 <= near <= reach + 1e-9
    assert far >= reach - 1e-9
    assert near + far >= 2 * reach - 1e-9
    assert 2.0 - limits.low == pytest.approx(mirrored.high - 2.0)


def test_what_one_unit_alone_has_shows_nothing():
    alone = mean_of(rows([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]))
    assert alone.value == 3
    assert math.isnan(alone.limits(0.05).low)


@pytest.mark.parametrize("annotators", [7, 8, 13])
def test_annotators_who_always_favour_one_of_two_equal_systems_rarely_tell_them_apart(
    annotators: int,
) -> None:
    """Student's t alone does in 7 to 13 %: few units of two opinions are not normal."""
    every = _signs(annotators)
    noise = np.random.default_rng(5).normal(0, 0.05, every.shape)
    people = np.repeat(np.arange(annotators), 4)
    items = np.arange(4 * annotators)
    crossed = Crossed.coded(items, people)
    chosen = np.random.default_rng(6).choice(len(every), 300)
    found = 0
    for tastes in (every + noise)[chosen]:
        scores = tastes[people]
        found += crossed.mean(np.column_stack([scores, np.ones(len(scores))])).p() <= 0.05
    assert found / len(chosen) <= 0.075  # 5 % and two Monte-Carlo errors


def test_swaps_doubt_only_what_they_cannot_show() -> None:
    """Six of one mind allow 2 of 64 swaps; five against one 14 of 64."""
    assert swaps_p(np.ones(6)) == 2 / 64
    assert swaps_p(np.array([1.0, 1, 1, 1, 1, -1])) == 14 / 64
    assert swaps_p(np.ones(5)) == 0.0
