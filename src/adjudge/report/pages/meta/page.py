"""Metrics held against people, as a page: ranked with intervals, a heat map over tasks, scores beside people's."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from adjudge.display import Bar, Points, Section
from adjudge.meta.pictures import Pictures
from adjudge.meta.results import TaskResult
from adjudge.meta.shared_task import SharedTaskResult
from adjudge.meta.task import CORRELATIONS, RunSettings
from adjudge.report.charts.intervals import intervals
from adjudge.report.charts.scatter import heat, histograms, scatter
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING, Html, html
from adjudge.report.render.section_page import section_page
from adjudge.wording import MINUS, join_names, number, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input

DECIMALS = 3


def page(
    result: SharedTaskResult,
    sections: Sequence[Section],
    pictures: Pictures,
    *,
    version: str,
    inputs: Sequence[Input] = (),
) -> Html:
    """The sections, drawn where there is something to draw, and the scores themselves at the end."""
    drawings = {
        task_result.task.name: _ranking(task_result, result.settings) for task_result in result.results
    }
    if len(result.results) > 1:
        drawings["averages"] = Drawing(_heat(result), "All tasks", for_tables=True)
    more: list[Section] = []
    for level in dict.fromkeys(picture.level for picture in pictures.scores):
        key = f"scores of {level}s"
        left_out = f"Not drawn, for there are many: {', '.join(pictures.left_out)}."
        notes = (left_out,) if pictures.left_out else ()
        more.append(Section(f"Metrics and people, {level} by {level}", notes=notes, key=key))
        drawings[key] = Drawing(_scatters(pictures, level, _sentinels(result)))
    if pictures.references:
        more.append(Section("References scored against other references", key="references"))
        drawings["references"] = Drawing(_references(pictures))
    metrics = {value.metric for task_result in result.results for value in task_result.values} - _sentinels(
        result
    )
    title = f"{result.name} {result.language}".strip()
    return section_page(
        f"{title}: {pluralise(len(metrics), 'metric')} held against people",
        _about(result),
        [*sections, *more],
        drawings,
        version=version,
        inputs=inputs,
        warnings=result.notes,
    )


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


def _about(result: SharedTaskResult) -> str:
    """How many tasks there are, and in how many of them the best metric can be told."""
    tasks = pluralise(len(result.results), "task")
    tested = [task_result for task_result in result.results if task_result.unbeaten]
    if len(tested) == 1:
        return f"{tasks}. {best_metric(tested[0])[0]}"
    open_tasks = sum(len(task_result.unbeaten) > 1 for task_result in tested)
    return f"{tasks}. In {open_tasks} of {len(tested)}, the best metric cannot be told." if tested else tasks


def _ranking(result: TaskResult, settings: RunSettings) -> Drawing:
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
    if not bars:
        return Drawing(NOTHING)
    kind = {"bootstrap": "95 % bootstrap intervals", "none": ""}.get(settings.interval, "95 % intervals")
    label = CORRELATIONS[result.task.correlation]
    return Drawing(intervals(bars, label=label, better="", interval=kind))


def _heat(result: SharedTaskResult) -> Html:
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
    return heat("Metric", ["average", *(task.task.name for task in result.results)], rows)


def _sentinels(result: SharedTaskResult) -> set[str]:
    return {name for task_result in result.results for name in task_result.sentinels}


def _marked(metric: str, sentinels: Collection[str]) -> str:
    return f"{metric} †" if metric in sentinels else metric


def _scatters(pictures: Pictures, level: str, sentinels: Collection[str]) -> Html:
    drawn = [
        scatter(
            Points(picture.scores, picture.people, picture.names),
            caption=_marked(picture.metric, sentinels),
            below=f"across: the metric, upwards: {picture.gold}",
            up=picture.gold,
        )
        for picture in pictures.scores
        if picture.level == level
    ]
    return html('<div class="figures">{}</div>', NOTHING.join(drawn))


def _references(pictures: Pictures) -> Html:
    drawn = [
        histograms(
            [(picture.scored, picture.references), ("systems", picture.systems)],
            caption=f"{picture.metric} against {picture.against}",
            below=f"segments of {picture.scored}, a reference itself, and of all systems",
        )
        for picture in pictures.references
    ]
    return html('<div class="figures">{}</div>', NOTHING.join(drawn))
