"""Cohen's kappa of more than two raters: of every two who judged the same, taken together."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.agreement import (
    ALL_THE_SAME,
    NOTHING_TWICE,
    Coefficient,
    no_coefficient,
    refuse_holes,
    renumber,
)

Floats: TypeAlias = NDArray[np.float64]

WEIGHTS = ("none", "quadratic")
MOST_PAIRS = 10_000_000
"""Pairs of judgements that can be looked at one by one."""
TOO_MANY_PAIRS = "there are too many pairs of judgements"


def pooled_cohen(
    a: NDArray[Any], b: NDArray[Any], pairs: NDArray[Any], *, weights: str = "none"
) -> Coefficient:
    """Cohen's kappa of many pairs of raters: `a[i]` and `b[i]` are what the two of pair `pairs[i]` said of one unit.

    Each pair brings its own chance: how often the two would agree by how each of them used the answers. Observed and
    expected disagreement are added up before dividing, so that pairs count by what they have in common, and those who
    always say the same count too. For one pair it is Cohen's kappa; `quadratic` weighs by squared differences.
    """
    if weights not in WEIGHTS:
        raise unknown_name("weighting", weights, WEIGHTS)
    a, b, pairs = np.asarray(a), np.asarray(b), np.asarray(pairs)
    if not a.shape == b.shape == pairs.shape or a.ndim != 1:
        raise UsageError(f"two answers a pair, but there are {a.shape}, {b.shape} and {pairs.shape}")
    if not len(a):
        return no_coefficient(NOTHING_TWICE)
    for values in (a, b):
        if values.dtype.kind == "f":
            refuse_holes(values)
    pair = renumber(pairs)
    count = np.bincount(pair).astype(np.float64)
    if weights == "none":
        observed, expected = _categories(a, b, pair, count)
    else:
        observed, expected = _squares(a.astype(np.float64), b.astype(np.float64), pair, count)
    if not expected > 0:
        return Coefficient(None, None, None, len(a), 2 * len(a), reason=ALL_THE_SAME)
    seen, chance = (1 - part / len(a) if weights == "none" else None for part in (observed, expected))
    return Coefficient(1 - observed / expected, seen, chance, len(a), 2 * len(a))


def _categories(
    a: NDArray[Any], b: NDArray[Any], pair: NDArray[np.int64], count: Floats
) -> tuple[float, float]:
    distinct, codes = np.unique(np.concatenate([a, b]), return_inverse=True)
    cells = np.concatenate([pair, pair]) * len(distinct) + codes
    (first, times), (second, others) = (np.unique(half, return_counts=True) for half in np.split(cells, 2))
    both, at, of = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    by_chance = float((times[at].astype(np.float64) * others[of] / count[both // len(distinct)]).sum())
    return float((a != b).sum()), len(a) - by_chance


def _squares(a: Floats, b: Floats, pair: NDArray[np.int64], count: Floats) -> tuple[float, float]:
    middle = (a.mean() + b.mean()) / 2
    a, b = a - middle, b - middle
    sums, others = np.bincount(pair, a), np.bincount(pair, b)
    expected = float((a**2).sum() + (b**2).sum() - 2 * (sums * others / count).sum())
    total = float((a**2).sum() + (b**2).sum())
    # Where all are the same, what is left is rounding.
    return float(((a - b) ** 2).sum()), expected if expected > 1e-12 * (total + middle**2) else 0.0
