"""Kinds of errors that people marked, shown: systems beside each other, the heaviest kinds first."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.display import Cell, Column, Row, Section, Table, brief, visible
from adjudge.human.mqm import ErrorType
from adjudge.human.results import RatingAnalysis
from adjudge.report.render.tsv import spelled, tsv_line
from adjudge.wording import MISSING, number

MOST = 10
"""Kinds of errors that are shown on a screen; -f tsv --table errors has all."""
COLUMNS = ("system", "category", "severity", "count", "rate", "weight")


def error_sections(analysis: RatingAnalysis) -> list[Section]:
    """How often each kind of error was marked in a hundred judgements of each system."""
    if not analysis.errors:
        return []
    systems = [s.system for s in analysis.groups[0].systems]
    kinds: dict[tuple[str, str], float] = {}
    cells: dict[tuple[str, str, str], ErrorType] = {}
    for error in analysis.errors:
        key = error.category, error.severity
        kinds[key] = kinds.get(key, 0.0) + error.weight
        cells[(*key, error.system)] = error
    order = sorted(kinds, key=lambda key: (-kinds[key], key))
    head = [Column("Error"), Column("severity"), *(Column(str(i), True) for i in range(1, len(systems) + 1))]
    rows = []
    for category, severity in order[:MOST]:
        own = [cells.get((category, severity, system)) for system in systems]
        rates = [Cell(MISSING if error is None else number(error.rate, 1)) for error in own]
        rows.append(Row((Cell(brief(category)), Cell(brief(severity)), *rates)))
    names = ", ".join(f"{i} {visible(name)}" for i, name in enumerate(systems, 1))
    notes = [f"Errors in a hundred judgements of each system ({names})."]
    if analysis.facts.weights:
        notes.append(f"What an error weighs: {analysis.facts.weights}.")
    if len(order) > MOST:
        notes.append(f"{len(order) - MOST} more kinds: -f tsv --table errors.")
    return [Section("Errors", (Table(tuple(head), tuple(rows)),), notes=tuple(notes), key="errors")]


def errors_tsv(errors: Sequence[ErrorType]) -> str:
    """A line a kind of error of a system; unrounded."""
    lines = [tsv_line(COLUMNS)]
    lines += [tsv_line([spelled(getattr(error, name)) for name in COLUMNS]) for error in errors]
    return "".join(lines)
