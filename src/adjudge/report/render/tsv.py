"""Tab-separated values: a header line, no quotes; what would break a line or command a terminal is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from adjudge.display import Data

ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
ESCAPES |= {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in ESCAPES}


def tsv_line(cells: Sequence[str]) -> str:
    """The cells as one line."""
    return "\t".join(cell.translate(ESCAPES) for cell in cells) + "\n"


def tsv_text(data: Data) -> str:
    """A table of data: its head and its rows, numbers unrounded."""
    return "".join(tsv_lines(data.head, data.rows))


def tsv_lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table line by line, for rows that are more than memory holds."""
    yield tsv_line(head)
    for row in rows:
        yield tsv_line([format_cell(cell) for cell in row])


def format_cell(value: object) -> str:
    """A value as a cell: unrounded, empty where there is none."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value)
