"""Tables of texts under a header: TSV, CSV, Excel and Parquet.

In TSV the file tells whether quotes around cells belong to the text; CSV is separated by commas, semicolons, tabs or
bars; of Excel's book the first sheet that holds anything is read; Parquet is read whole or a block of rows at a time.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import IO, Any

from adjudge.errors import DataError, MissingExtraError
from adjudge.io.cells import SEPARATORS, CellGrid, Fault, from_excel, grid, separator_of
from adjudge.io.columns import table_of
from adjudge.io.files import lines, shown
from adjudge.io.table import Column, TextTable
from adjudge.wording import pluralise


def read_tsv(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by the words of the header: source, reference, output; every other one is a label."""
    return table_from(path, grid(path, lines(path, data), "\t", wrong_width(path, "\t")), language)


def table_from(path: str, grid: CellGrid, language: str | None, notes: tuple[str, ...] = ()) -> TextTable:
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
            f"{shown(path)}, line {line}: {pluralise(cells, 'column')}, but the header names {len(head)} "
            f"({', '.join(head)}); "
            f"{SEPARATORS[separator]} separate columns, and quotes protect them only where they begin and end a cell"
        )

    return fault


def read_csv(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by the words of the header, as in TSV; a sign that is no comma is told."""
    rows = lines(path, data)
    separator = separator_of(rows[0])
    while len(rows) > 1 and separator in rows[0] and not rows[-1]:
        rows.pop()
    content = grid(path, rows, separator, wrong_width(path, separator), is_csv=True)
    note = f"{shown(path)}: read as CSV whose columns are parted by {SEPARATORS[separator]}"
    return table_from(path, content, language, () if separator == "," else (note,))


def read_excel(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by the words of the header, as in TSV."""
    return table_from(path, from_excel(path, data), language)


def read_parquet(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by their names; those that hold no text are labels."""
    file = open_parquet(path, io.BytesIO(data))
    return _parquet_table(path, file.read(), language)


def parquet_head(path: str, file: IO[bytes], rows: int, language: str | None) -> TextTable:
    """The columns of the first rows of a Parquet file."""
    own = open_parquet(path, file)
    batch = next(own.iter_batches(batch_size=rows), None)
    if batch is None:
        raise DataError(f"{path} is empty: no segment in it")
    return _parquet_table(path, batch, language)


def parquet_column_blocks(path: str, file: IO[bytes], column: str, rows: int) -> Iterator[Column]:
    """The values of a column, so many at a time; the last ones may be fewer."""
    own = open_parquet(path, file)
    pending: list[str | None] = []
    for batch in own.iter_batches(batch_size=rows, columns=[column]):
        pending += _texts(batch.column(0).to_pylist())
        while len(pending) >= rows:
            yield tuple(pending[:rows])
            del pending[:rows]
    if pending:
        yield tuple(pending)


def open_parquet(path: str, file: IO[bytes]) -> Any:
    """The file as pyarrow reads it."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtraError(f"reading {path} (Parquet)", "parquet") from None
    try:
        return parquet.ParquetFile(file)
    except pyarrow.ArrowException as error:
        raise DataError(f"{path} is no Parquet file, or a damaged one: {error}") from None


def _parquet_table(path: str, content: Any, language: str | None) -> TextTable:
    names = content.schema.names
    if not names or not content.num_rows:
        raise DataError(f"{path} is empty: no segment in it")
    columns = {name: tuple(_texts(content.column(number).to_pylist())) for number, name in enumerate(names)}
    return table_of(path, columns, language)


def _texts(values: list[Any]) -> list[str | None]:
    return [value if value is None or isinstance(value, str) else str(value) for value in values]
