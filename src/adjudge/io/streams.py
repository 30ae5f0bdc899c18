"""Files of any size, read in chunks of segments: plain text, also compressed, and Parquet, local or remote."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, cast

from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.io import formats, remote
from adjudge.io.compression import COMPRESSION, pieces
from adjudge.io.files import (
    LONGEST_SEGMENT,
    check_segments,
    lines,
    path_text,
    read_errors,
    too_long_segment,
)
from adjudge.io.input_files import InputFiles, PickedColumn, SuiteSelection
from adjudge.io.load import Loaded, columns_of, loaded_from
from adjudge.io.table import Column, Input, TextTable

READ = 1 << 20
"""Bytes that are read at once."""
STREAMED = ("text", "parquet")
LABELS = "tsv"
"""Further formats of labels."""


@dataclass(frozen=True)
class Piece:
    """Consecutive segments of a file, as they were read."""

    path: str
    name: str
    """The name of the column in a file with several."""
    first: int
    """How many segments come before."""
    content: bytes | Column

    def __len__(self) -> int:
        if isinstance(self.content, bytes):
            return self.content.count(b"\n") + (not self.content.endswith(b"\n"))
        return len(self.content)

    def segments(self) -> Column:
        """The texts."""
        content = self.content
        if isinstance(content, bytes):
            content = tuple(lines(self.path, content, before=self.first))
        check_segments(self.path, content, before=self.first)
        return content

    def complete(self) -> tuple[str, ...]:
        """The texts, none of which may be missing."""
        segments = self.segments()
        if None in segments:
            number = self.first + segments.index(None) + 1
            raise DataError(
                f"{self.path}: segment {number} has no {self.name!r}; only references may be missing"
            )
        return cast(tuple[str, ...], segments)

    def text(self) -> bytes:
        """All texts joined, as the fingerprint needs them."""
        if isinstance(self.content, bytes):
            data = self.content.removeprefix(b"\xef\xbb\xbf") if not self.first else self.content
            return data.replace(b"\r\n", b"\n").translate(None, b"\n")
        return "".join(text for text in self.content if text is not None).encode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class FileChunk:
    """Some segments of all files of a test set and its systems."""

    first: int
    references: tuple[Piece, ...]
    source: Piece | None
    systems: tuple[tuple[str, str, Piece], ...]
    """System, run and segments."""
    facts: Mapping[str, Any]
    """Name, language and number of pseudo-references of the test set."""

    def texts(self) -> tuple[TestSet, tuple[Outputs, ...]]:
        """The segments, decoded here."""
        references = tuple(piece.segments() for piece in self.references)
        if references and all(None in column for column in references):
            for at, segment in enumerate(zip(*references, strict=True), self.first + 1):
                if all(reference is None for reference in segment):
                    paths = " and ".join(sorted({piece.path for piece in self.references}))
                    raise DataError(f"{paths}: segment {at} has no reference at all")
        source = None if self.source is None else self.source.complete()
        outputs = tuple(Outputs(name, piece.complete(), run) for name, run, piece in self.systems)
        return TestSet(references=references, sources=source, **self.facts), outputs


@dataclass(frozen=True)
class StreamedColumn:
    """A text of a file."""

    path: str
    form: str
    column: str = ""
    """The name of the column in a file with several."""

    def pieces(self, rows: int, reading: ReadProgress | None = None) -> Generator[Piece]:
        """The text, so many segments at a time; `reading` learns how far it is and what the bytes hash to."""
        first, named = 0, remote.shown_address(self.path)
        with read_errors(named), remote.open_address(self.path) as file:
            if self.form == "parquet":
                from adjudge.io.tabular import parquet_column_blocks

                contents: Iterator[bytes | Column] = parquet_column_blocks(named, file, self.column, rows)
            else:
                watched = cast(IO[bytes], _Watched(file, reading))
                contents = _line_pieces(named, pieces(named, watched), rows)
            if self.form == LABELS:
                from adjudge.io.tabular import column_blocks as label_blocks

                contents = label_blocks(named, cast(Iterator[bytes], contents), self.column)
            for content in contents:
                piece = Piece(named, self.column, first, content)
                first += len(piece)
                yield piece
            if reading is not None:
                reading.finish(file)


class ReadProgress:
    """How much of a file has been read, and its hash."""

    def __init__(self, path: str) -> None:
        self.size = remote.size(path)
        self.done = 0
        self.sha256 = ""
        self._hash = hashlib.sha256()

    def count(self, data: bytes) -> bytes:
        """Record bytes that were read."""
        self._hash.update(data)
        self.done += len(data)
        return data

    def finish(self, file: IO[bytes]) -> None:
        """Read the bytes that are left, such as those after an archive."""
        if not self.done:
            file.seek(0)
        while self.count(file.read(READ)):
            pass
        self.sha256 = self._hash.hexdigest()


class _Watched:
    """A file whose `reading` learns of every byte that is read."""

    def __init__(self, file: IO[bytes], reading: ReadProgress | None) -> None:
        self._file, self._read_progress = file, reading

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        return data if self._read_progress is None else self._read_progress.count(data)


@dataclass
class FileStream:
    """A test set and outputs in files that are read together, a chunk at a time."""

    head: Loaded
    """The first segments, with names and language, but without labels."""
    references: Sequence[StreamedColumn]
    source: StreamedColumn | None
    systems: Sequence[StreamedColumn]
    labels: Mapping[str, StreamedColumn]
    """The columns of labels, by name."""
    files: Sequence[Input]
    """What each file serves as."""
    readings: dict[str, ReadProgress] = field(default_factory=dict)
    segments: int = 0
    """The number of segments; known at the end."""

    def chunks(self, rows: int) -> Iterator[FileChunk]:
        """All segments, so many at a time; files of different length are refused where the shorter one ends."""
        columns = [*self.references, *([self.source] if self.source else []), *self.systems]
        streams = [column.pieces(rows, self._read_progress(column.path)) for column in columns]
        names = [(output.system, output.run) for output in self.head.outputs]
        test_set, first, at = self.head.test_set, 0, len(self.references)
        facts = {name: getattr(test_set, name) for name in ("name", "language", "language_from", "pseudo")}
        with contextlib.ExitStack() as stack:
            for stream in streams:
                stack.callback(stream.close)
            while any(pieces := [next(stream, None) for stream in streams]):
                count = _check_lengths(columns, pieces, first)
                whole = cast(list[Piece], pieces)
                outputs = whole[len(whole) - len(self.systems) :]
                yield FileChunk(
                    first,
                    tuple(whole[:at]),
                    whole[at] if self.source else None,
                    tuple((*name, piece) for name, piece in zip(names, outputs, strict=True)),
                    facts,
                )
                first += count
        self.segments = first

    def label_pieces(self, name: str, rows: int) -> Generator[tuple[str, ...]]:
        """The labels of that name, so many at a time."""
        column = self.labels[name]
        # A file that has texts as well tells how far it is while these are read.
        reading = self._read_progress(column.path) if column.path in self.label_files else None
        with contextlib.closing(column.pieces(rows, reading)) as pieces:
            for piece in pieces:
                yield piece.complete()

    @property
    def label_files(self) -> set[str]:
        """Files that have labels and no texts."""
        texts = (*self.references, *self.systems, *filter(None, [self.source]))
        return {column.path for column in self.labels.values()} - {column.path for column in texts}

    def _read_progress(self, path: str) -> ReadProgress | None:
        """The state of a file before it is read."""
        return None if path in self.readings else self.readings.setdefault(path, ReadProgress(path))

    def progress(self) -> tuple[int, int]:
        """Megabytes that were read and that there are."""
        known = list(self.readings.values())
        return sum(r.done for r in known) >> 20, max(1, sum(r.size for r in known) >> 20)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files, with their hashes, once they were read."""
        read = {remote.shown_address(path): reading.sha256 for path, reading in self.readings.items()}
        return tuple(replace(file, sha256=read[file.path]) for file in self.files if file.path in read)


def open_stream(
    *,
    systems: Sequence[str],
    references: Sequence[str] = (),
    source: str | None = None,
    pseudo_references: Sequence[str] = (),
    labels: str | None = None,
    input_format: str | None = None,
    language: str | None = None,
    rows: int,
) -> FileStream:
    """A test set and outputs from files that are not read whole; the first `rows` segments are looked at here."""
    input_files = _HeadFiles(input_format, language, rows)
    columns = columns_of(input_files, input_files, systems, references, source, pseudo_references, labels)
    head = loaded_from(replace(columns, labels={}), input_files)
    picked = [*columns.all_references, *columns.sources, *columns.systems]
    streamed = [input_files.streamed(column) for column in picked]
    number, sources = len(columns.all_references), len(columns.sources)
    return FileStream(
        head,
        streamed[:number],
        streamed[number] if sources else None,
        streamed[number + sources :],
        {name: input_files.label_column(name, column) for name, column in columns.labels.items()},
        tuple(input_files.inputs),
    )


class _HeadFiles(InputFiles):
    """Files of which only the beginning is read."""

    def __init__(self, form: str | None, language: str | None, rows: int) -> None:
        super().__init__(form, language, None)
        self.rows = rows
        self.label_places: dict[str, StreamedColumn] = {}

    def read_table(self, path: str, form: str | None, language: str | None) -> TextTable:
        """The first rows of a file."""
        if path == "-":
            raise UsageError("--stream reads files twice, which standard input (-) cannot be; give a file")
        named = remote.shown_address(path)
        if any(table.path == named and key[0] != path for key, table in self.tables.items()):
            raise UsageError(f"{named}: --stream reads one file of an address, whatever its query")
        labels = form == LABELS != self.form  # which input files ask for by themselves where they want labels
        form = form or formats.detect(named, b"<")
        if form not in STREAMED and not labels:
            raise UsageError(
                f"{named}: {form} is read whole; --stream reads plain text (also {', '.join(COMPRESSION)}) and "
                "Parquet, and labels (-L) also in TSV"
            )
        if form == "parquet":
            from adjudge.io.tabular import parquet_head

            with read_errors(named), remote.open_address(path) as file:
                table = parquet_head(named, file, self.rows, language)
        else:
            with contextlib.closing(StreamedColumn(path, "text").pieces(self.rows)) as pieces:
                piece = next(pieces, None)
            data = piece.content if piece is not None and isinstance(piece.content, bytes) else b""
            if data.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise DataError(
                    f"{named} is UTF-16, which is read whole only: iconv -f UTF-16 -t UTF-8 {named}"
                )
            table = formats.reader(form)(named, data, language)
            if labels and piece is not None and len(table) != len(piece) - 1:
                raise DataError(f"{named}: --stream reads a row a segment, not one for each system")
        return replace(table, inputs=(Input("test_set", named, ""),))

    def check_aligned(self, kept: SuiteSelection) -> None:
        """How long files are is known when they have been read."""

    def labels(self, text: str) -> dict[str, tuple[str, ...]]:
        """The first labels of a file, and where all of them stand."""
        columns = dict(self.label_columns(text))
        self.label_places |= {label: self.streamed(picked) for label, picked in columns.items()}
        return {label: picked.complete() for label, picked in columns.items()}

    def label_column(self, label: str, column: Column) -> StreamedColumn:
        """Where labels stand: in the file of labels, or beside texts."""
        tables = (table for table in self.tables.values() if table.labels.get(label) is column)
        return self.label_places.get(label) or self.streamed(PickedColumn(label, column, next(tables).path))

    def streamed(self, picked: PickedColumn) -> StreamedColumn:
        """The column of a text in its file."""
        (path, form, _), table = next(item for item in self.tables.items() if item[1].path == picked.path)
        if not table.columns:
            return StreamedColumn(path, "text")
        name = next(name for name, column in table.columns.items() if column is picked.segments)
        return StreamedColumn(path, form or "parquet", name)


def _check_lengths(columns: Sequence[StreamedColumn], pieces: Sequence[Piece | None], first: int) -> int:
    counts = [0 if piece is None else len(piece) for piece in pieces]
    if len(set(counts)) == 1:
        return counts[0]
    short, long = counts.index(min(counts)), counts.index(max(counts))
    end = first + counts[short]
    raise DataError(
        f"{path_text(columns[short].path)} ends with line {end}, but {path_text(columns[long].path)} goes on with line "
        f"{end + 1}; they must be the same segments in the same order"
    )


def _line_pieces(path: str, content: Iterator[bytes], rows: int) -> Iterator[bytes]:
    """Blocks of lines, as bytes."""
    import numpy as np

    parts: list[bytes] = []
    have, first, begun = 0, 0, 0  # lines in `parts`, lines before them, bytes of the line that has not ended
    for data in content:
        breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
        begun = len(data) - int(breaks[-1]) - 1 if len(breaks) else begun + len(data)
        start, at = 0, 0
        while have + len(breaks) - at >= rows:
            at += rows - have
            end = int(breaks[at - 1]) + 1
            yield b"".join((*parts, data[start:end]))
            parts, start, have, first = [], end, 0, first + rows
        have += len(breaks) - at
        if start < len(data):
            parts.append(data[start:])
        if begun > 4 * LONGEST_SEGMENT:  # of so many bytes at most is a character
            raise too_long_segment(path, first + have + 1)
    if parts:
        yield b"".join(parts)
