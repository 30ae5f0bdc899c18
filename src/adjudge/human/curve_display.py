"""Agreement as judges warm up, and as those who agree least are sent away, shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.charts import CurveChart, Folded
from adjudge.comparison.documents import plain
from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.human.curves import AgreementPoint
from adjudge.wording import MISSING, number

WITHOUT_FIRST = "Agreement without everyone's first judgements"
WITHOUT_LEAST = "Agreement without the annotators who agree least"
LONGEST = 20
"""A bar of agreement 1."""


def sections(first: Sequence[AgreementPoint], least: Sequence[AgreementPoint]) -> list[Section]:
    """Two tables, each with a small picture beside its numbers; on pages a line each, with the numbers below."""
    return [
        _section(WITHOUT_FIRST, "first dropped", first, "first judgements of everyone dropped"),
        _section(WITHOUT_LEAST, "annotators dropped", least, "annotators dropped"),
    ]


def _section(title: str, head: str, points: Sequence[AgreementPoint], what: str) -> Section:
    places = [(p.dropped, p.agreement.value, p.agreement.low, p.agreement.high) for p in points]
    numbers = Folded("The same in numbers", _table("dropped", points, bars=False), label=what)
    return Section(
        title,
        (_table(head, points),),
        charts=(CurveChart(places, "agreement", f"across: {what}"),),
        drawn_instead=True,
        below=(numbers,),
    )


def _table(what: str, points: Sequence[AgreementPoint], *, bars: bool = True) -> Table:
    head = [Column(what, True), Column("agreement", True)]
    head += [Column("", True, joined=True)] if bars else []
    head += [Column("judgements", True), Column("annotators", True)]
    rows = []
    for point in points:
        value = point.agreement.value
        cells = [f"{point.dropped:,}", MISSING if value is None else number(value, 3)]
        if bars:
            cells.append(_bar(value))
        cells += [f"{point.judgements:,}", f"{point.annotators:,}"]
        rows.append(Row(tuple(map(Cell, cells))))
    return Table(tuple(head), tuple(rows))


def _bar(value: float | None) -> str:
    halves = round(2 * LONGEST * max(0.0, min(1.0, value or 0.0)))
    return ("█" * (halves // 2) + "▌" * (halves % 2)).ljust(LONGEST)


def document(first: Sequence[AgreementPoint], least: Sequence[AgreementPoint]) -> dict[str, Any]:
    """For JSON."""
    return {
        "without_first": [plain(asdict(point)) for point in first],
        "without_least": [plain(asdict(point)) for point in least],
    }
