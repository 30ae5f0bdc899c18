"""Scores by buckets of segments, shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from adjudge.analysis.buckets import FEWEST, BucketScores, BucketTable
from adjudge.display import Bar, Cell, Column, Row, Section, Signature, Table, around, arrow, best_of, visible
from adjudge.report.charts.intervals import intervals
from adjudge.report.render.analysis_forms import Lines, analysis_forms, design_notes, facts
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING
from adjudge.stats.design import SEGMENT, units_of
from adjudge.stats.resampling import least_randomised_p
from adjudge.stats.significance import significant
from adjudge.wording import counted, family, listed, number, p_number, percent, signed

if TYPE_CHECKING:
    from adjudge.io import Input

MEANING = {
    "length": "words of the first reference",
    "rarity": "mean of −log of the share that each word of the reference has of all its words: rare words are high",
    "difficulty": "mean score of all systems by the first metric",
    "pos": "segments whose first reference has a word of that part of speech; one with several is in several buckets",
    "human": "mean score that people gave the outputs of a segment; unknown: nobody judged it",
    "contamination": "whether source or references stand in the training text as they are (exact), but for case, "
    "spaces and punctuation (alike), or in large part (overlap)",
}


def forms(result: BucketScores, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Scores by buckets in every format."""
    return analysis_forms(
        f"{counted(len(result.systems), 'system')} by {result.by}",
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
    )


def sections(result: BucketScores) -> list[Section]:
    """A table a metric, and what stands out."""
    parts = [
        Section(
            f"{visible(table.metric)} by {visible(result.by)}",
            (_table(result, table),),
            tuple(_sentences(result, table)),
            key=f"buckets {table.metric}",
        )
        for table in result.tables
    ]
    meaning = MEANING.get(result.by, "")
    if result.by.startswith("pos:"):
        meaning = "share of such words among those of the first reference, in percent"
    notes: list[str | Signature] = [f"{visible(result.by)}: {meaning}."] if meaning else []
    notes.append(
        f"± is half of the {percent(1 - result.alpha)} interval over {units_of(result.design.unit)}. "
        f"Differences are against {visible(result.systems[0])}, by paired randomisation, p corrected after Holm over "
        f"{family(result.family, 'the table')}; {_untested(result)} are not tested."
    )
    notes += design_notes(result.design)
    notes += [Signature(table.metric, table.signature) for table in result.tables]
    return [*parts, Section(notes=tuple(notes), key="notes")]


def _untested(result: BucketScores) -> str:
    fewer = f"buckets of fewer than {FEWEST} segments"
    if result.design.unit == SEGMENT:
        return fewer
    least = next(k for k in count(1) if significant(least_randomised_p(k), result.alpha))
    return f"{fewer}, or of parts of fewer than {least} {units_of(result.design.unit)},"


def _table(result: BucketScores, table: BucketTable) -> Table:
    head = [Column(visible(result.by)), Column("segments", True)]
    for place, name in enumerate(result.systems):
        head.append(Column(visible(name), True, arrow(table.higher_is_better)))
        head += [Column("Δ", True, joined=True), Column("p", True, joined=True)] if place else []
    rows = []
    for bucket in table.buckets:
        best = best_of(
            [s.score for s in bucket.scores], table.decimals, higher_is_better=table.higher_is_better
        )
        cells = [Cell(visible(bucket.name)), Cell(f"{bucket.segments:,}")]
        for place, (own, mark) in enumerate(zip(bucket.scores, best, strict=True)):
            cells.append(Cell(around(own.score, own.low, own.high, table.decimals), mark))
            if place:
                better = (own.delta > 0) == (table.higher_is_better is not False)
                style = ("win" if better else "loss") if own.significant else ""
                cells += [
                    Cell(signed(own.delta, table.decimals), style=style),
                    Cell(p_number(own.p_adjusted, result.alpha)),
                ]
        rows.append(Row(tuple(cells)))
    return Table(tuple(head), tuple(rows))


def _sentences(result: BucketScores, table: BucketTable) -> list[str]:
    """In which buckets a system is better or worse than the first."""
    sentences = []
    for place, name in enumerate(result.systems[1:], 1):
        own = [(bucket.name, bucket.scores[place]) for bucket in table.buckets]
        known = [(bucket, score) for bucket, score in own if score.significant]
        if not known:
            continue
        sign = -1.0 if table.higher_is_better is False else 1.0
        ahead = [visible(bucket) for bucket, score in known if sign * score.delta > 0]
        behind = [visible(bucket) for bucket, score in known if sign * score.delta < 0]
        told = [
            f"{word} in {listed(names)}" for word, names in (("better", ahead), ("worse", behind)) if names
        ]
        sentences.append(f"{visible(name)} is {' and '.join(told)}.")
    return sentences


def drawings(result: BucketScores) -> Mapping[str, Drawing]:
    """A figure a metric and bucket."""
    figures = {}
    for table in result.tables:
        parts = [
            intervals(
                [
                    Bar(visible(s.system), s.score, s.low, s.high, None, number(s.score, table.decimals))
                    for s in bucket.scores
                    if math.isfinite(s.score)
                ],
                label=f"{result.by} {visible(bucket.name)}",
                better=arrow(table.higher_is_better),
                interval=f"{percent(1 - result.alpha)} interval",
            )
            for bucket in table.buckets
        ]
        figures[f"buckets {table.metric}"] = Drawing(NOTHING.join(parts))
    return figures


def lines(result: BucketScores) -> Lines:
    """A line a metric, bucket and system."""
    yield ["metric", result.by, "segments", "system", "score", "low", "high", "delta", "p", "p_adjusted"]
    for table in result.tables:
        for bucket in table.buckets:
            for own in bucket.scores:
                numbers = (own.score, own.low, own.high, own.delta, own.p, own.p_adjusted)
                yield [table.metric, bucket.name, bucket.segments, own.system, *numbers]
