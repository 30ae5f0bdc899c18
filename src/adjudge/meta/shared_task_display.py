"""Metrics held against people, shown: a table a task, the averages, and who is better than whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from adjudge.charts import (
    Bar,
    ChartRow,
    CorrelationShades,
    Histograms,
    IntervalChart,
    Points,
    Scatter,
)
from adjudge.data.score_tables import MetaSet
from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Table, rank_range
from adjudge.meta import layout_display
from adjudge.meta.intervals import FEWEST_SYSTEMS
from adjudge.meta.pictures import Pictures
from adjudge.meta.results import SENTINELS, MetricValue, TaskResult
from adjudge.meta.shared_task import SharedTaskResult
from adjudge.meta.significance import by_williams_t, what_is_swapped
from adjudge.meta.task import CORRELATIONS, RunSettings
from adjudge.stats.significance import significant
from adjudge.wording import MINUS, join_names, number, p_number, pluralise

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


@dataclass(frozen=True)
class SharedTaskDisplay(Displayable):
    """A shared task, as a table of its own kind (`matr`, `tskm`) where that is asked for."""

    result: SharedTaskResult
    meta_set: MetaSet | None = None
    layout: str = ""
    pictures: Callable[[], Pictures] = Pictures
    """Called for a page alone."""

    @property
    def title(self) -> str:
        """The test set, and how many metrics there are."""
        result = self.result
        metrics = {value.metric for task in result.results for value in task.values} - _sentinels(result)
        return f"{_named(result)}: {pluralise(len(metrics), 'metric')} held against people"

    @property
    def about(self) -> str:
        """How many tasks there are, and in how many of them the best metric can be told."""
        tasks = pluralise(len(self.result.results), "task")
        tested = [task_result for task_result in self.result.results if task_result.unbeaten]
        if len(tested) == 1:
            return f"{tasks}. {best_metric(tested[0])[0]}"
        open_tasks = sum(len(task_result.unbeaten) > 1 for task_result in tested)
        return (
            f"{tasks}. In {open_tasks} of {len(tested)}, the best metric cannot be told." if tested else tasks
        )

    @property
    def page_warnings(self) -> Sequence[str]:
        """What a reader should know of the data."""
        return self.result.notes

    def sections(self) -> list[Section]:
        """The averages, where there are several tasks, and the tasks one by one."""
        result = self.result
        if self.layout and self.meta_set is not None:
            return layout_display.sections(self.layout, result, self.meta_set)
        tasks = [task_section(outcome, result.settings) for outcome in result.results]
        return [*([_averages(result)] if len(result.results) > 1 else []), *tasks]

    def page_sections(self) -> list[Section]:
        """With what can be drawn, and the scores themselves at the end."""
        result = self.result
        charts = {outcome.task.name: _ranking(outcome, result.settings) for outcome in result.results}
        shown = []
        for section in self.sections():
            own = replace(section, charts=charts.get(section.key, ()))
            if section.key == "averages":
                own = replace(own, title="All tasks", charts=(_shades(result),), drawn_instead=True)
            shown.append(own)
        return [*shown, *_picture_sections(self.pictures(), _sentinels(result))]

    def document(self) -> Mapping[str, Any]:
        """For other programs, unrounded; null where there is no value."""
        return shared_task_document(self.result)

    def data(self) -> Data:
        """One row per metric and task; `rank` is WMT's, `ranks` the range that tests leave."""
        rows = []
        for task in self.result.results:
            for place, value in enumerate(task.values):
                ranked = place < len(task.ranks)
                rank = task.ranks[place] if ranked else None
                ranks = "-".join(map(str, task.placements[place].rank)) if ranked else ""
                known = (value.value, value.low, value.high, value.n)
                rows.append([task.task.name, value.metric, *known, rank, value.reason, ranks])
        return Data(["task", "metric", "value", "low", "high", "n", "rank", "reason", "ranks"], rows)


def shared_task_document(result: SharedTaskResult) -> dict[str, Any]:
    """All that is known of a shared task."""
    return {
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
                "best": " ".join(best_metric(task_result)),
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


def best_metric(result: TaskResult) -> list[str]:
    """Which metric agrees best with people, as far as tests say so; no sentence where nothing was tested."""
    first = result.unbeaten
    if not first:
        return []
    tested = {name for pair in result.pairs for name in (pair.a, pair.b)} - set(result.sentinels)
    if len(first) == len(tested):
        return [
            f"The {len(first)} metrics cannot be told apart: no test shows one to agree better than another."
        ]
    if len(first) > 1:
        return [
            f"The best metric cannot be told: no test shows any to agree better than {join_names(first)}."
        ]
    behind = {
        pair.b if pair.a == first[0] else pair.a
        for pair in result.pairs
        if pair.significant and first[0] in (pair.a, pair.b)
    } & tested
    if len(behind) == len(tested) - 1:
        unvalued = any(math.isnan(value.value) for value in result.values)
        others = "metric that has a value" if unvalued else "metric"
        return [f"{first[0]} agrees with people better than every other {others}."]
    return [
        f"{first[0]} may be the best metric; it is shown to agree better than {join_names(sorted(behind))}."
    ]


def _named(result: SharedTaskResult) -> str:
    return f"{result.name} {result.language}".strip()


def _ranking(result: TaskResult, settings: RunSettings) -> tuple[IntervalChart, ...]:
    # One cluster for all separates nothing, and its number beside a metric would look like a rank.
    separated = len({placement.cluster for placement in result.placements}) > 1
    bars = [
        Bar(
            _marked(value.metric, result.sentinels),
            value.value,
            value.low,
            value.high,
            result.placements[place].cluster if separated and place < len(result.placements) else None,
            number(value.value, DECIMALS, minus=MINUS),
        )
        for place, value in enumerate(result.values)
        if value.value == value.value
    ]
    kind = {"bootstrap": "95 % bootstrap intervals", "none": ""}.get(settings.interval, "95 % intervals")
    return (IntervalChart(bars, CORRELATIONS[result.task.correlation], "", kind),) if bars else ()


def _shades(result: SharedTaskResult) -> CorrelationShades:
    order = [average.metric for average in result.averages]
    by_task = [{value.metric: value.value for value in task.values} for task in result.results]
    order += sorted({name for values in by_task for name in values} - set(order))
    means = {average.metric: average.value for average in result.averages}
    missing = float("nan")
    rows = [
        (
            _marked(name, _sentinels(result)),
            [means.get(name, missing), *(values.get(name, missing) for values in by_task)],
        )
        for name in order
    ]
    return CorrelationShades(["average", *(task.task.name for task in result.results)], rows)


def _sentinels(result: SharedTaskResult) -> set[str]:
    return {name for task_result in result.results for name in task_result.sentinels}


def _marked(metric: str, sentinels: Collection[str]) -> str:
    return f"{metric} †" if metric in sentinels else metric


def _picture_sections(pictures: Pictures, sentinels: Collection[str]) -> list[Section]:
    """Scores of metrics beside people's, and references scored against other references."""
    left_out = f"Not drawn, for there are many: {', '.join(pictures.left_out)}."
    notes = (left_out,) if pictures.left_out else ()
    shown = []
    for level in dict.fromkeys(picture.level for picture in pictures.scores):
        scatters = [
            Scatter(
                Points(picture.scores, picture.people, picture.names),
                caption=_marked(picture.metric, sentinels),
                below=f"across: the metric, upwards: {picture.gold}",
                up=picture.gold,
            )
            for picture in pictures.scores
            if picture.level == level
        ]
        title = f"Metrics and people, {level} by {level}"
        shown.append(Section(title, notes=notes, charts=(ChartRow(scatters),)))
    if pictures.references:
        histograms = [
            Histograms(
                [(picture.scored, picture.references), ("systems", picture.systems)],
                caption=f"{picture.metric} against {picture.against}",
                below=f"segments of {picture.scored}, a reference itself, and of all systems",
            )
            for picture in pictures.references
        ]
        title = "References scored against other references"
        shown.append(Section(title, charts=(ChartRow(histograms),)))
    return shown


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
    return Section(_named(result), (Table(tuple(columns), tuple(rows)),), notes=tuple(notes), key="averages")


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
            cells.append(rank_range(result.placements[place].rank) if place < len(result.placements) else "")
        rows.append(Row((_name(value.metric, result.sentinels), *map(Cell, cells))))
    return Section(
        result.task.name,
        (Table(tuple(columns), tuple(rows)),),
        sentences=(*best_metric(result), *_remarks(result.values), *_below_sentinels(result)),
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
