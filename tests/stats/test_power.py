"""What a test can find, and what a test set could have shown."""

import math
import re
from functools import cache

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy import special
from scipy.optimize import brentq

from adjudge.errors import UsageError
from adjudge.stats import power, ranktests, resampling
from adjudge.stats.power import detectable_difference
from adjudge.stats.tests.planned import planned_test
from helpers.stats_tables import methods_table

EFFECTS = st.floats(0.02, 0.48) | st.floats(0.52, 0.98)
TESTS = {"rank-sum": power.rank_sum, "signed-rank": power.signed_rank}


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def test_the_table_of_the_methods(shared):
    table = methods_table(shared)
    assert len(table) == 80
    for (n, effect), printed in table.items():
        assert power.rank_sum(n, effect).power(0.05) == pytest.approx(printed, abs=0.0005)


def test_noethers_numbers(shared):
    text = (shared.root / "METHODS.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "Noether: power" in line)
    wanted = {float(effect): int(n) for effect, n in re.findall(r"(\.4\d) (\d+)", line)}
    assert len(wanted) == 10
    for effect, n in wanted.items():

        def found(n, effect=effect):
            return power.rank_sum(n, effect, method="noether").power(0.05)

        assert power.smallest_n(found, 0.8) == n


def test_what_graham_haddow_and_koehn_print():
    """Statistical Power and Translationese in Machine Translation Evaluation (EMNLP 2020): simulated there."""
    assert power.rank_sum(55, 0.44).power(0.05) == pytest.approx(0.188, abs=0.008)
    assert power.rank_sum(55, 0.47).power(0.05) == pytest.approx(0.081, abs=0.008)
    assert power.rank_sum(385, 0.44).power(0.05) > 0.8
    assert power.rank_sum(1500, 0.47).power(0.05) > 0.8


def test_moments_of_the_rank_sum_by_integration():
    """Mean and variance of Mann-Whitney's U from its two probabilities, by scipy's bivariate normal."""
    n, m, shift = 12, 30, 0.7
    p = scipy.stats.norm.cdf(shift / math.sqrt(2))
    both = scipy.stats.multivariate_normal.cdf([shift / math.sqrt(2)] * 2, cov=[[1, 0.5], [0.5, 1]])
    variance = n * m * (p - p * p + (n - 1) * (both - p * p) + (m - 1) * (both - p * p))
    null = n * m * (n + m + 1) / 12
    result = power.rank_sum(n, float(p), other=m)
    assert result.shift == pytest.approx(n * m * (p - 0.5) / math.sqrt(null))
    assert result.spread == pytest.approx(math.sqrt(variance / null), abs=1e-6)


def test_moments_of_the_signed_ranks_by_simulation():
    n, shift, simulations = 7, 0.4, 400_000
    rng = np.random.default_rng(5)
    differences = rng.normal(shift, 1, (simulations, n))
    ranks = np.argsort(np.argsort(np.abs(differences), axis=1), axis=1) + 1
    statistic = (ranks * (differences > 0)).sum(1)
    null = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    result = power.signed_rank(n, float(scipy.stats.norm.cdf(shift)))
    assert result.shift == pytest.approx((statistic.mean() - n * (n + 1) / 4) / null, abs=0.006)
    assert result.spread == pytest.approx(statistic.std() / null, abs=0.004)


@pytest.mark.parametrize("test", TESTS)
@given(n=st.integers(10, 5000), effect=EFFECTS, alpha=st.floats(1e-4, 0.2), sides=st.sampled_from([1, 2]))
def test_power_grows_with_n_and_is_symmetric(test, n, effect, alpha, sides):
    find = TESTS[test]
    here = find(n, effect).power(alpha, sides)
    assert 0 <= here <= 1
    assert find(n, 1 - effect).power(alpha, sides) == pytest.approx(here, abs=1e-9)
    assert find(2 * n, effect).power(alpha, sides) >= here - 1e-12
    assert find(n, effect).power(alpha, 1) >= find(n, effect).power(alpha, 2) - 1e-12


@pytest.mark.parametrize("test", TESTS)
@given(n=st.integers(20, 2000), a=st.floats(0.2, 0.5), b=st.floats(0.2, 0.5))
def test_power_grows_with_the_distance_from_one_half(test, n, a, b):
    far, near = sorted((a, b))
    assert TESTS[test](n, far).power(0.05) >= TESTS[test](n, near).power(0.05) - 1e-9


@pytest.mark.parametrize("test", TESTS)
def test_without_an_effect_power_is_alpha(test):
    for method in ("shieh", "noether"):
        assert TESTS[test](100, 0.5, method=method).power(0.05) == pytest.approx(0.05)
        assert TESTS[test](100, 0.5, method=method).power(0.01, 1) == pytest.approx(0.01)


@given(n=st.integers(5, 500), m=st.integers(5, 500), effect=EFFECTS)
def test_it_does_not_matter_which_system_has_more(n, m, effect):
    assert power.rank_sum(n, effect, other=m).power(0.05) == pytest.approx(
        power.rank_sum(m, effect, other=n).power(0.05)
    )


@given(effect=st.floats(0.3, 0.49), wanted=st.floats(0.2, 0.99), about=st.integers(2, 10**5))
def test_n_is_the_smallest(effect, wanted, about):
    def found(n):
        return power.rank_sum(n, effect).power(0.05)

    n = power.smallest_n(found, wanted, about=about)
    assert found(n) >= wanted
    assert n == 2 or found(n - 1) < wanted


def test_where_no_number_is_enough():
    with pytest.raises(UsageError, match="more than 1,000,000,000 translations"):
        power.smallest_n(lambda n: 0.0, 0.8)


@cache
def sign_test_p(won, untied, alternative):
    return scipy.stats.binomtest(won, untied, 0.5, alternative).pvalue if untied else 1.0


def exact_sign_power(n, wins, ties, alpha, sides):
    """All outcomes one by one, tested by scipy."""
    total = 0.0
    for untied in range(n + 1):
        for won in range(untied + 1):
            alternative = "two-sided" if sides == 2 else "greater" if wins > 0.5 else "less"
            if sign_test_p(won, untied, alternative) < alpha:
                total += scipy.stats.binom.pmf(untied, n, 1 - ties) * scipy.stats.binom.pmf(won, untied, wins)
    return total


@pytest.mark.parametrize("n", [5, 6, 20, 33])
@pytest.mark.parametrize("ties", [0.0, 0.2])
@pytest.mark.parametrize("sides", [1, 2])
def test_sign_test_counted_out(n, ties, sides):
    for effect, alpha in ((0.3, 0.05), (0.62, 0.05), (0.7, 0.0312)):
        wins = power.untied_effect(effect, ties)
        assert power.sign_power(n, effect, ties=ties, alpha=alpha, sides=sides) == pytest.approx(
            exact_sign_power(n, wins, ties, alpha, sides), abs=1e-12
        )


@given(n=st.integers(2, 3000), effect=EFFECTS, ties=st.floats(0, 0.03), sides=st.sampled_from([1, 2]))
def test_sign_test_is_symmetric_and_keeps_its_level(n, effect, ties, sides):
    here = power.sign_power(n, effect, ties=ties, sides=sides)
    assert power.sign_power(n, 1 - effect, ties=ties, sides=sides) == pytest.approx(here, abs=1e-9)
    assert power.sign_power(n, 0.5, ties=ties, sides=sides) <= 0.05


@pytest.mark.parametrize("ties", [0.0, 0.3])
@pytest.mark.parametrize("effect", [0.3, 0.44, 0.46])
def test_from_the_sign_tests_n_on_power_never_falls_short(effect, ties):
    n = power.sign_n(0.8, effect, ties=ties)
    after = [power.sign_power(k, effect, ties=ties) for k in range(n, n + 200)]
    assert min(after) >= 0.8
    assert power.sign_power(n - 1, effect, ties=ties) < 0.8


def test_the_sign_test_nears_the_normal_distribution():
    assert power.sign_power(20_000, 0.49) == pytest.approx(power.sign(20_000, 0.49).power(0.05), abs=0.005)
    assert power.sign_power(20_000, 0.49, ties=0.4) == pytest.approx(
        power.sign(20_000, 0.49, ties=0.4).power(0.05), abs=0.005
    )
    assert power.sign_n(0.8, 0.499) == pytest.approx(1_962_000, rel=0.001)
    assert power.sign_n(0.8, 0.495) == pytest.approx(1_962_000 / 25, rel=0.01)


def test_what_segments_share_does_not_blur():
    assert power.paired_effect(0.44, 0.0) == pytest.approx(0.44)
    # A correlation of 0.75 halves the deviation of a difference.
    assert power.paired_effect(0.44, 0.75) == pytest.approx(
        scipy.stats.norm.cdf(2 * scipy.stats.norm.ppf(0.44))
    )
    assert power.averaged_variance(1, 0.3) == 1
    assert power.averaged_variance(4, 0.0) == pytest.approx(0.25)
    assert power.averaged_variance(4, 1.0) == 1


def test_the_drift_has_the_same_power():
    for entry in (power.rank_sum(200, 0.44), power.signed_rank(90, 0.6), power.sign(300, 0.55)):
        drift = entry.drift(0.05)
        assert power.Normal(drift).power(0.05) == pytest.approx(entry.power(0.05), abs=1e-3)


def test_by_hand():
    assert detectable_difference(1.0, 0.05) == pytest.approx(1.959964 + 0.841621, abs=1e-5)
    assert detectable_difference(2.0, 0.05, power=0.5) == pytest.approx(2 * 1.959964, abs=1e-5)
    assert detectable_difference(1.0, 0.05, units=10**6) == pytest.approx(1.959964 + 0.841621, abs=1e-4)
    assert math.isnan(detectable_difference(1.0, 0.05, units=1))
    assert detectable_difference(1.0, 0.001) > detectable_difference(1.0, 0.01)
    for deviation in (0.0, math.nan, math.inf):
        assert math.isnan(detectable_difference(deviation, 0.05))


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize("units", [8, 15, 60, 400])
def test_an_error_that_is_estimated_promises_less(units, alpha):
    """The mean of the noncentral t distribution over what test sets take for the error."""
    told = detectable_difference(math.sqrt((units - 1) / units), alpha, units=units)
    ranks = (np.arange(2000) + 0.5) / 2000
    errors = np.sqrt(scipy.stats.chi2.ppf(ranks, units - 1) / (units - 1))
    limit = scipy.stats.t.isf(alpha / 2, units - 1)
    found = scipy.stats.nct.sf(limit, units - 1, told * errors).mean()
    assert found == pytest.approx(0.8, abs=0.005)


def test_six_units_must_all_point_the_same_way():
    """The only p below 0.05 that six swaps can give is 2/64: all six differences are above 0."""
    told = detectable_difference(math.sqrt(5 / 6), 0.05, units=6, swapped=True)
    errors = np.sqrt(scipy.stats.chi2.ppf((np.arange(2000) + 0.5) / 2000, 5) / 5)
    found = (scipy.stats.norm.cdf(told * errors / math.sqrt(6)) ** 6).mean()
    assert found == pytest.approx(0.8, abs=0.02)
    assert math.isnan(detectable_difference(1.0, 0.03, units=6, swapped=True))
    assert math.isnan(detectable_difference(1.0, 0.05, units=5, swapped=True))
    one_sided = detectable_difference(math.sqrt(4 / 5), 0.05, sides=1, units=5, swapped=True)
    errors = np.sqrt(scipy.stats.chi2.ppf((np.arange(2000) + 0.5) / 2000, 4) / 4)
    assert (scipy.stats.norm.cdf(one_sided * errors / math.sqrt(5)) ** 5).mean() == pytest.approx(
        0.8, abs=0.02
    )


@pytest.mark.parametrize(("units", "alpha"), [(7, 0.05), (9, 0.05), (13, 0.0011), (16, 0.0005)])
def test_few_units_are_swapped_in_all_ways(units, alpha):
    """The shift from which on a test finds a difference is that of all swaps, made one by one."""
    shifts, *_ = power._swapped(units, power.NORMAL)
    x = np.random.default_rng(units).normal(size=(2, power.SAMPLES, units))[1]  # after the sizes
    signs = 1.0 - 2.0 * (np.arange(2 ** (units - 1))[:, None] >> np.arange(units) & 1)
    most = math.ceil(alpha * 2 ** (units - 1)) - 2
    for own, shift in zip(x[:20], shifts[:20, most], strict=True):
        below, beyond = (
            (np.abs((own + s) @ signs.T) >= abs((own + s).sum()) - 1e-12).mean()
            for s in (shift - 1e-6, shift + 1e-6)
        )
        assert beyond < alpha
        assert below >= alpha or shift == 0


def test_where_one_swap_decides_the_farthest_unit_sets_the_scale():
    """Six scores of people: one that lies far off needs a larger difference, as no error of all six shows."""
    told = [
        detectable_difference(1.0, 0.05, units=6, swapped=True, tails=power.SCORES, farthest=farthest)
        for farthest in (3.0, 4.0, 5.0)
    ]
    assert told[1] / told[0] == pytest.approx((4 / 3) ** power.MOST_AGAINST_SHARE)
    assert told[0] < told[1] < told[2]
    many = [
        detectable_difference(1.0, 0.05, units=40, swapped=True, tails=power.SCORES, farthest=farthest)
        for farthest in (3.0, 5.0)
    ]
    assert many[0] == many[1]
    without = detectable_difference(1.0, 0.05, units=6, swapped=True, tails=power.SCORES)
    scale = {"units": 6, "swapped": True, "tails": power.SCORES}
    assert detectable_difference(2.0, 0.05, farthest=6.0, **scale) == pytest.approx(2 * told[0])
    assert detectable_difference(2.0, 0.05, **scale) == pytest.approx(2 * without)


def test_heavy_tails_need_a_larger_difference():
    plain = detectable_difference(1.0, 0.05, units=50)
    heavy = detectable_difference(1.0, 0.05, units=50, tails=power.TEXTS, kurtosis=20.0)
    light = detectable_difference(1.0, 0.05, units=50, tails=power.TEXTS, kurtosis=-1.0)
    assert plain < light < heavy
    assert power.TEXTS.estimate(math.nan, 50) == power.TEXTS.kurtosis
    assert power.TEXTS.estimate(8.0, 10**9) == pytest.approx(8.0)
    for swapped in (
        detectable_difference(1.0, 0.05, units=8, swapped=True, tails=t) for t in (power.TEXTS, power.SCORES)
    ):
        assert swapped > detectable_difference(1.0, 0.05, units=8, swapped=True)


@pytest.mark.parametrize("units", [20, 60, 200])
def test_the_variance_of_an_error_follows_from_the_kurtosis(units):
    """Differences of Student's t with 10 degrees of freedom have an excess kurtosis of 1."""
    rng = np.random.default_rng(units)
    tails = power.Tails(1.0, 10.0, 0.0)
    told = detectable_difference(math.sqrt((units - 1) / units), 0.05, units=units, tails=tails)
    first, second = rng.standard_t(10, size=(2, 40_000, units))
    shift = told * first.std(1, ddof=1) / math.sqrt(units)
    p_values = scipy.stats.ttest_1samp(second + shift[:, None], 0, axis=1).pvalue
    assert np.mean((p_values < 0.05) & (second.mean(1) + shift > 0)) == pytest.approx(0.8, abs=0.01)


def test_it_is_the_difference_of_that_power():
    for alpha in (0.05, 0.001):
        difference = detectable_difference(1.0, alpha)
        assert scipy.stats.norm.sf(scipy.stats.norm.isf(alpha / 2) - difference) == pytest.approx(0.8)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3])
def test_eighty_percent_of_such_differences_are_found(alpha):
    """4,000 simulated test sets of 300 segments whose systems differ by just what the first one said."""
    rng, segments, simulations = np.random.default_rng(8), 300, 4000

    def systems(shift):
        hard = rng.normal(size=segments)
        sides = (hard + shift + rng.gamma(1.0, size=segments), hard + rng.gamma(1.0, size=segments))
        return [np.stack([side, np.ones(segments)], axis=1) for side in sides]

    deviations = []
    for seed in range(200):
        scores = resampling.resampled_scores(systems(0.0), mean, resamples=500, seed=seed)
        deviations.append(np.std(scores[:, 0] - scores[:, 1], ddof=1))
    difference = detectable_difference(float(np.mean(deviations)), alpha)
    total = sum(
        resampling.randomisation(*systems(difference), mean, trials=2999, seed=seed, threads=1).p < alpha
        for seed in range(simulations)
    )
    assert total / simulations == pytest.approx(0.8, abs=0.02)


class TestWhatWouldShow:
    """What a test is said to show with 80 % power is found in 80 of 100 simulated campaigns."""

    SIMULATED = 500
    LEVELS = (0.3, 0.5, 1.0, 1.5, 2.0)
    """Where normal scores are cut: three fifths of them are the lowest there is, as MQM's are."""

    @pytest.mark.parametrize("sides", [1, 2])
    @pytest.mark.parametrize("alpha", [0.05, 0.01])
    @pytest.mark.parametrize("test", ["rank-sum", "tied rank-sum", "signed-rank", "swapped signs", "sign"])
    def test_is_found(self, test: str, alpha: float, sides: int) -> None:
        rng = np.random.default_rng(3)
        alternative = "two-sided" if sides == 2 else "greater"
        n, m = (80, 60) if "rank-sum" in test else (80, 80)
        result = 0
        for a, b in self._campaigns(test, n, m, alpha, sides, rng):
            tested = {"rank-sum": ranktests.rank_sum, "signed-rank": ranktests.signed_rank}
            name = "rank-sum" if "rank-sum" in test else "signed-rank"
            run = ranktests.sign_test if test == "sign" else tested[name]
            result += run(a, b, alternative=alternative).p < alpha
        assert result / self.SIMULATED == pytest.approx(0.8, abs=0.06)

    def _campaigns(self, test, n, m, alpha, sides, rng):
        level = {"sides": sides}
        if test == "tied rank-sum":
            parts = np.diff(np.concatenate([[0.0], special.ndtr(np.array(self.LEVELS)), [1.0]]))
            share = power.detectable_share(planned_test("rank-sum"), (n, m), alpha, **level, levels=parts)
            apart = brentq(lambda d: power.tied_rank_sum(n, m, parts, d)[0] - share, 0, 5)
        else:
            name = "signed-rank" if test == "swapped signs" else test
            share = power.detectable_share(planned_test(name), (n, m), alpha, **level)
            apart = special.ndtri(share) * math.sqrt(2)
        for _ in range(self.SIMULATED):
            if test == "rank-sum":
                yield rng.normal(apart, 1, n), rng.normal(0, 1, m)
            elif test == "tied rank-sum":
                a, b = rng.normal(apart * m / (n + m), 1, n), rng.normal(-apart * n / (n + m), 1, m)
                yield np.digitize(a, self.LEVELS).astype(float), np.digitize(b, self.LEVELS).astype(float)
            elif test == "signed-rank":
                yield rng.normal(apart / 2, 1, n), np.zeros(n)
            else:  # sizes and signs apart from each other
                signs = np.where(rng.random(n) < share, 1.0, -1.0)
                yield signs * (1.0 if test == "sign" else np.abs(rng.normal(0, 1, n))), np.zeros(n)

    def test_levels_without_ties_are_as_good_as_none(self) -> None:
        plain = power.detectable_share(planned_test("rank-sum"), (300, 300), 0.05)
        assert power.detectable_share(
            planned_test("rank-sum"), (300, 300), 0.05, levels=np.ones(600)
        ) == pytest.approx(plain, abs=0.001)

    def test_too_few_show_nothing(self) -> None:
        for test in ("rank-sum", "signed-rank", "sign"):
            assert math.isnan(power.detectable_share(planned_test(test), (1, 1), 0.05))
        assert math.isnan(power.detectable_share(planned_test("sign"), (4, 4), 0.05))
        assert math.isnan(
            power.detectable_share(planned_test("rank-sum"), (9, 9), 0.05, levels=np.array([18.0]))
        )
