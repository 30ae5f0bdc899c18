"""The search: the whole grid once for all parts, then ever smaller steps from the best point of each.

A part is what is left without one fold; the last part is everything. No part ever sees a judgement of its fold.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.meteor_parameters import Parameters
from adjudge.tuning.items import Items
from adjudge.tuning.objective import Objective
from adjudge.tuning.space import Space

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
        keep[np.random.default_rng([seed, 1]).choice(len(items), SORTED_AT_ONCE, replace=False)] = True
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
