"""Tables of texts under a header: TSV, CSV, Excel and Parquet.

In TSV the file itself tells whether quotes around cells belong to the text. CSV has commas, semicolons, tabs or bars as
separators. Of an Excel file the first sheet that is not empty is read. Parquet is read whole or in blocks of rows.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO

from adjudge.errors import DataError
from adjudge.io.cells import (
    SEPARATORS,
    CellGrid,
    csv_separator,
    from_excel,
    grid,
    open_parquet,
    parquet_columns,
    parquet_texts,
    wrong_width,
)
from adjudge.io.columns import table_of
from adjudge.io.files import lines, path_text
from adjudge.io.table import Column, TextTable


def read_tsv(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by the words of the header: source, reference, output; every other one is a label."""
    return _table(path, grid(path, lines(path, data), "\t"), language)


def read_csv(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by the words of the header, as in TSV; a note names a separator other than the comma."""
    rows = lines(path, data)
    separator = csv_separator(rows[0])
    while len(rows) > 1 and separator in rows[0] and not rows[-1]:
        rows.pop()
    content = grid(path, rows, separator, is_csv=True)
    note = f"{path_text(path)}: read as CSV whose columns are parted by {SEPARATORS[separator]}"
    return _table(path, content, language, () if separator == "," else (note,))


def read_excel(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by the words of the header, as in TSV."""
    return _table(path, from_excel(path, data), language)


def _table(path: str, grid: CellGrid, language: str | None, notes: tuple[str, ...] = ()) -> TextTable:
    """The table of named columns in a grid of cells."""
    columns = grid.columns(path)
    table = table_of(path, columns, language, first_line=grid.lines[0])
    return replace(table, notes=(*notes, *grid.notes, *table.notes))


def column_blocks(path: str, blocks: Iterable[bytes], column: str) -> Iterator[tuple[str, ...]]:
    """The cells of one column of a file that is read in blocks of lines; quotes need the whole file and are refused."""
    head: list[str] = []
    before = 0
    for data in blocks:
        rows = lines(path, data, before=before)
        if any(row.startswith('"') or '\t"' in row for row in rows):
            raise DataError(
                f"{path_text(path)}: whether quotes around cells belong to them is seen from the whole file, which "
                "--stream never has: write it without them, or as Parquet"
            )
        cells = [row.split("\t") for row in rows]
        head = head or [name.strip() for name in cells[0]]
        for number, row in enumerate(cells, before + 1):
            if len(row) != len(head):
                raise wrong_width(path, number, len(row), head, "\t")
        place = head.index(column)
        yield tuple(row[place] for row in cells[0 if before else 1 :])
        before += len(rows)


def read_parquet(path: str, data: bytes, language: str | None) -> TextTable:
    """The columns by their names; those that hold no text are labels."""
    content = open_parquet(path, io.BytesIO(data)).read()
    return table_of(path, parquet_columns(path, content), language)


def parquet_head(path: str, file: IO[bytes], rows: int, language: str | None) -> TextTable:
    """The columns of the first rows of a Parquet file."""
    batch = next(open_parquet(path, file).iter_batches(batch_size=rows), None)
    if batch is None:
        raise DataError(f"{path} is empty: no segment in it")
    return table_of(path, parquet_columns(path, batch), language)


def parquet_column_blocks(path: str, file: IO[bytes], column: str, rows: int) -> Iterator[Column]:
    """The values of a column in blocks of `rows`; the last block may be shorter."""
    pending: list[str | None] = []
    for batch in open_parquet(path, file).iter_batches(batch_size=rows, columns=[column]):
        pending += parquet_texts(batch.column(0))
        while len(pending) >= rows:
            yield tuple(pending[:rows])
            del pending[:rows]
    if pending:
        yield tuple(pending)
