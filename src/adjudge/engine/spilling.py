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
from numpy.typing import NDArray

from adjudge.data import Outputs
from adjudge.engine.chunks import ChunkResult
from adjudge.errors import DataError, MissingExtraError
from adjudge.metrics.base import Metric, Rows
from adjudge.stats.units import BLOCK, CodedLabels


class SpilledNumbers:
    """Rows of numbers in an unnamed file, which is removed once it is no longer used."""

    def __init__(self, kind: type[np.generic] = np.float64) -> None:
        self._kind, self._file = kind, _temporary_file()
        self._shape: tuple[int, ...] = (0,)

    def add(self, numbers: NDArray[Any]) -> None:
        """Some more rows."""
        block = np.ascontiguousarray(numbers, dtype=self._kind)
        with _temporary():
            # Not own.tofile, which says nothing where the last bytes find no room.
            left = block.data.cast("B")
            while left:
                left = left[self._file.write(left) :]
        self._shape = (self._shape[0] + len(block), *block.shape[1:])

    def mapped(self) -> NDArray[Any]:
        """All of them, mapped into memory: the system reads what is looked at."""
        if not self._shape[0]:
            return np.zeros(self._shape, dtype=self._kind)
        with _temporary():
            flat = np.memmap(self._file, dtype=self._kind, mode="r")
        return np.asarray(flat.reshape(self._shape))

    def close(self) -> None:
        """Let go of the file; what is mapped stays."""
        self._file.close()


class SpilledRows:
    """Rows of outputs by metrics in such files."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], SpilledNumbers] = {}

    def add(self, chunk: ChunkResult) -> None:
        """The rows of one more chunk."""
        for place in chunk.packed:
            if place not in self._files:
                self._files[place] = SpilledNumbers()
            self._files[place].add(chunk.rows(*place))

    def rows(self) -> dict[tuple[int, int], Rows]:
        """All rows of each, mapped into memory."""
        return {place: file.mapped() for place, file in self._files.items()}

    def close(self) -> None:
        """Let go of the files; rows that are mapped stay."""
        for file in self._files.values():
            file.close()


class SpilledLabels:
    """A column of labels in such a file, as numbers; the different labels are in memory."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes = SpilledNumbers(np.int32)

    def add(self, labels: Sequence[str]) -> None:
        """Those of some more segments."""
        known = self._numbers
        self._codes.add(np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int32))

    def labels(self) -> CodedLabels:
        """All of them."""
        return CodedLabels(tuple(self._numbers), self._codes.mapped())

    def close(self) -> None:
        """Let go of the file; labels that are mapped stay."""
        self._codes.close()


def some_rows(rows: Rows, segments: NDArray[np.intp]) -> Rows:
    """The rows of some segments: in a file of their own again, where all of them are in one."""
    if not isinstance(rows.base, np.memmap):
        return rows[segments]
    with contextlib.closing(SpilledNumbers()) as file:
        for start in range(0, len(segments), BLOCK):
            file.add(rows[segments[start : start + BLOCK]])
        return file.mapped()


@contextlib.contextmanager
def _temporary() -> Iterator[None]:
    """Say of which folder it is that something cannot be written there."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"temporary files in {tempfile.gettempdir()}: {error.strerror or error}; TMPDIR names another folder"
        ) from None


def _temporary_file() -> IO[bytes]:
    with _temporary():
        return tempfile.TemporaryFile(buffering=0)


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

    def write(self, chunk: ChunkResult) -> None:
        """The rows of one more chunk."""
        for o in range(len(self._outputs)):
            self.write_rows([chunk.rows(m, o) for m in range(len(self._metrics))], o, self._segments)
        self._segments += chunk.segments

    def write_rows(self, rows: Sequence[Rows], output: int, first: int) -> None:
        """Some segments of an output, from `first` on: rows by every metric."""
        arrow, outputs, count = self._arrow, self._outputs[output], len(rows[0])
        columns: dict[str, Any] = {
            "system": arrow.array([outputs.system] * count).dictionary_encode(),
            "run": arrow.array([outputs.run] * count).dictionary_encode(),
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
