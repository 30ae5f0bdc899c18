"""Tasks carried out: every metric's agreement with people, with its interval."""

from __future__ import annotations

import math

from adjudge.data.score_tables import MetaSet
from adjudge.meta.intervals import interval_of
from adjudge.meta.results import MetricValue, TaskResult
from adjudge.meta.settings import RunSettings
from adjudge.meta.significance import compare_metrics
from adjudge.meta.statistic import Agreement, agreement_of
from adjudge.meta.tables import tables_of
from adjudge.meta.task import Task
from adjudge.stats.correlation import p_of_none

USUAL = RunSettings()


def run_task(meta_set: MetaSet, task: Task, settings: RunSettings = USUAL) -> TaskResult:
    """Every metric's agreement with people in a task, the best first, and all pairs of metrics tested."""
    tables = tables_of(meta_set, task)
    agreements = {name: agreement_of(name, tables, task, settings.seed) for name in tables.metrics}
    values = [_value(own, task, settings) for own in agreements.values()]
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


def _value(own: Agreement, task: Task, settings: RunSettings) -> MetricValue:
    """The agreement with its interval, and for Pearson's r of systems the p of there being none."""
    low, high = interval_of(own, task, settings)
    of_systems = task.level == "system" and task.correlation == "pearson"
    p = p_of_none(own.value, own.n) if of_systems else None
    return MetricValue(own.metric, own.value, low, high, own.n, own.reason, own.epsilon, p)
