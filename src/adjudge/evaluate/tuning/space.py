"""Where METEOR's parameters are looked for, and the scores they give, many of them at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.meteor_parameters import GREATEST_BETA, MATCHERS, Parameters

Array = NDArray[np.float64]

GRID: dict[str, tuple[float, ...]] = {
    "delta": (0.5, 0.6, 0.7, 0.8, 0.9),
    "stem": (0.0, 0.5, 1.0),
    "synonym": (0.0, 0.5, 1.0),
    "paraphrase": (0.0, 0.5, 1.0),
    "alpha": (0.1, 0.3, 0.5, 0.7, 0.9),
    "beta": (0.2, 0.6, 1.0, 1.5, 2.0, 3.0),
    "gamma": (0.0, 0.2, 0.4, 0.6, 0.8, 1.0),
}
"""All of it is searched. Exact matches keep the weight 1: to scale all weights would only scale the scores."""
STEPS = {
    "delta": 0.05,
    "stem": 0.25,
    "synonym": 0.25,
    "paraphrase": 0.25,
    "alpha": 0.1,
    "beta": 0.2,
    "gamma": 0.1,
}
"""How far the refinement goes at first: half of the way to the next point of the grid."""
LEAST_BETA = 0.05
BLOCK = 1 << 18
"""Scores in memory at a time, so that a processor's own memory holds them."""
COUNTING = ("delta", *MATCHERS)
"""Parameters of precision and recall; the others come after these."""


@dataclass(frozen=True)
class Space:
    """The parameters that can be fitted to some data; the others stay at their defaults."""

    default: Parameters
    free: tuple[str, ...]

    @classmethod
    def of(cls, rows: Array, default: Parameters) -> Space:
        """A matcher that matches nothing here has no weight to be fitted; nor has delta without function words."""
        matched = rows[:, 7:].sum(0).reshape(len(MATCHERS), 4).sum(1) > 0
        there = dict(zip(MATCHERS, map(bool, matched), strict=True)) | {"delta": bool(rows[:, 2:4].any())}
        return cls(default, tuple(name for name in GRID if there.get(name, True)))

    def axis(self, name: str) -> tuple[float, ...]:
        """The values of one parameter on the grid."""
        return GRID[name] if name in self.free else (getattr(self.default, name),)

    @property
    def size(self) -> int:
        """Points of the grid."""
        return int(np.prod([len(self.axis(name)) for name in GRID]))

    def counting(self) -> list[Parameters]:
        """One point for each way to count matches, with all else at its default."""
        names = [name for name in GRID if name in COUNTING]
        return [
            replace(self.default, **dict(zip(names, values, strict=True)))
            for values in product(*(self.axis(name) for name in names))
        ]

    def neighbours(self, point: Parameters, scale: float, at_once: int) -> list[Parameters]:
        """Points a step away in one parameter, or in two of them; steps are those of STEPS times the scale."""
        found: dict[Parameters, None] = {}
        for chosen in combinations(self.free, at_once):
            for signs in product((-1, 1), repeat=at_once):
                moved = {n: _moved(point, n, s * scale) for n, s in zip(chosen, signs, strict=True)}
                found[replace(point, **moved)] = None
        found.pop(point, None)
        return list(found)


def _moved(point: Parameters, name: str, steps: float) -> float:
    low, high = (LEAST_BETA, GREATEST_BETA) if name == "beta" else (0.0, 1.0)
    # Ten digits are more than any data can tell, and keep 0.1 + 0.2 from being written into files as it is.
    value: float = getattr(point, name) + steps * STEPS[name]
    return round(min(high, max(low, value)), 10)


def scores(rows: Array, points: Sequence[Parameters]) -> Array:
    """METEOR of each row (or sum of rows) by each point: points × rows, from 0 to 1."""
    found = np.empty((len(points), len(rows)))
    fragmentation = fragmented(rows)
    matches = matches_of(rows)
    # Neighbours share most of their parameters, and powers and quotients are what takes time.
    sides: dict[tuple[float, ...], tuple[Array, Array]] = {}
    powers: dict[float, Array] = {}
    for index, point in enumerate(points):
        key = point.delta, *point.weights
        if key not in sides:
            sides[key] = precision_recall(rows, matches, point)
        if point.beta not in powers:
            powers[point.beta] = fragmentation**point.beta
        mean = f_mean(*sides[key], point.alpha)
        found[index] = mean - mean * (point.gamma * powers[point.beta])
    return found


def blocks(rows: Array, counting: Parameters, space: Space) -> Iterator[tuple[list[Parameters], Array]]:
    """The points of the grid that count matches in one way, with their scores, a block at a time."""
    precision, recall = precision_recall(rows, matches_of(rows), counting)
    fragmentation = fragmented(rows)
    gammas = np.array(space.axis("gamma"))
    means = [f_mean(precision, recall, alpha) for alpha in space.axis("alpha")]
    points: list[Parameters] = []
    found: list[Array] = []
    for beta in space.axis("beta"):
        penalties = gammas[:, None] * fragmentation**beta
        for alpha, mean in zip(space.axis("alpha"), means, strict=True):
            points += [replace(counting, alpha=alpha, beta=beta, gamma=float(gamma)) for gamma in gammas]
            found.append(mean - mean * penalties)
            if len(points) * len(rows) >= BLOCK:
                yield points, np.concatenate(found)
                points, found = [], []
    if points:
        yield points, np.concatenate(found)


def matches_of(rows: Array) -> Array:
    """The columns of the matchers, in one piece, for products that would copy them each time otherwise."""
    return np.ascontiguousarray(rows[:, 7:])


def precision_recall(rows: Array, matches: Array, point: Parameters) -> tuple[Array, Array]:
    """Matched words of output and reference, weighted, over all of them."""
    kinds = np.array([point.delta, 1 - point.delta])
    shares = []
    for side in (0, 1):
        weights = np.zeros((len(MATCHERS), 2, 2))
        weights[:, side] = np.outer(point.weights, kinds)
        matched = matches @ weights.ravel()
        words, function_words = rows[:, side], rows[:, 2 + side]
        shares.append(_quotient(matched, kinds[0] * (words - function_words) + kinds[1] * function_words))
    return shares[0], shares[1]


def f_mean(precision: Array, recall: Array, alpha: float) -> Array:
    """The weighted harmonic mean of precision and recall."""
    return _quotient(precision * recall, alpha * precision + (1 - alpha) * recall)


def _quotient(above: Array, below: Array) -> Array:
    """0 where there is nothing to divide by; then there is nothing above either."""
    return above / np.where(below > 0, below, np.inf)


def fragmented(rows: Array) -> Array:
    """Chunks over matched words; rows of segments that are matched whole, in one chunk, have none."""
    return _quotient(rows[:, 6], (rows[:, 4] + rows[:, 5]) / 2)
