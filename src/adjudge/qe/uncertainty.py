"""How far a measure of estimates may be off, and whether two estimators differ by more than chance.

What is drawn or swapped is a unit: a segment where segments are independent, else a whole document, or all outputs of
one source.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.qe.measures import Array

CELLS = 1 << 22
"""Scores that are resampled at once."""
FEWEST = 20
"""Resamples with a value below which there is no interval."""

Statistic = Callable[[Array, Array], Array]
Scale = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class UnitsOfDraw:
    """Which unit each segment belongs to; its rows, unit by unit, where units are more than segments."""

    of_segment: NDArray[np.intp]
    count: int

    @classmethod
    def of(cls, names: Sequence[str] | None, segments: int) -> UnitsOfDraw:
        """Units by their names; segments where there are none."""
        if names is None:
            return cls(np.arange(segments), segments)
        unique, place = np.unique(np.asarray(names, object), return_inverse=True)
        return cls(np.asarray(place, np.intp), len(unique))

    def resampled_rows(self, draws: int, seed: int) -> Iterator[NDArray[np.intp]]:
        """Rows of segments of units drawn with replacement: as many draws at a time as fit, (draws, segments)."""
        rng, segments = np.random.default_rng(seed), len(self.of_segment)
        if self.count == segments:
            for block in blocks(draws, segments):
                yield rng.integers(0, segments, (block, segments))
            return
        order = np.argsort(self.of_segment, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(self.of_segment))[:-1])
        for _ in range(draws):  # draws differ in length
            yield np.concatenate([members[unit] for unit in rng.integers(0, self.count, self.count)])[None]


def blocks(rows: int, count: int) -> Iterator[int]:
    """How many draws to make at once, so that memory suffices."""
    step = max(1, CELLS // count)
    for start in range(0, rows, step):
        yield min(step, rows - start)


def _unchanged(values: Array) -> Array:
    return values


SCALES: dict[str, tuple[Scale, Scale]] = {
    **dict.fromkeys(("pearson", "spearman", "kendall", "mcc"), (np.arctanh, np.tanh)),
    "delta_avg": (_unchanged, _unchanged),
}
"""Where each measure is spread about alike whatever its value, and the way back: Fisher's z for correlations."""


def interval(
    measure: str,
    statistic: Statistic,
    scores: Array,
    predicted: Array,
    units: UnitsOfDraw,
    *,
    draws: int,
    alpha: float,
    seed: int,
) -> tuple[float, float]:
    """Student's interval by the spread of resampled units, on the measure's own scale; NaN where there is none.

    Percentiles of the resamples hold less than they promise for few units (`bench/calibration_qe.py`); they are taken
    only where the value lies at the end of its scale.
    """
    from scipy.special import stdtrit  # late: commands that need none of it start faster

    parts = [statistic(scores[rows], predicted[rows]) for rows in units.resampled_rows(draws, seed)]
    drawn = np.concatenate(parts)
    drawn = drawn[~np.isnan(drawn)]
    value = float(statistic(scores, predicted))
    if len(drawn) < FEWEST or math.isnan(value) or units.count < 2:
        return math.nan, math.nan
    scale, back = SCALES[measure]
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled, centre = scale(_off_the_ends(drawn, scale)), float(scale(np.asarray(value)))
    if not (math.isfinite(centre) and np.isfinite(scaled).all()):
        low, high = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
        return float(low), float(high)
    # A resample of n units is spread by (n − 1)/n of what a sample is.
    error = float(scaled.std(ddof=1)) * math.sqrt(units.count / (units.count - 1))
    reach = float(stdtrit(units.count - 1, 1 - alpha / 2)) * error
    low, high = (float(back(np.asarray(centre + side * reach))) for side in (-1, 1))
    return low, high


def _off_the_ends(drawn: Array, scale: Scale) -> Array:
    """Resamples at an end of the scale, where it is infinite, at half the distance of the nearest other one.

    Left out, they would make the spread that of the rest, and intervals near the end hold too seldom.
    """
    inside = drawn[np.isfinite(scale(drawn))]
    if len(inside) in (0, len(drawn)):
        return drawn
    low, high = drawn.min(), drawn.max()
    if not math.isfinite(scale(low)):
        low = (low + inside.min()) / 2
    if not math.isfinite(scale(high)):
        high = (high + inside.max()) / 2
    return np.clip(drawn, low, high)


def swapped_p(
    statistic: Statistic,
    scores: Array,
    pair: tuple[Array, Array],
    delta: float,
    units: UnitsOfDraw,
    *,
    draws: int,
    seed: int,
) -> float:
    """How often a difference as large comes about when two estimators' estimates of units are swapped at random."""
    rng = np.random.default_rng(seed)
    first, second = pair
    hits, trials = 1, 1  # the swap that was observed counts, so that no p is 0
    for count in blocks(draws, len(scores)):
        coin = (rng.random((count, units.count)) < 0.5)[:, units.of_segment]
        left, right = np.where(coin, second, first), np.where(coin, first, second)
        swapped = statistic(scores, left) - statistic(scores, right)
        hits += int((np.abs(swapped) >= abs(delta) - 1e-12).sum())
        trials += int((~np.isnan(swapped)).sum())
    return math.nan if math.isnan(delta) else hits / trials
