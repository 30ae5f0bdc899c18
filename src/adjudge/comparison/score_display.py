"""Scores shown: the systems in a table with the signatures below it, segment by segment on request."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import score_content
from adjudge.data.levels import in_words
from adjudge.display import (
    ARROWS,
    Cell,
    Column,
    Data,
    Displayable,
    Frame,
    Row,
    Section,
    Signature,
    Table,
    best_of,
    visible,
)
from adjudge.errors import UsageError
from adjudge.wording import number, pluralise

if TYPE_CHECKING:
    from adjudge.charts import Bar, IntervalChart
    from adjudge.comparison.results import Standing
    from adjudge.comparison.scoring import Score, Scores, TestSetFacts

UNTESTED = "Scores alone do not say whether a difference is more than chance: adjudge compare."


@dataclass(frozen=True)
class ScoreDisplay(Displayable):
    """Scores with the decimals that are asked for."""

    scores: Scores
    decimals: int | None = None
    extra: tuple[Section, ...] = ()
    """What else is said of these scores, at the end."""
    extra_document: Mapping[str, Any] = field(default_factory=dict)
    """More fields of JSON."""

    @property
    def title(self) -> str:
        """How many systems, and by which metrics."""
        metrics = dict.fromkeys(result.label for result in self.scores.results)
        count = len({result.system for result in self.scores.results})
        return f"{pluralise(count, 'system')} by {', '.join(metrics)}"

    @property
    def about(self) -> str:
        """The test set."""
        return facts_line(self.scores.test_set)

    @property
    def page_warnings(self) -> Sequence[str]:
        """What a reader should know before believing the scores."""
        return self.scores.warnings

    @property
    def has_segments(self) -> bool:
        """Whether segment scores were asked for."""
        return any(r.segments is not None for r in self.scores.results)

    def sections(self) -> list[Section]:
        """Segments where they were asked for, systems, and how the scores were made."""
        return [*self._segments(), self._systems(), Section(notes=self._notes()), *self.extra]

    def page_sections(self) -> list[Section]:
        """The systems first, drawn and in a table."""
        return [
            replace(self._systems(), title="Systems", charts=self._charts()),
            *(replace(section, title="Segments") for section in self._segments()),
            *self.extra,
            Section("How they were made", notes=(*signatures(self.scores.results), UNTESTED)),
        ]

    def _systems(self) -> Section:
        return Section(tables=(system_table(self.scores, self.decimals),))

    def _segments(self) -> list[Section]:
        return [Section(tables=(segment_table(self.scores, self.decimals),))] if self.has_segments else []

    def notebook_sections(self) -> list[Section]:
        """The systems; segments, which may be thousands, are for tables."""
        shown = [self._systems(), Section(notes=self._notes())]
        if self.has_segments:
            told = "Scores of segments: to_pandas('segments') or to_polars('segments')."
            shown.append(Section(notes=(told,)))
        return shown

    def _notes(self) -> tuple[str | Signature, ...]:
        return (*signatures(self.scores.results), facts_line(self.scores.test_set))

    def document(self) -> Mapping[str, Any]:
        """All that is known, unrounded."""
        return {**score_content(self.scores), **self.extra_document}

    def data(self) -> Data:
        """A row a score with its signature; with segments, a row a segment with a column a system and metric."""
        scores = self.scores
        if self.has_segments:
            return Data(self.segment_head, list(self.segment_rows()))
        rows = [[r.system, r.run, r.metric, self._text(r.score), r.signature] for r in scores.results]
        signed = {r.metric: r.signature for r in scores.results}
        rows += [[m.system, "mean", m.metric, self._text(m.score), signed[m.metric]] for m in scores.means]
        return Data(["system", "run", "metric", "score", "signature"], rows)

    @property
    def segment_head(self) -> list[str]:
        """The names of the columns of segments."""
        return ["segment", *(f"{r.title}:{r.metric}" for r in self.scores.results)]

    def segment_rows(self) -> Iterator[list[Any]]:
        """The rows of segments one by one, which may be more than memory holds."""
        columns = [() if r.segments is None else r.segments for r in self.scores.results]
        for place, values in enumerate(zip(*columns, strict=True), 1):
            yield [place, *map(self._text, values)]

    def _text(self, value: float) -> str:
        """Unrounded unless decimals are asked for: this is read by programs."""
        if self.decimals is None or not math.isfinite(value):
            return repr(value)
        return number(value, self.decimals)

    def frames(self) -> Mapping[str, Frame]:
        """Scores, or those of segments: a row each, a column a system and metric."""
        return {"results": lambda: self.scores.results, "segments": self._segment_frame}

    def _segment_frame(self) -> Data:
        known = [result for result in self.scores.results if result.segments is not None]
        if not known:
            raise UsageError("there are no segment scores; ask for them: score(..., segments=True)")
        head = ["segment", *(f"{entry.title}:{entry.metric}" for entry in known)]
        columns = zip(*(entry.segments or () for entry in known), strict=True)
        return Data(head, [[place, *values] for place, values in enumerate(columns, 1)])

    def _charts(self) -> tuple[IntervalChart, ...]:
        """A figure a metric: every system's score, or every run's."""
        from adjudge.charts import Bar, IntervalChart  # late: screens draw none

        by_metric: dict[str, list[Bar]] = {}
        first = _metrics(self.scores)
        for result in self.scores.results:
            places = result.decimals if self.decimals is None else self.decimals
            bar = Bar(result.title, result.score, math.nan, math.nan, None, number(result.score, places))
            by_metric.setdefault(result.metric, []).append(bar)
        return tuple(
            IntervalChart(bars, first[metric].label, ARROWS[first[metric].higher_is_better], "")
            for metric, bars in by_metric.items()
        )


def signatures(results: Iterable[Score | Standing]) -> list[Signature]:
    """Each metric's name without options, which its signature tells anyway, and the signature."""
    metrics: dict[str, Score | Standing] = {}
    for result in results:
        metrics.setdefault(result.metric, result)
    return [Signature(m.label.partition("(")[0], visible(m.signature)) for m in metrics.values()]


def facts_line(known: TestSetFacts) -> str:
    """The test set in one line."""
    parts = [in_words(known.level, known.segments)]
    if known.references:  # scores that come from elsewhere have none
        parts.append(pluralise(known.references, "reference"))
    if known.language:
        how = f" ({visible(known.language_from)})" if known.language_from else ""
        parts.append(f"into {known.language}{how}")
    if known.fingerprint:
        parts.append(f"fingerprint {known.fingerprint[:12]}")
    name = f"{visible(known.name)}: " if known.name else ""
    return name + ", ".join(parts)


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
