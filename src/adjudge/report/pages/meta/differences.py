"""What differences are worth, shown: how often people agree with a difference of some size, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.data.difference_tables import ANY, DifferenceCurve, DifferenceTables
from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.io.difference_tables import document as file_document
from adjudge.report.charts.intervals import curve as drawn_curve
from adjudge.report.render.formats import Renderer
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html
from adjudge.report.render.section_page import section_page
from adjudge.report.render.tsv import tsv_line
from adjudge.wording import number, percent, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input


def renderer(tables: DifferenceTables, *, version: str, inputs: Sequence[Input] = ()) -> Renderer:
    """Curves in every format."""
    return Renderer(
        lambda: sections(tables),
        lambda: _document(tables, version, inputs),
        tsv=lambda: as_tsv(tables),
        html=lambda: _page(tables, version, inputs),
    )


def _document(tables: DifferenceTables, version: str, inputs: Sequence[Input]) -> dict[str, Any]:
    return {**file_document(tables), "version": version, "inputs": [asdict(item) for item in inputs]}


def sections(tables: DifferenceTables) -> list[Section]:
    """A table a curve, and where all of it comes from."""
    return [*(_section(tables, curve) for curve in tables.curves), _provenance(tables)]


def title_of(curve: DifferenceCurve) -> str:
    """A curve's metric and languages."""
    return curve.metric if curve.family == ANY else f"{curve.metric}, into {languages_of(curve.family)}"


def languages_of(family: str) -> str:
    """A family of languages in words."""
    return "English" if family == "english" else f"{family.title()} languages"


def as_tsv(tables: DifferenceTables) -> str:
    """A line a point."""
    lines = [tsv_line(["metric", "family", "delta", "agreement", "low", "high", "pairs"])]
    for curve in tables.curves:
        points = curve.points
        for values in zip(points.delta, points.agreement, points.low, points.high, points.pairs, strict=True):
            lines.append(tsv_line([curve.metric, curve.family, *(f"{value:g}" for value in values)]))
    return "".join(lines)


def _section(tables: DifferenceTables, curve: DifferenceCurve) -> Section:
    columns = ("difference", "people agree", "low", "high", "pairs")
    points = curve.points
    rows = []
    for delta, *shares, pairs in zip(
        points.delta, points.agreement, points.low, points.high, points.pairs, strict=True
    ):
        cells = [number(delta, 3, kind="g"), *(f"{100 * share:.0f} %" for share in shares), f"{pairs:,}"]
        rows.append(Row(tuple(map(Cell, cells))))
    where = f"{pluralise(curve.systems, 'system')} in {pluralise(curve.test_sets, 'test set')}"
    note = f"{pluralise(curve.pairs, 'pair')} of {where}; the curve is fitted."
    if curve.like:
        note += f" It is the curve of {curve.like}, in proportion."
    return Section(
        title_of(curve),
        (Table(tuple(Column(name, True) for name in columns), tuple(rows)),),
        notes=(note,),
        key=title_of(curve),
    )


def _provenance(tables: DifferenceTables) -> Section:
    columns = (
        Column("Test set"),
        Column("Year", True),
        Column("Language"),
        Column("Protocol"),
        Column("Systems", True),
        Column("Pairs", True),
    )
    rows = []
    for own in tables.test_sets:
        year = "" if own.year is None else str(own.year)
        counts = (f"{own.systems:,}", f"{own.pairs:,}")
        rows.append(Row(tuple(map(Cell, (own.test_set, year, own.language, own.protocol, *counts)))))
    note = (
        "A hierarchical model over test sets and years; the curve is that of a new test set of the last year, and "
        f"{percent(tables.confidence)} of the curves of new test sets lie between low and high."
    )
    return Section("Where it comes from", (Table(columns, tuple(rows)),), notes=(note,), key="provenance")


def _page(tables: DifferenceTables, version: str, inputs: Sequence[Input]) -> Html:
    drawings = {}
    for curve in tables.curves:
        points = curve.points
        places = [
            (float(delta), 100 * float(share), 100 * float(low), 100 * float(high))
            for delta, share, low, high in zip(
                points.delta, points.agreement, points.low, points.high, strict=True
            )
        ]
        caption = f"{title_of(curve)}: people agree, in %"
        drawings[title_of(curve)] = Drawing(drawn_curve(places, caption=caption, across="across: difference"))
    about = f"{tables.name}: {pluralise(len(tables.test_sets), 'test set')}"
    return section_page(
        "What differences are worth", about, sections(tables), drawings, version=version, inputs=inputs
    )
