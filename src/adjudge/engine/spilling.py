"""Rows that are more than memory holds: in temporary files while systems are compared, or in Parquet to be kept."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from adjudge.data import Outputs
from adjudge.engine.chunks import Scored
from adjudge.errors import DataError, MissingExtraError
from adjudge.metrics.base import Metric, Rows


class SpilledRows:
    """Rows of outputs by metrics in files without a name, which are gone when nobody uses them any more."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], IO[bytes]] = {}
        self._shapes: dict[tuple[int, int], tuple[int, int]] = {}

    def add(self, chunk: Scored) -> None:
        """The rows of one more chunk."""
        for place in chunk.packed:
            rows = np.ascontiguousarray(chunk.rows(*place), dtype=np.float64)
            with _temporary():
                if place not in self._files:
                    self._files[place] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - as long as its rows
                # Not rows.tofile, which says nothing where the last bytes find no room.
                left = rows.data.cast("B")
                while left:
                    left = left[self._files[place].write(left) :]
            before = self._shapes[place][0] if place in self._shapes else 0
            self._shapes[place] = before + len(rows), rows.shape[1]

    def rows(self) -> dict[tuple[int, int], Rows]:
        """All rows of each, mapped into memory: the system reads what is looked at."""
        mapped = {}
        for place, file in self._files.items():
            with _temporary():
                flat: Rows = np.memmap(file, dtype=np.float64, mode="r")
            mapped[place] = np.asarray(flat.reshape(self._shapes[place]))
        return mapped

    def close(self) -> None:
        """Let go of the files; rows that are mapped stay."""
        for file in self._files.values():
            file.close()


@contextlib.contextmanager
def _temporary() -> Iterator[None]:
    """Say of which folder it is that something cannot be written there."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"temporary files in {tempfile.gettempdir()}: {error.strerror or error}; TMPDIR names another folder"
        ) from None


class RowFile:
    """A Parquet file with a row for every segment of every output: its scores and the rows that they are made of."""

    def __init__(self, path: str, metrics: Sequence[Metric], outputs: Sequence[Outputs]) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError(f"writing {path} (Parquet)", "parquet") from None
        self._arrow, self._path = pyarrow, path
        self._metrics, self._outputs = metrics, outputs
        target = os.path.realpath(path)
        # Written under a name of its own and then renamed: a file is there whole or not at all.
        self._draft = os.path.join(os.path.dirname(target), f".adjudge-{secrets.token_hex(8)}")
        self._writer: Any = None
        self._segments = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
            if kind is None and self._writer is not None:
                os.replace(self._draft, os.path.realpath(self._path))
        except OSError as error:
            if kind is None:
                raise self._fault(error) from None
        finally:
            with contextlib.suppress(OSError):
                Path(self._draft).unlink()

    def write(self, chunk: Scored) -> None:
        """The rows of one more chunk."""
        for o in range(len(self._outputs)):
            self.write_rows([chunk.rows(m, o) for m in range(len(self._metrics))], o, self._segments)
        self._segments += chunk.segments

    def write_rows(self, rows: Sequence[Rows], output: int, first: int) -> None:
        """Some segments of an output, from `first` on: rows by every metric."""
        arrow, own, count = self._arrow, self._outputs[output], len(rows[0])
        columns: dict[str, Any] = {
            "system": arrow.array([own.system] * count).dictionary_encode(),
            "run": arrow.array([own.run] * count).dictionary_encode(),
            "segment": arrow.array(np.arange(first + 1, first + count + 1)),
        }
        for metric, numbers in zip(self._metrics, rows, strict=True):
            columns[metric.spec] = arrow.array(np.asarray(metric.for_segments().aggregate(numbers)))
            flat = arrow.array(np.ascontiguousarray(numbers).reshape(-1))
            columns[f"{metric.spec}.rows"] = arrow.FixedSizeListArray.from_arrays(flat, numbers.shape[1])
        table = arrow.table(columns)
        try:
            if self._writer is None:
                self._writer = arrow.parquet.ParquetWriter(self._draft, table.schema, compression="zstd")
            self._writer.write_table(table)
        except OSError as error:
            raise self._fault(error) from None

    def _fault(self, error: OSError) -> DataError:
        return DataError(f"cannot write {self._path}: {error.strerror or error}")
