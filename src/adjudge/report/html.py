"""Tables and sections as HTML, for pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.report.page import prose, text
from adjudge.report.sections import Section, note_text
from adjudge.report.table import Cell, Column, Row, Table


@dataclass(frozen=True)
class Drawing:
    """HTML that shows a section on a page, beside its tables and sentences or in their place."""

    html: str
    title: str = ""
    """In place of the section's own."""
    for_tables: bool = False
    for_sentences: bool = False
    for_note: str = ""
    """A note of the section that does not fit what is drawn."""
    below: str = ""
    """More HTML, for the section's end."""


NO_DRAWING = Drawing("")
HYPHEN = re.compile(r"(?<!\w)-(?=\d)")
"""What stands for a minus."""


def html_table(table: Table, *, label: str = "") -> str:
    """The table, in a frame that scrolls where a screen is too narrow."""
    head = "".join(_heading(column) for column in table.columns)
    rows = "".join(_row(table, row) for row in table.rows)
    named = f' role="region" aria-label="{text(label)}" tabindex="0"' if label else ""
    kind = "" if any(column.numeric for column in table.columns) else "words"
    body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f'<div class="scroll"{named}><table{attributes({"class": kind})}>{body}</table></div>'


def html_section(section: Section, drawing: Drawing = NO_DRAWING, *, anchor: str = "") -> str:
    """Heading, drawing, tables, sentences and notes."""
    named = f' id="{anchor}"' if anchor else ""
    title = drawing.title or section.title
    parts = [f"<h2>{text(title)}</h2>"] if title else []
    parts += [f"<p>{prose(section.lead)}</p>"] if section.lead else []
    parts += [drawing.html] if drawing.html else []
    if not drawing.for_tables:
        parts += [html_table(table, label=title or "table") for table in section.tables]
    if section.printed is not None:
        parts.append(html_table(section.printed, label=title))
    elif section.sentences and not drawing.for_sentences:
        parts.append(html_list(section.sentences))
    notes = [note for note in section.notes if note != drawing.for_note]
    if notes:
        parts.append(
            f'<div class="notes">{"".join(f"<p>{prose(note_text(note))}</p>" for note in notes)}</div>'
        )
    parts += [drawing.below] if drawing.below else []
    return f"<section{named}>\n" + "\n".join(parts) + "\n</section>"


def html_list(sentences: Sequence[str], kind: str = "said") -> str:
    """Sentences one by one."""
    return f'<ul class="{kind}">{"".join(f"<li>{prose(sentence)}</li>" for sentence in sentences)}</ul>'


def attributes(values: Mapping[str, str]) -> str:
    """What goes into a tag; those that are empty are left out."""
    return "".join(f' {name}="{text(value)}"' for name, value in values.items() if value)


def _heading(column: Column) -> str:
    inner = prose(column.label) + (f"&nbsp;{column.better}" if column.better else "")
    return f'<th scope="col"{attributes({"class": _column_class(column)})}>{inner}</th>'


def _row(table: Table, row: Row) -> str:
    classes = " ".join(name for name, wanted in (("rule", row.rule), ("detail", row.detail)) if wanted)
    cells = []
    names = next((i for i, c in enumerate(table.columns) if c.numeric or c.wide), len(table.columns))
    for index, (column, cell) in enumerate(zip(table.columns, row.cells, strict=True)):
        tag, scope = ("th", ' scope="row"') if index == names - 1 else ("td", "")
        kind = " ".join(filter(None, (_column_class(column), cell.style)))
        cells.append(f"<{tag}{scope}{attributes({'class': kind})}>{_inner(cell, column)}</{tag}>")
    return f"<tr{attributes({'class': classes})}>{''.join(cells)}</tr>"


def _column_class(column: Column) -> str:
    return "number" if column.numeric else "wide" if column.wide else ""


def _inner(cell: Cell, column: Column) -> str:
    inner = text(HYPHEN.sub("−", cell.text)) if column.numeric else prose(cell.text)
    inner = f"<b>{inner}</b>" if cell.best else inner
    return inner + (f"<sup>{text(cell.marks)}</sup>" if cell.marks else "")
