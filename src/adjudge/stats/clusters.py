"""Clusters and rank ranges from which systems beat which, and ranks over resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Placement:
    """Where a system stands: its cluster (1 is the best) and the ranks it may have."""

    cluster: int
    rank: tuple[int, int]


def placements(scores: NDArray[np.float64], beats: NDArray[np.bool_]) -> list[Placement]:
    """Clusters as WMT draws them; `scores` are higher for better systems, `beats[a, b]` is significant.

    A line is drawn below a system where the fewest wins in the open cluster equal the number of systems left
    below. Ranks go from losses + 1 to systems − wins. Systems stand in the order of their scores, unless a test that is
    not of scores (but of ranks) has found the lower one of two better: then in that of tests won less tests lost, which
    brings everybody who beats all others of a group before them.
    """
    count = len(scores)
    wins, losses = beats.sum(1), beats.sum(0)
    order = np.argsort(-np.where(np.isnan(scores), -np.inf, scores), kind="stable")
    if np.tril(beats[np.ix_(order, order)]).any():
        order = order[np.argsort(-(wins - losses)[order], kind="stable")]
    cluster = np.ones(count, dtype=int)
    number, fewest = 1, count
    for place, system in enumerate(order):
        cluster[system] = number
        fewest = min(fewest, int(wins[system]))
        if fewest == count - place - 1:
            number, fewest = number + 1, count
    return [Placement(int(cluster[s]), (int(losses[s]) + 1, count - int(wins[s]))) for s in range(count)]


def rank_intervals(scores: NDArray[np.float64], confidence: float = 0.95) -> list[tuple[int, int]]:
    """The ranks that hold each system in most resamples (resamples × systems, higher is better).

    Systems that tie share the best of their ranks.
    """
    filled = np.where(np.isnan(scores), -np.inf, scores)
    ranks = np.empty(filled.shape, dtype=int)
    for system in range(filled.shape[1]):
        ranks[:, system] = 1 + (filled > filled[:, [system]]).sum(1)
    edges = np.quantile(ranks, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0, method="inverted_cdf")
    return [(int(low), int(high)) for low, high in edges.T]


def range_clusters(scores: NDArray[np.float64], ranks: Sequence[tuple[int, int]]) -> list[int]:
    """Clusters (1 is the best) from ranges of ranks: a line is drawn where no range reaches across.

    `scores` are higher for better systems and give the order. Every range above a line ends before every range below
    it begins (Koehn 2012).
    """
    order = np.argsort(-scores, kind="stable")
    best = np.array([low for low, _ in ranks], dtype=int)[order]
    worst = np.array([high for _, high in ranks], dtype=int)[order]
    reached = np.maximum.accumulate(worst)[:-1]
    begun = np.minimum.accumulate(best[::-1])[::-1][1:]
    number = np.empty(len(scores), dtype=int)
    number[order] = 1 + np.concatenate([[0], np.cumsum(reached < begun)])[: len(scores)]
    return [int(n) for n in number]
