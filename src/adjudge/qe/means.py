"""Means and other summaries of words within each segment; 0 where a segment has no word."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def segment_means(values: NDArray[Any], segments: NDArray[np.intp], count: int) -> Array:
    """The mean of each segment's values."""
    sums = np.bincount(segments, values.astype(np.float64), minlength=count)
    return np.asarray(sums / np.maximum(np.bincount(segments, minlength=count), 1))


def segment_minima(values: NDArray[Any], segments: NDArray[np.intp], count: int) -> Array:
    """The least of each segment's values."""
    least = np.full(count, np.inf)
    np.minimum.at(least, segments, values.astype(np.float64))
    return np.where(np.isinf(least), 0.0, least)


def segment_deviations(values: NDArray[Any], segments: NDArray[np.intp], count: int) -> Array:
    """The standard deviation of each segment's values."""
    centred = values - segment_means(values, segments, count)[segments]
    return np.sqrt(segment_means(centred**2, segments, count))
