"""Scores shown: the systems in a table with the signatures below it, segment by segment on request."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import score_document
from adjudge.display import ARROWS, Cell, Column, Row, Section, Signature, Table, best_of, visible
from adjudge.report.pages.comparison.notes import facts, signatures
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import tsv_line
from adjudge.wording import number, pluralise

if TYPE_CHECKING:
    from adjudge.comparison import Score, Scores
    from adjudge.comparison.documents import Arguments
    from adjudge.display import Bar
    from adjudge.io import Input
    from adjudge.report.render.markup import Html

UNTESTED = "Scores alone do not say whether a difference is more than chance: adjudge compare."


def renderer(
    scores: Scores,
    *,
    version: str,
    decimals: int | None = None,
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
    further: Sequence[Section] = (),
    documents: Mapping[str, Any] | None = None,
) -> Renderer:
    """Scores in every format; `further` sections, and more fields of JSON, come last."""
    return Renderer(
        lambda: [*sections(scores, decimals), *further],
        lambda: {
            **score_document(scores, version=version, inputs=inputs, arguments=arguments),
            **(documents or {}),
        },
        tsv=lambda: as_tsv(scores, decimals=decimals),
        html=lambda: page(scores, version=version, decimals=decimals, inputs=inputs, further=further),
    )


def sections(scores: Scores, decimals: int | None = None) -> list[Section]:
    """Segments where they were asked for, systems, and how the scores were made."""
    asked = has_segments(scores)
    segments = [Section(tables=(segment_table(scores, decimals),), key="segments")] if asked else []
    systems = Section(tables=(system_table(scores, decimals),), key="systems")
    notes: tuple[str | Signature, ...] = (*signatures(scores.results), facts(scores.test_set))
    return [*segments, systems, Section(notes=notes, key="notes")]


def page(
    scores: Scores,
    *,
    version: str,
    decimals: int | None = None,
    inputs: Sequence[Input] = (),
    further: Sequence[Section] = (),
) -> Html:
    """The systems first, drawn and in a table."""
    from adjudge.report.render.html import Drawing
    from adjudge.report.render.markup import NOTHING
    from adjudge.report.render.section_page import section_page

    *segments, systems, notes = sections(scores, decimals)
    about = facts(scores.test_set)
    drawings = {
        "systems": Drawing(_figures(scores, decimals), "Systems"),
        "segments": Drawing(NOTHING, "Segments"),
        "notes": Drawing(NOTHING, "How they were made", for_note=about),
    }
    metrics = dict.fromkeys(result.label for result in scores.results)
    count = len({result.system for result in scores.results})
    return section_page(
        f"{pluralise(count, 'system')} by {', '.join(metrics)}",
        about,
        [systems, *segments, *further, replace(notes, notes=(*notes.notes, UNTESTED))],
        drawings,
        version=version,
        inputs=inputs,
        warnings=scores.warnings,
    )


def as_tsv(scores: Scores, *, decimals: int | None = None) -> str:
    """A line a score with its signature; with segments, a line a segment with a column a system and metric.

    Unrounded unless `decimals` says otherwise: this is read by programs.
    """
    return "".join(tsv_lines(scores, decimals=decimals))


def tsv_lines(scores: Scores, *, decimals: int | None = None) -> Iterator[str]:
    """The same a line at a time, for segments that are more than memory holds."""

    def spelled(value: float) -> str:
        return repr(value) if decimals is None or not math.isfinite(value) else number(value, decimals)

    if has_segments(scores):
        yield tsv_line(["segment", *(f"{r.title}:{r.metric}" for r in scores.results)])
        columns = [() if r.segments is None else r.segments for r in scores.results]
        for index, values in enumerate(zip(*columns, strict=True)):
            yield tsv_line([str(index + 1), *map(spelled, values)])
        return
    yield tsv_line(["system", "run", "metric", "score", "signature"])
    for r in scores.results:
        yield tsv_line([r.system, r.run, r.metric, spelled(r.score), r.signature])
    signatures = {r.metric: r.signature for r in scores.results}
    for m in scores.means:
        yield tsv_line([m.system, "mean", m.metric, spelled(m.score), signatures[m.metric]])


def system_table(scores: Scores, decimals: int | None = None) -> Table:
    """A row a system; one with several runs is shown by their mean, with the runs below it.

    Systems compete by their means: to pick the best of several runs would be luck.
    """
    metrics = _metrics(scores)
    by_system: dict[str, dict[str, dict[str, Score]]] = {}
    for r in scores.results:
        by_system.setdefault(r.system, {}).setdefault(r.run, {})[r.metric] = r
    means = {(m.system, m.metric): m for m in scores.means}
    heads: list[list[float]] = []
    for system, runs in by_system.items():
        first = next(iter(runs.values()))
        heads.append([means[system, m].score if len(runs) > 1 else first[m].score for m in metrics])
    places = {m: metrics[m].decimals if decimals is None else decimals for m in metrics}
    best = _best_cells(heads, metrics, places)
    rows: list[Row] = []
    for (system, runs), values, marks in zip(by_system.items(), heads, best, strict=True):
        run = next(iter(runs))
        several = f" (mean of {len(runs)})" if len(runs) > 1 else f" (run {run})" if run else ""
        rows.append(_row([visible(system + several)], values, places, marks))
        if len(runs) > 1:
            for run, by_metric in runs.items():
                rows.append(
                    _row(
                        [visible(f"run {run}" if run else "no run")],
                        [by_metric[m].score for m in metrics],
                        places,
                    )
                )
            deviations = [means[system, m].deviation for m in metrics]
            rows.append(_row(["sd of runs"], deviations, places))
    return Table((Column("System"), *_columns(metrics)), tuple(rows))


def segment_table(scores: Scores, decimals: int | None = None) -> Table:
    """A row a segment and system."""
    metrics = _metrics(scores)
    places = {m: metrics[m].decimals if decimals is None else decimals for m in metrics}
    by_title: dict[str, dict[str, Sequence[float]]] = {}
    for r in scores.results:
        by_title.setdefault(r.title, {})[r.metric] = r.segments or ()
    rows: list[Row] = []
    for index in range(scores.test_set.segments):
        values = [[by_metric[m][index] for m in metrics] for by_metric in by_title.values()]
        best = _best_cells(values, metrics, places)
        for title, line, marks in zip(by_title, values, best, strict=True):
            rows.append(_row([str(index + 1), visible(title)], line, places, marks))
    return Table((Column("Segment"), Column("System"), *_columns(metrics)), tuple(rows))


def has_segments(scores: Scores) -> bool:
    """Whether segment scores were asked for."""
    return any(r.segments is not None for r in scores.results)


def _metrics(scores: Scores) -> dict[str, Score]:
    first: dict[str, Score] = {}
    for r in scores.results:
        first.setdefault(r.metric, r)
    return first


def _columns(metrics: dict[str, Score]) -> list[Column]:
    return [Column(visible(m.label), True, ARROWS[m.higher_is_better]) for m in metrics.values()]


def _best_cells(
    values: list[list[float]], metrics: dict[str, Score], places: dict[str, int]
) -> list[list[bool]]:
    by_metric = [
        best_of(list(column), places[name], higher_is_better=metric.higher_is_better)
        for (name, metric), column in zip(metrics.items(), zip(*values, strict=True), strict=True)
    ]
    return [list(marks) for marks in zip(*by_metric, strict=True)]


def _row(
    names: list[str], values: list[float], places: dict[str, int], best: list[bool] | None = None
) -> Row:
    marks = best or [False] * len(values)
    cells = [
        Cell(number(value, digits), mark)
        for value, digits, mark in zip(values, places.values(), marks, strict=True)
    ]
    return Row((*map(Cell, names), *cells), detail=best is None)


def _figures(scores: Scores, decimals: int | None) -> Html:
    """A figure a metric: every system's score, or every run's."""
    from adjudge.display import Bar
    from adjudge.report.charts.intervals import intervals
    from adjudge.report.render.markup import NOTHING

    by_metric: dict[str, list[Bar]] = {}
    first: dict[str, Score] = {}
    for result in scores.results:
        places = result.decimals if decimals is None else decimals
        shown = number(result.score, places)
        bar = Bar(result.title, result.score, math.nan, math.nan, None, shown)
        by_metric.setdefault(result.metric, []).append(bar)
        first.setdefault(result.metric, result)
    return NOTHING.join(
        intervals(bars, label=first[metric].label, better=ARROWS[first[metric].higher_is_better], interval="")
        for metric, bars in by_metric.items()
    )
