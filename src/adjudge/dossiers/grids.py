"""Two scores of every segment against each other, counted in cells: of two systems by a metric, or by two metrics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.dossiers.histograms import band_edges
from adjudge.dossiers.segment_table import ScoreColumn, SegmentTable

Bounds = tuple[float, float]


@dataclass(frozen=True)
class Axis:
    """A score of a system."""

    key: str
    title: str
    system: str
    edges: tuple[float, ...]

    def bounds(self, place: int) -> Bounds:
        """From and to, of a band by its place."""
        return self.edges[place], self.edges[place + 1]

    def is_last(self, place: int) -> bool:
        """Whether a band includes its end."""
        return place == len(self.edges) - 2


@dataclass(frozen=True)
class ScoreGrid:
    """How many segments lie where, and how alike the two scores are."""

    x: Axis
    y: Axis
    counts: tuple[tuple[int, int, int], ...]
    """Band of x, band of y, segments; cells without any are left out."""
    segments: int
    """Those that have both scores."""
    correlation: float
    """Pearson's, over segments; NaN where one of the two does not vary."""


def score_grid(a: ScoreColumn, system: str, b: ScoreColumn, other: str) -> ScoreGrid | None:
    """The grid of two scores; None where no segment has both."""
    x, y = a.values.get(system), b.values.get(other)
    if x is None or y is None:
        return None
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return None
    x, y = x[known], y[known]
    if a.key == b.key:  # one scale for both
        low, high = min(x.min(), y.min()), max(x.max(), y.max())
        edges = (band_edges(float(low), float(high)),) * 2
    else:
        edges = (band_edges(float(x.min()), float(x.max())), band_edges(float(y.min()), float(y.max())))
    table = np.histogram2d(x, y, list(edges))[0].astype(int)
    varied = x.std() > 0 and y.std() > 0
    return ScoreGrid(
        Axis(a.key, a.title, system, tuple(edges[0].tolist())),
        Axis(b.key, b.title, other, tuple(edges[1].tolist())),
        tuple((int(i), int(j), int(table[i, j])) for i, j in np.argwhere(table)),
        int(known.sum()),
        float(np.corrcoef(x, y)[0, 1]) if varied else float("nan"),
    )


def score_grids(table: SegmentTable, chosen: str, rival: str) -> tuple[ScoreGrid, ...]:
    """The system chosen against its rival by the first score, and by the first score against every other one."""
    if not table.scores:
        return ()
    first, *others = table.scores
    pairs = [(first, chosen, first, rival), *((first, chosen, other, chosen) for other in others)]
    grids = [score_grid(*pair) for pair in pairs]
    return tuple(grid for grid in grids if grid is not None)
