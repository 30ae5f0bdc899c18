"""Faults that need no judge, shown: rates beside the reference's own, what differs, and where to look."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.analysis.faults import REFERENCE, Faults, SystemFault
from adjudge.display import DOWN, Bar, Cell, Column, Row, Section, Table, brief, visible
from adjudge.report.charts.intervals import intervals
from adjudge.report.render.analysis_forms import Lines, analysis_forms, design_notes, facts
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING
from adjudge.stats.design import units_of
from adjudge.wording import MISSING, counted, family, number, p_text, percent, signed

if TYPE_CHECKING:
    from adjudge.io import Input

EXAMPLES = 2


def forms(result: Faults, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Faults in every format."""
    return analysis_forms(
        f"Faults of {counted(len(result.systems), 'system')}",
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
        about=counted(result.segments, "segment"),
    )


def sections(result: Faults) -> list[Section]:
    """Rates, differences in words, and examples."""
    notes = (
        "Each in percent of what stands under “of”. What the reference seems to get wrong, as numbers written in "
        "words or names that stay as they are, is what this way of looking mistakes for a fault.",
        f"Differences to {visible(result.systems[0])}: tested by turning signs of {units_of(result.design.unit)}, "
        f"p corrected after Holm over {family(result.family, 'them')}.",
        *design_notes(result.design),
    )
    return [
        Section("Faults, in percent", (_rates(result),), tuple(_sentences(result)), key="rates"),
        Section("Where to look", (_examples(result),)) if _has_examples(result) else Section(),
        Section(notes=notes),
    ]


def _rates(result: Faults) -> Table:
    names = [s.system for s in result.kinds[0].systems]
    head = [Column("Fault"), Column("which is"), Column("of")]
    head += [Column(visible(name), True, DOWN) for name in names]
    rows = []
    for kind in result.kinds:
        known = [s.rate for s in kind.systems if s.system != REFERENCE and math.isfinite(s.rate)]
        best = min(known, default=math.nan)
        cells = [
            Cell(_rate(own), own.system != REFERENCE and own.rate == best and len(set(known)) > 1)
            for own in kind.systems
        ]
        rows.append(Row((Cell(kind.name), Cell(kind.meaning), Cell(kind.of), *cells)))
    return Table(tuple(head), tuple(rows))


def _rate(own: SystemFault) -> str:
    return f"{number(own.rate, 1)} ({own.faults:,}/{own.of:,})" if own.of else MISSING


def _sentences(result: Faults) -> list[str]:
    first = visible(result.systems[0])
    return [
        f"{visible(own.system)}: {'fewer' if own.delta < 0 else 'more'} {kind.name} than {first} "
        f"({signed(own.delta, 1)}, {p_text(own.p_adjusted, result.alpha)})."
        for kind in result.kinds
        for own in kind.systems
        if own.significant
    ]


def _has_examples(result: Faults) -> bool:
    return any(own.examples for kind in result.kinds for own in kind.systems if own.system != REFERENCE)


def _examples(result: Faults) -> Table:
    rows = []
    for kind in result.kinds:
        for own in kind.systems:
            if own.system == REFERENCE:
                continue
            for example in own.examples[:EXAMPLES]:
                what = brief(", ".join(example.what))
                cells = (kind.name, visible(own.system), str(example.segment), what)
                rows.append(Row(tuple(map(Cell, cells))))
    return Table((Column("Fault"), Column("System"), Column("Segment"), Column("What")), tuple(rows))


def drawings(result: Faults) -> Mapping[str, Drawing]:
    """A figure a kind that anybody has."""
    figures = [
        intervals(
            [
                Bar(visible(s.system), s.rate, s.low, s.high, None, number(s.rate, 1))
                for s in kind.systems
                if math.isfinite(s.rate)
            ],
            label=kind.name,
            better=DOWN,
            interval=f"{percent(1 - result.alpha)} interval",
        )
        for kind in result.kinds
        if any(s.faults for s in kind.systems)
    ]
    return {"rates": Drawing(NOTHING.join(figures))}


def lines(result: Faults) -> Lines:
    """A line a kind and text."""
    yield ["fault", "system", "faults", "of", "rate", "low", "high", "segments", "delta", "p", "p_adjusted"]
    for kind in result.kinds:
        for own in kind.systems:
            numbers = (own.rate, own.low, own.high, own.segments, own.delta, own.p, own.p_adjusted)
            yield [kind.name, own.system, own.faults, own.of, *numbers]
