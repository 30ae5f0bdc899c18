"""Agreement as judges warm up, and as those who agree least are sent away, shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.human.curves import Point
from adjudge.report.annotators import plain
from adjudge.report.sections import Section
from adjudge.report.table import MISSING, Cell, Column, Row, Table, number

BARS = " ▁▂▃▄▅▆▇█"


def sections(first: Sequence[Point], least: Sequence[Point]) -> list[Section]:
    """Two tables, each with a small picture beside its numbers."""
    return [
        Section("Agreement without everyone's first judgements", (_table("first dropped", first),)),
        Section("Agreement without the annotators who agree least", (_table("annotators dropped", least),)),
    ]


def _table(what: str, points: Sequence[Point]) -> Table:
    head = (
        Column(what, True),
        Column("agreement", True),
        Column("", True, joined=True),
        Column("judgements", True),
        Column("annotators", True),
    )
    rows = []
    for point in points:
        value = point.agreement.value
        bar = MISSING if value is None else BARS[round(max(0.0, min(1.0, value)) * 8)] * 4
        rows.append(
            Row(
                (
                    Cell(f"{point.dropped:,}"),
                    Cell(MISSING if value is None else number(value, 3)),
                    Cell(bar),
                    Cell(f"{point.judgements:,}"),
                    Cell(f"{point.annotators:,}"),
                )
            )
        )
    return Table(head, tuple(rows))


def document(first: Sequence[Point], least: Sequence[Point]) -> dict[str, Any]:
    """For JSON."""
    return {
        "without_first": [plain(asdict(point)) for point in first],
        "without_least": [plain(asdict(point)) for point in least],
    }
