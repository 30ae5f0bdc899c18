"""CSV: columns parted by commas, semicolons, tabs or bars under a header line; cells may stand in quotes."""

from __future__ import annotations

from adjudge.io.cells import SEPARATORS, grid, separator_of
from adjudge.io.files import lines, shown
from adjudge.io.table import Table
from adjudge.io.tsv import table_from, wrong_width


def read(path: str, data: bytes, language: str | None) -> Table:
    """The columns by the words of the header, as in TSV; a sign that is no comma is told."""
    rows = lines(path, data)
    separator = separator_of(rows[0])
    while len(rows) > 1 and separator in rows[0] and not rows[-1]:
        rows.pop()
    content = grid(path, rows, separator, wrong_width(path, separator), is_csv=True)
    note = f"{shown(path)}: read as CSV whose columns are parted by {SEPARATORS[separator]}"
    return table_from(path, content, language, () if separator == "," else (note,))
