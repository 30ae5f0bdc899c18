"""Excel's `.xlsx`: the first sheet that holds anything, with a header in its first row."""

from __future__ import annotations

from adjudge.io.cells import from_excel
from adjudge.io.table import Table
from adjudge.io.tsv import table_from


def read(path: str, data: bytes, language: str | None) -> Table:
    """The columns by the words of the header, as in TSV."""
    return table_from(path, from_excel(path, data), language)
