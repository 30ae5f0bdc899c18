"""The search: the whole grid once for all folds, then ever smaller steps from the best point of each.

A part is what is left without one fold; the last part is everything. No part ever sees a judgement of its fold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from adjudge.evaluate.tuning.items import Items
from adjudge.evaluate.tuning.pearson import PearsonSums, without_each
from adjudge.evaluate.tuning.space import Space, blocks, scores
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.correlation import CORRELATIONS

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

SORTED_AT_ONCE = 2500
"""Rank correlations sort for every point; with more items than this, the search looks at a sample of them."""
SCALES = (1.0, 0.5, 0.25, 0.125)
"""Of the steps of the refinement, one after the other."""
DIGITS = 9
"""Correlations that differ beyond are equal: the first point of the grid wins, on any machine."""
MOST_MOVES = 50
"""At one scale; a safeguard, for seldom are ten needed."""


@dataclass(frozen=True)
class Found:
    """The best point of one part, and how well it correlates with what the part has."""

    point: Parameters
    value: float
    grid_point: Parameters
    grid_value: float


Best = tuple[float, Parameters]
"""A correlation and the point that has it."""
Report = Callable[[int, int], None]


def fold_of_units(units: int, folds: int, seed: int) -> Indices:
    """The fold of each unit: units in random order, dealt out like cards."""
    fold = np.empty(units, dtype=np.intp)
    fold[np.random.default_rng(seed).permutation(units)] = np.arange(units) % folds
    return fold


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
) -> list[Found]:
    """The best parameters without each fold, and with all of them (last); `fold` is that of each item."""
    if measure in ("spearman", "kendall") and len(items) > SORTED_AT_ONCE:
        keep = np.zeros(len(items), dtype=bool)
        keep[np.random.default_rng([seed, 1]).choice(len(items), SORTED_AT_ONCE, replace=False)] = True
        items, fold = items.take(keep), fold[keep]
    counting = space.counting()
    steps = len(counting) + folds + 1
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if report:
            report(done, steps)

    parts: Parts | PearsonParts
    if measure == "pearson":
        parts = PearsonParts(items, fold, folds, space)
    else:
        parts = Parts(items, fold, folds, measure)
    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        best: list[Best] = [(-np.inf, space.default)] * (folds + 1)
        for one in pool.map(lambda way: parts.best(way, space), counting):
            step()
            best = better(best, one)

        def refined(part: int) -> Found:
            mine = items if part == folds else items.take(fold != part)
            value, point = best[part]
            start = max((value, point), (_value(mine, space.default, measure), space.default), key=_first)
            final_value, final = _refined(mine, start[1], start[0], space, measure)
            return Found(final, final_value, point, value)

        found = []
        for one_found in pool.map(refined, range(folds + 1)):
            step()
            found.append(one_found)
    return found


class Parts:
    """Correlations of every part at once: all but one fold, for each of them, and everything."""

    def __init__(self, items: Items, fold: Indices, folds: int, measure: str) -> None:
        self.items, self.folds, self.measure = items, folds, measure
        if measure == "tau":
            assert items.pairs is not None
            self.member = (fold[items.pairs[:, 0], None] == np.arange(folds)).astype(np.float64)
        else:
            self.places = [np.flatnonzero(fold != part) for part in range(folds)]
            self.humans = [np.ascontiguousarray(items.human[places]) for places in self.places]

    def best(self, way: Parameters, space: Space) -> list[Best]:
        """The best points of the grid that count matches in one way, a part each."""
        best: list[Best] = [(-np.inf, way)] * (self.folds + 1)
        for points, found in blocks(self.items.rows, way, space):
            best = better(best, _best_points(self.values(found), points))
        return best

    def values(self, scores: Array) -> Array:
        """(lists, parts)."""
        if self.measure == "tau":
            return self._tau(scores)
        found = np.empty((len(scores), self.folds + 1))
        for part, (places, human) in enumerate(zip(self.places, self.humans, strict=True)):
            found[:, part] = CORRELATIONS[self.measure](scores[:, places], human, threads=1)
        found[:, -1] = self.items.correlation(scores, self.measure)
        return found

    def _tau(self, scores: Array) -> Array:
        pairs = self.items.pairs
        assert pairs is not None
        concordant = (scores[:, pairs[:, 0]] > scores[:, pairs[:, 1]]).astype(np.float64) @ self.member
        count = without_each(self.member.sum(0)[None])
        return np.where(count > 0, 2 * without_each(concordant) / np.maximum(count, 1) - 1, np.nan)


class PearsonParts:
    """The same for Pearson's correlation, from sums."""

    def __init__(self, items: Items, fold: Indices, folds: int, space: Space) -> None:
        self.sums = PearsonSums(items, fold, folds)
        self.sums.prepare(space.axis("beta"))

    def best(self, way: Parameters, space: Space) -> list[Best]:
        """The best points of the grid that count matches in one way, a part each."""
        points, values = self.sums.values(way, space)
        named = [replace(way, alpha=a, beta=b, gamma=c) for a, b, c in points]
        return _best_points(values, named)


def better(old: list[Best], new: list[Best]) -> list[Best]:
    """The better point of each part; of equals the old one."""
    return [a if a[0] >= b[0] else b for a, b in zip(old, new, strict=True)]


def _best_points(values: Array, points: Sequence[Parameters]) -> list[Best]:
    values = comparable(values)
    return [(float(values[at, part]), points[at]) for part, at in enumerate(values.argmax(0))]


def _refined(items: Items, point: Parameters, value: float, space: Space, measure: str) -> Best:
    """Uphill from a point: steps in one parameter while they help, else in two, else smaller ones."""
    for scale in SCALES:
        for _ in range(MOST_MOVES):
            for at_once in (1, 2):
                near = space.neighbours(point, scale, at_once)
                values = _values(items, near, measure)
                if len(near) and values.max() > value:
                    value, point = float(values.max()), near[int(values.argmax())]
                    break
            else:
                break
    return value, point


def _first(pair: Best) -> float:
    return pair[0]


def _value(items: Items, point: Parameters, measure: str) -> float:
    return float(_values(items, [point], measure)[0])


def _values(items: Items, points: Sequence[Parameters], measure: str) -> Array:
    return comparable(items.correlation(scores(items.rows, points), measure))


def comparable(values: Array) -> Array:
    """What has no correlation is worse than anything."""
    return np.where(np.isnan(values), -np.inf, np.round(values, DIGITS))
