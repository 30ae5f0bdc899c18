"""Metrics held against people, shown: a table a task, the averages, and who is better than whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.meta.results import MetricValue, TaskResult
from adjudge.meta.shared_task import SharedTaskResult
from adjudge.meta.task import CORRELATIONS
from adjudge.report.formats import Forms
from adjudge.report.sections import Section
from adjudge.report.table import Cell, Column, Row, Table
from adjudge.report.tsv import tsv_line
from adjudge.wording import counted, number

if TYPE_CHECKING:
    from adjudge.io import Input

DECIMALS = 3
GROUPS = {
    "none": "all segments in one list",
    "item": "over the systems of one item at a time",
    "system": "over the items of one system at a time",
}


def forms(
    result: SharedTaskResult, *, version: str, inputs: Sequence[Input] = (), alpha: float = 0.05
) -> Forms:
    """A shared task in every format."""
    return Forms(
        lambda: [*([_averages(result)] if len(result.results) > 1 else []), *map(_task, result.results)],
        lambda: document(result, version=version, inputs=inputs),
        tsv=lambda: as_tsv(result),
    )


def document(result: SharedTaskResult, *, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """For other programs, unrounded; null where there is no value."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        "name": result.name,
        "language": result.language,
        "results": [
            {
                "task": task_result.task.name,
                "level": task_result.task.level,
                "metric": value.metric,
                "correlation": task_result.task.correlation,
                "average": task_result.task.grouping,
                "value": _known(value.value),
                "low": _known(value.low),
                "high": _known(value.high),
                "n": value.n,
                **({"rank": task_result.ranks[place]} if place < len(task_result.ranks) else {}),
                **({"epsilon": value.epsilon} if value.epsilon is not None else {}),
                **({"reason": value.reason} if value.reason else {}),
            }
            for task_result in result.results
            for place, value in enumerate(task_result.values)
        ],
        "pairs": [
            {"task": task_result.task.name, **asdict(pair)}
            for task_result in result.results
            for pair in task_result.pairs
        ],
        "averages": [asdict(average) for average in result.averages],
        "notes": list(result.notes),
    }


def as_tsv(result: SharedTaskResult) -> str:
    """A line a metric and task."""
    lines = [tsv_line(["task", "metric", "value", "low", "high", "n", "rank", "reason"])]
    for task_result in result.results:
        for place, value in enumerate(task_result.values):
            numbers = ["" if math.isnan(v) else repr(v) for v in (value.value, value.low, value.high)]
            rank = str(task_result.ranks[place]) if place < len(task_result.ranks) else ""
            lines.append(
                tsv_line([task_result.task.name, value.metric, *numbers, str(value.n), rank, value.reason])
            )
    return "".join(lines)


def _averages(result: SharedTaskResult) -> Section:
    """Metrics by their average, with every task beside it."""
    columns = [Column("Metric"), Column("Average", True)]
    columns += [Column(task_result.task.name, True) for task_result in result.results]
    by_task = [{value.metric: value.value for value in task_result.values} for task_result in result.results]
    rows = [
        Row(
            (
                Cell(average.metric),
                Cell(number(average.value, DECIMALS)),
                *(Cell(_shown(values[average.metric])) for values in by_task),
            )
        )
        for average in result.averages
    ]
    partial = sorted({name for values in by_task for name in values} - {a.metric for a in result.averages})
    notes = [
        "Average: correlations as (r + 1)/2, accuracies as they are, by the weights of the tasks; "
        "only metrics with a value in every task."
    ]
    if partial:
        notes.append(f"Without an average: {', '.join(partial)}.")
    title = f"{result.name} {result.language}".strip()
    return Section(title, (Table(tuple(columns), tuple(rows)),), notes=tuple(notes))


def _task(result: TaskResult) -> Section:
    """One task: metrics with intervals, the rank that tests leave them, and what is missing."""
    ranked = bool(result.ranks)
    columns = [Column("Metric"), Column(CORRELATIONS[result.task.correlation], True), Column("Low", True)]
    columns += [Column("High", True), Column("n", True)] + ([Column("Rank", True)] if ranked else [])
    rows = []
    for place, value in enumerate(result.values):
        cells = [value.metric, _shown(value.value), _shown(value.low), _shown(value.high), f"{value.n:,}"]
        if ranked:
            cells.append(str(result.ranks[place]) if place < len(result.ranks) else "")
        rows.append(Row(tuple(map(Cell, cells))))
    return Section(
        result.task.name,
        (Table(tuple(columns), tuple(rows)),),
        sentences=tuple(_remarks(result.values)),
        notes=tuple(_notes(result)),
    )


def _remarks(values: Sequence[MetricValue]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for value in values:
        if value.reason:
            by_reason.setdefault(value.reason, []).append(value.metric)
    return [f"{', '.join(names)}: {reason}." for reason, names in by_reason.items()]


def _notes(result: TaskResult) -> list[str]:
    notes = [f"{counted(len(result.systems), 'system')}; intervals are 95 % bootstrap intervals."]
    if result.task.level != "system":
        notes[0] = f"{counted(len(result.systems), 'system')}, {GROUPS[result.task.grouping]}."
    if result.pairs:
        told = sum(pair.significant for pair in result.pairs)
        notes.append(
            f"{told} of {counted(len(result.pairs), 'pair')} of metrics differ significantly (permutation of their "
            "scores, two-sided, Holm); a rank begins where a metric of the one above is significantly better."
        )
    return notes


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else number(value, DECIMALS)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
