"""Character and word n-grams of texts, hashed into a fixed number of columns and weighted by how rare they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
COLUMNS = 1 << 15
LONGEST = 4
"""Characters of an n-gram."""
BOUNDARY = 32
FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class RarityWeights:
    """How much each column counts: the logarithm of all segments over those that have it."""

    weights: NDArray[np.float32]


def hashed_ngrams(segments: Sequence[str]) -> Any:
    """1 + log of the number of times that each n-gram of 1 to 4 characters stands in a segment: a sparse matrix."""
    from scipy.sparse import csr_matrix

    points, owners = _code_points(segments)
    columns, rows = [], []
    state = np.zeros(len(points), np.uint64)
    for size in range(1, LONGEST + 1):
        length = len(points) - size + 1
        if length <= 0:
            break
        state = (state[:length] ^ points[size - 1 :][:length]) * FACTOR
        state ^= state >> np.uint64(29)
        inside = owners[:length] == owners[size - 1 :]
        columns.append(((state * FACTOR) >> np.uint64(49))[inside].astype(np.int64))
        rows.append(owners[:length][inside])
    shape = (len(segments), COLUMNS)
    if not columns:
        return csr_matrix(shape)
    row, column = np.concatenate(rows), np.concatenate(columns)
    matrix = csr_matrix((np.ones(len(row)), (row, column)), shape)
    matrix.sum_duplicates()
    matrix.data = 1.0 + np.log(matrix.data)
    return matrix


def rarity(matrix: Any) -> RarityWeights:
    """The weights of columns by the segments of a training text."""
    seen = np.bincount(matrix.indices, minlength=COLUMNS)
    weights = np.where(seen > 1, np.log((1 + matrix.shape[0]) / (1 + np.maximum(seen, 1))) + 1, 0.0)
    return RarityWeights(weights.astype(np.float32))


def weigh_ngrams(matrix: Any, weights: RarityWeights) -> Any:
    """Each segment's n-grams by their weights, at length 1."""
    from scipy.sparse import diags

    scaled = matrix @ diags(weights.weights.astype(np.float64))
    lengths = np.sqrt(np.asarray(scaled.multiply(scaled).sum(1))).reshape(-1)
    return diags(1.0 / np.where(lengths > 0, lengths, 1.0)) @ scaled


def _code_points(segments: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """The characters of all segments, each with spaces about it, and the segment of each."""
    texts = [f" {' '.join(segment.split())} " for segment in segments]
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    return points + np.uint64(1), np.repeat(np.arange(len(texts)), [len(text) for text in texts])
