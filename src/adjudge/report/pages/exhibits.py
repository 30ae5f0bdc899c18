"""Charts and tables of a report that can be taken along: as SVG, PNG, CSV and LaTeX, by buttons that a script adds."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudge.charts import Chart, Remarks
from adjudge.display import Cell, Column, Row, Section, Table, note_text, visible
from adjudge.report.charts import NOWHERE, Addresses, chart_html
from adjudge.report.charts.plot import NARROW, WIDE, Plot
from adjudge.report.render.html import html_table
from adjudge.report.render.latex import latex_table
from adjudge.report.render.markup import LINE_BREAK, NEW_LINE, NOTHING, Html, html, prose
from adjudge.wording import number

_UNFIT = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class DossierChart:
    """A drawing with the numbers it is made of."""

    title: str
    key: str
    """What its marks mean, in a line."""
    name: str
    """Of the files that it is exported to."""
    plot: Callable[[int], Plot]
    """From the width it is to have."""
    head: Sequence[str]
    rows: Sequence[Sequence[str | float]]
    """Unrounded, for CSV; the same with some digits for LaTeX."""
    small: bool = False
    """Whether it is as wide everywhere as on a phone, so that several stand beside each other on a desk."""


def chart_figure(chart: DossierChart) -> Html:
    """A figure in one width or in two, of which a page shows the one that fits."""
    widths = {"any": NARROW} if chart.small else {"wide": WIDE, "narrow": NARROW}
    drawings = [
        chart.plot(width).svg(kind=kind, label=visible(f"{chart.title}: {chart.key}"))
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
    """A table that can be exported, as all exhibits can."""
    return exhibit(html_table(table, label=label), name, table)


def exhibit(shown: Html, name: str, table: Table) -> Html:
    """Anything that is drawn with HTML, and the table that says the same in CSV and LaTeX."""
    lines = [[column.heading for column in table.columns]]
    lines += [[cell.text + cell.marks for cell in row.cells] for row in table.rows]
    return html(
        '<div class="exhibit" data-name="{}">{}{}</div>',
        _file_name(name),
        shown,
        _templates(csv_text(lines), latex_table(table)),
    )


def section_blocks(
    kind: str,
    sections: Sequence[Section],
    with_links: Callable[[Section, Table], Table],
    link_of: Callable[[Section, str], str] = lambda section, sentence: "",
    addresses: Callable[[Section], Addresses] = lambda section: NOWHERE,
) -> Html:
    """Sections of another page; all of them can be taken along, and numbers lead to segments."""
    parts = []
    for section in sections:
        title = section.title
        name = f"{kind}-{title or section.key}"
        parts.append(html("<h3>{}</h3>", prose(title)) if title else NOTHING)
        tables = [with_links(section, table) for table in section.tables]
        led = addresses(section)
        parts.append(_drawn(section.charts, led, name, tables))
        parts += (
            [] if section.drawn_instead else [table_block(sheet, name, title or kind) for sheet in tables]
        )
        if section.sentences:
            parts.append(leading_list([(own, link_of(section, own)) for own in section.sentences]))
        parts.append(_drawn(section.below, led, name, tables))
        parts.append(notes_block(section))
    return NEW_LINE.join(part for part in parts if part)


def _drawn(charts: Sequence[Chart], addresses: Addresses, name: str, tables: Sequence[Table]) -> Html:
    """Charts of a section, to be taken along as its first table."""
    shown = NOTHING.join(chart_html(chart, addresses) for chart in charts)
    if not shown or not tables or any(isinstance(chart, Remarks) for chart in charts):
        return shown
    return exhibit(shown, f"{name}-chart", tables[0])


def leading_list(sentences: Sequence[tuple[str, str]], shows: str = "segments") -> Html:
    """Sentences one by one, each with the link that it has, if any."""
    items = []
    for sentence, link in sentences:
        show = html(' <a class="show" href="{}">{}</a>', link, shows) if link else ""
        items.append(html("<li>{}{}</li>", prose(sentence), show))
    return html('<ul class="said">{}</ul>', NOTHING.join(items))


def notes_block(section: Section, *, signatures_too: bool = True) -> Html:
    """What is said below a section, less loud."""
    notes = [note for note in section.notes if signatures_too or isinstance(note, str)]
    if not notes:
        return NOTHING
    inner = NOTHING.join(html("<p>{}</p>", prose(note_text(note))) for note in notes)
    return html('<div class="notes">{}</div>', inner)


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


def _table(chart: DossierChart) -> Table:
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
