"""Folds of cross-validation: what belongs together lies in one fold, so that nothing is known before it is tested."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError

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
