"""An interval for the area under the curve that also holds near 1 and for few segments.

Where no segment of a few is out of order, none of their resamples is, and an interval by the spread of resamples is a
point. Newcombe's fifth method (2006) asks instead which areas would give one that lies so far from them, by the error
that Hanley and McNeil (1982) derive for an area. Where estimates are spread otherwise than they assume, or segments
of a unit go together, the error that DeLong (1988) and Obuchowski (1997) estimate is larger: then it is that.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from adjudge.qe.measures import Array, area_under_curve, ranks

HALVINGS = 60


def auc_interval(
    good: NDArray[np.bool_], predicted: Array, unit: NDArray[np.intp], *, alpha: float = 0.05
) -> tuple[float, float]:
    """The ends of the interval; NaN where fewer than two units have a good segment, or one that is not."""
    from scipy.special import stdtrit  # late: commands that need none of it start faster

    units = [len(np.unique(unit[own])) for own in (good, ~good)]
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
    reach = wider * float(stdtrit(min(units) - 1, 1 - alpha / 2)) ** 2

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
    for own in (good, ~good):
        below = (every[own] - ranks(predicted[own])) / (~own).sum()
        parts[own] = ((below if own is good else 1 - below) - area) / own.sum()
    return parts


def _estimated_variance(placed: Array, good: NDArray[np.bool_], unit: NDArray[np.intp]) -> float:
    """Of the area, from sums over units; corrected for how few units have segments of a kind (Obuchowski 1997)."""
    sums = [np.bincount(unit, np.where(own, placed, 0.0)) for own in (good, ~good)]
    has = [np.bincount(unit, own) > 0 for own in (good, ~good)]
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
