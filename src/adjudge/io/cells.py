"""Cells in rows and columns, from text with any separator, quoted or not, from Excel sheets and from Parquet files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, repeat
from typing import IO, Any, NamedTuple

from adjudge.errors import DataError, MissingExtraError
from adjudge.io.files import path_text
from adjudge.io.names import suffix
from adjudge.wording import pluralise

SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars", " ": "spaces"}
BOOKS = (".xlsx", ".xlsm", ".parquet")
"""Suffixes of files that hold a table, but are no text."""
_BLOCK = 4096  # rows split at once; a list a row would cost a million lists
_WHOLE_COLUMN = 5
"""With this many rows, a column with only quoted cells is no coincidence."""
_COMMAS = 3
"""With this many cells, quotes around exactly the cells with commas are no coincidence."""
_UNPACKED = 1 << 30
"""Limit for an Excel file once it is unpacked, in bytes."""


@dataclass(frozen=True)
class CellGrid:
    """The cells below a header, row by row in one list."""

    head: list[str]
    cells: list[str]
    lines: Sequence[int]
    """Line number of the first line of each row, from 1."""
    notes: tuple[str, ...] = ()
    """How the file was read, where that was ambiguous."""

    def columns(self, path: str) -> dict[str, tuple[str, ...]]:
        """Columns by name; a column without a name may only hold empty cells, and is left out."""
        if not len(self.lines):
            raise DataError(f"{path_text(path)} has a header line, but nothing below it")
        columns: dict[str, tuple[str, ...]] = {}
        for at, name in enumerate(self.head):
            column = tuple(self.cells[at :: len(self.head)])  # tuples spare the garbage collector
            if name in columns:
                raise DataError(f"{path_text(path)}, line 1: two columns are called {name!r}")
            if name:
                columns[name] = column
            elif any(column):
                raise DataError(
                    f"{path_text(path)}, line 1: column {at + 1} has no name; the first line names the columns"
                )
        return columns


class CellRecord(NamedTuple):
    """A row, which may span several lines."""

    line: int
    cells: list[str]
    quoted: list[bool]


def wrong_width(path: str, line: int, count: int, head: Sequence[str], separator: str) -> DataError:
    """The error for a line with another number of cells than the header."""
    if separator == " ":
        remedy = "spaces separate them; name the format if it has another (--input-format)"
    else:
        remedy = f"{SEPARATORS[separator]} separate columns, and quotes protect them only around a whole cell"
    return DataError(
        f"{path_text(path)}, line {line}: {pluralise(count, 'column')}, but there should be {len(head)} "
        f"({', '.join(head)}); {remedy}"
    )


def grid(
    path: str,
    rows: list[str],
    separator: str,
    header: Sequence[str] | None = None,
    *,
    is_csv: bool = False,
) -> CellGrid:
    """The cells of a table; the first row names the columns unless `header` does.

    Cells may be quoted in CSV, and wherever commas or semicolons separate them. With tabs, `has_quotes` decides.
    """
    if separator == " ":
        return _space_separated(path, rows, header)
    if separator == "\t" and not is_csv:
        quoted, note = has_quotes(path, rows, header)
    else:
        quoted, note = any('"' in row for row in rows), ""
    notes = (note,) if note else ()
    if not quoted:
        return _split_unquoted(path, rows, separator, header, notes)
    remaining = records(path, rows, separator)
    head = [name.strip() for name in header or next(remaining).cells]
    cells: list[str] = []
    begins: list[int] = []
    for record in remaining:
        if len(record.cells) != len(head):
            raise wrong_width(path, record.line, len(record.cells), head, separator)
        cells += record.cells
        begins.append(record.line)
    return CellGrid(head, cells, begins, notes)


def _space_separated(path: str, rows: list[str], header: Sequence[str] | None) -> CellGrid:
    """Below names that are separated by spaces, WMT's files have tabs, or tabs and spaces in one row."""
    first = 0 if header else 1
    head = list(header or rows[0].split())
    cells: list[str] = []
    for line, row in enumerate(rows[first:], first + 1):
        by_tabs = row.split("\t")
        record = by_tabs if len(by_tabs) == len(head) else row.split()
        if len(record) != len(head):
            raise wrong_width(path, line, len(record), head, " ")
        cells += record
    return CellGrid(head, cells, range(first + 1, len(rows) + 1))


def _split_unquoted(
    path: str, rows: list[str], separator: str, header: Sequence[str] | None, notes: tuple[str, ...]
) -> CellGrid:
    first = 0 if header else 1
    head = [name.strip() for name in header or rows[0].split(separator)]
    widths = list(map(str.count, islice(rows, first, None), repeat(separator)))
    if {*widths} - {len(head) - 1}:
        row = next(row for row, width in enumerate(widths) if width != len(head) - 1)
        raise wrong_width(path, first + row + 1, widths[row] + 1, head, separator)
    cells: list[str] = []
    for start in range(first, len(rows), _BLOCK):
        cells += separator.join(rows[start : start + _BLOCK]).split(separator)
    return CellGrid(head, cells, range(first + 1, len(rows) + 1), notes)


def records(path: str, rows: Sequence[str], separator: str) -> Iterator[CellRecord]:
    """Rows with cells that may be quoted, and then hold separators, doubled quotes and line breaks."""
    text, cell = "\n".join(rows) + "\n", _cell(separator)
    at, line = 0, 1
    while at < len(text):
        begin, cells, quoted = line, [], []
        ended = False
        while not ended:
            match = cell.match(text, at)
            if match is None:
                raise DataError(
                    f"{path_text(path)}, line {begin}: a cell begins with a quote that does not end it; a "
                    "quote within a "
                    "quoted cell is written twice"
                )
            inner = match[1]
            quoted.append(inner is not None)
            cells.append(match[2] if inner is None else inner.replace('""', '"'))
            line += 0 if inner is None else inner.count("\n")
            at, ended = match.end(), match[3] == "\n"
        line += 1
        yield CellRecord(begin, cells, quoted)


def has_quotes(path: str, rows: list[str], header: Sequence[str] | None = None) -> tuple[bool, str]:
    """Whether cells of a tab-separated file are quoted as spreadsheets write them, and a note.

    Programs that quote do it with every cell that has a quote in it, and double that; or with all cells. So a quote in
    the middle of a cell without, or a quoted cell where nothing called for it, are the text's own.
    """
    if not any(row.startswith('"') or '\t"' in row for row in rows):
        return False, ""
    literal = f"{path_text(path)}: quotes are read as part of the text"
    fits = _fits(rows, header)
    try:
        parsed = list(records(path, rows, "\t"))
    except DataError:
        parsed = []
    width = len(header or parsed[0].cells) if parsed else 0
    in_unquoted = any(
        '"' in text
        for record in parsed
        for text, quoted in zip(record.cells, record.quoted, strict=True)
        if not quoted
    )
    if not parsed or in_unquoted or any(len(record.cells) != width for record in parsed):
        wrapped = fits and any(_WRAPPED.search(row) for row in rows)
        return False, f"{literal}: they do not enclose cells throughout" if wrapped else ""
    count = sum(sum(record.quoted) for record in parsed)
    if _calls_for_quotes(parsed, header) or not fits:
        return True, f"{path_text(path)}: {count:,} cells stand in quotes, which are no part of the text"
    return False, f"{literal}: {count:,} cells begin and end with one, though nothing in them calls for it"


def _calls_for_quotes(records: list[CellRecord], header: Sequence[str] | None) -> bool:
    cells = [pair for record in records for pair in zip(record.cells, record.quoted, strict=True)]
    if any(quoted and _NEEDED.search(text) for text, quoted in cells):
        return True
    if all(quoted or not text or _is_number(text) for text, quoted in cells):
        return True  # all of them
    below = records[0 if header else 1 :]
    whole = any(
        all(record.quoted[at] and record.cells[at] for record in below) for at in range(len(records[0].cells))
    )
    if whole and len(below) >= _WHOLE_COLUMN:
        return True
    # Excel quotes cells with commas, too.
    commas = [quoted for text, quoted in cells if "," in text]
    return len(commas) >= _COMMAS and all(commas) and sum(quoted for _, quoted in cells) == len(commas)


def _fits(rows: list[str], header: Sequence[str] | None) -> bool:
    width = len(header) - 1 if header else rows[0].count("\t")
    return all(row.count("\t") == width for row in rows)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def csv_separator(line: str) -> str:
    """The separator of a CSV header: the sign that it has most often outside quotes."""
    bare = _QUOTED.sub("", line)
    return max((",", ";", "\t", "|"), key=bare.count)


def from_excel(path: str, data: bytes) -> CellGrid:
    """The first sheet of an Excel file that is not empty; numbers and dates as text."""
    head: list[str] = []
    cells: list[str] = []
    begins: list[int] = []
    title, sheets = _first_sheet(path, data)
    for number, row in enumerate(sheets[title], 1):
        texts = list(map(_text, row))
        if not head:
            while texts and not texts[-1]:
                texts.pop()
            head = [name.strip() for name in texts]
            continue
        if any(texts[len(head) :]):
            raise DataError(
                f"{path_text(path)}, row {number}: {len(texts)} cells, but there should be {len(head)} "
                f"({', '.join(head)})"
            )
        if any(texts):
            missing = number - (begins[-1] if begins else 1) - 1
            if missing and len(head) > 1:
                raise DataError(f"{path_text(path)}, row {number - 1}: an empty row among the others")
            cells += [*texts, *repeat("", len(head) - len(texts))][: len(head)]
            begins.append(number)
    others = [repr(name) for name in sheets if name != title]
    note = f"{path_text(path)}: read from the sheet {title!r}; not read: {', '.join(others)}"
    way_out = "save another sheet as a file of its own (CSV) where that one is meant"
    return CellGrid(head, cells, begins, (f"{note}; {way_out}",) if others else ())


def _first_sheet(path: str, data: bytes) -> tuple[str, dict[str, list[tuple[Any, ...]]]]:
    """The name of the first sheet that is not empty, and all such sheets."""
    import zipfile

    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(f"reading {path_text(path)} (Excel)", "xlsx") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > _UNPACKED:
            raise DataError(f"{path_text(path)} unpacks to {size:,} bytes; at most {_UNPACKED:,} are read")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}
    except DataError:
        raise
    except Exception as error:  # openpyxl raises whatever its parts do
        raise DataError(f"{path_text(path)} is no Excel file that can be read: {error}") from None
    filled = {name: rows for name, rows in sheets.items() if any(any(map(_text, row)) for row in rows)}
    if not filled:
        raise DataError(f"{path_text(path)} is empty: no cell in it")
    return next(iter(filled)), filled


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


def from_book(path: str, data: bytes) -> CellGrid:
    """The table in a file that is no text: an Excel or Parquet file."""
    if suffix(path) != ".parquet":
        return from_excel(path, data)
    columns = parquet_columns(path, open_parquet(path, io.BytesIO(data)).read())
    rows = zip(*columns.values(), strict=True)
    cells = [cell or "" for row in rows for cell in row]
    return CellGrid(list(columns), cells, range(1, len(cells) // len(columns) + 1))


def parquet_columns(path: str, content: Any) -> dict[str, tuple[str | None, ...]]:
    """The columns of a table or batch of pyarrow; None where a value is missing."""
    if not content.schema.names or not content.num_rows:
        raise DataError(f"{path} is empty: no segment in it")
    return {name: tuple(parquet_texts(content.column(at))) for at, name in enumerate(content.schema.names)}


def parquet_texts(column: Any) -> list[str | None]:
    """The values of a column of pyarrow as texts; None where a value is missing."""
    return [value if value is None else str(value) for value in column.to_pylist()]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def as_csv(grid: CellGrid) -> bytes:
    """A grid as CSV that `records` can read."""

    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    width = len(grid.head)
    rows = chain([grid.head], (grid.cells[at : at + width] for at in range(0, len(grid.cells), width)))
    return "".join(",".join(map(quoted, row)) + "\n" for row in rows).encode("utf-8", "surrogatepass")


@cache
def _cell(separator: str) -> re.Pattern[str]:
    sign = re.escape(separator)
    return re.compile(rf'(?:"([^"]*+(?:""[^"]*+)*+)"|(?!")([^{sign}\n]*+))({sign}|\n)')


_WRAPPED = re.compile(r'(?:^|\t)"[^\t]*"(?:\t|$)')
_NEEDED = re.compile(r'["\t\n]')
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
