"""Connected components of a graph: which annotators, systems or levels are linked, if only through others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]


def components(first: NDArray[Any], second: NDArray[Any], count: int) -> Codes:
    """The component of each of `count` nodes, named after its lowest node; edges join `first` and `second`."""
    label = np.arange(count)
    while True:
        lower = label.copy()
        np.minimum.at(lower, first, label[second])
        np.minimum.at(lower, second, label[first])
        lower = lower[lower]
        if np.array_equal(lower, label):
            return label
        label = lower


def linked_rows(row: NDArray[Any], column: NDArray[Any], count: int) -> Codes:
    """The component of each of `count` rows, where columns that two rows share link them."""
    return components(row, count + column, count + int(column.max(initial=-1)) + 1)[:count]
