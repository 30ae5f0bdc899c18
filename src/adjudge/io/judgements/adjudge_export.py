"""adjudge's own export, JSON lines or CSV: everything that judgements hold is written and read back exactly.

A line of JSON is a judgement:

    {"protocol": "da", "system": "A", "item": "7", "annotator": "ann", "kind": "ordinary", "score": 71,
     "start": 1700000000.5, "seconds": 12.3, "labels": {"document": "d1"}, "measures": {"keystrokes": 40}}

CSV has one column per field, labels and measures as `label:document` and `measure:keystrokes`, errors as JSON. Its
cells are safe in spreadsheets: a cell that begins like a formula gets an apostrophe, which the reader removes;
numbers are left alone. Nothing is guessed, left out or reordered.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import KINDS, Judgements, NameColumn, Span
from adjudge.data.texts import Texts
from adjudge.errors import DataError, unknown_name
from adjudge.io.fields import finite
from adjudge.io.files import lines, path_text
from adjudge.io.jsonl import MISSING, gather_columns
from adjudge.io.judgements.columns import higher_is_better
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.output import (
    JudgementFile,
    WriteRequest,
    comma_separated,
    json_lines_of,
    number,
    unguard_cell,
)
from adjudge.io.judgements.tool import Reader, Tool, Writer
from adjudge.wording import pluralise

COLUMNS = ("protocol", "system", "item", "annotator", "kind", "score")


"""The fields of every judgement, in order; the format is recognised by them."""

LABEL, MEASURE = "label:", "measure:"


def write_json_lines(request: WriteRequest) -> JudgementFile:
    """One JSON object per judgement."""
    return json_lines_of(_entries(request.judgements, request.texts))


def write_csv(request: WriteRequest) -> JudgementFile:
    """CSV with one row per judgement."""
    judgements, texts = request.judgements, request.texts
    names = [*COLUMNS]
    for name in ("other", "ranking", "start", "seconds", "spans"):
        if getattr(judgements, name) is not None:
            names.append(name)
    if not judgements.higher_is_better:
        names.append("higher_is_better")
    labels = [name for name, column in sorted(judgements.labels.items()) if column.names]
    header = [
        *names,
        *(f"{LABEL}{name}" for name in labels),
        *(f"{MEASURE}{name}" for name in judgements.measures),
        *texts.columns(),
    ]

    def cells(row: dict[str, Any]) -> list[str]:
        return [
            *(_cell(row[name]) for name in names),
            *(_cell(row["labels"].get(name)) for name in labels),
            *(_cell(row["measures"].get(name)) for name in judgements.measures),
            *(_cell(row[name]) for name in texts.columns()),
        ]

    rows = ({**row, "measures": row.get("measures", {})} for row in _entries(judgements, texts))
    return comma_separated(
        [header, *map(cells, rows)], guard=True, bom=request.for_spreadsheet, end="\r\n"
    )  # lines end as RFC 4180 has them


def _entries(judgements: Judgements, texts: Texts) -> Iterator[dict[str, Any]]:
    columns = {
        name: column.values()
        for name, column in (
            ("system", judgements.system),
            ("item", judgements.item),
            ("annotator", judgements.annotator),
        )
    }
    other = judgements.other.values() if judgements.other is not None else None
    labels = {name: column.values() for name, column in sorted(judgements.labels.items()) if column.names}
    for row in range(len(judgements)):
        entry: dict[str, Any] = {
            "protocol": judgements.protocol,
            **{name: values[row] or None for name, values in columns.items()},
            "kind": KINDS[judgements.kind[row]],
            "score": _number(judgements, row, "score", judgements.score[row]),
        }
        if other is not None:
            entry["other"] = other[row] or None
        if judgements.ranking is not None:
            entry["ranking"] = int(judgements.ranking[row])
        for name in ("start", "seconds"):
            column = getattr(judgements, name)
            if column is not None:
                entry[name] = _number(judgements, row, name, column[row])
        if judgements.spans is not None:
            entry["spans"] = [_span(span) for span in judgements.spans[row]]
        if not judgements.higher_is_better:
            entry["higher_is_better"] = False
        entry["labels"] = {name: values[row] for name, values in labels.items() if values[row]}
        if judgements.measures:
            entry["measures"] = {
                name: _number(judgements, row, name, column[row])
                for name, column in judgements.measures.items()
            }
        yield {**entry, **{name: column[row] for name, column in texts.columns().items()}}


def _span(span: Span) -> dict[str, Any]:
    """Start, end and severity, and what else it has."""
    return {
        name: value
        for name, value in asdict(span).items()
        if name in ("start", "end", "severity") or value != getattr(_PLAIN, name)
    }


_PLAIN = Span(None, None, "")


def _number(judgements: Judgements, row: int, name: str, value: float) -> int | float | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        raise DataError(f"{judgements.place(row)}: {name} is {value}, which is no finite number")
    whole = int(value)
    return whole if whole == value and abs(value) < 2**53 and not _is_minus_zero(value) else float(value)


def _is_minus_zero(value: float) -> bool:
    return value == 0 and math.copysign(1.0, value) < 0


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, list)):
        return json.dumps(value, ensure_ascii=False)
    return number(value) if isinstance(value, float) else str(value)


Floats = NDArray[np.float64]
_BOM = "\ufeff"


def is_own(file: InputFile) -> bool:
    """Whether the first line is that of our export."""
    data = file.data
    first = data[: data.find(b"\n")] if b"\n" in data else data
    head = first.decode("utf-8", "replace").removeprefix(_BOM)
    if not head.startswith("{"):
        return head.startswith(",".join(COLUMNS))
    try:
        row = json.loads(head)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {*COLUMNS, "labels"} <= row.keys()


def read(file: InputFile) -> FileContent:
    """Judgements as they were written; `column` makes a measure the score."""
    path, column = file.path, file.column
    judgements = _judgements(_rows(path, file.data))
    if column is not None and column != "score":
        wanted = [column] if isinstance(column, str) else list(column)
        name = next((name for name in wanted if name in judgements.measures), None)
        if name is None and "score" not in wanted:
            raise DataError(f"{path_text(path)}: {unknown_name('measure', wanted[0], judgements.measures)}")
        if name is not None:
            judgements = replace(judgements, score=judgements.measures[name])
    if file.protocol is not None and file.protocol != judgements.protocol:
        up = higher_is_better(file.protocol, judgements.score)
        judgements = replace(judgements, protocol=file.protocol, higher_is_better=up)
    return FileContent(judgements)


def texts(judgements: Judgements, file: InputFile) -> Texts:
    """The texts of judgements that were read from this file."""
    rows = _rows(file.path, file.data)
    at = {int(line): row for row, line in enumerate(rows.lines.tolist())}
    assert judgements.line is not None
    places = [at[int(line)] for line in judgements.line.tolist()]
    columns = {}
    for field in fields(Texts):
        column = rows.columns.get(field.name)
        if column is not None:
            rows.names(field.name, column)  # says where it is no text
            columns[field.name] = tuple(column[place] for place in places)
    return Texts(**columns)


def _rows(path: str, data: bytes) -> _Rows:
    is_json = data.lstrip(b"\xef\xbb\xbf")[:1] == b"{"
    return _from_json(path, data) if is_json else _from_csv(path, data)


@dataclass(frozen=True)
class _Rows:
    """Values by columns, None where a cell is empty; labels and measures by their own names."""

    path: str
    lines: NDArray[np.int64]
    columns: Mapping[str, Sequence[Any]]
    labels: Mapping[str, Sequence[Any]]
    measures: Mapping[str, Sequence[Any]]

    def wrong(self, row: int, name: str, expected: str, value: Any) -> DataError:
        return DataError(
            f"{path_text(self.path)}, line {self.lines[row]}: {name} is {value!r}, but {expected} was expected"
        )

    def names(self, name: str, values: Sequence[Any]) -> NameColumn:
        for row, value in enumerate(values):
            if not (value is None or isinstance(value, str)):
                raise self.wrong(row, name, "a text", value)
        return NameColumn.of(values)

    def numbers(self, name: str, values: Sequence[Any]) -> Floats:
        parsed = np.empty(len(values))
        for row, value in enumerate(values):
            number = math.nan if value is None else _finite(value)
            if number is None:
                raise self.wrong(row, name, "a finite number", value)
            parsed[row] = number
        return parsed

    def same(self, name: str, default: Any) -> Any:
        """The value of a field that must be the same in all rows."""
        values = self.columns.get(name)
        if values is None:
            return default
        for row, value in enumerate(values):
            if value != values[0]:
                raise DataError(
                    f"{path_text(self.path)}, line {self.lines[row]}: {name} is {value!r}, but {values[0]!r} before; "
                    "take them apart"
                )
        return values[0]


def _finite(value: Any) -> float | None:
    if not isinstance(value, str):
        return finite(value)
    try:
        return finite(float(value))
    except ValueError:
        return None


def _from_json(path: str, data: bytes) -> _Rows:
    columns = gather_columns(path, lines(path, data))
    begins = np.arange(1, len(next(iter(columns.values()))) + 1)
    absent = [name for name in (*COLUMNS, "labels") if MISSING in columns.get(name, [MISSING])]
    if absent:
        at = columns[absent[0]].index(MISSING) if absent[0] in columns else 0
        raise DataError(f"{path_text(path)}, line {at + 1}: no {absent[0]!r}; every line has one")
    given = {name: [None if v is MISSING else v for v in values] for name, values in columns.items()}
    nested = {}
    for name in ("labels", "measures"):
        rows = [{} if value is None else value for value in given.pop(name, [None] * len(begins))]
        for row, value in enumerate(rows):
            if not isinstance(value, dict):
                raise DataError(f"{path_text(path)}, line {row + 1}: {name} is no object")
        keys = dict.fromkeys(key for row in rows for key in row)
        nested[name] = {key: [row.get(key) for row in rows] for key in keys}
    return _Rows(path, begins, given, nested["labels"], nested["measures"])


def _from_csv(path: str, data: bytes) -> _Rows:
    lines(path, data)  # says where it is no UTF-8
    text = data.decode().removeprefix(_BOM)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records, begins, begin = [], [], 1
    try:
        for record in reader:
            records.append([unguard_cell(cell) for cell in record])
            begins.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{path_text(path)}, line {begin}: {error}") from None
    header, *rows = records
    for place, row in zip(begins[1:], rows, strict=True):
        if len(row) != len(header):
            raise DataError(
                f"{path_text(path)}, line {place}: {pluralise(len(row), 'column')}, but there should be {len(header)}"
            )
    if not rows:
        raise DataError(f"{path_text(path)} has a header line, but no judgement below it")
    cells = {name: [row[at] or None for row in rows] for at, name in enumerate(header)}
    plain = {name: values for name, values in cells.items() if not name.startswith((LABEL, MEASURE))}
    return _Rows(
        path, np.array(begins[1:], np.int64), plain, *(_cells_by_prefix(cells, of) for of in (LABEL, MEASURE))
    )


def _cells_by_prefix(cells: Mapping[str, list[Any]], prefix: str) -> dict[str, list[Any]]:
    return {name[len(prefix) :]: values for name, values in cells.items() if name.startswith(prefix)}


def _judgements(rows: _Rows) -> Judgements:
    columns = rows.columns
    protocol = rows.same("protocol", None)
    if not isinstance(protocol, str):
        raise rows.wrong(0, "protocol", "a name", protocol)

    def optional(name: str, read: Callable[[str, Sequence[Any]], Any]) -> Any:
        return read(name, columns[name]) if name in columns else None

    return Judgements(
        protocol=protocol,
        system=rows.names("system", columns["system"]),
        item=rows.names("item", columns["item"]),
        annotator=rows.names("annotator", columns["annotator"]),
        score=rows.numbers("score", columns["score"]),
        kind=_kinds(rows),
        other=optional("other", rows.names),
        ranking=optional("ranking", lambda name, values: _whole_numbers(rows, name, values)),
        start=optional("start", rows.numbers),
        seconds=optional("seconds", rows.numbers),
        spans=optional("spans", lambda _, values: _spans(rows, values)),
        labels={name: rows.names(f"label {name!r}", values) for name, values in rows.labels.items()},
        measures={name: rows.numbers(f"measure {name!r}", values) for name, values in rows.measures.items()},
        file=NameColumn.same(rows.path, len(rows.lines)),
        line=rows.lines,
        higher_is_better=rows.same("higher_is_better", True) not in (False, "false"),
    )


def _kinds(rows: _Rows) -> NDArray[np.int8]:
    for row, value in enumerate(rows.columns["kind"]):
        if value not in KINDS:
            raise rows.wrong(row, "kind", f"one of {', '.join(KINDS)}", value)
    return np.array([KINDS.index(value) for value in rows.columns["kind"]], np.int8)


def _whole_numbers(rows: _Rows, name: str, values: Sequence[Any]) -> NDArray[np.int64]:
    for row, value in enumerate(values):
        number = _finite(value)
        if number is None or number != int(number):
            raise rows.wrong(row, name, "a whole number", value)
    return np.array([int(value) for value in values], np.int64)


def _spans(rows: _Rows, values: Sequence[Any]) -> tuple[tuple[Span, ...], ...]:
    return tuple(_errors(rows, row, value) for row, value in enumerate(values))


_FIELDS = {field.name for field in fields(Span)}


def _errors(rows: _Rows, row: int, value: Any) -> tuple[Span, ...]:
    expected = "a list of errors"
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise rows.wrong(row, "spans", expected, value) from None
    if not isinstance(value, list):
        raise rows.wrong(row, "spans", expected, value)
    spans = []
    for error in value:
        if not isinstance(error, dict) or not _FIELDS >= error.keys() >= {"start", "end", "severity"}:
            raise rows.wrong(row, "an error", "start, end, severity and what else it has", error)
        spans.append(_error(rows, row, error))
    return tuple(spans)


def _error(rows: _Rows, row: int, error: Mapping[str, Any]) -> Span:
    start, end = error["start"], error["end"]
    places = all(isinstance(at, int) and not isinstance(at, bool) for at in (start, end))
    if not ((start is None and end is None) or (places and 0 <= start <= end)):
        raise rows.wrong(row, "an error", "a start from 0 up and an end not before it", error)
    weight = error.get("weight")
    if not all(isinstance(error.get(name, ""), str) for name in _FIELDS - {"start", "end", "weight"}) or not (
        weight is None or _finite(weight) is not None
    ):
        raise rows.wrong(row, "an error", "texts, and a number for its weight", error)
    return Span(**{**error, "weight": None if weight is None else float(weight)})


TOOL = Tool(
    readers={
        "adjudge": Reader(
            "adjudge's own export, JSON lines or CSV, taken as it is",
            read,
            is_file=is_own,
            texts=texts,
        ),
    },
    writers={
        "jsonl": Writer("adjudge's own, a JSON object a judgement: nothing is lost", write_json_lines),
        "csv": Writer("the same in columns, safe in spreadsheets: nothing is lost", write_csv),
    },
)
