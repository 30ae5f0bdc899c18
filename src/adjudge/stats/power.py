"""What a test can find: its power for so many translations, how many are enough, and what a test set could have shown.

An effect is P(A < B), the chance that of two translations, one of each system, B's is scored higher; ties count half.
Scores are taken to be normal, the systems to differ by a shift (Noether's method does without).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.stats.distributions import (
    binomial_cdf,
    log_factorials,
    most_even_successes,
    noncentral_t_cdf,
    normal_cdf,
    normal_quantile,
    owens_t,
    t_quantile,
)
from adjudge.stats.draws import generator

if TYPE_CHECKING:
    from adjudge.stats.tests.planned import PlannedTest

POWER = 0.8
MOST = 10**9
"""The search for a number of translations ends here."""
SCANNED = 20_000
"""Up to how many translations the sign test's power is looked at for every number of them: its teeth get smaller."""
COUNTED = 1_000_000
"""Up to how many it is counted at all; beyond, the normal distribution is as good."""
FARTHEST = 9.0
"""The search for a difference ends here, in standard deviations: all scores of one system exceed the other's."""
_NEXT_TO_NOTHING = 1e-12
MOST_DECISIVE = 32
"""Where no more swaps than these decide, p is coarse and simulation says what a randomisation finds; Student's t does
as well where more do."""
MOST_AGAINST = 10
"""Units that speak most against a difference: swaps of others never are among those that decide."""
SAMPLES = 5000
MOST_AGAINST_SHARE = 1.8
"""Where a single swap decides, what a test finds depends on the unit that speaks most against it; else on all units.
So the scale of a difference moves from its error towards what the farthest unit is off, by this over the root of the
number of swaps that decide (bench/calibration_real.py: DA, ESA and MQM then need the same multiple)."""


@dataclass(frozen=True)
class Tails:
    """How what single units add to a difference is usually spread, where too few of them are there to show it.

    Heavy tails and long segments make the standard error unsure, so that a larger difference is needed.
    """

    kurtosis: float
    """Excess kurtosis, as expected before any unit is seen."""
    freedom: float
    """Of the Student's t distribution from which few units are simulated."""
    size_spread: float
    """Deviation of the logarithm of units' sizes. A difference grows with the size, its noise with the root."""

    def estimate(self, kurtosis: float, units: float) -> float:
        """The kurtosis seen on so many units, drawn towards the expected one as by `PRIOR_UNITS` units more."""
        if not math.isfinite(kurtosis):
            return self.kurtosis
        return (units * max(kurtosis, 0.0) + PRIOR_UNITS * self.kurtosis) / (units + PRIOR_UNITS)


PRIOR_UNITS = 30
NORMAL = Tails(0.0, math.inf, 0.0)
# Of judgements (DA, ESA, MQM of WMT23) and of BLEU, chrF and TER on seven test sets of WMT (bench/calibration_real.py).
SCORES = Tails(2.0, 4.0, 0.0)
GROUPED_SCORES = Tails(3.5, 5.0, 0.6)
TEXTS = Tails(4.0, 8.0, 0.6)


def detectable_difference(
    deviation: float,
    alpha: float,
    power: float = POWER,
    *,
    sides: int = 2,
    units: float | None = None,
    swapped: bool = False,
    tails: Tails = NORMAL,
    kurtosis: float = math.nan,
    farthest: float = math.nan,
) -> float:
    """The smallest difference that a paired test of scores at alpha finds with this power.

    `deviation` is the standard deviation of the difference over resamples of the test set, of so many `units`. It is
    itself an estimate: the power is the mean over test sets, of which some vary less than others by chance. How much
    they do so depends on the tails of what units add, of which `kurtosis` was seen. Where few units are `swapped`, as
    in a randomisation test, only few p-values can occur, and simulation allows for that; `farthest` is how far the mean
    of one unit is off at most, where scores are means.
    """
    if not math.isfinite(deviation) or deviation <= 0 or (units is not None and units < 2) or not alpha:
        return math.nan
    if units is None:
        return float((normal_quantile(1 - alpha / sides) + normal_quantile(power)) * deviation)
    error = deviation * math.sqrt(units / (units - 1))
    decisive = alpha / sides * 2.0 ** min(round(units), 1000)
    if swapped and decisive <= MOST_DECISIVE:
        ties = math.floor(decisive) - 1
        share = MOST_AGAINST_SHARE / math.sqrt(ties + 1) if ties >= 0 and farthest > 0 else 0.0
        scale = error * (farthest / units / error) ** share if share else error
        return scale * _shown_by_swapping(round(units), ties, power, tails, share)
    return error * _shown_by_t(units, alpha, power, sides, tails.estimate(kurtosis, units))


def _shown_by_t(units: float, alpha: float, power: float, sides: int, kurtosis: float) -> float:
    """How many estimated standard errors Student's t test finds with this power, in the mean over test sets.

    A difference of k estimated errors is found where Z + k S > t S', with S and S' the estimates of two test sets over
    the true error. Both are about normal; the variance v is that of a standard deviation, the mean 1 - v/2.
    """
    t, z = float(t_quantile(units - 1, 1 - alpha / sides)), float(normal_quantile(power))
    variance = 1 / (2 * (units - 1)) + kurtosis / (4 * units)
    mean = (1 - variance / 2) ** 2
    a = mean - z**2 * variance
    if a <= 0:
        return math.nan
    return (mean * t + math.copysign(math.sqrt(mean**2 * t**2 - a * (a * t**2 - z**2)), z)) / a


@lru_cache(maxsize=1024)
def _shown_by_swapping(units: int, ties: int, power: float, tails: Tails, share: float = 0.0) -> float:
    """How many estimated standard errors a randomisation of few units finds with this power; NaN where it cannot.

    It may have so many swaps (`ties`) that go as far as what is seen. The `share` is that of the farthest unit in
    the scale of a difference.
    """
    if ties < 0 or ties >= 2**units - 1:
        return math.nan
    shifts, errors, farthest = _swapped(units, tails)
    needed = np.sort(shifts[:, ties])
    errors = errors * (farthest / units / errors) ** share
    low, high = 0.0, float(needed[-1] / errors.min())
    while high - low > 1e-4:
        middle = (low + high) / 2
        enough = np.searchsorted(needed, middle * errors, side="right").mean() >= power * len(needed)
        low, high = (low, middle) if enough else (middle, high)
    return high


@lru_cache(maxsize=64)
def _swapped(units: int, tails: Tails) -> tuple[NDArray[np.float64], ...]:
    """Of simulated test sets: the shifts beyond which fewer and fewer swaps go as far, errors, and the farthest units.

    A difference s on every unit of size 1 moves unit i to x_i + s w_i. To swap a set F of units goes as far as what is
    seen where these add up to 0 or less, so as long as s is no more than -x_F / w_F.
    """
    rng = generator(units)

    def drawn() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        sizes = np.exp(tails.size_spread * rng.normal(size=(SAMPLES, units)))
        shape = (SAMPLES, units)
        noise = (
            rng.standard_t(tails.freedom, shape) if math.isfinite(tails.freedom) else rng.normal(size=shape)
        )
        return np.sqrt(sizes) * noise, sizes

    x, w = drawn()
    against = np.argsort(x / w, axis=1)[:, :MOST_AGAINST]
    x, w = (np.take_along_axis(values, against, axis=1) for values in (x, w))
    sets = (np.arange(1, 2 ** x.shape[1])[:, None] >> np.arange(x.shape[1]) & 1).astype(np.float64)
    limits = (x @ sets.T) / (w @ sets.T)
    first = min(MOST_DECISIVE, limits.shape[1]) - 1
    shifts = -np.sort(np.partition(limits, first, axis=1)[:, : first + 1], axis=1)
    x, w = drawn()
    farthest = np.abs(x / w - x.sum(1, keepdims=True) / w.sum(1, keepdims=True)).max(1)
    x, w = x / w.sum(1, keepdims=True), w / w.sum(1, keepdims=True)
    losses = (x - x.sum(1, keepdims=True) * w) / (1 - w)  # of the jackknife
    losses -= losses.mean(1, keepdims=True)
    return np.maximum(shifts, 0.0), np.sqrt((1 - 1 / units) * (losses**2).sum(1)), farthest


def mean_power(difference: float, error: float, alpha: float, *, sides: int = 2, units: float) -> float:
    """The power of a test of means at alpha for a difference whose standard error comes from so many units.

    By the noncentral t distribution; with two sides, of a result in the direction of the difference.
    """
    if units < 2:
        return 0.0
    limit = float(t_quantile(units - 1, 1 - alpha / sides))
    return 1 - noncentral_t_cdf(units - 1, difference / error, limit)


def detectable_share(
    test: PlannedTest,
    counts: tuple[float, float],
    alpha: float,
    power: float = POWER,
    *,
    sides: int = 2,
    levels: NDArray[np.float64] | None = None,
) -> float:
    """The smallest share above 0.5 that a test of ranks at alpha finds with this power; NaN where not even 1 is found.

    Shares are those of `ranktests.PairTests`: of pairs of scores, one of each system (rank-sum: the effect of
    `rank_sum`), of the ranks of differences (signed-rank), of the segments that differ (sign). `counts` are the scores
    of either system, or the segments that differ; `levels` is how often each score occurs in a rank-sum test, from the
    lowest, where many tie.
    """
    n, m = (round(count) if math.isfinite(count) else 0 for count in counts)
    if min(n, m) < 2 or (levels is not None and len(levels) < 2):
        return math.nan

    def power_at(distance: float) -> float:
        return test.power_apart(distance, n, m, alpha, sides=sides, levels=levels)

    low, high = 0.0, FARTHEST
    if power_at(high) < power:
        return math.nan
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if power_at(middle) >= power else (middle, high)
    return test.share_apart(high, n, m, levels)


def share_above(distance: float) -> float:
    """Of normal scores whose means lie so many standard deviations apart, how often one is above another."""
    return float(normal_cdf(distance / math.sqrt(2)))


def distance(effect: float) -> float:
    """How many standard deviations the means of normal scores lie apart, of which one is above another so often."""
    return math.sqrt(2) * abs(float(normal_quantile(effect)))


def tied_rank_sum(n: int, m: int, levels: NDArray[np.float64], distance: float) -> tuple[float, Normal]:
    """The share of pairs and the test's statistic, for scores that are levels of normal ones.

    Each level holds as large a part of a normal distribution as it has of all scores; then the systems' normal scores
    are moved apart by `distance` standard deviations. Mean and variance of the statistic are exact.
    """
    edges = normal_quantile(np.clip(np.cumsum(levels[:-1]) / levels.sum(), 1e-12, 1 - 1e-12))
    up, down = distance * m / (n + m), distance * n / (n + m)
    a = np.diff(np.concatenate([[0.0], normal_cdf(edges - up), [1.0]]))
    b = np.diff(np.concatenate([[0.0], normal_cdf(edges + down), [1.0]]))
    below = np.cumsum(b) - b
    wins, losses = below + b / 2, 1 - np.cumsum(a) + a / 2
    share = float(a @ wins)
    variance = (
        n
        * m
        * (
            float(a @ (below + b / 4))
            - share**2
            + (m - 1) * (float(a @ wins**2) - share**2)
            + (n - 1) * (float(b @ losses**2) - share**2)
        )
    )
    left = 1 - float((((n * a + m * b) / (n + m)) ** 3).sum())
    null = math.sqrt(m * n * (m + n + 1) / 12 * left)
    return share, Normal(
        m * n * (share - 0.5) / null, math.sqrt(max(variance, 0.0)) / null or _NEXT_TO_NOTHING
    )


@dataclass(frozen=True)
class Normal:
    """A test's statistic under an effect, in standard deviations of what it is without one."""

    shift: float
    """How far its mean has moved, in the direction of the effect."""
    spread: float = 1.0
    """Its standard deviation."""

    def power(self, alpha: float, sides: int = 2) -> float:
        """The chance of a significant result; with one side, of one in the direction of the effect."""
        limit = -normal_quantile(alpha / sides)
        power = normal_cdf((self.shift - limit) / self.spread)
        if sides == 2:
            power += normal_cdf((-self.shift - limit) / self.spread)
        return float(power)

    def drift(self, alpha: float, sides: int = 2) -> float:
        """The shift of a statistic of spread 1 that has the same power, for interim looks."""
        limit = -normal_quantile(alpha / sides)
        return float((self.shift - limit) / self.spread + limit)


def rank_sum(n: int, effect: float, *, other: int | None = None, method: str = "shieh") -> Normal:
    """Wilcoxon's rank-sum test (Mann-Whitney) of n translations of one system and `other` (n) of the other one's.

    `shieh`: mean and variance are exact for normal scores that differ by a shift (Shieh, Jan and Randles 2006);
    `noether`: the variance is taken to be what it is without an effect (Noether 1987).
    """
    m = n if other is None else other
    p = max(effect, 1 - effect)
    null = math.sqrt(m * n * (m + n + 1) / 12)
    if method == "noether":
        return Normal((p - 0.5) * math.sqrt(12 * m * n / (m + n)))
    # Two translations of one system both beat one of the other's; for a shift it is the same the other way round.
    both = _both_below(float(normal_quantile(p)))
    variance = m * n * (p * (1 - p) + (m + n - 2) * (both - p * p))
    return Normal(m * n * (p - 0.5) / null, math.sqrt(max(variance, 0.0)) / null or _NEXT_TO_NOTHING)


def signed_rank(n: int, effect: float, *, method: str = "shieh") -> Normal:
    """Wilcoxon's signed-rank test of n segments that both systems translated; the effect is that on one segment.

    `shieh`: exact mean and variance for normal differences (Shieh, Jan and Randles 2007); `noether`: as above.
    """
    p = max(effect, 1 - effect)
    half = float(normal_quantile(p))  # of a difference; the sum of two is √2 times as far from 0
    pair = float(normal_cdf(math.sqrt(2) * half))
    if method == "noether":
        return Normal((pair - 0.5) * math.sqrt(3 * n))
    null = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    mean = n * p + n * (n - 1) / 2 * pair
    sharing = _both_below(math.sqrt(2) * half)  # two sums that share a difference
    variance = (
        n * p * (1 - p)
        + n * (n - 1) / 2 * (2 * (p - pair) ** 2 + 3 * pair * (1 - pair))
        + n * (n - 1) * (n - 2) * (sharing - pair * pair)
    )
    return Normal((mean - n * (n + 1) / 4) / null, math.sqrt(max(variance, 0.0)) / null or _NEXT_TO_NOTHING)


def sign(n: int, effect: float, *, ties: float = 0.0, method: str = "shieh") -> Normal:
    """The sign test of n segments, as far as it is normal; `sign_power` is exact.

    The effect counts a tie as half a win for either.
    """
    mean = abs(2 * effect - 1)  # of +1, 0 and -1
    untied = 1 - ties
    if method == "noether":
        return Normal(mean * math.sqrt(n / untied))
    spread = math.sqrt(max(0.0, 1 - mean * mean / untied)) or _NEXT_TO_NOTHING
    return Normal(mean * math.sqrt(n / untied), spread)


def sign_power(n: int, effect: float, *, ties: float = 0.0, alpha: float = 0.05, sides: int = 2) -> float:
    """The exact power of the sign test, which leaves ties out and asks the binomial distribution about the rest."""
    first, weights = _untied_counts(n, ties)
    left = np.arange(first, first + len(weights))
    return float(weights @ _binomial_power(left, untied_effect(effect, ties), alpha, sides))


def sign_n(wanted: float, effect: float, *, ties: float = 0.0, alpha: float = 0.05, sides: int = 2) -> int:
    """From how many segments on the sign test has this power.

    The power falls a little wherever the number of wins that is asked for goes up; the answer is the number beyond
    which it never falls below what is wanted.
    """
    about = smallest_n(lambda n: sign(n, effect, ties=ties).power(alpha, sides), wanted)
    if about > COUNTED:
        return about
    if about > SCANNED:
        return smallest_n(lambda n: sign_power(n, effect, ties=ties, alpha=alpha, sides=sides), wanted)
    numbers = np.arange(2, 2 * about + 100)
    powers = _binomial_power(np.arange(numbers[-1] + 1), untied_effect(effect, ties), alpha, sides)
    if not ties:
        reached = powers[numbers]
    else:
        mixed = (_untied_counts(int(n), ties) for n in numbers)
        reached = np.array([weights @ powers[first : first + len(weights)] for first, weights in mixed])
    short = np.flatnonzero(reached < wanted)
    return int(numbers[short[-1]] + 1) if short.size else int(numbers[0])


def untied_effect(effect: float, ties: float) -> float:
    """The chance that B wins where there is no tie."""
    return 0.5 + (effect - 0.5) / (1 - ties)


def smallest_n(power: Callable[[int], float], wanted: float, *, about: int = 4) -> int:
    """The smallest number of translations, from 2 up, with the wanted power, which must grow with their number.

    `about` is where it is looked for first.
    """
    low, high = 1, max(2, about)
    step = max(1, high // 16)
    while power(high) < wanted:
        low, high = high, high + step
        step *= 2
        if high > MOST:
            raise UsageError(
                f"more than {MOST:,} translations would be needed: plan for a larger effect, or less power"
            )
    while high - low > 1:
        middle = max(high - step, (low + high) // 2)
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
        step *= 2
    return high


def paired_effect(effect: float, correlation: float) -> float:
    """The effect on one segment, where the systems' scores of the same segment correlate.

    What makes a segment hard for both does not blur their difference.
    """
    return float(normal_cdf(normal_quantile(effect) / math.sqrt(1 - correlation)))


def averaged_variance(judgements: int, icc: float) -> float:
    """The variance of a translation's mean over several judgements, beside that of one judgement.

    `icc`, the intraclass correlation, is the share of the variance of judgements that lies between translations:
    that share stays, the rest is averaged out.
    """
    return icc + (1 - icc) / judgements


def _both_below(h: float) -> float:
    """The chance that two standard normal variables which correlate 1/2 both lie below h."""
    return float(normal_cdf(h) - 2 * owens_t(h, 1 / math.sqrt(3)))


def _untied_counts(n: int, ties: float) -> tuple[int, NDArray[np.float64]]:
    """How many segments of n are not tied: the smallest number that may happen, and the chances from there on."""
    if not ties:
        return n, np.ones(1)
    # Beyond ten standard deviations there is nothing to be had.
    middle, reach = n * (1 - ties), 10 * math.sqrt(n * ties * (1 - ties)) + 10
    k = np.arange(max(0, math.floor(middle - reach)), min(n, math.ceil(middle + reach)) + 1)
    choices = math.lgamma(n + 1) - log_factorials(k) - log_factorials(n - k)
    untied = k * math.log1p(-ties) if ties < 1 else np.where(k > 0, -math.inf, 0.0)
    return int(k[0]), np.exp(choices + untied + (n - k) * math.log(ties))


def _binomial_power(n: NDArray[np.int64], wins: float, alpha: float, sides: int) -> NDArray[np.float64]:
    """The chance of a significant p for each n, if every segment is won with this chance."""
    most = most_even_successes(alpha / sides, n)  # losses
    chance = max(wins, 1 - wins)
    ours = np.where(most >= 0, binomial_cdf(np.maximum(most, 0), n, 1 - chance), 0.0)
    theirs = np.where(most >= 0, binomial_cdf(np.maximum(most, 0), n, chance), 0.0)
    return ours + theirs if sides == 2 else ours
