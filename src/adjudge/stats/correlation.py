"""Correlations of many lists of scores with one target, and Williams' test between two that share it.

A list is a row: (lists, n) and (n,) give (lists,). Where a list or the target is constant, there is none: NaN.

Intervals of rank correlations of few cases are the values that a test would not reject. The cases are taken as draws
from two variables that a monotone change of scale makes jointly normal; ranks do not see the change. For each
correlation of such variables the distribution of the statistic is drawn once. The ends of the interval are the
correlations at which a value as high as the one seen, or as low, has half of alpha as its mid-p: half of the
probability of the value itself counts, because with five cases there are few values (Lancaster 1961).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.stats.distributions import t_cdf
from adjudge.stats.draws import generator

Array: TypeAlias = NDArray[np.float64]
CONSTANT = 1e-13
"""A list whose standard deviation is so small beside its largest value is rounding and nothing else."""


def pearson(lists: Array, target: Array, *, threads: int = 0) -> Array:
    """The product-moment correlation."""
    b = target - target.mean()
    length = _length(b, target)
    # A list at a time: one fits into a processor's own memory where many do not.
    correlations = np.empty(len(lists))
    for index, values in enumerate(lists):
        a = values - values.mean()
        below = _length(a, values) * length
        correlations[index] = dot(a, b) / below if below > 0 else math.nan
    return correlations


def spearman(lists: Array, target: Array, *, threads: int = 0) -> Array:
    """Pearson's correlation of ranks; those that are equal share the mean of their places."""
    ranks = _native.average_ranks(np.ascontiguousarray(lists), threads)
    return pearson(ranks, _native.average_ranks(np.ascontiguousarray(target[None]), threads)[0])


def kendall(lists: Array, target: Array, *, threads: int = 0) -> Array:
    """Kendall's tau-b: concordant less discordant pairs, over those that either side orders."""
    counts = _native.concordance(np.ascontiguousarray(lists), np.ascontiguousarray(target), threads)
    return quotient(counts[:, 0], np.sqrt(counts[:, 1] * counts[:, 2]))


CORRELATIONS: dict[str, Callable[..., Array]] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """One-sided p that 1 correlates better with 2 than with 3, all on the same n items (Williams 1959).

    Below 0.5 where r12 is the greater; 2 · min(p, 1 − p) is two-sided.
    """
    if n < 4:
        raise UsageError(f"Williams' test needs 4 items at least, not {n}")
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if r12 == r13 or not below > 0:  # 2 and 3 say the same
        return math.nan if math.isnan(r12 + r13 + r23) else 0.5
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23)) / math.sqrt(below)
    return float(t_cdf(n - 3, -t))


def p_of_none(r: float, n: int) -> float | None:
    """Two-sided p of Pearson's r where there is no correlation, by Student's t; None where there is no r."""
    if math.isnan(r) or n < 3:
        return None
    left = 1 - r * r
    return float(2 * t_cdf(n - 2, -abs(r) * math.sqrt((n - 2) / left))) if left > 0 else 0.0


def dot(a: NDArray[Any], b: NDArray[Any]) -> float:
    """The sum of products, in one thread; a library of matrices would start its own, which wait for each other."""
    return float(np.einsum("i,i->", a, b))


def _length(centred: Array, values: Array) -> float:
    """Euclidean length of a list about its mean; 0 where it is as good as constant."""
    length = math.sqrt(dot(centred, centred))
    rounding = CONSTANT * math.sqrt(len(values)) * max(values.max(initial=0.0), -values.min(initial=0.0))
    return length if length > rounding else 0.0


def quotient(above: NDArray[Any], below: NDArray[Any]) -> Array:
    """Elementwise above / below, NaN where there is nothing below."""
    defined = below > 0
    return np.asarray(np.where(defined, above / np.where(defined, below, 1.0), np.nan))


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
    rng = generator(20241)
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
