"""An interval for a mean error that knows how lopsided errors are, by units: the bootstrap-t (Efron 1982).

A few large errors make a mean; a sample that has fewer of them than usual has a low mean and a low spread at once, and
an interval that is as wide either way misses the truth above it. Resamples show how far that goes: each one's
distance from the mean is taken over its own error, and the quantiles of that take the place of Student's.
"""

from __future__ import annotations

import math

import numpy as np

from adjudge.qe.measures import Array
from adjudge.qe.uncertainty import FEWEST, UnitsOfDraw, blocks

LONG_TAIL = 1.0
"""The skewness of scores or of errors from which on intervals of squared errors hold too seldom (`docs/qe.md`)."""


def mean_interval(
    errors: Array, units: UnitsOfDraw, *, draws: int, alpha: float, seed: int
) -> tuple[float, float]:
    """The ends of the interval of the mean of errors, none of which is below 0; NaN for too few units."""
    if units.count < 2:
        return math.nan, math.nan
    sums = np.bincount(units.of_segment, errors).astype(np.float64)
    counts = np.bincount(units.of_segment).astype(np.float64)
    mean, error = (float(part) for part in _mean_and_error(sums, counts))
    if error <= 1e-12 * mean:
        return mean, mean
    rng = np.random.default_rng(seed)
    distances = []
    for block in blocks(draws, units.count):
        rows = rng.integers(0, units.count, (block, units.count))
        means, own = _mean_and_error(sums[rows], counts[rows])
        known = own > 1e-12 * means
        distances.append((means[known] - mean) / own[known])
    drawn = np.concatenate(distances)
    if len(drawn) < FEWEST:
        return math.nan, math.nan
    least, most = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
    return max(0.0, mean - max(0.0, float(most)) * error), mean - min(0.0, float(least)) * error


def skewness(values: Array) -> float:
    """How lopsided values are: 0 where they are symmetric or all the same."""
    apart = values - values.mean()
    spread = float((apart**2).mean())
    return float((apart**3).mean()) / spread**1.5 if spread > 1e-24 * float((values**2).mean()) else 0.0


def _mean_and_error(sums: Array, counts: Array) -> tuple[Array, Array]:
    """Means of segments and their standard errors from units, over the last axis."""
    number = sums.shape[-1]
    total = counts.sum(-1)
    mean = sums.sum(-1) / total
    apart = sums - mean[..., None] * counts
    return mean, np.sqrt((apart**2).sum(-1) * number / (number - 1)) / total
