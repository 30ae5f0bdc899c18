"""Tables with named columns, from TSV, CSV, space-separated text, JSON, Excel and Parquet; each row knows its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NameColumn
from adjudge.errors import DataError
from adjudge.io import cells, column_names
from adjudge.io.cells import BOOKS, SEPARATORS, CellGrid, grid
from adjudge.io.fields import kind_of, value_of
from adjudge.io.files import as_utf8, lines, path_text, read_bytes
from adjudge.io.jsonl import MISSING, gather_columns
from adjudge.io.names import suffix
from adjudge.io.table import Input
from adjudge.wording import some_of

Floats = NDArray[np.float64]
Cells = Sequence[str]

ABSENT = ("", "None", "none", "NA", "N/A", "nan", "NaN", "null", "-")
"""Words for a missing score."""
_MILLISECONDS = 1e11  # a time beyond this many seconds (the year 5138) is in thousandths
_LATEST = 1e12  # the year 33658
_LARGEST = 1e100  # squares and sums of what is larger are no numbers any more
_SHOWN = 60  # characters of a cell in a message
_LONGEST_NAME = 1000


@dataclass(frozen=True, eq=False)
class Sheet:
    """Named columns of cells, as text."""

    path: str
    columns: Mapping[str, Cells]
    lines: NDArray[np.int64]
    """Line number of the first line of each row, from 1."""
    notes: tuple[str, ...] = ()
    """How the file was read, where that was ambiguous."""
    counted_in: str = "line"
    """What `lines` counts."""

    def __len__(self) -> int:
        return len(self.lines)

    def find(self, words: Iterable[str]) -> str | None:
        """The column whose name is the first of these words that the sheet has."""
        return column_names.find(self.columns, words)

    def require(self, words: Sequence[str], remedy: str) -> str:
        """The column whose name is one of these words; an error with a remedy where there is none."""
        column = self.find(words)
        if column is None:
            raise self.lacks(words, remedy)
        return column

    def cells(self, words: Iterable[str]) -> Cells:
        """The cells of the column whose name is one of these words; empty where there is no such column."""
        column = self.find(words)
        return [""] * len(self) if column is None else self.columns[column]

    def place(self, row: int) -> str:
        """File and line of a row, for messages."""
        return f"{path_text(self.path)}, {self.counted_in} {self.lines[row]}"

    def nearly(self, words: Sequence[str]) -> tuple[str, str] | None:
        """A column whose name is close to one of these words, and the word."""
        for name in self.columns:
            matches = get_close_matches(column_names.plain(name), words, n=1, cutoff=0.75)
            if matches:
                return name, matches[0]
        return None

    def lacks(self, words: Sequence[str], remedy: str) -> DataError:
        """The error for a missing column; it points out a column with a similar name."""
        near = self.nearly(words)
        guess = f"; is {near[0]!r} meant for {near[1]!r}?" if near else ""
        if len(self.columns) == 1 and (signs := [s for s in SEPARATORS if s in next(iter(self.columns))]):
            guess = f"; it was read as a single column, but do {SEPARATORS[signs[0]]} part them?"
        line = ", line 1" if self.lines[0] > 1 else ""
        return DataError(
            f"{path_text(self.path)}{line}: no column {' or '.join(map(repr, words[:3]))} among "
            f"{some_of(list(self.columns), 20)}{guess}; {remedy}"
        )

    def names(self, column: str) -> NameColumn:
        """A column of names, without the blanks around them."""
        return code_names(self.columns[column])

    def check_names(self, column: str, names: NameColumn) -> None:
        """Refuse names that are texts: the wrong column was chosen, or a quote was never closed."""
        for code, name in enumerate(names.names):
            if len(name) > _LONGEST_NAME:
                row = int(np.argmax(names.codes == code))
                raise DataError(
                    f"{self.place(row)}, column {column!r}: a name of {len(name):,} characters ({short(name)}); is "
                    "this the right column, or was a quote never closed?"
                )

    def numbers(self, column: str, *, absent: Sequence[str] = ()) -> Floats:
        """A column of finite numbers; NaN for the words in `absent`."""
        return numbers(self.columns[column], absent, lambda row: f"{self.place(row)}, column {column!r}")

    def times(self, column: str) -> Floats:
        """A column of times, in seconds since 1970; NaN where a cell is empty."""
        cells = self.columns[column]
        try:
            seconds = np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            seconds = np.array([self._time(row, cell, column) for row, cell in enumerate(cells)])
        seconds = np.where(seconds > _MILLISECONDS, seconds / 1000, seconds)
        if (wrong := np.abs(seconds) > _LATEST).any():
            raise self._no_time(int(np.argmax(wrong)), column)
        return seconds

    def _time(self, row: int, cell: str, column: str) -> float:
        text = cell.strip()
        try:
            return float(text) if text else np.nan
        except ValueError:
            pass
        try:
            time = datetime.fromisoformat(text)
        except ValueError:
            raise self._no_time(row, column) from None
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()

    def _no_time(self, row: int, column: str) -> DataError:
        return DataError(
            f"{self.place(row)}, column {column!r}: {short(self.columns[column][row].strip())} is no time; write "
            "2024-05-31T14:30:00Z or the seconds since 1970"
        )

    def without(self, column: str) -> Sheet:
        """The sheet without one column."""
        return replace(self, columns={name: cells for name, cells in self.columns.items() if name != column})

    def take(self, rows: NDArray[Any]) -> Sheet:
        """The sheet with some of its rows."""
        columns = {name: [cells[row] for row in rows] for name, cells in self.columns.items()}
        return replace(self, columns=columns, lines=self.lines[rows])


class _Codes(dict[str, int]):
    """A number for each cell, in order of first appearance."""

    def __missing__(self, cell: str) -> int:
        code = self[cell] = len(self)
        return code


def code_names(cells: Cells) -> NameColumn:
    """A column of names, without the blanks around them."""
    known = _Codes()
    codes = np.fromiter(map(known.__getitem__, cells), np.int32, len(cells))
    stripped = [cell.strip() for cell in known]
    if all(stripped) and len({*stripped}) == len(stripped):
        return NameColumn(tuple(stripped), codes)
    names = NameColumn.of(stripped)
    return NameColumn(names.names, names.codes[codes])


def numbers(cells: Cells, absent: Sequence[str], place: Callable[[int], str]) -> Floats:
    """Finite numbers from their text; NaN for the words in `absent`."""
    try:
        if absent:
            missing = dict.fromkeys(absent, np.nan)
            values = np.array([missing[cell] if cell in missing else float(cell) for cell in cells])
        else:
            values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        raise _no_number(cells, absent, place) from None
    with np.errstate(invalid="ignore"):
        finite = np.abs(values) <= _LARGEST
    if not finite.all() and not finite[_is_present(cells, absent)].all():
        raise _no_number(cells, absent, place)
    return values.astype(np.float64, copy=False)


def _is_present(cells: Cells, absent: Sequence[str]) -> NDArray[np.bool_]:
    return np.fromiter((cell not in absent for cell in cells), bool, len(cells))


def _no_number(cells: Cells, absent: Sequence[str], place: Callable[[int], str]) -> DataError:
    row = next(row for row, cell in enumerate(cells) if cell not in absent and not _finite(cell))
    text = cells[row].strip()
    problem = f"{short(text)} is no finite number" if text else "there is no number"
    if is_number(text):
        return DataError(f"{place(row)}: {short(text)} is larger than any scale, time or count; is it meant?")
    point = text.replace(",", ".")
    missing = "write None where there is no score" if absent else "leave out rows without a judgement"
    remedy = f"write {point}" if point != text and _finite(point) else missing
    return DataError(f"{place(row)}: {problem}; {remedy}")


def is_number(cell: str) -> bool:
    """Whether a cell is a finite number."""
    try:
        return bool(np.isfinite(float(cell)))
    except ValueError:
        return False


def _finite(cell: str) -> bool:
    return is_number(cell) and abs(float(cell)) <= _LARGEST


def short(text: str) -> str:
    """A cell as a message shows it, cut where it is long."""
    return repr(text) if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]!r}…"


def separator_of(line: str, path: str = "") -> str:
    """The separator of the columns in a header line."""
    if path.endswith(".tsv") and "\t" in line:
        return "\t"
    quoted = line[1:].split('",')[0] if line.startswith('"') else ""
    return next((sign for sign in ("\t", ",", ";", " ") if sign in line and sign not in quoted), "\t")


def as_text(path: str, data: bytes) -> tuple[bytes, CellGrid | None]:
    """A file as UTF-8 text; of an Excel or Parquet file its table as CSV, and the table itself."""
    if suffix(path) not in BOOKS:
        return as_utf8(path, data), None
    book = cells.from_book(path, data)
    return cells.as_csv(book), book


def of_book(path: str, book: CellGrid) -> Sheet:
    """The table of an Excel or Parquet file; rows are numbered, however many lines a cell has."""
    return replace(_sheet(path, book), counted_in="row")


def read_file(path: str, role: str) -> tuple[Sheet, Input]:
    """The sheet in a file of any format, and the record of the file as an input."""
    data, digest = read_bytes(path)
    return read(path, data), Input(role, path, digest)


def read(path: str, data: bytes, *, shape: str | None = None) -> Sheet:
    """The columns below a header line, the keys of JSON objects, or the columns of an Excel or Parquet file.

    `shape` is tsv, csv or jsonl where the format is known.
    """
    if shape is None and suffix(path) in BOOKS:
        return of_book(path, cells.from_book(path, data))
    data = as_utf8(path, data)
    if shape is None and _first_sign(data) == b"[":
        return _read_list(path, data)
    if shape == "jsonl" or (shape is None and looks_like_json(data)):
        return read_json(path, data)
    rows = text_rows(path, data)
    return split(path, rows, {"tsv": "\t", "csv": ","}.get(shape or "") or separator_of(rows[0], path))


def looks_like_json(data: bytes) -> bool:
    """Whether a file begins as JSON does."""
    return _first_sign(data) in (b"{", b"[")


def _first_sign(data: bytes) -> bytes:
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]


def text_rows(path: str, data: bytes) -> list[str]:
    r"""The lines of a table, without empty ones at the end; those of WMT16 end in `\r\r\n`."""
    rows = lines(path, data)
    if b"\r" in data:
        rows = [row.rstrip("\r") for row in rows]
        if len(rows) == 1 and "\r" in rows[0]:
            raise DataError(
                f"{path_text(path)}: lines end in a carriage return alone, as on Macs of old; convert them: "
                f"tr '\\r' '\\n' < {path_text(path)}"
            )
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    if len(rows) == 1 and not rows[0].strip():
        raise DataError(f"{path_text(path)}: nothing but empty lines")
    return rows


def split(path: str, rows: list[str], separator: str, header: Sequence[str] | None = None) -> Sheet:
    """Rows to columns; the first row names them unless `header` does."""
    return _sheet(path, grid(path, rows, separator, header))


def records_of(path: str, rows: list[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """The records of CSV with quotes, each with its first line."""
    yield from ((record.line, record.cells) for record in cells.records(path, rows, separator))


def _sheet(path: str, grid: CellGrid) -> Sheet:
    return Sheet(path, grid.columns(path), np.array(grid.lines, np.int64), grid.notes)


def _row_numbers(columns: Mapping[str, Sequence[Any]]) -> NDArray[np.int64]:
    """Rows numbered from 1."""
    return np.arange(1, len(next(iter(columns.values()))) + 1)


def _read_list(path: str, data: bytes) -> Sheet:
    """A list of objects: one row per object."""
    items = value_of(path, data)
    if not items:
        raise DataError(f"{path_text(path)}: an empty list; a list of items was expected")
    for place, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise DataError(f"{path_text(path)}, item {place}: {kind_of(item)}, but an object was expected")
    names = dict.fromkeys(name for item in items for name in item)
    columns = {name: [_cell(item.get(name)) for item in items] for name in names}
    return Sheet(path, columns, _row_numbers(columns), counted_in="item")


def read_json(path: str, data: bytes) -> Sheet:
    """One JSON object per line; each entry of a list of `targets`, as Appraise writes pairs, is a row."""
    columns = gather_columns(path, text_rows(path, data))
    if not columns:
        raise DataError(f"{path_text(path)}: nothing but empty objects")
    begins = _row_numbers(columns)
    if "targets" in columns:
        columns, begins = _unfold(path, columns)
    return Sheet(path, {name: [_cell(value) for value in values] for name, values in columns.items()}, begins)


def _unfold(path: str, columns: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], NDArray[np.int64]]:
    rows: list[dict[str, Any]] = []
    begins: list[int] = []
    for row, targets in enumerate(columns["targets"]):
        if not isinstance(targets, list) or not all(isinstance(target, dict) for target in targets):
            raise DataError(f"{path_text(path)}, line {row + 1}: 'targets' must be a list of objects")
        common = {name: values[row] for name, values in columns.items() if name != "targets"}
        rows += [{**common, **target} for target in targets]
        begins += [row + 1] * len(targets)
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name, MISSING) for row in rows] for name in names}, np.array(begins, np.int64)


def _cell(value: Any) -> str:
    if value is MISSING or value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
