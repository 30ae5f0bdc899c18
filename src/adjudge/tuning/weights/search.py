"""Weights of features that make the chosen hypotheses score best: Och's exact line search (2003), from many starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import unknown_name
from adjudge.stats.draws import Generator

Array = NDArray[np.float64]
SEARCHES = ("steepest", "powell")
LEAST_GAIN = 1e-9
"""A score that is no more than this above another, a thousand-millionth of a point, is no better."""

ROUNDING = 1e-12
"""Weights below this, where the largest are about 1, are left of numbers that should have been equal."""


@dataclass(frozen=True, eq=False)
class WeightedLists:
    """Hypotheses of all segments, one list behind the other: their features, and their rows by a metric."""

    features: Array
    rows: Array
    begins: tuple[int, ...]
    aggregate: Callable[[Array], Array]
    higher: bool = True
    core: _native.FeatureLists = field(init=False, repr=False)

    def __post_init__(self) -> None:
        features, rows = (np.ascontiguousarray(own, np.float64) for own in (self.features, self.rows))
        object.__setattr__(self, "core", _native.FeatureLists(features, rows, list(self.begins)))

    def chosen(self, weights: Array) -> Array:
        """The rows of the hypotheses that weights choose, of equals the first."""
        return self.rows[self.core.choose(np.ascontiguousarray(weights))]

    def score(self, weights: Array) -> float:
        """The metric of what weights choose."""
        return float(self.aggregate(self.chosen(weights).sum(0)))

    def worth(self, sums: Array) -> Array:
        """Scores of sums of rows, more is better; the worst of all where there is none."""
        scores = np.asarray(self.aggregate(sums), np.float64)
        return np.nan_to_num(scores if self.higher else -scores, nan=-np.inf)


@dataclass(frozen=True, eq=False)
class WeightPoint:
    """Weights, their sizes adding up to 1, and what they are worth."""

    weights: Array
    worth: float


def point_at(lists: WeightedLists, weights: Array) -> WeightPoint:
    """The point of some weights; all their multiples choose alike."""
    size = np.abs(weights).sum()
    scaled = np.ascontiguousarray(weights / size if size > 0 else weights, np.float64)
    return WeightPoint(scaled, float(lists.worth(lists.chosen(scaled).sum(0))))


def best_steps(
    lists: WeightedLists, point: WeightPoint, directions: Sequence[Array]
) -> Iterator[WeightPoint]:
    """The best points on lines through one, best first, as far as they are better than it is.

    All pieces of all lines are scored at once. A piece may be too narrow for numbers to lie in it, so what weights
    are worth is looked at again.
    """
    places, ends, sums = lists.core.pieces(point.weights, np.ascontiguousarray(directions))
    begins = np.concatenate([[0], ends])
    worths = np.split(lists.worth(sums), ends[:-1] + np.arange(1, len(ends)))  # one piece more than places
    peaks = [float(worth.max()) for worth in worths]
    for at in sorted(range(len(peaks)), key=lambda at: -peaks[at]):
        if not peaks[at] > point.worth + LEAST_GAIN:
            return
        place = _middle_of_best(places[begins[at] : begins[at + 1]], worths[at])
        reached = point_at(lists, point.weights + place * directions[at])
        if reached.worth > point.worth + LEAST_GAIN:
            yield reached


def _middle_of_best(places: Array, worths: Array) -> float:
    """The middle of the best piece of a line, of equals the widest; outside the last change, a step away from it."""
    ends = np.concatenate([places[:1] - 2 * _step(places[:1]), places, places[-1:] + 2 * _step(places[-1:])])
    best = np.flatnonzero(worths >= worths.max() - LEAST_GAIN)
    widest = best[np.argmax(ends[best + 1] - ends[best])]
    return float((ends[widest] + ends[widest + 1]) / 2)


def _step(place: Array) -> Array:
    return np.maximum(1.0, np.abs(place))


def climb(
    lists: WeightedLists, start: Array, *, search: str, random_directions: int, rng: Generator
) -> WeightPoint:
    """The best point that line searches reach from a start."""
    if search not in SEARCHES:
        raise unknown_name("search", search, SEARCHES)
    climbing = _powell if search == "powell" else _steepest
    return _tidy(lists, climbing(lists, point_at(lists, start), random_directions, rng))


def _tidy(lists: WeightedLists, point: WeightPoint) -> WeightPoint:
    """Weights without those that are only rounding errors, where they are of no use."""
    tidy = point_at(lists, np.where(np.abs(point.weights) < ROUNDING, 0.0, point.weights))
    return tidy if tidy.worth >= point.worth else point


def _steepest(
    lists: WeightedLists, point: WeightPoint, random_directions: int, rng: Generator
) -> WeightPoint:
    """Every time the best step along any feature, any drawn direction, or where the last two steps led."""
    coordinates = list(np.eye(len(point.weights)))
    passed = [point.weights]
    while True:
        drawn = list(rng.normal(size=(random_directions, len(point.weights))))
        overall = point.weights - passed[-3:][0]
        step = next(
            best_steps(lists, point, [*coordinates, *drawn, *([overall] if overall.any() else [])]), None
        )
        if step is None:
            return point
        point = step
        passed.append(point.weights)


def _powell(lists: WeightedLists, point: WeightPoint, random_directions: int, rng: Generator) -> WeightPoint:
    """One direction after the other; then the way that all of them led takes the place of the best (Powell 1964)."""
    directions = list(np.eye(len(point.weights)))
    while True:
        before, gains = point, []
        drawn = list(rng.normal(size=(random_directions, len(point.weights))))
        for direction in [*directions, *drawn]:
            step = next(best_steps(lists, point, [direction]), point)
            gains.append(step.worth - point.worth)
            point = step
        overall = point.weights - before.weights
        if overall.any():
            point = next(best_steps(lists, point, [overall]), point)
            directions[int(np.argmax(gains[: len(directions)]))] = overall
        if point.worth <= before.worth + LEAST_GAIN:
            return point
