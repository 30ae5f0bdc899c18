"""Tab-separated columns under a header line; a quote is a character like any other."""

from __future__ import annotations

from adjudge.errors import DataError
from adjudge.io.columns import table_of
from adjudge.io.files import lines
from adjudge.io.table import Column, Table

_SEPARATORS = {"\t": "tabs", ",": "commas", " ": "spaces"}
_BLOCK = 4096  # rows split at once; a list a row would cost a million lists


def read(path: str, data: bytes, language: str | None) -> Table:
    """The columns by the words of the header: source, reference, output; every other one is a label."""
    return table_of(path, columns_of(path, data), language, first_line=2)


def columns_of(path: str, data: bytes, separator: str = "\t") -> dict[str, Column]:
    """The cells below each name of the header."""
    header, *rows = lines(path, data)
    names = header.split(separator)
    if not rows:
        raise DataError(f"{path} has a header line, but no segment below it")
    for at, name in enumerate(names):
        if not name.strip():
            raise DataError(f"{path}, line 1: column {at + 1} has no name; the first line names the columns")
        if names.index(name) != at:
            raise DataError(f"{path}, line 1: two columns are called {name!r}")
    for number, row in enumerate(rows, 2):
        if row.count(separator) != len(names) - 1:
            found = row.count(separator) + 1
            raise DataError(
                f"{path}, line {number}: {found} columns, but the header names {len(names)} "
                f"({', '.join(names)}); {_SEPARATORS[separator]} separate columns, quotes do not protect them"
            )
    cells: list[str] = []
    for start in range(0, len(rows), _BLOCK):
        cells += separator.join(rows[start : start + _BLOCK]).split(separator)
    return {name: tuple(cells[at :: len(names)]) for at, name in enumerate(names)}
