"""The search: the whole grid once for all parts, then ever smaller steps from the best point of each.

A part is what is left without one fold; the last part is everything. No part ever sees a judgement of its fold.

METEOR's correlation with judgements is computed for thousands of parameter sets at once. Pearson's correlation and
WMT's tau are made of sums over items, which are kept by fold: the sums of a part are the total less those of its
fold, so one pass over the grid serves all parts. Rank correlations are computed for each part.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.correlation import CORRELATIONS
from adjudge.stats.draws import sample
from adjudge.tuning.items import Items
from adjudge.tuning.space import Space

BLOCK = 512
"""Items that a processor's nearest memory holds while all points look at them."""
SCORES = 1 << 22
"""Scores that are kept at a time where they have to be sorted."""
DIGITS = 9
"""Correlations that differ beyond are equal: the first point wins, on any machine."""


class Objective:
    """The correlation to be made large, of all items or also of all but each fold."""

    def __init__(self, items: Items, measure: str, fold: Indices | None = None, folds: int = 0) -> None:
        self.measure, self.folds = measure, folds
        groups = np.zeros(len(items), np.intp) if fold is None else fold
        order = np.lexsort((items.unit, groups))
        unit, self.group = items.unit[order], groups[order]
        joined = items.begins is not None
        cuts = np.arange(len(items) + 1) if joined else _cuts(unit, self.group)
        self.owner = self.group[cuts[:-1]].tolist()
        self.human = items.human[order] - items.human.mean()
        rows = items.rows
        if items.begins is None:
            self.grid = _native.MeteorGrid(rows[order], cuts.tolist(), joined)
        else:
            parts = [np.arange(items.begins[at], items.begins[at + 1]) for at in order]
            edges = np.cumsum([0, *map(len, parts)])
            self.grid = _native.MeteorGrid(rows[np.concatenate(parts)], edges.tolist(), joined)
        self.pairs, self.begins = np.empty((0, 2), np.uint32), [0] * len(cuts)
        if measure == "tau" and items.pairs is not None:
            self._lay_pairs(items.pairs, order, cuts)

    def _lay_pairs(self, pairs: Indices, order: Indices, cuts: Indices) -> None:
        """Pairs by the block they lie in, with places within it."""
        place = np.empty(len(order), np.intp)
        place[order] = np.arange(len(order))
        laid = place[pairs]
        block = np.searchsorted(cuts, laid[:, 0], side="right") - 1
        by_block = np.argsort(block, kind="stable")
        local = laid[by_block] - cuts[block[by_block], None]
        self.pairs = np.ascontiguousarray(local, dtype=np.uint32)
        counts = np.bincount(block, minlength=len(cuts) - 1)
        self.begins = [0, *np.cumsum(counts).tolist()]
        self.of_group = np.bincount(self.group[laid[:, 0]], minlength=max(1, self.folds)).astype(np.float64)

    def values(self, points: Array, *, threads: int = 1) -> Array:
        """Correlations, points × parts; what has none is −∞. Rounded, so that machines agree which is the best."""
        groups = max(1, self.folds)
        if self.measure == "pearson":
            sums = self.grid.moments(points, self.human, self.owner, groups, threads)
            correlations = self._pearson(self._parts(sums.reshape(len(points), groups, 3).swapaxes(1, 2)))
        elif self.measure == "tau":
            concordant = self.grid.concordant(points, self.pairs, self.begins, self.owner, groups, threads)
            count = self._parts(self.of_group)
            share = self._parts(concordant) / np.maximum(count, 1)
            correlations = np.where(count > 0, 2 * share - 1, np.nan)
        else:
            correlations = self._sort(points, threads)
        return np.where(np.isnan(correlations), -np.inf, np.round(correlations, DIGITS))

    def _parts(self, by_group: Array) -> Array:
        """Sums of all but each fold, and of all: (..., groups) -> (..., parts)."""
        total = by_group.sum(-1, keepdims=True)
        return np.concatenate([total - by_group, total], axis=-1) if self.folds else total

    def _pearson(self, sums: Array) -> Array:
        s, ss, sh = np.moveaxis(sums, 1, 0)
        about = np.stack([np.ones_like(self.human), self.human, self.human**2])
        groups = max(1, self.folds)
        n, h, hh = self._parts(np.stack([np.bincount(self.group, values, groups) for values in about]))
        spread = np.maximum(ss - s * s / n, 0.0) * (hh - h**2 / n)
        defined = spread > 1e-12 * ss * hh
        return np.where(defined, (sh - s * h / n) / np.sqrt(np.where(defined, spread, np.inf)), np.nan)

    def _sort(self, points: Array, threads: int) -> Array:
        correlation = CORRELATIONS[self.measure]
        keep = [np.flatnonzero(self.group != part) for part in range(self.folds)]
        correlations = np.empty((len(points), self.folds + 1))
        step = max(1, SCORES // len(self.human))
        for begin in range(0, len(points), step):
            scores = self.grid.scores(points[begin : begin + step], threads)
            here = slice(begin, begin + len(scores))
            for part, places in enumerate(keep):
                correlations[here, part] = correlation(scores[:, places], self.human[places], threads=threads)
            correlations[here, -1] = correlation(scores, self.human, threads=threads)
        return correlations


Array = NDArray[np.float64]
Indices = NDArray[np.intp]

SORTED_AT_ONCE = 2500
"""Rank correlations sort for every point; with more items than this, the grid is laid over a sample of them."""
GRID_STEPS = 12
"""Pieces the grid is searched in, so that someone who waits sees that it goes on."""
SCALES = (1.0, 0.5, 0.25, 0.125)
"""Of the steps of the refinement, one after the other."""
MOST_MOVES = 50
"""At one scale; a safeguard, for seldom are ten needed."""

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Optimum:
    """The best point of one part, and how well it correlates with what the part has."""

    point: Parameters
    value: float
    grid_point: Parameters
    grid_value: float


def search(
    items: Items,
    fold: Indices,
    folds: int,
    space: Space,
    measure: str,
    *,
    seed: int,
    threads: int = 0,
    report: Report | None = None,
) -> list[Optimum]:
    """The best parameters without each fold, and with all of them (last); `fold` is that of each item."""
    looked_at, its_fold = items, fold
    if measure in ("spearman", "kendall") and len(items) > SORTED_AT_ONCE:
        keep = np.zeros(len(items), dtype=bool)
        keep[sample(len(items), SORTED_AT_ONCE, [seed, 1])] = True
        looked_at, its_fold = items.take(keep), fold[keep]
    pieces = space.pieces(GRID_STEPS)
    steps = len(pieces) + folds + 1
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if report:
            report(done, steps)

    objective = Objective(looked_at, measure, its_fold, folds)
    best = np.full(folds + 1, -np.inf)
    places = np.tile(space.default.numbers, (folds + 1, 1))
    for points in pieces:
        values = objective.values(points, threads=threads)
        at = values.argmax(0)
        higher = values.max(0) > best  # of equals the first
        best = np.where(higher, values.max(0), best)
        places[higher] = points[at[higher]]
        step()

    def refined(part: int) -> Optimum:
        mine = Objective(items if part == folds else items.take(fold != part), measure)
        start = Parameters(*map(float, places[part]))
        value, point = uphill(mine, [start, space.default], space)
        return Optimum(point, value, start, float(best[part]))

    results = []
    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        for result in pool.map(refined, range(folds + 1)):
            step()
            results.append(result)
    return results


def uphill(objective: Objective, starts: list[Parameters], space: Space) -> tuple[float, Parameters]:
    """From the best of some points: steps in one parameter while they help, else in two, else smaller ones."""
    value, point = _best(objective, starts)
    for scale in SCALES:
        for _ in range(MOST_MOVES):
            for at_once in (1, 2):
                near = space.neighbours(point, scale, at_once)
                if near and (better := _best(objective, near))[0] > value:
                    value, point = better
                    break
            else:
                break
    return value, point


def _best(objective: Objective, points: list[Parameters]) -> tuple[float, Parameters]:
    values = objective.values(np.array([point.numbers for point in points]))[:, -1]
    return float(values.max()), points[int(values.argmax())]


def _cuts(unit: Indices, group: Indices) -> Indices:
    """Where blocks begin, and where the last ends: no unit is cut apart, and none holds two groups."""
    changes = np.flatnonzero((np.diff(unit) != 0) | (np.diff(group) != 0)) + 1
    ends = np.append(changes, len(unit))
    new_group = np.append(np.diff(group)[changes - 1] != 0, True)
    cuts = [0]
    for end, last, after in zip(ends, new_group, np.append(ends[1:], len(unit)), strict=True):
        # A block ends with its group, and where the next unit would not fit in.
        if last or after - cuts[-1] > BLOCK:
            cuts.append(int(end))
    return np.array(cuts)
