"""A shared task: several tasks with weights, on one test set or several, and each metric's average over them.

A single task gives every metric's agreement with people, with its interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adjudge.data.score_tables import MetaSet
from adjudge.meta.intervals import interval_of
from adjudge.meta.results import MetricValue, TaskResult
from adjudge.meta.significance import compare_metrics
from adjudge.meta.statistic import Agreement, agreement_of
from adjudge.meta.tables import tables_of
from adjudge.meta.task import SHARES, RunSettings, Task
from adjudge.stats.correlation import p_of_none

USUAL = RunSettings()
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class MetricAverage:
    """A metric's weighted mean over tasks; correlations enter as (r + 1)/2, shares as they are."""

    metric: str
    value: float


@dataclass(frozen=True)
class SharedTaskResult:
    """All tasks, and the averages of the metrics that take part in each of them, the best first."""

    name: str
    language: str
    results: tuple[TaskResult, ...]
    averages: tuple[MetricAverage, ...]
    settings: RunSettings = USUAL
    notes: tuple[str, ...] = ()


def usual_tasks(gold: str) -> tuple[Task, ...]:
    """What WMT23 asked: order and scores of systems, scores of segments, order of segments within items."""
    return (
        Task(gold, "system", "accuracy"),
        Task(gold, "system", "pearson"),
        Task(gold, "segment", "pearson"),
        Task(gold, "segment", "acc_eq", "item"),
    )


def run_shared_task(
    scores: MetaSet | Mapping[tuple[str, str], MetaSet],
    tasks: Sequence[Task],
    settings: RunSettings = USUAL,
    *,
    progress: Progress | None = None,
) -> SharedTaskResult:
    """All tasks, on one test set or each on its own (by `Task.data`)."""
    sets = scores if isinstance(scores, Mapping) else {task.data: scores for task in tasks}
    results = []
    for number, task in enumerate(tasks):
        if progress:
            progress(task.name, number, len(tasks))
        results.append(run_task(sets[task.data], task, settings))
    notes = dict.fromkeys(note for result in results for note in result.notes)
    names = dict.fromkeys(sets[task.data].name for task in tasks)
    languages = dict.fromkeys(sets[task.data].language for task in tasks)
    return SharedTaskResult(
        ", ".join(names), ", ".join(languages), tuple(results), averages(results), settings, tuple(notes)
    )


def averages(results: Sequence[TaskResult]) -> tuple[MetricAverage, ...]:
    """The weighted means of metrics that have a value in every task."""
    total = math.fsum(result.task.weight for result in results)
    parts: dict[str, list[float]] = {}
    for result in results:
        share = result.task.correlation in SHARES
        for value in result.values:
            if not math.isnan(value.value):
                scaled = value.value if share else (value.value + 1) / 2
                parts.setdefault(value.metric, []).append(result.task.weight / total * scaled)
    whole = [
        MetricAverage(name, math.fsum(part)) for name, part in parts.items() if len(part) == len(results)
    ]
    return tuple(sorted(whole, key=lambda average: (-average.value, average.metric)))


def run_task(meta_set: MetaSet, task: Task, settings: RunSettings = USUAL) -> TaskResult:
    """Every metric's agreement with people in a task, the best first, and all pairs of metrics tested."""
    tables = tables_of(meta_set, task)
    agreements = {name: agreement_of(name, tables, task, settings.seed) for name in tables.metrics}
    values = [_value(agreement, task, settings) for agreement in agreements.values()]
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
    return compare_metrics(result, agreements, settings)


def _value(agreement: Agreement, task: Task, settings: RunSettings) -> MetricValue:
    """The agreement with its interval, and for Pearson's r of systems the p of there being none."""
    low, high = interval_of(agreement, task, settings)
    of_systems = task.level == "system" and task.correlation == "pearson"
    p = p_of_none(agreement.value, agreement.n) if of_systems else None
    return MetricValue(
        agreement.metric, agreement.value, low, high, agreement.n, agreement.reason, agreement.epsilon, p
    )
