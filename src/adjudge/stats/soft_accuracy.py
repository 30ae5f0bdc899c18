"""Soft pairwise accuracy (Thompson, Mathur, Deutsch & Khayrallah 2024): are metric and people equally sure of pairs?

For every pair of systems both sides give the p-value of a one-sided paired permutation test on the items' scores, from
the same sign vectors; the accuracy is one less the mean distance of the two.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import DataError
from adjudge.stats.item_pairs import Array
from adjudge.stats.metric_swaps import (
    Coins,
    MetricPermutations,
    Swap,
    coins,
    is_exhaustive,
    pairs_of_metrics,
    standardise_metrics,
)
from adjudge.stats.stopping import SIGNS

ROUNDING = 1e-12
"""Sums of items that differ by this share of the sum of their sizes are equal."""


def signed_totals(scores: Array, trials: int, seed: int) -> Array:
    """Every system's sum of scores under sign vectors that all systems share, systems × trials."""
    rows = np.ascontiguousarray(scores.T)
    blocks = [_native.signed_sums([rows], 1, seed, block, 1) for block in range(-(-trials // SIGNS))]
    return np.concatenate(blocks, axis=1)[:, :trials]


def pair_p_values(scores: Array, *, trials: int = 1000, seed: int) -> Array:
    """For every pair of systems i < j the share of sign vectors under which i leads j by as much as it does, or more.

    `scores` are systems × items, all of them there.
    """
    _check(scores)
    return _p_values(scores, signed_totals(scores, trials, seed))


def soft_pair_agreement(gold: Array, metric: Array, *, trials: int = 1000, seed: int) -> Array:
    """1 − |p of people − p of the metric| of every pair of systems; soft pairwise accuracy is the mean."""
    people, scores = (pair_p_values(table, trials=trials, seed=seed) for table in (gold, metric))
    return np.asarray(1.0 - np.abs(people - scores))


def soft_accuracy_permutations(
    gold: Array, metrics: Array, *, swap: Swap = "cells", trials: int = 1000, draws: int = 1000, seed: int
) -> MetricPermutations:
    """Permutations of soft pairwise accuracy between all pairs of metrics (metrics × systems × items)."""
    people = pair_p_values(gold, trials=trials, seed=seed)
    scaled = standardise_metrics(metrics, np.ones_like(gold, bool))
    values = np.array(
        [1.0 - np.abs(people - pair_p_values(table, trials=trials, seed=seed)).mean() for table in metrics]
    )
    if swap == "systems":
        return _swapped_systems(values, people, scaled, trials=trials, draws=draws, seed=seed)

    def both(first: Array, second: Array, faces: Coins) -> Array:
        return _native.swapped_soft_accuracy(first, second, faces, people, trials, seed, 0)

    # A draw is costly here: all ways are gone through only where they are no more than the draws asked for.
    return pairs_of_metrics(values, scaled, both, swap=swap, draws=draws, seed=seed + 1, most=0)


def _swapped_systems(
    values: Array, people: Array, scaled: Array, *, trials: int, draws: int, seed: int
) -> MetricPermutations:
    """Swap whole systems: all pairs of metrics and all draws are one product of matrices.

    A system's scores are then those of one metric, so that the p-value of two systems is one of four numbers by their
    two coins: a constant, what each coin adds, and what both together add.
    """
    number, systems, _ = scaled.shape
    first, second = np.triu_indices(systems, 1)
    distances = np.abs(people[:, None, None] - _mixed_p_values(scaled, trials, seed))
    diagonal = np.diagonal(distances, axis1=1, axis2=2)  # both systems scored by one metric: pairs × metrics
    neither, all_swapped = diagonal[:, :, None], diagonal[:, None, :]
    alone = np.zeros((systems, number, number))
    np.add.at(alone, first, distances.transpose(0, 2, 1) - neither)
    np.add.at(alone, second, distances - neither)
    together = neither + all_swapped - distances - distances.transpose(0, 2, 1)
    constant = np.broadcast_to(neither.sum(0), (number, number))
    added = np.concatenate([constant[None], alone, together]).reshape(-1, number * number)
    shape = (systems, 1)
    faces = np.concatenate(list(coins(shape, "systems", draws, seed + 1))).astype(np.float64)
    thrown = np.concatenate([np.ones((len(faces), 1)), faces, faces[:, first] * faces[:, second]], axis=1)
    hybrid = 1.0 - (thrown @ added / len(first)).reshape(-1, number, number)
    return MetricPermutations(
        values, hybrid - hybrid.transpose(0, 2, 1), is_exhaustive(shape, "systems", draws)
    )


def _mixed_p_values(scaled: Array, trials: int, seed: int) -> Array:
    """P-values of pairs of systems, the one scored by any metric, the other by any: pairs × metrics × metrics."""
    signed = np.stack([signed_totals(table, trials, seed) for table in scaled], axis=1)
    sums = scaled.sum(2).T  # systems × metrics
    tolerances = ROUNDING * np.abs(scaled).sum(2).T
    pairs = list(combinations(range(len(signed)), 2))
    p_values = np.empty((len(pairs), len(scaled), len(scaled)))
    for at, (a, b) in enumerate(pairs):
        needed = (sums[a] - tolerances[a])[:, None] - (sums[b] + tolerances[b])[None, :]
        for metric, leads in enumerate(signed[a]):
            p_values[at, metric] = (leads - signed[b] >= needed[metric][:, None]).mean(1)
    return p_values


def _p_values(scores: Array, signed: Array) -> NDArray[np.float64]:
    observed = scores.sum(1)
    tolerances = ROUNDING * np.abs(scores).sum(1)
    # One system against all below it at a time: all pairs at once would be trials × systems² / 2 numbers.
    parts = [
        (
            signed[a] - signed[a + 1 :]
            >= (observed[a] - tolerances[a] - observed[a + 1 :] - tolerances[a + 1 :])[:, None]
        ).mean(1)
        for a in range(len(scores) - 1)
    ]
    return np.concatenate(parts) if parts else np.empty(0)


def _check(scores: Array) -> None:
    if np.isnan(scores).any():
        raise DataError(
            "soft pairwise accuracy needs every system's score on the same items; some are missing"
        )
