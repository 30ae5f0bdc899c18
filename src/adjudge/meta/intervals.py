"""Intervals of agreement: Fisher's z as NIST printed it for MetricsMATR, or bootstrap over systems or items."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from adjudge.data.score_tables import means
from adjudge.meta.results import MetricValue
from adjudge.meta.settings import RunSettings
from adjudge.meta.tables import TaskTables
from adjudge.meta.task import Task
from adjudge.stats.correlation import quotient
from adjudge.stats.item_groups import BY_GROUP, ItemGroups, mean_correlation
from adjudge.stats.item_pairs import ItemPairs, agreeing, order_verdicts
from adjudge.stats.soft_accuracy import pair_p_values

Array = NDArray[np.float64]
FISHER = ("pearson", "spearman", "kendall", "kendall_c")
FEWEST_SYSTEMS = 5
"""Fewer than these are drawn in so few ways that their middle says nothing."""
REPEATS = 200
"""Resamples where everything has to be computed again for each."""
MANY_PAIRS = 2_000_000
"""Pairs above which no interval is computed that would go over all of them again and again."""


def interval_of(
    value: MetricValue, tables: TaskTables, task: Task, settings: RunSettings
) -> tuple[float, float]:
    """The ends of the interval, NaN where there is none."""
    if math.isnan(value.value) or settings.interval == "none":
        return math.nan, math.nan
    if settings.interval in ("fisher", "modern"):
        kind = task.correlation if settings.interval == "modern" else "pearson"
        return (
            fisher(value.value, value.n, settings.alpha, kind) if _has_fisher(task) else (math.nan, math.nan)
        )
    if task.level == "system" and len(tables.systems) < FEWEST_SYSTEMS:
        return math.nan, math.nan
    samples = resampled(value, tables, task, settings.draws, np.random.default_rng(settings.seed))
    samples = samples[~np.isnan(samples)]
    if len(samples) < 20:
        return math.nan, math.nan
    low, high = np.quantile(samples, [settings.alpha / 2, 1 - settings.alpha / 2])
    return float(low), float(high)


def fisher(r: float, n: int, alpha: float = 0.05, kind: str = "pearson") -> tuple[float, float]:
    """tanh(atanh r ± z/√(n − 3)), as NIST has it for r, ρ and τ; NaN for too few, r itself where it is ±1.

    With its `kind`, rho has √(1 + ρ²/2) times that error (Bonett & Wright 2000), tau √.437/√(n − 4).
    """
    is_tau = kind in ("kendall", "kendall_c")
    left = n - (4 if is_tau else 3)
    if left < 1 or math.isnan(r):
        return math.nan, math.nan
    if abs(r) >= 1:
        return r, r
    from scipy.special import ndtri

    scale = 0.437 if is_tau else 1 + r * r / 2 if kind == "spearman" else 1.0
    reach = float(ndtri(1 - alpha / 2)) * math.sqrt(scale / left)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)


def _has_fisher(task: Task) -> bool:
    return task.correlation in FISHER and task.grouping == "none"


def resampled(
    value: MetricValue, tables: TaskTables, task: Task, draws: int, rng: np.random.Generator
) -> Array:
    """The statistic on resampled systems or items, by the same draws for every metric."""
    gold, metric, task = tables.gold, tables.metrics[value.metric], task.measured
    if task.level == "system":
        return _of_systems(gold, metric, task, draws, rng)
    items = gold.shape[1]
    judged = np.flatnonzero(~np.isnan(gold).all(0))
    drawn = rng.integers(0, len(judged), (draws, len(judged)))
    counts = np.stack([np.bincount(judged[row], minlength=items) for row in drawn]).astype(np.float64)
    if task.grouping == "item" or task.correlation == "darr":
        return _of_items(value, gold, metric, task, counts)
    if task.correlation == "pearson":
        return _pearson(gold, metric, task, counts)
    pairs = ItemGroups.of(gold, task.grouping).counts.astype(float)
    if task.correlation == "acc_eq" and (pairs**2).sum() / 2 > MANY_PAIRS:
        return np.empty(0)
    return np.array(
        [_again(value, gold[:, judged[row]], metric[:, judged[row]], task) for row in drawn[:REPEATS]]
    )


def _of_systems(gold: Array, metric: Array, task: Task, draws: int, rng: np.random.Generator) -> Array:
    drawn = rng.integers(0, len(gold), (draws, len(gold)))
    if task.correlation not in ("accuracy", "spa"):
        return BY_GROUP[task.correlation](gold[:, 0][drawn], metric[:, 0][drawn])
    counts = np.stack([np.bincount(row, minlength=len(gold)) for row in drawn]).astype(np.float64)
    a, b = np.triu_indices(len(gold), 1)
    if task.correlation == "accuracy":
        agree = np.sign(gold[a, 0] - gold[b, 0]) == np.sign(metric[a, 0] - metric[b, 0])
    else:
        agree = 1 - np.abs(pair_p_values(gold, seed=1) - pair_p_values(metric, seed=1))
    # A system drawn twice is no pair with itself.
    weights = counts[:, a] * counts[:, b]
    return quotient(weights @ agree, weights.sum(1))


def _of_items(value: MetricValue, gold: Array, metric: Array, task: Task, counts: Array) -> Array:
    """Means over resampled items of what each item gives by itself."""
    if task.correlation in ("acc_eq", "darr"):
        above, below = _pair_sums(value, gold, metric, task)
    else:
        groups = ItemGroups.of(gold, "item")
        values = BY_GROUP[task.correlation](groups.values(gold), groups.values(metric))
        place = groups.places[:, 0] % gold.shape[1]
        above, below = np.zeros(gold.shape[1]), np.zeros(gold.shape[1])
        defined = ~np.isnan(values)
        above[place[defined]], below[place[defined]] = values[defined], 1.0
    return quotient(counts @ above, counts @ below)


def _pair_sums(value: MetricValue, gold: Array, metric: Array, task: Task) -> tuple[Array, Array]:
    """Of each item: the share of its pairs that agree and 1; or concordant less other pairs, and pairs."""
    pairs = ItemPairs.of(ItemGroups.of(gold, "item"))
    people, scores = pairs.differences(gold), pairs.differences(metric)
    item = pairs.first % gold.shape[1]
    above, below = np.zeros(gold.shape[1]), np.zeros(gold.shape[1])
    if task.correlation == "acc_eq":
        hits = agreeing(people, scores, value.epsilon or 0.0)
        np.add.at(above, item, hits * pairs.weights * pairs.groups)
        below[np.unique(item)] = 1.0
        return above, below
    chosen = np.abs(people) >= task.threshold
    up, down = order_verdicts(people[chosen], scores[chosen], task.ties)
    np.add.at(above, item[chosen], up)
    np.add.at(below, item[chosen], down)
    return above, below


def _pearson(gold: Array, metric: Array, task: Task, counts: Array) -> Array:
    """r, or its mean over systems, from sums over resampled items."""
    judged = ~np.isnan(gold)
    x, g = np.where(judged, metric, 0.0), np.where(judged, gold, 0.0)
    shift = x.sum() / judged.sum(), g.sum() / judged.sum()  # nearer to 0, where squares lose less
    x, g = np.where(judged, x - shift[0], 0.0), np.where(judged, g - shift[1], 0.0)
    cells = np.stack([judged.astype(float), x, g, x * x, g * g, x * g])  # 6 × systems × items
    sums = np.einsum("bi,ksi->kbs", counts, cells)
    if task.grouping == "none":
        sums = sums.sum(2, keepdims=True)
    n, sx, sg, xx, gg, xg = sums
    n = np.maximum(n, 1.0)
    above, below = xg - sx * sg / n, np.sqrt(np.maximum(xx - sx**2 / n, 0) * np.maximum(gg - sg**2 / n, 0))
    return means(quotient(above, below))


def _again(value: MetricValue, gold: Array, metric: Array, task: Task) -> float:
    """The statistic computed anew, at the epsilon that all data gave."""
    groups = ItemGroups.of(gold, task.grouping)
    if task.correlation == "acc_eq":
        pairs = ItemPairs.of(groups)
        hits = agreeing(pairs.differences(gold), pairs.differences(metric), value.epsilon or 0.0)
        return float(pairs.weights[hits].sum())
    return mean_correlation(groups, gold, metric, task.correlation).value
