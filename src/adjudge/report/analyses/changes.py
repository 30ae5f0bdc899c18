"""Segments that got better or worse, shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.analysis.changes import Change, Changes
from adjudge.display import Cell, Column, Row, Section, Table, visible
from adjudge.report.render.analysis_forms import Lines, analysis_forms, facts
from adjudge.report.render.formats import Forms
from adjudge.wording import MISSING, counted, p_number, percent, percent_of, signed

if TYPE_CHECKING:
    from adjudge.io import Input

SIGNS = (
    "Δ above 0 is better, whatever the metric's direction. Gains and losses are sorted by the mean over metrics of Δ "
    "in standard deviations."
)
MEANING = {
    "better": "by every metric that sees a difference",
    "worse": "by every metric that sees a difference",
    "mixed": "better by one metric, worse by another",
    "even": "another text, the same scores",
    "same": "the same text",
}


def forms(result: Changes, *, top: int, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Changes in every format; text has the `top` ones, JSON and TSV all."""
    return analysis_forms(
        f"From {visible(result.old)} to {visible(result.new)}",
        lambda: sections(result, top),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
    )


def sections(result: Changes, top: int) -> list[Section]:
    """How many, and the largest gains and losses with their texts."""
    total = sum(result.counts.values())
    rows = tuple(
        Row(
            (
                Cell(verdict),
                Cell(MEANING[verdict]),
                Cell(f"{count:,}"),
                Cell(percent_of(count / max(1, total))),
            )
        )
        for verdict, count in result.counts.items()
    )
    head = (Column("Segments"), Column("which are"), Column("number", True), Column("share", True))
    gains = [c for c in result.changes if c.size > 0][:top]
    losses = [c for c in reversed(result.changes) if c.size < 0][:top]
    parts = [
        Section(
            f"From {visible(result.old)} to {visible(result.new)}",
            (Table(head, rows),),
            (_sure(result),),
            (SIGNS,) if gains or losses else (),
        )
    ]
    parts += [
        Section(title, (_table(result, chosen),))
        for title, chosen in (("Largest gains", gains), ("Largest losses", losses))
        if chosen
    ]
    return parts


def _sure(result: Changes) -> str:
    old, new = result.runs
    if min(old, new) < 2:
        return (
            "How sure: of one output each it can only be said what changed and whether metrics agree; give training "
            "runs (name.run1.en, name.run2.en, …) to see what would change again."
        )
    return (
        f"Over {old} and {counted(new, 'run')}: {counted(result.sure_better, 'segment')} significantly better by "
        f"{visible(result.metrics[0])}, {counted(result.sure_worse, 'segment')} worse (Welch, at most "
        f"{percent(result.alpha)} false ones among them after Benjamini and Hochberg)."
    )


def _table(result: Changes, chosen: Sequence[Change]) -> Table:
    head = [Column("Segment"), Column("Text"), *(Column(f"Δ {visible(m)}", True) for m in result.metrics)]
    known = min(result.runs) >= 2
    head += [Column("p", True)] if known else []
    rows = []
    for change in chosen:
        numbers = [Cell(signed(delta, 1)) for delta in change.deltas]
        numbers += [Cell(p_number(change.p_adjusted, result.alpha))] if known else []
        # A history keeps no texts: where files have changed since, there is none to show.
        texts = [(name, text) for name, text in ((result.old, change.old), (result.new, change.new)) if text]
        texts += [("reference", change.reference)] if change.reference else []
        shown = [f"{visible(name)}: {visible(text)}" for name, text in texts] or [MISSING]
        rows.append(Row((Cell(str(change.segment)), Cell(shown[0]), *numbers)))
        blank = [Cell("")] * len(numbers)
        rows += [Row((Cell(""), Cell(text), *blank), detail=True) for text in shown[1:]]
    return Table(tuple(head), tuple(rows))


def lines(result: Changes) -> Lines:
    """A line a segment that changed."""
    deltas = [f"delta {metric}" for metric in result.metrics]
    yield [
        "segment",
        "verdict",
        *deltas,
        "size",
        "p",
        "p_adjusted",
        "source",
        "reference",
        result.old,
        result.new,
    ]
    for c in result.changes:
        numbers = (*c.deltas, c.size, c.p, c.p_adjusted)
        yield [c.segment, c.verdict, *numbers, c.source, c.reference, c.old, c.new]
