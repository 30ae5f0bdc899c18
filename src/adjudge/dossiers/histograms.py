"""How the scores of segments are spread: how many lie in which band."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from adjudge.dossiers.segment_table import ScoreColumn

BANDS = 20


@dataclass(frozen=True)
class Histogram:
    """One system's segments by one score, in bands of equal width that all systems share."""

    key: str
    title: str
    system: str
    edges: tuple[float, ...]
    """Where bands begin, and where the last one ends."""
    counts: tuple[int, ...]
    missing: int
    """Segments without this score."""

    @property
    def bands(self) -> tuple[tuple[float, float], ...]:
        """From and to; the last includes its end."""
        return tuple(zip(self.edges[:-1], self.edges[1:], strict=True))


def histograms(scores: ScoreColumn, systems: Iterable[str]) -> tuple[Histogram, ...]:
    """A histogram of each system that has the score; none where nobody has one."""
    own = {name: scores.values[name] for name in systems if name in scores.values}
    known = [column[np.isfinite(column)] for column in own.values()]
    if not any(len(column) for column in known):
        return ()
    together = np.concatenate(known)
    edges = band_edges(float(together.min()), float(together.max()))
    return tuple(
        Histogram(
            scores.key,
            scores.title,
            name,
            tuple(edges.tolist()),
            tuple(np.histogram(column[np.isfinite(column)], edges)[0].tolist()),
            int((~np.isfinite(column)).sum()),
        )
        for name, column in own.items()
    )


def band_edges(low: float, high: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Round numbers that hold all scores, so that a band can be asked for again by its ends."""
    spread = max(high - low, 1e-6 * max(1.0, abs(low), abs(high)))
    power = 10.0 ** np.floor(np.log10(spread))
    step = next(power / part for part in (20, 10, 5, 4, 2, 1, 0.5) if spread * part / power <= BANDS)
    first, last = int(np.floor(low / step)), int(np.floor(high / step)) + 1
    first -= _round(step, first) > low
    if high <= _round(step, last - 1) and last - 1 > first:
        last -= 1  # the last band includes its end
    last += _round(step, last) < high
    return np.array([_round(step, place) for place in range(first, last + 1)])


def _round(step: float, place: int) -> float:
    """A bound with as many digits as are told."""
    return float(f"{step * place:.10g}")
