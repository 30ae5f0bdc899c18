"""How well estimates fit what people said: correlations, errors, ranking and the choice of good segments.

Every measure takes gold and predictions of shape (..., segments) and returns (...); NaN where there is none.

Summaries of words within each segment are here too; they are 0 where a segment has no word.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.stats import correlation

Array = NDArray[np.float64]


def pearson(gold: Array, predicted: Array) -> Array:
    """The product-moment correlation of each row."""
    a, b = gold - gold.mean(-1, keepdims=True), predicted - predicted.mean(-1, keepdims=True)
    below = np.sqrt((a * a).sum(-1) * (b * b).sum(-1))
    # What rounding leaves of a constant is no variance.
    flat = below <= 1e-12 * np.sqrt((gold**2).sum(-1) * (predicted**2).sum(-1))
    return correlation.quotient((a * b).sum(-1), np.where(flat, 0.0, below))


def spearman(gold: Array, predicted: Array) -> Array:
    """Pearson's correlation of ranks."""
    return pearson(ranks(gold), ranks(predicted))


def kendall(gold: Array, predicted: Array) -> Array:
    """Kendall's tau-b."""
    rows = np.broadcast_arrays(np.atleast_2d(gold), np.atleast_2d(predicted))
    values = [float(correlation.kendall(p[None], g)[0]) for g, p in zip(*rows, strict=True)]
    return np.array(values).reshape(np.broadcast_shapes(gold.shape, predicted.shape)[:-1])


def mean_absolute_error(gold: Array, predicted: Array) -> Array:
    """How far predictions lie from scores."""
    return np.asarray(np.abs(gold - predicted).mean(-1))


def root_mean_square_error(gold: Array, predicted: Array) -> Array:
    """The root of the mean squared error: large errors count more."""
    return np.asarray(np.sqrt(((gold - predicted) ** 2).mean(-1)))


def delta_average(gold: Array, predicted: Array) -> Array:
    """DeltaAvg (Callison-Burch et al. 2012): what the head of the ranking is better than all, over all heads.

    For n = 2 to half the segments, quantiles of ⌊N/n⌋ segments are taken from the top by predictions; the mean score of
    the first k of them, averaged over k < n, less the mean of all; then averaged over n. Ties stay in their order.
    """
    order = np.argsort(-predicted, axis=-1, kind="stable")
    ranked = np.take_along_axis(np.broadcast_to(gold, order.shape), order, -1)
    heads = np.cumsum(ranked, -1) / np.arange(1, ranked.shape[-1] + 1)
    if ranked.shape[-1] < 4:
        return np.full(ranked.shape[:-1], np.nan)
    return np.asarray(heads @ _head_weights(ranked.shape[-1]) - ranked.mean(-1))


def area_under_curve(good: NDArray[np.bool_], predicted: Array) -> Array:
    """The chance that a good segment is ranked above one that is not; ties count half."""
    placed = ranks(predicted)
    yes = good.sum(-1)
    no = good.shape[-1] - yes
    above = (placed * good).sum(-1) - yes * (yes + 1) / 2
    return correlation.quotient(np.asarray(above, np.float64), np.asarray(yes * no, np.float64))


def matthews_rows(good: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> Array:
    """Matthews' correlation of two choices, row by row."""
    return pearson(np.asarray(good, np.float64), np.asarray(chosen, np.float64))


def matthews(good: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> float:
    """Matthews' correlation of two choices; 0 where either chooses all or nothing."""
    value = float(matthews_rows(good, chosen))
    return 0.0 if np.isnan(value) else value


def ranks(values: Array) -> Array:
    """Ranks of each row; those that are equal share the mean of their places."""
    flat = np.ascontiguousarray(np.atleast_2d(values), np.float64)
    return np.asarray(_native.average_ranks(flat, 0)).reshape(values.shape)


@lru_cache(maxsize=4)
def _head_weights(segments: int) -> Array:
    """How often the mean of each head counts in DeltaAvg."""
    weights = np.zeros(segments)
    most = segments // 2
    for quantiles in range(2, most + 1):
        size = segments // quantiles
        weights[size - 1 : size * (quantiles - 1) : size] += 1 / (quantiles - 1)
    weights /= most - 1
    weights.flags.writeable = False
    return weights


Measure = Callable[[Any, Array], Array]


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
