"""Words that systems get right, by buckets, shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.analysis.word_accuracy import WordAccuracy
from adjudge.display import UP, Bar, Cell, Column, Row, Section, Table, around, best_of, visible
from adjudge.report.charts.intervals import intervals
from adjudge.report.render.analysis_forms import Lines, analysis_forms, design_notes, facts
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING
from adjudge.stats.design import units_of
from adjudge.wording import MISSING, number, percent

if TYPE_CHECKING:
    from adjudge.io import Input

TITLES = {
    "frequency": "Words by how often they are seen",
    "length": "Words by their length in characters",
    "kind": "Words by what they look like",
    "pos": "Words by part of speech",
}
NAMES = {"pos": "part of speech"}


def forms(result: WordAccuracy, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Words in every format."""
    return analysis_forms(
        TITLES[result.by],
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
    )


def sections(result: WordAccuracy) -> list[Section]:
    """F with its interval, precision and recall below each other."""
    head = [Column(NAMES.get(result.by, result.by)), Column("words", True)]
    for name in result.systems:
        head += [Column(f"F {visible(name)}", True, UP), Column("P", True), Column("R", True)]
    rows = []
    for bucket in result.buckets:
        cells = [Cell(bucket.name), Cell(f"{bucket.reference:,}")]
        best = best_of([s.f for s in bucket.systems], 1, higher_is_better=True)
        for own, mark in zip(bucket.systems, best, strict=True):
            if not bucket.reference:
                cells += [Cell(MISSING)] * 3
                continue
            cells += [
                Cell(around(own.f, own.low, own.high, 1), mark),
                Cell(number(own.precision, 1)),
                Cell(number(own.recall, 1)),
            ]
        rows.append(Row(tuple(cells)))
    notes = [
        "A word is right as often as the reference has it in the same segment, wherever it stands; ± is half of the "
        f"{percent(result.confidence)} interval over {units_of(result.design.unit)}.",
        *design_notes(result.design),
    ]
    if result.by == "frequency":
        notes.append(f"Seen in {result.counted_in}; words: those of the reference.")
    if result.by == "pos":
        notes.append(
            "Words and parts of speech are those of the trees; a word that is right has that of the reference."
        )
    return [Section(TITLES[result.by], (Table(tuple(head), tuple(rows)),), notes=tuple(notes), key="words")]


def drawings(result: WordAccuracy) -> Mapping[str, Drawing]:
    """A figure a bucket."""
    figures = [
        intervals(
            [
                Bar(visible(name), own.f, own.low, own.high, None, number(own.f, 1))
                for name, own in zip(result.systems, bucket.systems, strict=True)
            ],
            label=f"F of words of {result.by} {bucket.name}",
            better=UP,
            interval=f"{percent(result.confidence)} interval",
        )
        for bucket in result.buckets
        if any(own.f for own in bucket.systems)
    ]
    return {"words": Drawing(NOTHING.join(figures))}


def lines(result: WordAccuracy) -> Lines:
    """A line a bucket and system."""
    yield [result.by, "system", "reference", "output", "matched", "precision", "recall", "f", "low", "high"]
    for bucket in result.buckets:
        for name, own in zip(result.systems, bucket.systems, strict=True):
            shares = (own.precision, own.recall, own.f, own.low, own.high)
            yield [bucket.name, name, bucket.reference, own.output, own.matched, *shares]
