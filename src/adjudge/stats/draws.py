"""Random draws of units, for statistics that are no function of sums of rows (`resampling.py` has those that are).

The same seed gives the same draws, whatever the size of the blocks in which they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

CELLS = 1 << 22
"""Values that are drawn at once, so that memory suffices."""
Seed = int | Sequence[int]


def resampled_units(units: int, resamples: int, seed: Seed) -> Iterator[NDArray[np.int64]]:
    """Units drawn with replacement, a block of resamples at a time: (resamples, units)."""
    generator = np.random.default_rng(seed)
    for block in _blocks(resamples, units):
        yield generator.integers(0, units, (block, units))


def unit_counts(units: int, resamples: int, seed: Seed) -> NDArray[np.float64]:
    """How often each unit is drawn in each resample: (resamples, units)."""
    counts = np.empty((resamples, units))
    start = 0
    for block in resampled_units(units, resamples, seed):
        for row in block:
            counts[start] = np.bincount(row, minlength=units)
            start += 1
    return counts


def multinomial_counts(units: int, resamples: int, seed: Seed) -> NDArray[np.int64]:
    """How often each unit is drawn in each resample, without drawing the units one by one: (resamples, units)."""
    return np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), size=resamples)


def swap_masks(units: int, resamples: int, seed: Seed, *, width: int) -> Iterator[NDArray[np.bool_]]:
    """Which units of a pair are swapped, a block at a time: (resamples, units); `width` values depend on each."""
    generator = np.random.default_rng(seed)
    for block in _blocks(resamples, width):
        yield generator.random((block, units)) < 0.5


def _blocks(rows: int, width: int) -> Iterator[int]:
    step = max(1, CELLS // width)
    for start in range(0, rows, step):
        yield min(step, rows - start)
