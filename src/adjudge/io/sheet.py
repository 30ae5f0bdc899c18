"""Text to columns with names: TSV, CSV, columns parted by spaces, JSON lines; each row knows its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NameColumn
from adjudge.errors import DataError
from adjudge.io import cells, column_names
from adjudge.io.cells import SEPARATORS, CellGrid, grid
from adjudge.io.files import as_utf8, lines, read_bytes, shown
from adjudge.io.jsonl import MISSING, gather_columns
from adjudge.io.names import suffix
from adjudge.io.table import Input
from adjudge.wording import pluralise, some_of

Floats = NDArray[np.float64]
Cells = Sequence[str]

ABSENT = ("", "None", "none", "NA", "N/A", "nan", "NaN", "null", "-")
"""Words that stand for no score."""
_MILLISECONDS = 1e11  # a time beyond this many seconds (the year 5138) is in thousandths
_LATEST = 1e12  # the year 33658
_LARGEST = 1e100  # squares and sums of what is larger are no numbers any more
_SHOWN = 60  # characters of a cell in a message
_LONGEST_NAME = 1000


@dataclass(frozen=True, eq=False)
class Sheet:
    """Columns of cells as they stand in a file."""

    path: str
    columns: Mapping[str, Cells]
    lines: NDArray[np.int64]
    """Where each row begins, from 1."""
    notes: tuple[str, ...] = ()
    """How the file was read, where it could have been read otherwise."""
    counted_in: str = "line"
    """What `lines` counts."""

    def __len__(self) -> int:
        return len(self.lines)

    def find(self, wanted: Iterable[str]) -> str | None:
        """The name of the column that is called by one of some words."""
        return column_names.find(self.columns, wanted)

    def place(self, row: int) -> str:
        """Where a row stands."""
        return f"{shown(self.path)}, {self.counted_in} {self.lines[row]}"

    def nearly(self, wanted: Sequence[str]) -> tuple[str, str] | None:
        """A column that is nearly called by one of some words, and the word."""
        for name in self.columns:
            matches = get_close_matches(column_names.plain(name), wanted, n=1, cutoff=0.75)
            if matches:
                return name, matches[0]
        return None

    def lacks(self, wanted: Sequence[str], remedy: str) -> DataError:
        """What to say where a column is not there; one that is nearly called like it is pointed out."""
        near = self.nearly(wanted)
        guess = f"; is {near[0]!r} meant for {near[1]!r}?" if near else ""
        if len(self.columns) == 1 and (signs := [s for s in SEPARATORS if s in next(iter(self.columns))]):
            guess = f"; it was read as a single column, but do {SEPARATORS[signs[0]]} part them?"
        line = ", line 1" if self.lines[0] > 1 else ""
        return DataError(
            f"{shown(self.path)}{line}: no column {' or '.join(map(repr, wanted[:3]))} among "
            f"{some_of(list(self.columns), 20)}{guess}; {remedy}"
        )

    def names(self, column: str) -> NameColumn:
        """A column of names; blanks around them do not matter."""
        return code_names(self.columns[column])

    def check_names(self, column: str, names: NameColumn) -> None:
        """Refuse names that are texts: another column was meant, or a quote swallowed half of the file."""
        for code, name in enumerate(names.names):
            if len(name) > _LONGEST_NAME:
                row = int(np.argmax(names.codes == code))
                raise DataError(
                    f"{self.place(row)}, column {column!r}: a name of {len(name):,} characters ({short(name)}); is "
                    "this the right column, or was a quote never closed?"
                )

    def numbers(self, column: str, *, absent: Sequence[str] = ()) -> Floats:
        """A column of finite numbers; NaN for the words that stand for none."""
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
        """All columns but one."""
        return replace(self, columns={name: cells for name, cells in self.columns.items() if name != column})

    def take(self, rows: NDArray[Any]) -> Sheet:
        """Some of the rows."""
        kept = {name: [cells[row] for row in rows] for name, cells in self.columns.items()}
        return replace(self, columns=kept, lines=self.lines[rows])


class _Turns(dict[str, int]):
    """The turn in which each cell first came up."""

    def __missing__(self, cell: str) -> int:
        turn = self[cell] = len(self)
        return turn


def code_names(cells: Cells) -> NameColumn:
    """A column of names: blanks around a name are no part of it."""
    turns = _Turns()
    codes = np.fromiter(map(turns.__getitem__, cells), np.int32, len(cells))
    stripped = [cell.strip() for cell in turns]
    if all(stripped) and len({*stripped}) == len(stripped):
        return NameColumn(tuple(stripped), codes)
    names = NameColumn.of(stripped)
    return NameColumn(names.names, names.codes[codes])


def numbers(cells: Cells, absent: Sequence[str], place: Callable[[int], str]) -> Floats:
    """Finite numbers from their text, NaN for the words that stand for none."""
    try:
        if absent:
            nothing = dict.fromkeys(absent, np.nan)
            values = np.array([nothing[cell] if cell in nothing else float(cell) for cell in cells])
        else:
            values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        raise _no_number(cells, absent, place) from None
    with np.errstate(invalid="ignore"):
        finite = np.abs(values) <= _LARGEST
    if not finite.all() and not finite[_given(cells, absent)].all():
        raise _no_number(cells, absent, place)
    return values.astype(np.float64, copy=False)


def _given(cells: Cells, absent: Sequence[str]) -> NDArray[np.bool_]:
    return np.fromiter((cell not in absent for cell in cells), bool, len(cells))


def _no_number(cells: Cells, absent: Sequence[str], place: Callable[[int], str]) -> DataError:
    row = next(row for row, cell in enumerate(cells) if cell not in absent and not _finite(cell))
    text = cells[row].strip()
    problem = f"{short(text)} is no finite number" if text else "there is no number"
    if is_number(text):
        return DataError(f"{place(row)}: {short(text)} is larger than any scale, time or count; is it meant?")
    point = text.replace(",", ".")
    remedy = f"write {point}" if point != text and _finite(point) else "leave out rows without a judgement"
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
    """A cell in a message: not all of it, where it is a text."""
    return repr(text) if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]!r}…"


def separator_of(line: str, path: str = "") -> str:
    """What parts the columns of a header line."""
    if path.endswith(".tsv") and "\t" in line:
        return "\t"
    quoted = line[1:].split('",')[0] if line.startswith('"') else ""
    return next((sign for sign in ("\t", ",", ";", " ") if sign in line and sign not in quoted), "\t")


def as_text(path: str, data: bytes) -> tuple[bytes, CellGrid | None]:
    """What Excel writes, as other readers take it: UTF-16 as UTF-8, a book as CSV, and the sheet of the book itself."""
    if suffix(path) not in (".xlsx", ".xlsm"):
        return as_utf8(path, data), None
    book = cells.from_excel(path, data)
    return cells.as_csv(book), book


def of_book(path: str, book: CellGrid) -> Sheet:
    """The columns of Excel's sheet, whose rows are counted as Excel does, however many lines are in a cell."""
    return replace(_sheet(path, book), counted_in="row")


def read_file(path: str, role: str) -> tuple[Sheet, Input]:
    """The sheet of a file, Excel's too, and what to remember of the file."""
    data, digest = read_bytes(path)
    text, book = as_text(path, data)
    return read(path, text) if book is None else of_book(path, book), Input(role, path, digest)


def read(path: str, data: bytes, *, shape: str | None = None) -> Sheet:
    """The columns below a header line, or the keys of JSON lines; `shape` is tsv, csv or jsonl if it is known."""
    if shape == "jsonl" or (shape is None and looks_like_json(data)):
        return read_json(path, data)
    rows = text_rows(path, data)
    return split(path, rows, {"tsv": "\t", "csv": ","}.get(shape or "") or separator_of(rows[0], path))


def looks_like_json(data: bytes) -> bool:
    """Whether a file begins as JSON does."""
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def text_rows(path: str, data: bytes) -> list[str]:
    r"""The lines of a table: those of WMT16 end in `\r\r\n`, and empty ones at the end of a file say nothing."""
    rows = lines(path, data)
    if b"\r" in data:
        rows = [row.rstrip("\r") for row in rows]
        if len(rows) == 1 and "\r" in rows[0]:
            raise DataError(
                f"{shown(path)}: lines end in a carriage return alone, as on Macs of old; convert them: "
                f"tr '\\r' '\\n' < {shown(path)}"
            )
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    if len(rows) == 1 and not rows[0].strip():
        raise DataError(f"{shown(path)}: nothing but empty lines")
    return rows


def split(path: str, rows: list[str], separator: str, header: Sequence[str] | None = None) -> Sheet:
    """Rows to columns; the first row names them unless `header` does."""
    if separator != " ":
        return _sheet(
            path,
            grid(
                path,
                rows,
                separator,
                lambda line, count, head: _wrong_width(path, line, count, head, separator),
                header,
            ),
        )
    first = 0 if header else 1
    # Below names parted by spaces, WMT's files have tabs, or tabs and spaces in one row.
    head = list(header or rows[0].split())
    records = [parted if len(parted := row.split("\t")) == len(head) else row.split() for row in rows[first:]]
    begins = range(first + 1, len(rows) + 1)
    return _sheet(path, CellGrid(head, _joined(path, head, records, begins, separator), begins))


def records_of(path: str, rows: list[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """CSV with quotes: cells may hold separators, doubled quotes, line breaks. Each record with its first line."""
    yield from ((record.line, record.cells) for record in cells.records(path, rows, separator))


def _joined(
    path: str, head: list[str], records: list[list[str]], begins: Sequence[int], separator: str
) -> list[str]:
    if {*map(len, records)} - {len(head)}:
        row = next(row for row, record in enumerate(records) if len(record) != len(head))
        raise _wrong_width(path, begins[row], len(records[row]), head, separator)
    return list(chain.from_iterable(records))


def _sheet(path: str, grid: CellGrid) -> Sheet:
    if not len(grid.lines):
        raise DataError(f"{shown(path)} has a header line, but nothing below it")
    columns: dict[str, Cells] = {}
    for at, (name, column) in enumerate(zip(grid.head, grid.columns(), strict=True)):
        if name in columns:
            raise DataError(f"{shown(path)}, line 1: two columns are called {name!r}")
        if name:
            columns[name] = column
        elif any(column):
            raise DataError(
                f"{shown(path)}, line 1: column {at + 1} has no name; the first line names the columns"
            )
    return Sheet(path, columns, np.array(grid.lines, np.int64), grid.notes)


def _wrong_width(path: str, line: int, count: int, head: Sequence[str], separator: str) -> DataError:
    return DataError(
        f"{shown(path)}, line {line}: {pluralise(count, 'column')}, but there should be {len(head)} "
        f"({', '.join(head)}); "
        f"{SEPARATORS[separator]} part them{', or name the format (--input-format)' if separator == ' ' else ''}"
    )


def read_json(path: str, data: bytes) -> Sheet:
    """One object a line; where it has a list of `targets`, as Appraise writes pairs, each of them is a row."""
    columns = gather_columns(path, text_rows(path, data))
    if not columns:
        raise DataError(f"{shown(path)}: nothing but empty objects")
    begins = np.arange(1, len(next(iter(columns.values()))) + 1)
    if "targets" in columns:
        columns, begins = _unfolded(path, columns)
    return Sheet(path, {name: [_cell(value) for value in values] for name, values in columns.items()}, begins)


def _unfolded(path: str, columns: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], NDArray[np.int64]]:
    rows: list[dict[str, Any]] = []
    begins: list[int] = []
    for row, targets in enumerate(columns["targets"]):
        if not isinstance(targets, list) or not all(isinstance(target, dict) for target in targets):
            raise DataError(f"{shown(path)}, line {row + 1}: 'targets' must be a list of objects")
        own = {name: values[row] for name, values in columns.items() if name != "targets"}
        rows += [{**own, **target} for target in targets]
        begins += [row + 1] * len(targets)
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name, MISSING) for row in rows] for name in names}, np.array(begins, np.int64)


def _cell(value: Any) -> str:
    if value is MISSING or value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
