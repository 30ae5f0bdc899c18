"""JSON lines: one object per segment, with COMET's keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from adjudge.errors import DataError
from adjudge.io.columns import role_of, table_of
from adjudge.io.fields import kind_of
from adjudge.io.files import lines, read_lines
from adjudge.io.table import Column, TextTable

_REFERENCE_LISTS = ("refs", "references")
_SURROGATE = re.compile("[\ud800-\udfff]")
MISSING = object()
"""The value of a key that a line lacks; null is None."""
Row = dict[str, Any]


def read(path: str, data: bytes, language: str | None) -> TextTable:
    """Source, references and outputs by their keys, other scalars as labels, lists and objects left aside."""
    values_by_name = gather_columns(path, lines(path, data))
    columns: dict[str, Column] = {}
    for name, values in values_by_name.items():
        if name in _REFERENCE_LISTS:
            continue
        if role_of(name) != "label":
            columns[name] = _texts(path, name, values)
        elif not any(isinstance(value, (list, dict)) for value in values):
            _check_complete(path, name, values)
            columns[name] = tuple(map(_label, values))
    for name in _REFERENCE_LISTS:
        if name in values_by_name:
            columns.update(_list_columns(path, name, values_by_name[name], columns))
    return table_of(path, columns, language)


def objects(path: str) -> list[Row]:
    """The object of every line of a file."""
    return [row_of(path, number, line) for number, line in enumerate(read_lines(path), 1)]


def gather_columns(path: str, rows: list[str]) -> dict[str, list[Any]]:
    """The values of each key, line by line, MISSING where a line lacks it."""
    columns: dict[str, list[Any]] = {}
    for number, line in enumerate(rows, 1):
        row = row_of(path, number, line)
        for name, value in row.items():
            if name not in columns:
                columns[name] = [MISSING] * (number - 1)
            columns[name].append(value)
        if len(row) < len(columns):
            for values in columns.values():
                if len(values) < number:
                    values.append(MISSING)
    return columns


def row_of(path: str, number: int, line: str) -> Row:
    """The object of one line."""
    try:
        row = _DECODER.decode(line)
    except RecursionError:
        raise DataError(f"{path}, line {number}: JSON nested too deeply") from None
    except ValueError as error:
        if not line.strip():
            raise DataError(f"{path}, line {number} is empty; one JSON object a line was expected") from None
        raise DataError(f"{path}, line {number}: not JSON: {error}") from None
    if not isinstance(row, dict):
        raise DataError(f"{path}, line {number}: {kind_of(row)}, but one JSON object a line was expected")
    if "\\u" in line:  # escapes can write what UTF-8 cannot
        for name, value in row.items():
            for text in (name, *_strings(value)):
                if _SURROGATE.search(text):
                    raise DataError(f"{path}, line {number}: an unpaired surrogate in {_show_name(name)}")
                if "\0" in text:
                    raise DataError(f"{path}, line {number}: a NUL character in {_show_name(name)}")
    return row


def _object(pairs: list[tuple[str, Any]]) -> Row:
    row = dict(pairs)
    if len(row) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} is there twice")
    return row


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _check_complete(path: str, name: str, values: list[Any]) -> None:
    if MISSING in values:
        line = values.index(MISSING) + 1
        other = next(at for at, value in enumerate(values, 1) if value is not MISSING)
        raise DataError(f"{path}, line {line} has no {name!r}, but line {other} has")


def _texts(path: str, name: str, values: list[Any]) -> Column:
    _check_complete(path, name, values)
    for number, value in enumerate(values, 1):
        if not (isinstance(value, str) or (value is None and role_of(name) == "reference")):
            several = "; several references are a list under 'refs'" if role_of(name) == "reference" else ""
            raise DataError(
                f"{path}, line {number}: {name!r} is {kind_of(value)}; a text was expected{several}"
            )
    return tuple(values)


def _list_columns(path: str, name: str, values: list[Any], columns: dict[str, Column]) -> dict[str, Column]:
    """Lists of references under one key, as columns ref1, ref2, …"""
    lists = [None if value is MISSING else value for value in values]
    for number, value in enumerate(lists, 1):
        if value is not None and not (
            isinstance(value, list) and all(item is None or isinstance(item, str) for item in value)
        ):
            raise DataError(f"{path}, line {number}: {name!r} must be a list of texts")
    width = max(len(value or []) for value in lists)
    listed = {
        f"ref{at + 1}": tuple(value[at] if value and at < len(value) else None for value in lists)
        for at in range(width)
    }
    if clash := sorted(listed.keys() & columns.keys()):
        raise DataError(f"{path} has {clash[0]!r} and {name!r}; keep one of them")
    return listed


def _label(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _show_name(name: str) -> str:
    return ascii(name)
