"""Which segments are good enough: a threshold for a wanted precision, recall or the least cost, and what it saves.

Thresholds are chosen on segments that were judged and held out of training; what they promise holds for segments like
those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.charts import ChartRow, Curve, LineChart, MarkedPoint, ReferenceLevel
from adjudge.display import Cell, Column, Data, Displayable, Records, Section
from adjudge.errors import DataError, UsageError
from adjudge.qe.estimator import UnseenSegments
from adjudge.qe.measures import Array
from adjudge.stats.intervals import wilson
from adjudge.wording import MISSING, number, percent_of, pluralise

SHOWN = 8
"""Thresholds in a table of a filter."""


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


@dataclass(frozen=True, eq=False)
class FilterResult(Displayable):
    """What a filter keeps, and what it costs with and without it."""

    chosen: FilterPoint
    points: Sequence[FilterPoint]
    kept: Mapping[str, NDArray[np.bool_]]
    """Of each engine, which segments pass."""
    costs: Costs
    good: float

    @property
    def title(self) -> str:
        """Of its page."""
        return "What a filter keeps"

    def sections(self) -> list[Section]:
        """The threshold and what it promises, then what others would do."""
        chosen, costs = self.chosen, self.costs
        sentences = [
            f"{engine}: {int(rows.sum()):,} of {pluralise(len(rows), 'segment')} pass "
            f"({percent_of(float(rows.mean()))})."
            for engine, rows in self.kept.items()
        ]
        held_out = (
            f"Of judged segments held out, {percent_of(chosen.kept)} pass; {percent_of(chosen.precision)} of them "
            f"({percent_of(chosen.precision_low)} to {percent_of(chosen.precision_high)}) are good, and "
            f"{percent_of(chosen.recall)} of all good ones pass."
            if chosen.kept
            else "No judged segment that was held out passes."
        )
        note = (
            f"Good: a score of {self.good:g} by people, or better. Costs a segment: {costs.review:g} to review a good "
            f"one, {costs.repair:g} to repair another, {costs.scratch:g} to translate anew."
        )
        title = f"Threshold {number(chosen.threshold, 4)}"
        return [
            Section(title, sentences=(*sentences, held_out, _cost_sentence(chosen)), notes=(note,)),
            Section(
                "What other thresholds would do", (self._thresholds().table(),), charts=(self._charts(),)
            ),
        ]

    def _thresholds(self) -> Records:
        columns = (
            Column("threshold", True, text=self._threshold_cell),
            Column("kept", True, text=lambda own: percent_of(own.kept)),
            Column("precision", True, text=lambda own: percent_of(own.precision) if own.kept else MISSING),
            Column("recall", True, text=lambda own: percent_of(own.recall)),
            Column.of("cost", "cost", 3),
            Column("saving", True, text=lambda own: f"{number(100 * own.saving, 1)} %"),
        )
        places = np.unique(np.linspace(0, len(self.points) - 1, SHOWN).astype(int))
        shown = {*(self.points[int(place)] for place in places), self.chosen}
        return Records(columns, sorted(shown, key=lambda point: point.threshold))

    def _threshold_cell(self, point: FilterPoint) -> Cell:
        return Cell(number(point.threshold, 4), best=point == self.chosen)

    def _charts(self) -> ChartRow:
        """What every threshold would cost, beside no filter and no machine, and how many of those kept are good."""
        chosen, ordered = self.chosen, sorted(self.points, key=lambda point: point.kept)
        below = "across: share of segments kept; ring: the threshold that was chosen"
        cost = LineChart(
            [Curve("with the filter", [(p.kept, p.cost, None, None) for p in ordered])],
            "Cost a segment",
            below,
            levels=(
                ReferenceLevel("without the filter", chosen.cost_unfiltered, name_left=True),
                ReferenceLevel("without the machine", chosen.cost_scratch),
            ),
            marked=MarkedPoint("chosen", chosen.kept, chosen.cost),
        )
        precision = LineChart(
            [Curve("precision", [(p.kept, p.precision, p.precision_low, p.precision_high) for p in ordered])],
            "Share of good ones among those kept",
            below,
            marked=MarkedPoint("chosen", chosen.kept, chosen.precision) if chosen.kept else None,
        )
        return ChartRow((cost, precision))

    def data(self) -> Data:
        """One row per engine and segment."""
        rows = [
            (engine, place, bool(value))
            for engine, own in self.kept.items()
            for place, value in enumerate(own, 1)
        ]
        return Data(("system", "segment", "kept"), rows)

    def document(self) -> dict[str, Any]:
        """All thresholds, and the segments that are kept."""
        return {
            "good": self.good,
            "chosen": _add_saving(self.chosen),
            "costs": asdict(self.costs),
            "points": [_add_saving(point) for point in self.points],
            "engines": [
                {
                    "engine": engine,
                    "kept": int(rows.sum()),
                    "segments": len(rows),
                    "share": float(rows.mean()),
                }
                for engine, rows in self.kept.items()
            ],
            "kept": {engine: (np.flatnonzero(rows) + 1).tolist() for engine, rows in self.kept.items()},
        }


def _add_saving(point: FilterPoint) -> dict[str, Any]:
    return {**asdict(point), "saving": point.saving}


def _cost_sentence(point: FilterPoint) -> str:
    """Cost with and without."""
    both = f"{number(point.cost, 3)} a segment with the filter, {number(point.cost_unfiltered, 3)} without, "
    both += f"{number(point.cost_scratch, 3)} without the machine"
    if point.saving > 0:
        return f"Cost: {both}: the filter saves {percent_of(point.saving)} of the cheaper of the two others."
    if point.saving < 0:
        return f"Cost: {both}: the filter costs {percent_of(-point.saving)} more than the cheaper of the two others."
    return f"Cost: {both}: the filter saves nothing."


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
    goods = _passes(held_out.scores, good, higher_is_better)
    if not goods.any() or goods.all():
        raise DataError(
            f"{'all' if goods.all() else 'none'} of the {len(goods):,} judged segments held out are good at {good:g}: "
            f"--good between {held_out.scores.min():g} and {held_out.scores.max():g} tells them apart"
        )
    steps = np.linspace(0, 1, most + 1)[:-1] if len(goods) > most else np.arange(len(goods)) / len(goods)
    steps = steps[steps <= 1 - 10 / max(10, len(goods))]
    cuts = np.unique(np.quantile(held_out.predicted, steps if higher_is_better else 1 - steps))
    return [_point(held_out, good, float(cut), higher_is_better, costs) for cut in cuts]


def passes_threshold(scores: Array, threshold: float, *, higher_is_better: bool) -> NDArray[np.bool_]:
    """Which estimates pass."""
    return _passes(scores, threshold, higher_is_better)


def _passes(values: Array, threshold: float, higher: bool) -> NDArray[np.bool_]:
    return np.asarray(values >= threshold if higher else values <= threshold)


def _point(
    held_out: UnseenSegments, good: float, threshold: float, higher: bool, costs: Costs
) -> FilterPoint:
    goods = _passes(held_out.scores, good, higher)
    kept = _passes(held_out.predicted, threshold, higher)
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
