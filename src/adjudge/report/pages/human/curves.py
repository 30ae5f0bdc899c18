"""Agreement as judges warm up, and as those who agree least are sent away, shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from adjudge.comparison.documents import plain
from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.human.curves import AgreementPoint
from adjudge.report.charts.intervals import curve
from adjudge.report.render.html import Drawing, html_table
from adjudge.report.render.markup import html
from adjudge.wording import MISSING, number

WITHOUT_FIRST = "Agreement without everyone's first judgements"
WITHOUT_LEAST = "Agreement without the annotators who agree least"
LONGEST = 20
"""A bar of agreement 1."""


def sections(first: Sequence[AgreementPoint], least: Sequence[AgreementPoint]) -> list[Section]:
    """Two tables, each with a small picture beside its numbers."""
    return [
        Section(WITHOUT_FIRST, (_table("first dropped", first),), key="without first"),
        Section(WITHOUT_LEAST, (_table("annotators dropped", least),), key="without least"),
    ]


def drawings(first: Sequence[AgreementPoint], least: Sequence[AgreementPoint]) -> dict[str, Drawing]:
    """For a page: a line each, with the numbers below."""
    by_key = {}
    for key, points, what in (
        ("without first", first, "first judgements of everyone dropped"),
        ("without least", least, "annotators dropped"),
    ):
        places = [(p.dropped, p.agreement.value, p.agreement.low, p.agreement.high) for p in points]
        numbers = html_table(_table("dropped", points, bars=False), label=what)
        by_key[key] = Drawing(
            curve(places, caption="agreement", across=f"across: {what}"),
            for_tables=True,
            below=html("<details><summary>The same in numbers</summary>{}</details>", numbers),
        )
    return by_key


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
