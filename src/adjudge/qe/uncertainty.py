"""How far a measure of estimates may be off, and whether two estimators differ by more than chance.

What is drawn or swapped is a unit: a segment where segments are independent, else a whole document, or all outputs of
one source.

**Area under the curve.** Where no segment of a few is out of order, none of their resamples is, and an interval by the
spread of resamples is a point. Newcombe's fifth method (2006) asks instead which areas would give one that lies so far
from them, by the error that Hanley and McNeil (1982) derive for an area. Where estimates are spread otherwise than they
assume, or segments of a unit are correlated, the larger error of DeLong (1988) and Obuchowski (1997) is used.

**Mean error.** The bootstrap-t (Efron 1982), by units, because errors are skewed: a sample with fewer large errors than
usual has a low mean and a low spread at once, and a symmetric interval misses the truth above it. Each resample's
distance from the mean is divided by its own error; the quantiles of that take the place of Student's.

**Matthews' correlation** of choices of which next to none is wrong. Resamples of them are all right, and an interval by
their spread is a point. What is known then is a least value: that of the table of choices with a half more in each
cell, by the error of a correlation of two binary variables (Bishop, Fienberg & Holland 1975), on Fisher's scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from adjudge.qe.measures import Array, area_under_curve, ranks
from adjudge.stats.distributions import t_quantile
from adjudge.stats.draws import resampled_units, swap_masks

FEW_WRONG = 3
"""With fewer units that have a wrong choice, resamples say too little (`docs/qe.md`)."""
LONG_TAIL = 1.0
"""The skewness of scores or of errors from which on intervals of squared errors hold too seldom (`docs/qe.md`)."""
HALVINGS = 60
FEWEST = 20
"""Resamples with a value below which there is no interval."""

Statistic = Callable[[Array, Array], Array]
Scale = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class UnitsOfDraw:
    """Which unit each segment belongs to; its rows, unit by unit, where units are more than segments."""

    of_segment: NDArray[np.intp]
    count: int

    @classmethod
    def of(cls, names: Sequence[str] | None, segments: int) -> UnitsOfDraw:
        """Units by their names; segments where there are none."""
        if names is None:
            return cls(np.arange(segments), segments)
        unique, place = np.unique(np.asarray(names, object), return_inverse=True)
        return cls(np.asarray(place, np.intp), len(unique))

    def resampled_rows(self, draws: int, seed: int) -> Iterator[NDArray[np.intp]]:
        """Rows of segments of units drawn with replacement: as many draws at a time as fit, (draws, segments)."""
        drawn = resampled_units(self.count, draws, seed)
        if self.count == len(self.of_segment):
            yield from drawn
            return
        order = np.argsort(self.of_segment, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(self.of_segment))[:-1])
        for units in chain.from_iterable(drawn):  # resamples differ in length
            yield np.concatenate([members[unit] for unit in units])[None]


def _identity(values: Array) -> Array:
    return values


SCALES: dict[str, tuple[Scale, Scale]] = {
    **dict.fromkeys(("pearson", "spearman", "kendall", "mcc"), (np.arctanh, np.tanh)),
    "delta_avg": (_identity, _identity),
}
"""Where each measure is spread about alike whatever its value, and the way back: Fisher's z for correlations."""


def interval(
    measure: str,
    statistic: Statistic,
    scores: Array,
    predicted: Array,
    units: UnitsOfDraw,
    *,
    draws: int,
    alpha: float,
    seed: int,
) -> tuple[float, float]:
    """Student's interval by the spread of resampled units, on the measure's own scale; NaN where there is none.

    Percentiles of the resamples hold less than they promise for few units (`bench/calibration_qe.py`); they are taken
    only where the value lies at the end of its scale.
    """
    parts = [statistic(scores[rows], predicted[rows]) for rows in units.resampled_rows(draws, seed)]
    drawn = np.concatenate(parts)
    drawn = drawn[~np.isnan(drawn)]
    value = float(statistic(scores, predicted))
    if len(drawn) < FEWEST or math.isnan(value) or units.count < 2:
        return math.nan, math.nan
    scale, back = SCALES[measure]
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled, centre = scale(_off_the_ends(drawn, scale)), float(scale(np.asarray(value)))
    if not (math.isfinite(centre) and np.isfinite(scaled).all()):
        low, high = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
        return float(low), float(high)
    # A resample of n units is spread by (n − 1)/n of what a sample is.
    error = float(scaled.std(ddof=1)) * math.sqrt(units.count / (units.count - 1))
    reach = float(t_quantile(units.count - 1, 1 - alpha / 2)) * error
    low, high = (float(back(np.asarray(centre + side * reach))) for side in (-1, 1))
    return low, high


def _off_the_ends(drawn: Array, scale: Scale) -> Array:
    """Resamples at an end of the scale, where it is infinite, at half the distance of the nearest other one.

    Left out, they would make the spread that of the rest, and intervals near the end hold too seldom.
    """
    inside = drawn[np.isfinite(scale(drawn))]
    if len(inside) in (0, len(drawn)):
        return drawn
    low, high = drawn.min(), drawn.max()
    if not math.isfinite(scale(low)):
        low = (low + inside.min()) / 2
    if not math.isfinite(scale(high)):
        high = (high + inside.max()) / 2
    return np.clip(drawn, low, high)


def swapped_p(
    statistic: Statistic,
    scores: Array,
    pair: tuple[Array, Array],
    delta: float,
    units: UnitsOfDraw,
    *,
    draws: int,
    seed: int,
) -> float:
    """How often a difference as large comes about when two estimators' estimates of units are swapped at random."""
    first, second = pair
    hits, trials = 1, 1  # the swap that was observed counts, so that no p is 0
    for mask in swap_masks(units.count, draws, seed, width=len(scores)):
        swap_mask = mask[:, units.of_segment]
        left, right = np.where(swap_mask, second, first), np.where(swap_mask, first, second)
        swapped = statistic(scores, left) - statistic(scores, right)
        hits += int((np.abs(swapped) >= abs(delta) - 1e-12).sum())
        trials += int((~np.isnan(swapped)).sum())
    return math.nan if math.isnan(delta) else hits / trials


def auc_interval(
    good: NDArray[np.bool_], predicted: Array, unit: NDArray[np.intp], *, alpha: float = 0.05
) -> tuple[float, float]:
    """The ends of the interval; NaN where fewer than two units have a good segment, or one that is not."""
    units = [len(np.unique(unit[chosen])) for chosen in (good, ~good)]
    if min(units) < 2:
        return math.nan, math.nan
    area = float(area_under_curve(good, predicted))
    placed = _placements(good, predicted, area)
    alone, together = float((placed**2).sum()), float((np.bincount(unit, placed) ** 2).sum())
    counts = np.array([good.sum(), (~good).sum()], np.float64)
    # Segments of a unit that go together count as fewer; where nothing is out of order, a unit counts once.
    yes, no = counts / max(1.0, together / alone) if alone > 0 else np.array(units, np.float64)
    inside = min(max(area, 0.5 / (yes * no)), 1 - 0.5 / (yes * no))
    wider = max(1.0, _estimated_variance(placed, good, unit) / _usual_variance(inside, yes, no))
    reach = wider * float(t_quantile(min(units) - 1, 1 - alpha / 2)) ** 2

    def too_far(other: float) -> bool:
        return (other - area) ** 2 > reach * _usual_variance(other, yes, no)

    return _last(too_far, area, 0.0), _last(too_far, area, 1.0)


def _placements(good: NDArray[np.bool_], predicted: Array, area: float) -> Array:
    """How much each segment adds to the error of the area.

    Of a good one that is the share of others that it is above, less the area, over the number of good ones; of
    others the share of good ones that are above it.
    """
    every = ranks(predicted)
    parts = np.zeros(len(predicted))
    for chosen in (good, ~good):
        below = (every[chosen] - ranks(predicted[chosen])) / (~chosen).sum()
        parts[chosen] = ((below if chosen is good else 1 - below) - area) / chosen.sum()
    return parts


def _estimated_variance(placed: Array, good: NDArray[np.bool_], unit: NDArray[np.intp]) -> float:
    """Of the area, from sums over units; corrected for how few units have segments of a kind (Obuchowski 1997)."""
    sums = [np.bincount(unit, np.where(chosen, placed, 0.0)) for chosen in (good, ~good)]
    has = [np.bincount(unit, chosen) > 0 for chosen in (good, ~good)]
    total = 0.0
    for a in range(2):
        for b in range(2):
            count = int((has[a] | has[b]).sum())
            total += count / (count - 1) * float((sums[a] * sums[b]).sum())
    return max(total, 0.0)


def _usual_variance(area: float, yes: float, no: float) -> float:
    """Of an area, by Hanley and McNeil, with as many segments of each kind as Newcombe has it."""
    others = max(0.0, (yes + no) / 2 - 1)
    return area * (1 - area) / (yes * no) * (1 + others * ((1 - area) / (2 - area) + area / (1 + area)))


def _last(too_far: Callable[[float], bool], near: float, far: float) -> float:
    """The value between `near` and `far` from which on values are too far."""
    if near == far:
        return far
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        if too_far(middle):
            far = middle
        else:
            near = middle
    return far


def mean_interval(
    errors: Array, units: UnitsOfDraw, *, draws: int, alpha: float, seed: int
) -> tuple[float, float]:
    """The ends of the interval of the mean of errors, none of which is below 0; NaN for too few units."""
    if units.count < 2:
        return math.nan, math.nan
    sums = np.bincount(units.of_segment, errors).astype(np.float64)
    counts = np.bincount(units.of_segment).astype(np.float64)
    mean, error = (float(part) for part in _mean_and_error(sums, counts))
    if error <= 1e-12 * mean:
        return mean, mean
    distances = []
    for rows in resampled_units(units.count, draws, seed):
        means, own = _mean_and_error(sums[rows], counts[rows])
        known = own > 1e-12 * means
        distances.append((means[known] - mean) / own[known])
    drawn = np.concatenate(distances)
    if len(drawn) < FEWEST:
        return math.nan, math.nan
    least, most = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
    return max(0.0, mean - max(0.0, float(most)) * error), mean - min(0.0, float(least)) * error


def skewness(values: Array) -> float:
    """How lopsided values are: 0 where they are symmetric or all the same."""
    apart = values - values.mean()
    spread = float((apart**2).mean())
    return float((apart**3).mean()) / spread**1.5 if spread > 1e-24 * float((values**2).mean()) else 0.0


def _mean_and_error(sums: Array, counts: Array) -> tuple[Array, Array]:
    """Means of segments and their standard errors from units, over the last axis."""
    number = sums.shape[-1]
    total = counts.sum(-1)
    mean = sums.sum(-1) / total
    apart = sums - mean[..., None] * counts
    return mean, np.sqrt((apart**2).sum(-1) * number / (number - 1)) / total


def few_wrong_interval(
    good: NDArray[np.bool_], chosen: NDArray[np.bool_], unit: NDArray[np.intp], *, alpha: float = 0.05
) -> tuple[float, float] | None:
    """From the least value to 1, a unit counting once; None where enough choices are wrong, or all are alike."""
    units = len(np.unique(unit))
    wrong = len(np.unique(unit[good != chosen]))
    if wrong >= FEW_WRONG or units < 2 or good.all() or chosen.all() or not (good.any() and chosen.any()):
        return None
    table = np.array([[(good & chosen).sum(), (good & ~chosen).sum()], [(~good & chosen).sum(), 0]], float)
    table[1, 1] = len(good) - table.sum()
    value, error = _correlation(table * units / len(good) + 0.5)
    least = math.atanh(value) - float(t_quantile(units - 1, 1 - alpha / 2)) * error / (1 - value**2)
    return math.tanh(least), 1.0


def _correlation(table: NDArray[np.float64]) -> tuple[float, float]:
    """Of rows and columns of a table of counts, and its standard error."""
    shares = table / table.sum()
    rows, columns = shares.sum(1), shares.sum(0)
    below = math.sqrt(rows.prod() * columns.prod())
    value = float(shares[0, 0] * shares[1, 1] - shares[0, 1] * shares[1, 0]) / below
    uneven = float(rows[0] - rows[1]), float(columns[0] - columns[1])
    squared = uneven[0] ** 2 / rows.prod() + uneven[1] ** 2 / columns.prod()
    variance = 1 - value**2 + value * (1 + value**2 / 2) * uneven[0] * uneven[1] / below
    return value, math.sqrt(max(0.0, variance - 0.75 * value**2 * float(squared)) / float(table.sum()))
