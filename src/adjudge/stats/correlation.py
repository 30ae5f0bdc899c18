"""Correlations of many lists of scores with one target, and Williams' test between two that share it.

A list is a row: (lists, n) and (n,) give (lists,). Where a list or the target is constant, there is none: NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.stats.distributions import t_cdf

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
