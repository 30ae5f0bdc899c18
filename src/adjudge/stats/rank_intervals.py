"""Intervals of rank correlations of few cases, by the values that a test would not reject.

The cases are taken as draws from two variables that a monotone change of scale makes jointly normal; ranks do not see
the change. For each correlation of such variables the distribution of the statistic is drawn once. The ends of the
interval are the correlations at which a value as high as the one seen, or as low, has half of alpha as its mid-p: half
of the probability of the value itself counts, because with five cases there are few values (Lancaster 1961).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from adjudge import _native
from adjudge.stats.correlation import Array

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
