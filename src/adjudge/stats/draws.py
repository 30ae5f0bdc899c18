"""Random draws of units and folds, for statistics that are no function of sums of rows.

`resampling.py` has those that are.

The same seed gives the same draws, whatever the size of the blocks in which they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError

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


Indices = NDArray[np.intp]


def fold_of_units(units: int, folds: int, seed: int) -> Indices:
    """The fold of each unit: units in random order, dealt out like cards."""
    fold = np.empty(units, dtype=np.intp)
    fold[np.random.default_rng(seed).permutation(units)] = np.arange(units) % folds
    return fold


def group_folds(groups: Sequence[str] | NDArray[np.integer], folds: int, seed: int) -> Indices:
    """The fold of each item, given its group: groups stay whole, and folds are about as large as each other.

    Groups are put in random order, then the largest first, each into the fold that has the fewest items by then. Where
    there are fewer groups than folds, each group is a fold.
    """
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    sizes = np.bincount(group)
    if len(sizes) < 2:
        raise UsageError("all items are in one group: there is nothing to hold out")
    number = min(folds, len(sizes))
    if number < 2:
        raise UsageError(f"{folds} folds: at least 2 are needed, one to fit to and one to look at")
    drawn = np.random.default_rng(seed).permutation(len(sizes))
    order = drawn[np.argsort(-sizes[drawn], kind="stable")]
    fold = np.empty(len(sizes), dtype=np.intp)
    filled = np.zeros(number, dtype=np.intp)
    for place in order:
        fold[place] = int(np.argmin(filled))
        filled[fold[place]] += sizes[place]
    return fold[group]
