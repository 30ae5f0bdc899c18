"""Soft pairwise accuracy (Thompson, Mathur, Deutsch & Khayrallah 2024): are metric and people equally sure of pairs?

For every pair of systems both sides give the p-value of a one-sided paired permutation test on the items' scores, from the
same sign vectors; the accuracy is one less the mean distance of the two.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.stats.item_groups import Array

Signs: TypeAlias = NDArray[np.float64]
ROUNDING = 1e-12
"""Sums of items that differ by this share of the sum of their sizes are equal."""


def sign_vectors(items: int, trials: int, seed: int) -> Signs:
    """Vectors of ±1, trials × items, that all systems, metrics and people share."""
    coins = np.random.default_rng(seed).integers(0, 2, (trials, items), dtype=np.int8)
    return coins * 2.0 - 1.0


def pair_p_values(scores: Array, signs: Signs) -> Array:
    """For every pair of systems i < j the share of sign vectors under which i leads j by as much as it does, or more.

    `scores` are systems × items, all of them there.
    """
    if np.isnan(scores).any():
        raise DataError("soft pairwise accuracy needs every system's score on the same items; some are missing")
    a, b = np.triu_indices(len(scores), 1)
    flipped = scores @ signs.T
    observed = scores.sum(1)
    p_values = np.empty(len(a))
    for pair, (i, j) in enumerate(zip(a, b, strict=True)):
        slack = ROUNDING * np.abs(scores[i] - scores[j]).sum()
        lead = flipped[i] - flipped[j]
        p_values[pair] = np.count_nonzero(lead >= observed[i] - observed[j] - slack) / len(signs)
    return p_values


def soft_pairwise_accuracy(gold: Array, metric: Array, signs: Signs) -> float:
    """1 − mean |p of people − p of the metric| over pairs of systems; NaN for fewer than two systems."""
    if len(gold) < 2:
        return float("nan")
    return float(1.0 - np.abs(pair_p_values(gold, signs) - pair_p_values(metric, signs)).mean())
