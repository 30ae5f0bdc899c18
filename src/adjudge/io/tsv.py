"""Tab-separated columns under a header line; the file tells whether quotes around cells belong to the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from adjudge.errors import DataError
from adjudge.io.cells import SEPARATORS, Fault, Grid, grid
from adjudge.io.columns import table_of
from adjudge.io.files import lines, shown
from adjudge.io.table import Table
from adjudge.wording import counted


def read(path: str, data: bytes, language: str | None) -> Table:
    """The columns by the words of the header: source, reference, output; every other one is a label."""
    return table_from(path, grid(path, lines(path, data), "\t", wrong_width(path, "\t")), language)


def table_from(path: str, grid: Grid, language: str | None, notes: tuple[str, ...] = ()) -> Table:
    """The table of named columns that cells make."""
    if not grid.lines:
        raise DataError(f"{path} has a header line, but no segment below it")
    first: dict[str, int] = {}
    for at, name in enumerate(grid.head):
        if not name.strip():
            raise DataError(f"{path}, line 1: column {at + 1} has no name; the first line names the columns")
        if first.setdefault(name, at) != at:
            raise DataError(f"{path}, line 1: two columns are called {name!r}")
    columns = dict(zip(grid.head, grid.columns(), strict=True))
    table = table_of(path, columns, language, first_line=grid.lines[0])
    return replace(table, notes=(*notes, *grid.notes, *table.notes))


def column_blocks(path: str, blocks: Iterable[bytes], column: str) -> Iterator[tuple[str, ...]]:
    """The cells of a column, of a file that comes in blocks of lines; quotes, which need all of it, are refused."""
    head: list[str] = []
    fault, before = wrong_width(path, "\t"), 0
    for data in blocks:
        rows = lines(path, data, before=before)
        if any(row.startswith('"') or '\t"' in row for row in rows):
            raise DataError(
                f"{shown(path)}: whether quotes around cells belong to them is seen from the whole file, which "
                "--stream never has: write it without them, or as Parquet"
            )
        cells = [row.split("\t") for row in rows]
        head = head or [name.strip() for name in cells[0]]
        for number, row in enumerate(cells, before + 1):
            if len(row) != len(head):
                raise fault(number, len(row), head)
        place = head.index(column)
        yield tuple(row[place] for row in cells[0 if before else 1 :])
        before += len(rows)


def wrong_width(path: str, separator: str) -> Fault:
    """The error for a line with another number of cells than the header."""

    def fault(line: int, cells: int, head: Sequence[str]) -> DataError:
        return DataError(
            f"{shown(path)}, line {line}: {counted(cells, 'column')}, but the header names {len(head)} "
            f"({', '.join(head)}); "
            f"{SEPARATORS[separator]} separate columns, and quotes protect them only where they begin and end a cell"
        )

    return fault
