"""Which segments are good enough: a threshold for a wanted precision, recall or the least cost, and what it saves.

Thresholds are chosen on segments that were judged and held out of training; what they promise holds for segments like
those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError
from adjudge.qe.estimator import UnseenSegments
from adjudge.qe.measures import Array
from adjudge.stats.intervals import wilson


@dataclass(frozen=True)
class Costs:
    """What a segment costs in any currency: to read one that is good, to repair one that is not, to translate anew."""

    review: float = 0.2
    repair: float = 1.2
    scratch: float = 1.0


@dataclass(frozen=True)
class Wish:
    """What the threshold is chosen for; at most one of the three is set, and without any it is the least cost."""

    precision: float | None = None
    recall: float | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class FilterPoint:
    """A threshold and what it does to judged segments that were held out."""

    threshold: float
    kept: float
    """The share of segments that pass."""
    precision: float
    """The share of good ones among those that pass; NaN where none does."""
    precision_low: float
    precision_high: float
    recall: float
    """The share of good ones that pass."""
    cost: float
    """A segment, with the filter: those that pass are reviewed or repaired, all others translated anew."""
    cost_unfiltered: float
    """A segment, where all outputs are reviewed or repaired."""
    cost_scratch: float
    """A segment, where nothing is taken from the machine."""

    @property
    def saving(self) -> float:
        """The share of the cost without a filter that it saves; negative where it costs more."""
        best = min(self.cost_unfiltered, self.cost_scratch)
        return 1 - self.cost / best if best > 0 else 0.0


def choose_threshold(
    held_out: UnseenSegments, good: float, *, higher_is_better: bool, wish: Wish, costs: Costs | None = None
) -> FilterPoint:
    """The threshold that fulfils a wish and keeps most, or costs least; refused where none does."""
    costs = costs or Costs()
    points = filter_points(held_out, good, higher_is_better=higher_is_better, costs=costs)
    if wish.threshold is not None:
        return _point(held_out, good, wish.threshold, higher_is_better, costs)
    if wish.precision is not None:
        fit = [point for point in points if point.precision >= wish.precision]
        if not fit:
            best = max(point.precision for point in points)
            raise UsageError(
                f"no threshold reaches a precision of {wish.precision:g} on the {len(held_out.scores):,} segments held "
                f"out: at most {best:.3f}; ask for less, or call less good (--good)"
            )
        return max(fit, key=lambda point: (point.kept, point.precision))
    if wish.recall is not None:
        fit = [point for point in points if point.recall >= wish.recall]
        return max(fit, key=lambda point: (point.precision, -point.kept))
    return min(points, key=lambda point: (point.cost, -point.kept))


def filter_points(
    held_out: UnseenSegments, good: float, *, higher_is_better: bool, costs: Costs, most: int = 200
) -> list[FilterPoint]:
    """Thresholds from the one that all pass to one that few do; fewer than ten segments say nothing of precision."""
    goods = _passing(held_out.scores, good, higher_is_better)
    if not goods.any() or goods.all():
        raise DataError(
            f"{'all' if goods.all() else 'none'} of the {len(goods):,} judged segments held out are good at {good:g}: "
            f"--good between {held_out.scores.min():g} and {held_out.scores.max():g} tells them apart"
        )
    steps = np.linspace(0, 1, most + 1)[:-1] if len(goods) > most else np.arange(len(goods)) / len(goods)
    steps = steps[steps <= 1 - 10 / max(10, len(goods))]
    cuts = np.unique(np.quantile(held_out.predicted, steps if higher_is_better else 1 - steps))
    return [_point(held_out, good, float(cut), higher_is_better, costs) for cut in cuts]


def passing(scores: Array, threshold: float, *, higher_is_better: bool) -> NDArray[np.bool_]:
    """Which estimates pass."""
    return _passing(scores, threshold, higher_is_better)


def _passing(values: Array, threshold: float, higher: bool) -> NDArray[np.bool_]:
    return np.asarray(values >= threshold if higher else values <= threshold)


def _point(
    held_out: UnseenSegments, good: float, threshold: float, higher: bool, costs: Costs
) -> FilterPoint:
    goods = _passing(held_out.scores, good, higher)
    kept = _passing(held_out.predicted, threshold, higher)
    hits, chosen, count = int((goods & kept).sum()), int(kept.sum()), len(goods)
    low, high = wilson(hits / chosen, chosen) if chosen else (0.0, 1.0)
    each = np.where(goods, costs.review, costs.repair)
    return FilterPoint(
        threshold,
        chosen / count,
        hits / chosen if chosen else float("nan"),
        low,
        high,
        hits / max(1, int(goods.sum())),
        float(np.where(kept, each, costs.scratch).mean()),
        float(each.mean()),
        costs.scratch,
    )
