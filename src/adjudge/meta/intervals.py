"""Intervals of agreement: bootstrap over items; over systems, which are few, what holds for few (docs/meta.md)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from adjudge.meta.statistic import Agreement
from adjudge.meta.task import RunSettings, Task
from adjudge.stats.correlation import MOST_CASES, RankStatistic, rank_interval
from adjudge.stats.distributions import normal_quantile, t_quantile
from adjudge.stats.draws import unit_counts

Array = NDArray[np.float64]
FISHER = ("pearson", "spearman", "kendall", "kendall_c")
FEWEST_SYSTEMS = 5
"""Systems below which there is no interval: four of them say next to nothing of others."""
NONE = (math.nan, math.nan)


def interval_of(agreement: Agreement, task: Task, settings: RunSettings) -> tuple[float, float]:
    """The ends of the interval, NaN where there is none."""
    if math.isnan(agreement.value) or settings.interval == "none":
        return NONE
    if settings.interval in ("fisher", "modern"):
        kind = task.correlation if settings.interval == "modern" else "pearson"
        has_one = task.correlation in FISHER and task.grouping == "none"
        return fisher(agreement.value, agreement.n, settings.alpha, kind) if has_one else NONE
    if task.level == "system":
        return system_interval(agreement, task.correlation, settings.alpha)
    samples = resamples(agreement, settings)
    samples = samples[~np.isnan(samples)]
    if len(samples) < 20:
        return NONE
    low, high = np.quantile(samples, [settings.alpha / 2, 1 - settings.alpha / 2])
    return float(low), float(high)


def resamples(agreement: Agreement, settings: RunSettings) -> Array:
    """The statistic on resampled systems or items, by the same draws for every metric."""
    units = agreement.units
    draws = min(settings.draws, agreement.most_draws or settings.draws)
    return agreement.at(unit_counts(units, draws, settings.seed))


def system_interval(agreement: Agreement, correlation: str, alpha: float = 0.05) -> tuple[float, float]:
    """An interval for other systems like these, of which there may be few.

    Soft accuracy has the jackknife's error on the logit and Student's t with n − 1 degrees. The other measures have two
    intervals, one by a model of normal scores and one by the jackknife, and the wider end of each counts: the model is
    too narrow where good systems lie close together and a few far below, the jackknife where it has few values.
    """
    n = agreement.units
    if n < FEWEST_SYSTEMS:
        return NONE
    if correlation == "spa":
        from scipy.special import expit, logit

        return _jackknife(agreement, alpha, logit, expit)
    if correlation == "pearson":
        jackknife = _jackknife(agreement, alpha, np.arctanh, np.tanh, uneven=True)
        return _hull(fisher(agreement.value, n, alpha), jackknife)
    if n > MOST_CASES:
        return fisher(agreement.value, n, alpha, correlation) if correlation in FISHER else NONE
    low, high = _jackknife(agreement, alpha)
    if correlation == "accuracy":  # (1 + tau)/2
        normal = rank_interval("kendall", 2 * agreement.value - 1, n, alpha)
        return _hull(((1 + normal[0]) / 2, (1 + normal[1]) / 2), (max(low, 0.0), min(high, 1.0)))
    kind: RankStatistic = "spearman" if correlation == "spearman" else "kendall"
    return _hull(rank_interval(kind, agreement.value, n, alpha), (max(low, -1.0), min(high, 1.0)))


def _hull(model: tuple[float, float], jackknife: tuple[float, float]) -> tuple[float, float]:
    """The wider end of two intervals; that of the model alone where the jackknife has none."""
    if math.isnan(jackknife[0]):
        return model
    return min(model[0], jackknife[0]), max(model[1], jackknife[1])


def _jackknife(
    agreement: Agreement,
    alpha: float,
    scale: Callable[[Array], Array] = np.asarray,
    back: Callable[[Array], Array] = np.asarray,
    *,
    uneven: bool = False,
) -> tuple[float, float]:
    """The value on a scale, plus or minus the jackknife's error times Student's t.

    `uneven` takes fewer degrees where few systems make the error: a variance estimated from n values of kurtosis k has
    2n/(k − 1) degrees (the variance of a sample variance; Satterthwaite 1946), and no fewer than four are believed.
    """
    n = agreement.units
    with np.errstate(divide="ignore", invalid="ignore"):
        middle, parts = float(scale(np.array(agreement.value))), scale(agreement.without_each())
    if not (math.isfinite(middle) and np.isfinite(parts).all()):
        return NONE
    squares = (parts - parts.mean()) ** 2
    error = math.sqrt((n - 1) / n * squares.sum())
    degrees = n - 1.0
    if uneven and error:
        excess = n * (squares**2).sum() / squares.sum() ** 2 - 1
        degrees = min(degrees, max(4.0, 2 * n / excess - 1)) if excess > 0 else degrees
    reach = float(t_quantile(degrees, 1 - alpha / 2)) * error
    return float(back(np.array(middle - reach))), float(back(np.array(middle + reach)))


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
    scale = 0.437 if is_tau else 1 + r * r / 2 if kind == "spearman" else 1.0
    reach = float(normal_quantile(1 - alpha / 2)) * math.sqrt(scale / left)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)
