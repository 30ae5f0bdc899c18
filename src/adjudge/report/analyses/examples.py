"""Segments to look at, shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.analysis.examples import ExampleList, Examples
from adjudge.display import Cell, Column, Row, Section, Signature, Table, arrow, visible
from adjudge.report.render.analysis_forms import Lines, analysis_forms, facts
from adjudge.report.render.formats import Forms
from adjudge.wording import number, signed

if TYPE_CHECKING:
    from adjudge.io import Input


def forms(result: Examples, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Examples in every format."""
    return analysis_forms(
        f"Segments by the largest differences of {visible(result.metric)}",
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
    )


def sections(result: Examples) -> list[Section]:
    """A table a reason."""
    parts = [
        Section(_title(result, own), (_table(result, own),), key=f"examples {own.why} {own.system}".rstrip())
        for own in result.lists
        if own.examples
    ]
    note = (
        "Chosen by what is largest: such segments show what differences look like, not how large they usually are. "
        "A segment whose texts are those of one before is left out."
    )
    return [*parts, Section(notes=(note, Signature(result.metric, result.signature)), key="notes")]


def _title(result: Examples, own: ExampleList) -> str:
    first = visible(result.systems[0])
    return {
        "better": f"{visible(own.system)} is furthest ahead of {first}",
        "worse": f"{visible(own.system)} is furthest behind {first}",
        "low": "All systems fare badly" if len(result.systems) > 1 else f"{first} fares badly",
        "high": "All systems fare well" if len(result.systems) > 1 else f"{first} fares well",
    }[own.why]


def _table(result: Examples, own: ExampleList) -> Table:
    metric = visible(result.metric)
    head = [Column("Segment"), Column("Text"), Column(metric, True, arrow(result.higher_is_better))]
    head += [Column("Δ", True, joined=True)] if own.system else []
    blank = [Cell("")] * bool(own.system)
    rows = []
    for example in own.examples:
        texts = [
            (name, text, score)
            for name, text, score in zip(result.systems, example.outputs, example.scores, strict=True)
            if not own.system or name in (result.systems[0], own.system)
        ]
        for place, (name, text, score) in enumerate(texts):
            delta = [Cell(signed(example.delta, result.decimals))] if own.system and place else blank
            cells = (
                Cell(str(example.segment) if not place else ""),
                Cell(f"{visible(name)}: {visible(text)}"),
            )
            rows.append(Row((*cells, Cell(number(score, result.decimals)), *delta), detail=place > 0))
        for name, text in (("reference", example.reference), ("source", example.source)):
            if text:
                rows.append(Row((Cell(""), Cell(f"{name}: {visible(text)}"), Cell(""), *blank), detail=True))
    return Table(tuple(head), tuple(rows))


def lines(result: Examples) -> Lines:
    """A line an example."""
    scores = [f"{result.metric} {name}" for name in result.systems]
    yield ["why", "system", "segment", "delta", *scores, "source", "reference", *result.systems]
    for own in result.lists:
        for e in own.examples:
            yield [own.why, own.system, e.segment, e.delta, *e.scores, e.source, e.reference, *e.outputs]
