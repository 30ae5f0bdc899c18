"""Intervals of means, of shares, and of differences: all that a test would not reject, at its corrected level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.distributions import normal_cdf, normal_quantile, t_quantile

SEEN = 20
"""So many draws must lie beyond each end of an interval; further out the normal distribution says how far."""


@dataclass(frozen=True)
class Interval:
    """From where to where a difference may be; NaN where nothing can be said."""

    low: float
    high: float


NOTHING = Interval(math.nan, math.nan)


def between(delta: float, drawn: NDArray[np.float64], error: float, *, basic: bool = False) -> Interval:
    """The middle of what was drawn, so that a share of `error` lies outside.

    Of random halves of the units it inverts the randomisation of a mean: a trial finds a difference as far from some
    other as the one seen if, and only if, that other one lies between those on the two halves (Hartigan 1969).
    `basic` turns the interval round the difference.
    """
    known = drawn[~np.isnan(drawn)]
    if not known.size or math.isnan(delta):
        return NOTHING
    reach = min(max(error, 2 * SEEN / known.size), 1.0)
    low, high = quantiles(known, reach / 2, 1 - reach / 2)
    further = _deviate(error) / _deviate(reach) if 0 < error < reach < 1 else 1.0
    low, high = delta + further * (low - delta), delta + further * (high - delta)
    return Interval(2 * delta - high, 2 * delta - low) if basic else Interval(low, high)


def bootstrap_limits(delta: float, drawn: NDArray[np.float64], error: float, units: int) -> Interval:
    """The differences that a paired bootstrap's two-sided p (`resampling.bootstrap_p`) would not reject."""
    known = drawn[~np.isnan(drawn)]
    if known.size < 2 or math.isnan(delta) or units < 2:
        return NOTHING
    # p is made larger for few units; here the share of resamples is found that becomes `error` by it.
    distance = float(t_quantile(units - 1, 1 - error / 2)) / math.sqrt((units - 1) / units)
    share = float(2 * normal_cdf(-distance))
    reach = min(max(share, SEEN / known.size), 1.0)
    (width,) = quantiles(np.abs(known - known.mean()), 1 - reach)
    width *= distance / _deviate(reach) if share < reach < 1 else 1.0
    return Interval(delta - width, delta + width)


SHORTENED = 1 / 4
MOST_SHORTENED = 0.03
"""The largest third of a skewness by which an interval is made shorter."""


def skewed_t_interval(value: float, error: float, freedom: float, skewness: float, missed: float) -> Interval:
    """Student's t interval of an estimate, longer on the side to which the estimate is skewed.

    That side reaches to the second order of the inverse of Hall's transformation (1992): with a third of the skewness
    a, t + a (t² + 1/2) + 5/3 a² t³; Johnson (1978) has the first two terms. The other side is shorter by a quarter of
    Johnson's term, and by that of a = 0.03 at most: a skewness that few scores show is unsure (docs/statistics.md has
    the simulations).
    """
    t = float(t_quantile(freedom, 1 - missed / 2))
    a = abs(skewness) / 3
    far = t + a * (t**2 + 0.5) + 5 / 3 * a**2 * t**3
    near = max(t - SHORTENED * min(a, MOST_SHORTENED) * (t**2 + 0.5), t / 2)
    down, up = (far, near) if skewness < 0 else (near, far)
    return Interval(value - down * error, value + up * error)


def agree_with_test(interval: Interval, delta: float, *, significant: bool) -> Interval:
    """The interval cut off at 0, or drawn out to it, where it would say another thing than the test.

    Holm's later steps find more than intervals that hold together may say by themselves, and a test of sums is not
    the inverse of its intervals to the last digit.
    """
    low, high = interval.low, interval.high
    if math.isnan(low) or math.isnan(high) or math.isnan(delta):
        return interval
    if not significant:
        return Interval(min(low, 0.0), max(high, 0.0))
    return Interval(max(low, 0.0), high) if delta > 0 else Interval(low, min(high, 0.0))


def _deviate(error: float) -> float:
    return float(-normal_quantile(error / 2))


def quantiles(values: NDArray[np.float64], *shares: float) -> list[float]:
    """The values below which such shares of the values lie, none of which may be NaN; in proportion between two."""
    last = len(values) - 1
    places = [last * share for share in shares]
    below = [min(math.floor(place), last) for place in places]
    needed = sorted({*below, *(min(place + 1, last) for place in below)})
    parted = np.partition(values, needed)
    return [
        _between(float(parted[low]), float(parted[min(low + 1, last)]), place - low)
        for low, place in zip(below, places, strict=True)
    ]


def _between(low: float, high: float, share: float) -> float:
    """So far on the way from low to high, reckoned from the nearer one of them, as numpy does."""
    return high - (high - low) * (1 - share) if share >= 0.5 else low + (high - low) * share


@dataclass(frozen=True)
class Share:
    """A share, the ends of its interval, and how many items stand behind it."""

    value: float
    low: float
    high: float
    items: int
    effective: float
    """Items that say as much when each stands for itself."""


def share_of(
    hits: NDArray[np.bool_] | NDArray[np.float64], cluster: NDArray[Any] | None = None, *, alpha: float = 0.05
) -> Share:
    """The share of hits with Wilson's interval; of clustered items as many count as their variance says (Kish 1965).

    Where all items are hits, or none is, items of a cluster count as one.
    """
    values = np.asarray(hits, np.float64)
    n = len(values)
    if not n:
        return Share(math.nan, math.nan, math.nan, 0, 0.0)
    p = float(values.mean())
    clusters, place = (n, np.arange(n)) if cluster is None else _places(cluster)
    effective, free = float(n), math.inf
    if clusters < n:
        effective, free = _effective(values, place, clusters, p), max(1, clusters - 1)
    low, high = wilson(p, effective, alpha, free)
    return Share(p, low, high, n, effective)


def wilson(p: float, n: float, alpha: float = 0.05, free: float = math.inf) -> tuple[float, float]:
    """Wilson's interval of a share of n; by Student's t where the variance has few degrees of freedom."""
    z = float(normal_quantile(1 - alpha / 2) if math.isinf(free) else t_quantile(free, 1 - alpha / 2))
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (0.0 if p == 0 else middle - reach), (1.0 if p == 1 else middle + reach)


def _places(cluster: NDArray[Any]) -> tuple[int, NDArray[np.intp]]:
    names, place = np.unique(cluster, return_inverse=True)
    return len(names), place.reshape(-1)


def _effective(values: NDArray[np.float64], place: NDArray[np.intp], clusters: int, p: float) -> float:
    """How many items without clusters would have a share that varies as much; never more than there are."""
    n = len(values)
    if p in (0.0, 1.0) or clusters < 2:
        return float(clusters)
    sums = np.bincount(place, values - p, minlength=clusters)
    variance = clusters / (clusters - 1) * float(sums @ sums) / n**2
    return min(float(n), p * (1 - p) / variance) if variance > 0 else float(n)
