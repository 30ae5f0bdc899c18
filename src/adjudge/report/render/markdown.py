"""Sections and tables in Markdown, as GitHub and most other readers of it show them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adjudge.display import Cell, Section, Signature, Table, visible

# What can start or end markup inside a cell; the rest of Markdown's signs mean something only elsewhere.
MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")

BOLD = ("heading", "loss")
"""Styles of a lead that is bold in Markdown."""


def markdown_of(sections: Sequence[Section]) -> str:
    """For a README, an issue or a paper's appendix."""
    parts = []
    for section in sections:
        parts += [f"**{escape(section.title)}**\n"] if section.title else []
        if section.lead:
            lead = escape(section.lead)
            parts.append(f"**{lead}**\n" if section.style in BOLD else f"{lead}\n")
        parts += [markdown_table(table) for table in section.tables]
        parts += [markdown_table(section.printed)] if section.printed else []
        sentences = "".join(f"- {_markdown_note(note)}\n" for note in section.printed_sentences)
        parts += [sentences] if sentences else []
    return "\n".join(parts)


def _markdown_note(note: str | Signature) -> str:
    if isinstance(note, Signature):
        return f"{escape(note.metric)}: `{note.text}`"
    return escape(note)


def markdown_table(table: Table) -> str:
    """The table with pipes; the best of each column is bold."""
    head = [escape(column.heading) for column in table.columns]
    rules = ["--:" if column.numeric else ":--" for column in table.columns]
    lines = [_line(head), "|" + "|".join(rules) + "|"]
    for row in table.rows:
        cells = [_cell(cell) for cell in row.cells]
        if row.detail:
            cells[table.keys - 1] = f"↳ {cells[table.keys - 1]}"
        lines.append(_line(cells))
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return MARKUP.sub(lambda match: "\\" + match[0], visible(text))


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    marks = f"<sup>{escape(cell.marks)}</sup>" if cell.marks else ""
    return (f"**{text}**" if cell.best else text) + marks


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
