"""Sums of rows that come out the same whoever adds them up: block by block, in order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]

BLOCK = 1 << 14
"""Rows whose sum is taken by itself; sums of blocks are added in order. Below so many rows there is one block. A chunk
that is sent to another machine is one too (native/resampling.cpp knows the same number)."""


def total(rows: Rows) -> Rows:
    """The sum of all rows, in the order that a stream of chunks of them has as well."""
    sums: Rows = block_sum(rows[:BLOCK])
    for start in range(BLOCK, len(rows), BLOCK):
        sums += block_sum(rows[start : start + BLOCK])
    return sums


def block_sum(rows: Rows) -> Rows:
    """The sum of at most a block of rows, one after the other however they lie in memory."""
    return np.asarray(np.ascontiguousarray(rows).sum(0), dtype=np.float64)
