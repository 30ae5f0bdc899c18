"""Tables in Markdown, as GitHub and most other readers of it show them."""

from __future__ import annotations

import re

from adjudge.display import Cell, Table, visible

# What can start or end markup inside a cell; the rest of Markdown's signs mean something only elsewhere.
MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")


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
