"""Intervals of agreement: bootstrap over items; over systems, which are few, what holds for few (docs/meta.md)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from adjudge.meta.settings import RunSettings
from adjudge.meta.statistic import Agreement
from adjudge.meta.task import Task
from adjudge.stats.rank_intervals import MOST_CASES, rank_interval

Array = NDArray[np.float64]
FISHER = ("pearson", "spearman", "kendall", "kendall_c")
FEWEST_SYSTEMS = 5
"""Systems below which there is no interval: four of them say next to nothing of others."""
NONE = (math.nan, math.nan)


def interval_of(own: Agreement, task: Task, settings: RunSettings) -> tuple[float, float]:
    """The ends of the interval, NaN where there is none."""
    if math.isnan(own.value) or settings.interval == "none":
        return NONE
    if settings.interval in ("fisher", "modern"):
        kind = task.correlation if settings.interval == "modern" else "pearson"
        has_one = task.correlation in FISHER and task.grouping == "none"
        return fisher(own.value, own.n, settings.alpha, kind) if has_one else NONE
    if task.level == "system":
        return system_interval(own, task.correlation, settings.alpha)
    samples = resamples(own, settings)
    samples = samples[~np.isnan(samples)]
    if len(samples) < 20:
        return NONE
    low, high = np.quantile(samples, [settings.alpha / 2, 1 - settings.alpha / 2])
    return float(low), float(high)


def resamples(own: Agreement, settings: RunSettings) -> Array:
    """The statistic on resampled systems or items, by the same draws for every metric."""
    units = own.units
    draws = min(settings.draws, own.most_draws or settings.draws)
    drawn = np.random.default_rng(settings.seed).integers(0, units, (draws, units))
    return own.at(np.stack([np.bincount(row, minlength=units) for row in drawn]).astype(np.float64))


def system_interval(own: Agreement, correlation: str, alpha: float = 0.05) -> tuple[float, float]:
    """An interval for other systems like these, of which there may be few.

    Pearson's r and soft accuracy have the jackknife's error on a scale without ends (Fisher's z, logit) and Student's t
    with n − 1 degrees. Measures of order take few values: their interval has what a test would not reject.
    """
    n = own.units
    if n < FEWEST_SYSTEMS:
        return NONE
    if correlation == "pearson":
        ends = _jackknife(own, np.arctanh, np.tanh, alpha)
        # Without one system, all others may lie on a line, and z has no end.
        return fisher(own.value, n, alpha) if math.isnan(ends[0]) else ends
    if correlation == "spa":
        from scipy.special import expit, logit

        return _jackknife(own, logit, expit, alpha)
    if n > MOST_CASES:
        return fisher(own.value, n, alpha, correlation) if correlation in FISHER else NONE
    if correlation == "accuracy":  # (1 + tau)/2
        low, high = rank_interval("kendall", 2 * own.value - 1, n, alpha)
        return (1 + low) / 2, (1 + high) / 2
    return rank_interval("spearman" if correlation == "spearman" else "kendall", own.value, n, alpha)


def _jackknife(own: Agreement, scale: np.ufunc, back: np.ufunc, alpha: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    n = own.units
    with np.errstate(divide="ignore", invalid="ignore"):
        middle, parts = float(scale(own.value)), scale(own.without_each())
    if not (math.isfinite(middle) and np.isfinite(parts).all()):
        return NONE
    error = math.sqrt((n - 1) / n * ((parts - parts.mean()) ** 2).sum())
    reach = float(stdtrit(n - 1, 1 - alpha / 2)) * error
    return float(back(middle - reach)), float(back(middle + reach))


def fisher(r: float, n: int, alpha: float = 0.05, kind: str = "pearson") -> tuple[float, float]:
    """tanh(atanh r ± z/√(n − 3)), as NIST has it for r, ρ and τ; NaN for too few, r itself where it is ±1.

    With its `kind`, rho has √(1 + ρ²/2) times that error (Bonett & Wright 2000), tau √.437/√(n − 4).
    """
    is_tau = kind in ("kendall", "kendall_c")
    left = n - (4 if is_tau else 3)
    if left < 1 or math.isnan(r):
        return NONE
    if abs(r) >= 1:
        return r, r
    from scipy.special import ndtri

    scale = 0.437 if is_tau else 1 + r * r / 2 if kind == "spearman" else 1.0
    reach = float(ndtri(1 - alpha / 2)) * math.sqrt(scale / left)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)
