"""Clusters and rank ranges from which systems beat which, and ranks over resamples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.stats.correlation import Array


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


RankStatistic: TypeAlias = Literal["spearman", "kendall"]
DRAWS = 4000
FURTHEST = 3.8
"""Fisher's z of the strongest correlation that is tried (.999)."""
MOST_CASES = 200
"""Cases beyond which Fisher's z does as well."""
ROUNDING = 1e-9


def rank_interval(statistic: RankStatistic, value: float, n: int, alpha: float = 0.05) -> tuple[float, float]:
    """The ends of the interval of rho or tau of n cases; NaN for fewer than four, or more than `MOST_CASES`."""
    if math.isnan(value) or not 4 <= n <= MOST_CASES:
        return math.nan, math.nan
    grid, drawn = _distributions(statistic, n)
    # Chance of a value as high or higher, for correlations from −1 to 1; those below 0 mirror those above.
    above, below = _mid_p(drawn, value), 1.0 - _mid_p(drawn, -value)
    above[0] = (above[0] + below[0]) / 2  # no correlation is its own mirror image
    chance = np.maximum.accumulate(np.concatenate([below[:0:-1], above]))
    z = np.concatenate([-grid[:0:-1], grid])
    low = -1.0 if chance[0] > alpha / 2 else _statistic_at(statistic, float(np.interp(alpha / 2, chance, z)))
    high = (
        1.0
        if chance[-1] < 1 - alpha / 2
        else _statistic_at(statistic, float(np.interp(1 - alpha / 2, chance, z)))
    )
    return min(low, value), max(high, value)


@lru_cache(maxsize=64)
def _distributions(statistic: RankStatistic, n: int) -> tuple[Array, Array]:
    """Fisher's z of correlations from 0 up, and for each the sorted values of the statistic on n normal cases."""
    grid = np.arange(0.0, FURTHEST, min(0.1, 0.35 / math.sqrt(n)))
    rng = np.random.default_rng(20241)
    # One variable in order, so that its ranks are 0, 1, 2, … in every draw.
    first, error = np.sort(rng.normal(size=(DRAWS, n)), axis=1), rng.normal(size=(DRAWS, n))
    order = np.arange(n, dtype=np.float64)
    drawn = np.empty((len(grid), DRAWS))
    for row, z in enumerate(grid):
        second = math.tanh(z) * first + error / math.cosh(z)
        if statistic == "kendall":
            drawn[row] = _native.concordance(second, order, 1)[:, 0] / (n * (n - 1) / 2)
        else:
            drawn[row] = _native.average_ranks(second, 1) @ (order - order.mean()) / (n * (n * n - 1) / 12)
    return grid, np.sort(drawn, axis=1)


def _mid_p(drawn: Array, value: float) -> Array:
    """The chance of a higher value plus half of that of the value, for each row of sorted draws."""
    higher = (drawn > value + ROUNDING).mean(1)
    return np.asarray((higher + (drawn >= value - ROUNDING).mean(1)) / 2)


def _statistic_at(statistic: RankStatistic, z: float) -> float:
    """What very many normal cases have whose correlation has this z (Kruskal 1958)."""
    r = math.tanh(z)
    return 2 / math.pi * math.asin(r) if statistic == "kendall" else 6 / math.pi * math.asin(r / 2)
