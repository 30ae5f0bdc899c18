"""Tasks carried out: every metric's agreement with people, with its interval."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.score_tables import MetaSet
from adjudge.meta.intervals import interval_of
from adjudge.meta.results import MetricValue, TaskResult
from adjudge.meta.settings import RunSettings
from adjudge.meta.significance import compare_metrics
from adjudge.meta.tables import TaskTables, tables_of
from adjudge.meta.task import Task
from adjudge.stats.correlation import p_of_none
from adjudge.stats.item_groups import ItemGroups, mean_correlation
from adjudge.stats.item_pairs import ItemPairs, calibrate_ties, ordered_pairs, pairwise_accuracy
from adjudge.stats.soft_accuracy import soft_pairwise_accuracy

Array = NDArray[np.float64]
USUAL = RunSettings()


def run_task(meta_set: MetaSet, task: Task, settings: RunSettings = USUAL) -> TaskResult:
    """Every metric's agreement with people in a task, the best first, and all pairs of metrics tested."""
    tables = tables_of(meta_set, task)
    values = [agreement(name, tables, task, settings.seed) for name in tables.metrics]
    values = [_with_interval(value, tables, task, settings) for value in values]
    values.sort(key=lambda value: (math.isnan(value.value), -value.value, value.metric))
    values += [
        MetricValue(name, math.nan, math.nan, math.nan, 0, why) for name, why in tables.missing.items()
    ]
    sentinels = tuple(name for name, table in meta_set.metrics.items() if table.sentinel)
    result = TaskResult(
        task,
        tuple(values),
        systems=tables.systems,
        outliers=tables.outliers,
        sentinels=sentinels,
        notes=meta_set.notes,
    )
    return compare_metrics(result, tables, settings)


def agreement(name: str, tables: TaskTables, task: Task, seed: int) -> MetricValue:
    """One metric's agreement, without an interval."""
    gold, metric = tables.gold, tables.metrics[name]
    alike = "all systems of an item" if task.correlation == "pdp" else "everything"
    task = task.measured
    if task.level == "system":
        value, n = _of_systems(gold, metric, task, seed), len(gold)
        reason = _tied(gold, metric) or tables.remarks.get(name, "") or _of_two(n, task)
        p = p_of_none(value, n) if task.correlation == "pearson" else None
        return MetricValue(name, value, math.nan, math.nan, n, reason, p=p)
    groups = ItemGroups.of(gold, task.grouping)
    if not len(groups):
        return MetricValue(name, math.nan, math.nan, math.nan, 0, "no two judged segments are in one group")
    if task.correlation == "acc_eq":
        best = calibrate_ties(ItemPairs.of(groups), gold, metric)
        reason = _tied(gold, metric)
        return MetricValue(name, best.accuracy, math.nan, math.nan, len(groups), reason, best.epsilon)
    if task.correlation == "darr":
        counts = ordered_pairs(ItemPairs.of(groups), gold, metric, task.threshold)
        n = counts.concordant + counts.discordant + counts.ties + counts.human_ties
        reason = _tied(gold, metric) if n else f"no pair differs by {task.threshold:g} or more"
        return MetricValue(name, counts.tau(task.ties), math.nan, math.nan, n, reason)
    mean = mean_correlation(groups, gold, metric, task.correlation)
    if not mean.groups:
        return MetricValue(name, math.nan, math.nan, math.nan, 0, _constant(gold, metric, alike))
    n = int((~np.isnan(gold)).sum()) if task.grouping == "none" else mean.groups
    reason = f"{mean.undefined} groups have no correlation: all equal" if mean.undefined else ""
    return MetricValue(name, mean.value, math.nan, math.nan, n, reason)


def _of_systems(gold: Array, metric: Array, task: Task, seed: int) -> float:
    if task.correlation == "accuracy":
        return pairwise_accuracy(gold[:, 0], metric[:, 0])
    if task.correlation == "spa":
        return soft_pairwise_accuracy(gold, metric, trials=10240, seed=seed)
    return mean_correlation(ItemGroups.of(gold, "none"), gold, metric, task.correlation).value


def _of_two(systems: int, task: Task) -> str:
    """Why a correlation says no more than an accuracy would."""
    alone = systems == 2 and task.correlation not in ("accuracy", "spa")
    return "two systems always correlate with 1 or −1" if alone else ""


def _tied(gold: Array, metric: Array) -> str:
    """Why a value is what ties alone make it, or nothing."""
    judged = ~np.isnan(gold)
    return _constant(gold, metric) if 0 in (np.ptp(gold[judged]), np.ptp(metric[judged])) else ""


def _constant(gold: Array, metric: Array, alike: str = "everything") -> str:
    """Which side says the same of everything, or of all systems of an item."""
    judged = ~np.isnan(gold)
    if np.ptp(gold[judged]) == 0:
        return f"people gave {alike} the same score"
    if np.ptp(metric[judged]) == 0:
        return f"the metric gives {alike} the same score"
    return "all scores of a group are equal"


def _with_interval(value: MetricValue, tables: TaskTables, task: Task, settings: RunSettings) -> MetricValue:
    low, high = interval_of(value, tables, task, settings)
    return replace(value, low=low, high=high)
