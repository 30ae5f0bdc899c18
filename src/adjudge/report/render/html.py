"""Tables and sections as HTML, for pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adjudge.charts import Chart
from adjudge.display import Cell, Column, Row, Section, Table, note_text
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, anchor, html, prose, text
from adjudge.wording import MINUS

HYPHEN = re.compile(r"(?<!\w)-(?=\d)")
"""What stands for a minus."""


def html_table(table: Table, *, label: str = "") -> Html:
    """The table, in a frame that scrolls where a screen is too narrow."""
    head = NOTHING.join(_heading(column) for column in table.columns)
    rows = NOTHING.join(_row(table, row) for row in table.rows)
    named = html(' role="region" aria-label="{}" tabindex="0"', label) if label else ""
    kind = "" if any(column.numeric for column in table.columns) else "words"
    body = html("<thead><tr>{}</tr></thead><tbody>{}</tbody>", head, rows)
    return html('<div class="scroll"{}><table{}>{}</table></div>', named, attributes({"class": kind}), body)


def html_section(section: Section, *, anchor: str = "") -> Html:
    """Heading, charts, tables, sentences and notes."""
    title = section.title
    named = html(' id="{}"', anchor) if anchor else ""
    parts = [html("<h2>{}</h2>", title)] if title else []
    parts += [html("<p>{}</p>", prose(section.lead))] if section.lead else []
    parts += [_charts(section.charts)] if section.charts else []
    if not section.drawn_instead:
        parts += [html_table(table, label=title or "table") for table in section.tables]
    if section.printed is not None:
        parts.append(html_table(section.printed, label=title))
    elif section.sentences:
        parts.append(html_list(section.sentences))
    if section.notes:
        notes = NOTHING.join(html("<p>{}</p>", prose(note_text(note))) for note in section.notes)
        parts.append(html('<div class="notes">{}</div>', notes))
    parts += [_charts(section.below)] if section.below else []
    return html("<section{}>\n", named) + NEW_LINE.join(parts) + html("\n</section>")


def _charts(charts: Sequence[Chart]) -> Html:
    from adjudge.report.charts import chart_html  # late: a chart is made of tables too

    return NOTHING.join(map(chart_html, charts))


def html_list(sentences: Sequence[str], kind: str = "said") -> Html:
    """Sentences one by one."""
    return html(
        '<ul class="{}">{}</ul>',
        kind,
        NOTHING.join(html("<li>{}</li>", prose(sentence)) for sentence in sentences),
    )


def attributes(values: Mapping[str, str]) -> Html:
    """What goes into a tag; those that are empty are left out."""
    return NOTHING.join(html(' {}="{}"', name, value) for name, value in values.items() if value)


def _heading(column: Column) -> Html:
    label = HYPHEN.sub(MINUS, column.label) if column.numeric else column.label
    inner = prose(label) + (html("&nbsp;{}", column.better) if column.better else "")
    return html('<th scope="col"{}>{}</th>', attributes({"class": _column_class(column)}), inner)


def _row(table: Table, row: Row) -> Html:
    classes = " ".join(name for name, wanted in (("rule", row.rule), ("detail", row.detail)) if wanted)
    cells = []
    names = next((i for i, c in enumerate(table.columns) if c.numeric or c.wide), len(table.columns))
    for index, (column, cell) in enumerate(zip(table.columns, row.cells, strict=True)):
        tag, scope = ("th", html(' scope="row"')) if index == names - 1 else ("td", "")
        kind = " ".join(filter(None, (_column_class(column), cell.style)))
        cells.append(
            html("<{}{}{}>{}</{}>", tag, scope, attributes({"class": kind}), _inner(cell, column), tag)
        )
    return html("<tr{}>{}</tr>", attributes({"class": classes}), NOTHING.join(cells))


def _column_class(column: Column) -> str:
    return "number" if column.numeric else "wide" if column.wide else ""


def _inner(cell: Cell, column: Column) -> Html:
    inner = text(HYPHEN.sub(MINUS, cell.text)) if column.numeric else prose(cell.text)
    inner = html("<b>{}</b>", inner) if cell.best else inner
    return anchor(inner, cell.link) + (html("<sup>{}</sup>", cell.marks) if cell.marks else "")
