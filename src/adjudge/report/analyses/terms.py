"""Terms of a glossary, shown: how often they are kept, how alike, and which are missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.analysis.terms import REFERENCE, TermResult
from adjudge.display import UP, Bar, Cell, Column, Row, Section, Table, around, visible
from adjudge.report.charts.intervals import intervals
from adjudge.report.render.analysis_forms import Lines, analysis_forms, design_notes, facts
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.stats.design import units_of
from adjudge.wording import MISSING, counted, listed, number, p_number, percent, signed

if TYPE_CHECKING:
    from adjudge.io import Input

SHOWN = 5


def forms(result: TermResult, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Terms in every format."""
    return analysis_forms(
        f"Terms of {counted(len(result.systems), 'text')}",
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
        about=f"{counted(result.terms, 'term')}, {result.seen:,} of them in the source",
    )


def sections(result: TermResult) -> list[Section]:
    """Rates with what they are of, and the terms that are missed."""
    head = (
        Column("System"),
        Column("kept", True, UP),
        Column("of", True),
        Column("Δ", True),
        Column("p", True, joined=True),
        Column("kept where the reference does", True, UP),
        Column("always alike", True, UP),
    )
    rows = []
    for own in result.systems:
        style = ("win" if own.delta > 0 else "loss") if own.significant else ""
        confirmed = f"{number(own.confirmed_rate, 1)} ({own.confirmed_kept:,}/{own.confirmed_of:,})"
        alike = (
            f"{100 * own.consistent / own.consistent_of:.1f} ({own.consistent:,}/{own.consistent_of:,})"
            if own.consistent_of
            else MISSING
        )
        cells = [
            Cell(visible(own.system)),
            Cell(around(own.rate, own.low, own.high, 1)),
            Cell(f"{own.kept:,}/{own.of:,}"),
            Cell(signed(own.delta, 1), style=style),
            Cell(p_number(own.p_adjusted, result.alpha)),
            Cell(confirmed if own.confirmed_of else MISSING),
            Cell(alike),
        ]
        rows.append(Row(tuple(cells), rule=own.system == REFERENCE))
    notes = (
        f"{counted(result.terms, 'term')} in the glossary, {result.seen:,} of them in the source; a term counts once a "
        "segment. What the reference does not keep, a good translation need not keep either. always alike: of the "
        "terms that came more than once, how often with their usual translation.",
        f"Differences to {visible(result.systems[0].system)}: tested by turning signs of "
        f"{units_of(result.design.unit)}, p corrected after Holm.",
        *design_notes(result.design),
    )
    parts = [Section("Terms kept, in percent", (Table(head, tuple(rows)),), key="terms")]
    missed = _missed(result)
    parts += [Section("Terms missed most often", (missed,))] if missed.rows else []
    return [*parts, Section(notes=notes)]


def _missed(result: TermResult) -> Table:
    rows = []
    for own in result.systems:
        if own.system == REFERENCE:
            continue
        for term in own.missed[:SHOWN]:
            places = listed([str(place) for place in term.segments], SHOWN)
            texts = (own.system, term.term, " | ".join(term.wanted), f"{term.missed}/{term.of}", places)
            rows.append(Row(tuple(Cell(visible(text)) for text in texts)))
    head = ("System", "Term", "wanted", "missed", "in segments")
    return Table(tuple(map(Column, head)), tuple(rows))


def drawings(result: TermResult) -> Mapping[str, Drawing]:
    """The rates."""
    bars = [
        Bar(visible(own.system), own.rate, own.low, own.high, None, number(own.rate, 1))
        for own in result.systems
    ]
    return {
        "terms": Drawing(
            intervals(bars, label="Terms kept", better=UP, interval=f"{percent(1 - result.alpha)} interval")
        )
    }


def lines(result: TermResult) -> Lines:
    """A line a system and term that it missed."""
    yield ["system", "term", "wanted", "missed", "of", "segments"]
    for own in result.systems:
        for term in own.missed:
            places = " ".join(map(str, term.segments))
            yield [own.system, term.term, "|".join(term.wanted), term.missed, term.of, places]
