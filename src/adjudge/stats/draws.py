"""Every random draw of the package that the compiled core does not make: units, samples, folds, seeds.

The same seed gives the same draws, whatever the size of the blocks in which they are made. `resampling.py` has the
statistics that are functions of sums of rows; their units are drawn in the core. `tests/stats/test_draws.py` refuses
a random generator made anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError

CELLS = 1 << 22
"""Values that are drawn at once, so that memory suffices."""
Seed: TypeAlias = int | Sequence[int]
Generator: TypeAlias = np.random.Generator
Indices: TypeAlias = NDArray[np.intp]


def generator(seed: Seed | None) -> Generator:
    """A random generator, for simulations and searches whose draws depend on each other; None: seeded by the system."""
    return np.random.default_rng(seed)


def derived_seed(seed: int) -> int:
    """A second seed that depends on the first one alone, for draws that must not share random numbers with it."""
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


def resampled_units(units: int, resamples: int, seed: Seed) -> Iterator[NDArray[np.int64]]:
    """Units drawn with replacement, a block of resamples at a time: (resamples, units)."""
    rng = generator(seed)
    for block in block_sizes(resamples, units):
        yield rng.integers(0, units, (block, units))


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
    return generator(seed).multinomial(units, np.full(units, 1 / units), size=resamples)


def category_counts(
    size: int, chances: NDArray[np.float64], resamples: int, seed: Seed, *, at_once: int
) -> Iterator[NDArray[np.int64]]:
    """How often each category occurs among `size` draws, `at_once` resamples at a time: (resamples, categories)."""
    rng = generator(seed)
    for start in range(0, resamples, at_once):
        yield rng.multinomial(size, chances, size=min(at_once, resamples - start))


def swap_masks(units: int, resamples: int, seed: Seed, *, width: int) -> Iterator[NDArray[np.bool_]]:
    """Which units of a pair are swapped, a block at a time: (resamples, units); `width` values depend on each."""
    rng = generator(seed)
    for block in block_sizes(resamples, width):
        yield rng.random((block, units)) < 0.5


def permutation(units: int, seed: Seed) -> NDArray[np.int64]:
    """The units in random order."""
    return generator(seed).permutation(units)


def sample(units: int, size: int, seed: Seed) -> NDArray[np.int64]:
    """Different units drawn without replacement, in the order of the draw."""
    return generator(seed).choice(units, size, replace=False)


def block_sizes(rows: int, width: int, cells: int | None = None) -> Iterator[int]:
    """How many rows of so many values to draw at a time, so that a block has at most `cells` values."""
    step = max(1, (CELLS if cells is None else cells) // max(1, width))
    for start in range(0, rows, step):
        yield min(step, rows - start)


def fold_of_units(units: int, folds: int, seed: int) -> Indices:
    """The fold of each unit: units in random order, dealt out like cards."""
    fold = np.empty(units, dtype=np.intp)
    fold[permutation(units, seed)] = np.arange(units) % folds
    return fold


def fold_splits(fold: Indices) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """For each fold in turn: which units to fit to, and which are held out."""
    for number in range(int(fold.max()) + 1):
        held_out = fold == number
        yield ~held_out, held_out


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
    shuffled = permutation(len(sizes), seed)
    order = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
    fold = np.empty(len(sizes), dtype=np.intp)
    fold_sizes = np.zeros(number, dtype=np.intp)
    for place in order:
        fold[place] = int(np.argmin(fold_sizes))
        fold_sizes[fold[place]] += sizes[place]
    return fold[group]
