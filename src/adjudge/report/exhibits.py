"""Charts and tables of a report that can be taken along: as SVG, PNG, CSV and LaTeX, by buttons that a script adds."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudge.report.html import html_table
from adjudge.report.latex import latex_table
from adjudge.report.markup import LINE_BREAK, NOTHING, Html, html, prose
from adjudge.report.table import Cell, Column, Row, Table, visible
from adjudge.report.vega import NARROW, WIDE, Specification, svg_of
from adjudge.wording import number

_UNFIT = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Chart:
    """A drawing with the numbers it is made of."""

    title: str
    key: str
    """What its marks mean, in a line."""
    name: str
    """Of the files that it is exported to."""
    specification: Callable[[int], Specification]
    """From the width it is to have."""
    head: Sequence[str]
    rows: Sequence[Sequence[str | float]]
    """Unrounded, for CSV; the same with some digits for LaTeX."""
    small: bool = False
    """Whether it is as wide everywhere as on a phone, so that several stand beside each other on a desk."""


def chart_figure(chart: Chart) -> Html:
    """A figure in one width or in two, of which a page shows the one that fits."""
    widths = {"any": NARROW} if chart.small else {"wide": WIDE, "narrow": NARROW}
    drawings = [
        svg_of(chart.specification(width), kind=kind, label=visible(f"{chart.title}: {chart.key}"))
        for kind, width in widths.items()
    ]
    return html(
        '<figure class="chart exhibit" data-name="{}"><figcaption>{} <span class="soft">{}</span></figcaption>{}{}'
        "</figure>",
        _file_name(chart.name),
        prose(chart.title),
        prose(chart.key),
        NOTHING.join(drawings),
        _templates(csv_text([chart.head, *chart.rows]), latex_table(_table(chart))),
    )


def table_block(table: Table, name: str, label: str) -> Html:
    """A table that can be exported as CSV and LaTeX."""
    lines = [[column.heading for column in table.columns]]
    lines += [[cell.text + cell.marks for cell in row.cells] for row in table.rows]
    return html(
        '<div class="exhibit" data-name="{}">{}{}</div>',
        _file_name(name),
        html_table(table, label=label),
        _templates(csv_text(lines), latex_table(table)),
    )


def csv_text(lines: Sequence[Sequence[str | float]]) -> str:
    """Lines for a spreadsheet; what such a program would take for a formula is a text there too."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(
        [[_harmless(cell) if isinstance(cell, str) else repr(cell) for cell in line] for line in lines]
    )
    return out.getvalue()


def _harmless(cell: str) -> str:
    """A cell that begins like a formula has an apostrophe before it, but for plain numbers."""
    text = visible(cell).strip()
    if text[:1] in "=@|" or (text[:1] in "+-" and not re.fullmatch(r"[+-][\d.,]+%?", text)):
        return f"'{text}"
    return text


def _templates(sheet: str, latex: str) -> Html:
    """Texts that the script offers as files; in a template they are neither shown nor run."""
    return html(
        '<template class="csv">{}</template><template class="latex">{}</template>',
        _lines(sheet),
        _lines(latex),
    )


def _lines(text: str) -> Html:
    """Text of several lines, each escaped as all text is."""
    return LINE_BREAK.join(line.rstrip("\r") for line in text.split("\n"))


def _table(chart: Chart) -> Table:
    numeric = [
        any(isinstance(row[place], float | int) for row in chart.rows) for place in range(len(chart.head))
    ]
    columns = tuple(Column(name, is_number) for name, is_number in zip(chart.head, numeric, strict=True))
    rows = tuple(
        Row(tuple(Cell(visible(cell) if isinstance(cell, str) else number(cell, 2)) for cell in row))
        for row in chart.rows
    )
    return Table(columns, rows)


def _file_name(name: str) -> str:
    return _UNFIT.sub("-", visible(name)).strip("-.").lower()[:60] or "adjudge"
