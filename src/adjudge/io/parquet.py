"""Parquet: named columns, read whole or a block of rows at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, Any

from adjudge.errors import DataError, MissingExtraError
from adjudge.io.columns import table_of
from adjudge.io.table import Column, Table


def read(path: str, data: bytes, language: str | None) -> Table:
    """The columns by their names; those that hold no text are labels."""
    file = opened(path, io.BytesIO(data))
    return _table(path, file.read(), language)


def head(path: str, file: IO[bytes], rows: int, language: str | None) -> Table:
    """The same of the first rows."""
    own = opened(path, file)
    batch = next(own.iter_batches(batch_size=rows), None)
    if batch is None:
        raise DataError(f"{path} is empty: no segment in it")
    return _table(path, batch, language)


def column_blocks(path: str, file: IO[bytes], column: str, rows: int) -> Iterator[Column]:
    """The values of a column, so many at a time; the last ones may be fewer."""
    own = opened(path, file)
    held: list[str | None] = []
    for batch in own.iter_batches(batch_size=rows, columns=[column]):
        held += _texts(batch.column(0).to_pylist())
        while len(held) >= rows:
            yield tuple(held[:rows])
            del held[:rows]
    if held:
        yield tuple(held)


def opened(path: str, file: IO[bytes]) -> Any:
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


def _table(path: str, content: Any, language: str | None) -> Table:
    names = content.schema.names
    if not names or not content.num_rows:
        raise DataError(f"{path} is empty: no segment in it")
    columns = {name: tuple(_texts(content.column(number).to_pylist())) for number, name in enumerate(names)}
    return table_of(path, columns, language)


def _texts(values: list[Any]) -> list[str | None]:
    return [value if value is None or isinstance(value, str) else str(value) for value in values]
