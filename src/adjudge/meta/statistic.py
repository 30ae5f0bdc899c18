"""What a task measures, as one object: a metric's agreement with people, and the same on any resample.

Values, intervals and tests all take it from here, so that an interval cannot be that of another statistic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.score_tables import means
from adjudge.meta.tables import TaskTables
from adjudge.meta.task import OF_PAIRS, OF_SYSTEMS, Task
from adjudge.stats.correlation import quotient
from adjudge.stats.item_pairs import (
    BY_GROUP,
    CrossItemPairs,
    ItemGroups,
    ItemPairs,
    agreement_mask,
    calibrate_differences,
    calibrate_ties,
    mean_correlation,
    order_verdicts,
)
from adjudge.stats.soft_accuracy import soft_pair_agreement
from adjudge.wording import percent_of

Array = NDArray[np.float64]
SIGN_VECTORS = 10_240
"""Behind the p-values of soft pairwise accuracy."""
FEW_RESAMPLES = 200
"""Resamples, at most, of statistics that are computed from scratch on each."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """One metric's agreement with people in one task."""

    metric: str
    gold: Array
    scores: Array
    """systems × items that somebody judged, or systems × 1."""
    value: float
    """NaN where there is none; then there is a reason."""
    n: int
    """Systems, judged segments, pairs, or groups with a value, whichever the value was made from."""
    reason: str
    units: int
    """How many systems (at system level) or items are resampled."""
    at: Callable[[Array], Array]
    """The statistic where each unit is drawn as often as counts say: draws × units gives one value per draw.

    All rows of counts have the same sum."""
    epsilon: float | None = None
    """For accuracy with ties: scores that differ by no more count as tied."""
    most_draws: int | None = None
    """How many resamples can be afforded; None for any number."""
    leave_out: Callable[[], Array] | None = None
    """The statistic without each unit in turn, where that needs no table units × units."""

    def without_each(self) -> Array:
        """The statistic without each unit in turn (the jackknife's values)."""
        return self.leave_out() if self.leave_out else self.at(1.0 - np.eye(self.units))


def agreement_of(name: str, tables: TaskTables, task: Task, seed: int) -> Agreement:
    """How well a metric agrees with people in a task."""
    judged = ~np.isnan(tables.gold).all(0)
    gold, scores = tables.gold[:, judged], tables.metrics[name][:, judged]
    measured = task.measured
    if task.level == "system":
        remark = tables.remarks.get(name, "")
        return _of_systems(name, gold, scores, measured, seed, remark)
    if not len(ItemGroups.of(gold, measured.grouping)):
        return _undefined_agreement(name, gold, scores, "no two judged segments are in one group")
    if measured.correlation in OF_PAIRS:
        return (_pairs_by_item if measured.grouping == "item" else _pairs_across_items)(
            name, gold, scores, measured, seed
        )
    return _correlation(name, gold, scores, task)


def _undefined_agreement(name: str, gold: Array, scores: Array, reason: str) -> Agreement:
    return Agreement(
        name, gold, scores, math.nan, 0, reason, 0, lambda counts: np.full(len(counts), math.nan)
    )


def _of_systems(name: str, gold: Array, scores: Array, task: Task, seed: int, remark: str) -> Agreement:
    count = len(gold)
    at = (
        _system_pairs(gold, scores, task, seed)
        if task.correlation in OF_SYSTEMS
        else _drawn_systems(BY_GROUP[task.correlation], gold[:, 0], scores[:, 0])
    )
    alone = count == 2 and task.correlation not in OF_SYSTEMS
    two = "two systems always correlate with 1 or −1" if alone else ""
    reason = _tie_note(gold, scores) or remark or two
    return Agreement(name, gold, scores, float(at(np.ones((1, count)))[0]), count, reason, count, at)


def _drawn_systems(
    correlation: Callable[[Array, Array], Array], gold: Array, scores: Array
) -> Callable[[Array], Array]:
    """A correlation over systems, those that are drawn twice standing twice in the list."""

    def at(counts: Array) -> Array:
        drawn = np.stack([_repeat_units(row) for row in counts])
        return correlation(gold[drawn], scores[drawn])

    return at


def _system_pairs(gold: Array, scores: Array, task: Task, seed: int) -> Callable[[Array], Array]:
    """The mean over pairs of different systems of how well people and metric agree on them."""
    first, second = np.triu_indices(len(gold), 1)
    if task.correlation == "accuracy":
        people, metric = (np.sign(table[first, 0] - table[second, 0]) for table in (gold, scores))
        agree = (people == metric).astype(np.float64)
    else:
        agree = soft_pair_agreement(gold, scores, trials=SIGN_VECTORS, seed=seed)

    def at(counts: Array) -> Array:
        weights = counts[:, first] * counts[:, second]
        return quotient(weights @ agree, weights.sum(1))

    return at


def _correlation(name: str, gold: Array, scores: Array, task: Task) -> Agreement:
    """The mean over groups of a correlation."""
    measured = task.measured
    groups = ItemGroups.of(gold, measured.grouping)
    mean = mean_correlation(groups, gold, scores, measured.correlation)
    if not mean.groups:
        alike = "all systems of an item" if task.correlation == "pdp" else "everything"
        return _undefined_agreement(name, gold, scores, _constant(gold, scores, alike))
    count = int((~np.isnan(gold)).sum()) if measured.grouping == "none" else mean.groups
    reason = f"{mean.undefined} groups have no correlation: all equal" if mean.undefined else ""
    most = None
    if measured.grouping == "item":
        at = _item_means(groups, gold, scores, measured.correlation)
    elif measured.correlation == "pearson":
        at = _pearson_of_sums(gold, scores, measured)
    else:
        at, most = _from_scratch(gold, scores, measured), FEW_RESAMPLES
    return Agreement(name, gold, scores, mean.value, count, reason, gold.shape[1], at, most_draws=most)


def _item_means(groups: ItemGroups, gold: Array, scores: Array, kind: str) -> Callable[[Array], Array]:
    """Means over items of each item's own correlation."""
    values = BY_GROUP[kind](groups.values(gold), groups.values(scores))
    item = groups.places[:, 0] % gold.shape[1]
    defined = ~np.isnan(values)
    above, below = np.zeros(gold.shape[1]), np.zeros(gold.shape[1])
    above[item[defined]], below[item[defined]] = values[defined], 1.0
    return lambda counts: quotient(counts @ above, counts @ below)


def _pearson_of_sums(gold: Array, scores: Array, task: Task) -> Callable[[Array], Array]:
    """Pearson's r over all cells, or its mean over systems, from sums over items."""
    judged = ~np.isnan(gold)
    axis = 1 if task.grouping == "system" else None

    def centred(table: Array) -> Array:  # near 0, where squares lose least
        mean = quotient(
            np.where(judged, table, 0.0).sum(axis, keepdims=True), judged.sum(axis, keepdims=True)
        )
        return np.where(judged, table - mean, 0.0)

    x, y = centred(scores), centred(gold)
    cells = np.stack([judged.astype(float), x, y, x * x, y * y, x * y])  # 6 × systems × items

    def at(counts: Array) -> Array:
        sums = np.einsum("di,ksi->kds", counts, cells, optimize=True)
        n, sx, sy, xx, yy, xy = sums.sum(2, keepdims=True) if axis is None else sums
        n = np.maximum(n, 1.0)
        metric, people = xx - sx**2 / n, yy - sy**2 / n
        # What rounding leaves of the variance of a constant is no variance.
        exists = (metric > 1e-12 * xx) & (people > 1e-12 * yy)
        return means(quotient(xy - sx * sy / n, np.where(exists, np.sqrt(np.abs(metric * people)), 0.0)))

    return at


def _from_scratch(gold: Array, scores: Array, task: Task) -> Callable[[Array], Array]:
    """The statistic computed on tables in which items stand as often as they are drawn."""

    def value(row: Array) -> float:
        drawn = _repeat_units(row)
        groups = ItemGroups.of(gold[:, drawn], task.grouping)
        return mean_correlation(groups, gold[:, drawn], scores[:, drawn], task.correlation).value

    return lambda counts: np.array([value(row) for row in counts])


def _pairs_by_item(name: str, gold: Array, scores: Array, task: Task, seed: int) -> Agreement:
    """Accuracy with ties or WMT's tau on pairs of systems on the same item."""
    pairs = ItemPairs.of(ItemGroups.of(gold, "item"))
    people, metric = pairs.differences(gold), pairs.differences(scores)
    item, items = pairs.first % gold.shape[1], gold.shape[1]
    reason = _tie_note(gold, scores)
    if task.correlation == "acc_eq":
        best = calibrate_ties(pairs, gold, scores)
        hits = agreement_mask(people, metric, best.epsilon) * pairs.weights * pairs.groups
        above, below = np.bincount(item, hits, items), (np.bincount(item, minlength=items) > 0).astype(float)
        value, count, epsilon = best.accuracy, pairs.groups, best.epsilon
    else:
        chosen = np.abs(people) >= task.threshold
        up, down = order_verdicts(people[chosen], metric[chosen], task.ties)
        above, below = (np.bincount(item[chosen], part, items) for part in (up, down))
        value, count, epsilon = float(quotient(above.sum(), below.sum())), int(chosen.sum()), None
        reason = reason if count else _no_pair(task)
    return Agreement(
        name,
        gold,
        scores,
        value,
        count,
        reason,
        items,
        lambda counts: quotient(counts @ above, counts @ below),
        epsilon,
    )


def _pairs_across_items(name: str, gold: Array, scores: Array, task: Task, seed: int) -> Agreement:
    """Accuracy with ties or WMT's tau on pairs of segments, of all systems or of one at a time."""
    pairs = CrossItemPairs.of(gold, task.grouping, seed=seed)
    epsilon = None
    if task.correlation == "acc_eq":
        epsilon = calibrate_differences(*pairs.all_differences(gold, scores)).epsilon
        sums = pairs.sums(gold, scores, lambda p, s: (agreement_mask(p, s, epsilon), np.ones(len(p))))
        count = len(ItemGroups.of(gold, task.grouping))
    else:
        sums = pairs.sums(
            gold,
            scores,
            lambda p, s: order_verdicts(p, s, task.ties),
            threshold=task.threshold,
            pooled=True,
        )
        count = sums.count
    reason = _tie_note(gold, scores) if sums.count else _no_pair(task)
    if pairs.sampled and not reason:
        reason = f"{percent_of(pairs.share)} of the {pairs.total:,} pairs were compared, drawn at random"
    value = float(sums.ratio(np.ones((1, gold.shape[1])))[0])
    return Agreement(
        name,
        gold,
        scores,
        value,
        count,
        reason,
        gold.shape[1],
        sums.ratio,
        epsilon,
        leave_out=sums.without_each,
    )


def _no_pair(task: Task) -> str:
    return f"no pair differs by {task.threshold:g} or more"


def _repeat_units(counts: Array) -> NDArray[np.intp]:
    """Units as often as they are drawn."""
    return np.repeat(np.arange(len(counts)), counts.astype(np.intp))


def _tie_note(gold: Array, scores: Array) -> str:
    """Why a value is what ties alone make it, or nothing."""
    judged = ~np.isnan(gold)
    return _constant(gold, scores) if 0 in (np.ptp(gold[judged]), np.ptp(scores[judged])) else ""


def _constant(gold: Array, scores: Array, alike: str = "everything") -> str:
    """Which side says the same of everything, or of all systems of an item."""
    judged = ~np.isnan(gold)
    if np.ptp(gold[judged]) == 0:
        return f"people gave {alike} the same score"
    if np.ptp(scores[judged]) == 0:
        return f"the metric gives {alike} the same score"
    return "all scores of a group are equal"
