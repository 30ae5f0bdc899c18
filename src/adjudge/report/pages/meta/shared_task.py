"""Metrics held against people, shown: a table a task, the averages, and who is better than whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.data.score_tables import MetaSet
from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.meta.intervals import FEWEST_SYSTEMS
from adjudge.meta.pictures import Pictures
from adjudge.meta.results import SENTINELS, MetricValue, TaskResult
from adjudge.meta.shared_task import SharedTaskResult
from adjudge.meta.significance import by_williams_t, what_is_swapped
from adjudge.meta.task import CORRELATIONS, RunSettings
from adjudge.report.pages.meta import layouts as meta_layouts
from adjudge.report.pages.meta import page as meta_page
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import tsv_line
from adjudge.stats.significance import significant
from adjudge.wording import number, p_number, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input

DECIMALS = 3
GROUPS = {
    "none": "all segments in one list",
    "item": "over the systems of one item at a time",
    "system": "over the items of one system at a time",
}
INTERVALS = {
    "bootstrap": "95 % bootstrap intervals",
    "fisher": "95 % intervals by Fisher's z",
    "modern": "95 % intervals by Fisher's z with errors of their own for rho and tau",
    "none": "no intervals",
}
SYSTEM_INTERVALS = {
    "pearson": "95 % intervals for systems like these, by Fisher's z or its jackknife, whichever is wider",
    "spa": "95 % intervals for systems like these, by the jackknife of the logit",
}
RANK_INTERVALS = "95 % intervals for systems like these, by a rank test or the jackknife, whichever is wider"


def renderer(
    result: SharedTaskResult,
    meta_set: MetaSet | None = None,
    *,
    layout: str = "",
    pictures: Callable[[], Pictures] = Pictures,
    version: str,
    inputs: Sequence[Input] = (),
) -> Renderer:
    """A shared task in every format, as a table of its own kind (`matr`, `tskm`) where that is asked for.

    `pictures` is called for a page alone.
    """

    def tables() -> list[Section]:
        if layout and meta_set is not None:
            return meta_layouts.sections(layout, result, meta_set)
        return sections(result)

    return Renderer(
        tables,
        lambda: document(result, version=version, inputs=inputs),
        tsv=lambda: as_tsv(result),
        html=lambda: meta_page.page(result, tables(), pictures(), version=version, inputs=inputs),
    )


def sections(result: SharedTaskResult) -> list[Section]:
    """The averages, where there are several tasks, and the tasks one by one."""
    tasks = [task_section(task_result, result.settings) for task_result in result.results]
    return [*([_averages(result)] if len(result.results) > 1 else []), *tasks]


def document(result: SharedTaskResult, *, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """For other programs, unrounded; null where there is no value."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        "name": result.name,
        "language": result.language,
        "settings": asdict(result.settings),
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
            }
            for task_result in result.results
            for value in task_result.values
        ],
        "pairs": [
            {
                "task": task_result.task.name,
                "a": pair.a,
                "b": pair.b,
                "delta": pair.delta,
                "p": _known(pair.p),
                "p_adjusted": _known(pair.p_adjusted),
                "significant": pair.significant,
            }
            for task_result in result.results
            for pair in task_result.pairs
        ],
        "details": [detail for task_result in result.results for detail in _details(task_result)],
        "tasks": [
            {
                "task": task_result.task.name,
                **asdict(task_result.task),
                "systems": list(task_result.systems),
                "outliers_left_out": list(task_result.outliers),
                "unbeaten": list(task_result.unbeaten),
                "best": " ".join(meta_page.best_metric(task_result)),
            }
            for task_result in result.results
        ],
        "averages": [asdict(average) for average in result.averages],
        "notes": list(result.notes),
    }


def _details(result: TaskResult) -> list[dict[str, Any]]:
    """What else is known of a metric in a task."""
    details = []
    for place, value in enumerate(result.values):
        ranked = place < len(result.ranks)
        details.append(
            {
                "task": result.task.name,
                "metric": value.metric,
                "rank": result.ranks[place] if ranked else None,
                "cluster": result.placements[place].cluster if ranked else None,
                "ranks": list(result.placements[place].rank) if ranked else None,
                "epsilon": value.epsilon,
                "p_of_none": value.p,
                "sentinel": value.metric in result.sentinels,
                "reason": value.reason,
            }
        )
    return details


def as_tsv(result: SharedTaskResult) -> str:
    """One row per metric and task; `rank` is WMT's, `ranks` the range that tests leave."""
    lines = [tsv_line(["task", "metric", "value", "low", "high", "n", "rank", "reason", "ranks"])]
    for task_result in result.results:
        for place, value in enumerate(task_result.values):
            numbers = ["" if math.isnan(v) else repr(v) for v in (value.value, value.low, value.high)]
            ranked = place < len(task_result.ranks)
            rank = str(task_result.ranks[place]) if ranked else ""
            ranks = "-".join(map(str, task_result.placements[place].rank)) if ranked else ""
            cells = [task_result.task.name, value.metric, *numbers, str(value.n), rank, value.reason, ranks]
            lines.append(tsv_line(cells))
    return "".join(lines)


def _averages(result: SharedTaskResult) -> Section:
    """Metrics by their average, with every task beside it."""
    columns = [Column("Metric"), Column("Average", True)]
    columns += [Column(task_result.task.name, True) for task_result in result.results]
    by_task = [{value.metric: value.value for value in task_result.values} for task_result in result.results]
    sentinels = {name for task_result in result.results for name in task_result.sentinels}
    rows = [
        Row(
            (
                _name(average.metric, sentinels),
                Cell(number(average.value, DECIMALS)),
                *(Cell(shown(values[average.metric])) for values in by_task),
            )
        )
        for average in result.averages
    ]
    partial = sorted({name for values in by_task for name in values} - {a.metric for a in result.averages})
    notes = [
        "Average: correlations as (r + 1)/2, accuracies as they are, by the weights of the tasks; "
        "only metrics with a value in every task. Their order is not tested."
    ]
    if partial:
        notes.append(f"Without an average: {', '.join(partial)}.")
    title = f"{result.name} {result.language}".strip()
    return Section(title, (Table(tuple(columns), tuple(rows)),), notes=tuple(notes), key="averages")


def task_section(result: TaskResult, settings: RunSettings) -> Section:
    """One task: metrics with intervals, the rank that tests leave them, and what is missing."""
    ranked = bool(result.ranks)
    columns = [Column("Metric"), Column(CORRELATIONS[result.task.correlation], True), Column("Low", True)]
    columns += [Column("High", True), Column("n", True)]
    columns += [Column("Rank", True)] if ranked else []
    rows = []
    for place, value in enumerate(result.values):
        cells = [shown(value.value), shown(value.low), shown(value.high), f"{value.n:,}"]
        if ranked:
            cells.append(
                meta_layouts.rank_range(result.placements[place].rank)
                if place < len(result.placements)
                else ""
            )
        rows.append(Row((_name(value.metric, result.sentinels), *map(Cell, cells))))
    return Section(
        result.task.name,
        (Table(tuple(columns), tuple(rows)),),
        sentences=(*meta_page.best_metric(result), *_remarks(result.values), *_below_sentinels(result)),
        notes=tuple(_notes(result, settings)),
        key=result.task.name,
    )


def _name(metric: str, sentinels: Sequence[str] | set[str]) -> Cell:
    return Cell(f"{metric} †" if metric in sentinels else metric)


def _remarks(values: Sequence[MetricValue]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for value in values:
        if value.reason:
            by_reason.setdefault(value.reason, []).append(value.metric)
    return [
        f"{'All metrics' if len(names) == len(values) > 1 else ', '.join(names)}: {reason}."
        for reason, names in by_reason.items()
    ]


def _below_sentinels(result: TaskResult) -> list[str]:
    """Which metrics are not shown to be better than what is no metric."""
    kinds = {"sentinel-length": "the length of an output alone", "sentinel-source": "likeness to the source"}
    return [
        f"Not shown to be better than {kinds.get(name, name)} ({name}): {', '.join(metrics)}."
        for name in result.sentinels
        if (metrics := result.not_better_than(name))
    ]


def _notes(result: TaskResult, settings: RunSettings) -> list[str]:
    groups = "" if result.task.level == "system" else f", {GROUPS[result.task.grouping]}"
    few = (
        settings.interval == "bootstrap"
        and result.task.level == "system"
        and len(result.systems) < FEWEST_SYSTEMS
    )
    intervals = f"intervals need {FEWEST_SYSTEMS} at least" if few else _intervals(result, settings)
    notes = [f"{pluralise(len(result.systems), 'system')}{groups}; {intervals}."]
    if result.outliers:
        notes.append(f"Left out as far from the others: {', '.join(result.outliers)}.")
    elif not result.task.outliers:
        notes.append("No system lies far from the others.")
    pairs = [pair for pair in result.pairs if not {pair.a, pair.b} & set(result.sentinels)]
    if pairs:
        apart = sum(pair.significant for pair in pairs)
        differ = f"{apart} of {pluralise(len(pairs), 'pair')} of metrics differ significantly"
        if len(pairs) == 1:
            differ = f"The two metrics {'differ' if apart else 'do not differ'} significantly"
        notes.append(
            f"{differ} ({_test(result, settings)}). Rank is the range of ranks that these tests leave a metric."
        )
        notes += _out_of_reach(result, len(pairs), settings)
    if any(value.metric in result.sentinels for value in result.values):
        notes.append(SENTINELS)
    return notes


def _intervals(result: TaskResult, settings: RunSettings) -> str:
    """What kind of intervals stand in the table, in words."""
    if settings.interval != "bootstrap" or result.task.level != "system":
        return INTERVALS[settings.interval]
    return SYSTEM_INTERVALS.get(result.task.correlation, RANK_INTERVALS)


def _out_of_reach(result: TaskResult, pairs: int, settings: RunSettings) -> list[str]:
    """That nothing could be found, where so many pairs are corrected that not even the least p would do."""
    corrected = min(1.0, result.least_p * (pairs if settings.correction == "holm" else 1))
    if significant(corrected, settings.alpha):
        return []
    way = (
        "judge more systems, or fewer metrics"
        if result.task.level == "system"
        else "--draws, or fewer metrics"
    )
    return [
        f"No pair could be found to differ here: the least p that the test can give is {p_number(result.least_p)}, "
        f"and {p_number(corrected)} corrected for {pluralise(pairs, 'pair')} ({way})."
    ]


def _test(result: TaskResult, settings: RunSettings) -> str:
    """The test in words."""
    corrected = {"holm": "Holm", "bh": "Benjamini–Hochberg", "none": "not corrected"}[settings.correction]
    test, over_errors = settings.metric_test, by_williams_t(len(result.systems), result.task, settings)
    swapped = what_is_swapped(result.task, settings) if test.swaps else ""
    return f"{test.describe(swapped, over_errors=over_errors)}, two-sided, {corrected}"


def shown(value: float) -> str:
    """A value as tables have it, a dash where there is none."""
    return "–" if math.isnan(value) else number(value, DECIMALS)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
