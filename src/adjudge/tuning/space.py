"""Where METEOR's parameters are looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.meteor_columns import COLUMN, matched_words
from adjudge.metrics.meteor_parameters import GREATEST_BETA, MATCHERS, NAMES, Parameters

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


@dataclass(frozen=True)
class Space:
    """The parameters that can be fitted to some data; the others stay at their defaults."""

    default: Parameters
    free: tuple[str, ...]

    @classmethod
    def of(cls, rows: Array, default: Parameters) -> Space:
        """A matcher that matches nothing here has no weight to be fitted; nor has delta without function words."""
        matched = matched_words(rows).sum((0, 1, 3, 4)) > 0
        functions = rows[..., [COLUMN.hypothesis_function_words, COLUMN.reference_function_words]]
        usable = dict(zip(MATCHERS, map(bool, matched), strict=True)) | {"delta": bool(functions.any())}
        return cls(default, tuple(name for name in GRID if usable.get(name, True)))

    def axis(self, name: str) -> tuple[float, ...]:
        """The values of one parameter on the grid."""
        return GRID[name] if name in self.free else (getattr(self.default, name),)

    @property
    def size(self) -> int:
        """Points of the grid."""
        return int(np.prod([len(self.axis(name)) for name in GRID]))

    def pieces(self, count: int) -> list[Array]:
        """All points of the grid, a row each, in about so many pieces; none parts points that count alike."""
        # Parameters of precision and recall come first in GRID, so what follows shares the work on them.
        shared = int(np.prod([len(self.axis(name)) for name in ("alpha", "beta", "gamma")]))
        points = np.empty((self.size, len(NAMES)))
        for name, values in zip(GRID, np.array(list(product(*map(self.axis, GRID)))).T, strict=True):
            points[:, NAMES.index(name)] = values
        points[:, NAMES.index("exact")] = self.default.exact
        ways = -(-self.size // shared)
        return np.split(points, [shared * at for at in range(0, ways, -(-ways // count))][1:])

    def neighbours(self, point: Parameters, scale: float, at_once: int) -> list[Parameters]:
        """Points a step away in one parameter, or in two of them; steps are those of STEPS times the scale."""
        points: dict[Parameters, None] = {}
        for chosen in combinations(self.free, at_once):
            for signs in product((-1, 1), repeat=at_once):
                moved = {n: _move(point, n, s * scale) for n, s in zip(chosen, signs, strict=True)}
                points[replace(point, **moved)] = None
        points.pop(point, None)
        return list(points)


def _move(point: Parameters, name: str, steps: float) -> float:
    low, high = (LEAST_BETA, GREATEST_BETA) if name == "beta" else (0.0, 1.0)
    # Ten digits are more than any data can tell, and keep 0.1 + 0.2 from being written into files as it is.
    value: float = getattr(point, name) + steps * STEPS[name]
    return round(min(high, max(low, value)), 10)
