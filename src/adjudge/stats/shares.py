"""Shares of items with an interval: Wilson's, made wider where items come in clusters that are alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.distributions import normal_quantile, t_quantile


@dataclass(frozen=True)
class Share:
    """A share, the ends of its interval, and how many items stand behind it."""

    value: float
    low: float
    high: float
    items: int
    effective: float
    """Items that say as much when each stands for itself."""


def share_of(
    hits: NDArray[np.bool_] | NDArray[np.float64], cluster: NDArray[Any] | None = None, *, alpha: float = 0.05
) -> Share:
    """The share of hits with Wilson's interval; of clustered items as many count as their variance says (Kish 1965).

    Where all items are hits, or none is, items of a cluster count as one.
    """
    values = np.asarray(hits, np.float64)
    n = len(values)
    if not n:
        return Share(math.nan, math.nan, math.nan, 0, 0.0)
    p = float(values.mean())
    clusters, place = (n, np.arange(n)) if cluster is None else _places(cluster)
    effective, free = float(n), math.inf
    if clusters < n:
        effective, free = _effective(values, place, clusters, p), max(1, clusters - 1)
    low, high = wilson(p, effective, alpha, free)
    return Share(p, low, high, n, effective)


def wilson(p: float, n: float, alpha: float = 0.05, free: float = math.inf) -> tuple[float, float]:
    """Wilson's interval of a share of n; by Student's t where the variance has few degrees of freedom."""
    z = float(normal_quantile(1 - alpha / 2) if math.isinf(free) else t_quantile(free, 1 - alpha / 2))
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return (0.0 if p == 0 else middle - reach), (1.0 if p == 1 else middle + reach)


def _places(cluster: NDArray[Any]) -> tuple[int, NDArray[np.intp]]:
    names, place = np.unique(cluster, return_inverse=True)
    return len(names), place.reshape(-1)


def _effective(values: NDArray[np.float64], place: NDArray[np.intp], clusters: int, p: float) -> float:
    """How many items without clusters would have a share that varies as much; never more than there are."""
    n = len(values)
    if p in (0.0, 1.0) or clusters < 2:
        return float(clusters)
    sums = np.bincount(place, values - p, minlength=clusters)
    variance = clusters / (clusters - 1) * float(sums @ sums) / n**2
    return min(float(n), p * (1 - p) / variance) if variance > 0 else float(n)
