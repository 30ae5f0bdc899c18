"""TOML documents with the lines of their fields, so that errors can name them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields
from adjudge.io.files import path_text, read_bytes, whole_text

Path = tuple[str | int, ...]
DEEPEST = 100
"""Limit for nested tables and lists; our files need at most six levels."""
_KEY_PART = r"""(?>[\w-]++|"(?>[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w\"'-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{{DEEPEST}}}")
_CLOSING = ("]", "}", '"""', "'''")
"""What a statement of several lines ends with."""


def loads(text: str) -> dict[str, Any]:
    """The document of a TOML text; ValueError if it is invalid or nested too deeply."""
    # The parser's time grows with the square of a key's length, so such a key is refused unread.
    if (key := _LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, key.start()) + 1
        raise ValueError(f"line {line}: a key of more than {DEEPEST} parts; shorten it")
    too_deep = ValueError(f"tables or lists are nested more than {DEEPEST} deep; take levels away")
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise too_deep from None
    level: list[Any] = [document]
    for _ in range(DEEPEST):
        level = [entry for outer in level for entry in (outer.values() if isinstance(outer, dict) else outer)]
        level = [entry for entry in level if isinstance(entry, dict | list)]
    if level:
        raise too_deep
    return document


@dataclass(frozen=True)
class TomlDocument:
    """The fields of a file, and the line of each."""

    path: str
    values: dict[str, Any]
    lines: Mapping[Path, int]
    sha256: str

    @classmethod
    def read(cls, path: str) -> TomlDocument:
        """The document of a file; an empty one has no fields."""
        data, sha256 = read_bytes(path)
        return cls.parse(path, whole_text(path, data) if data.strip() else "", sha256)

    @classmethod
    def parse(cls, path: str, text: str, sha256: str = "") -> TomlDocument:
        """The document of a text; invalid TOML is an error with its line."""
        try:
            return cls(path, loads(text), _lines(text), sha256)
        except ValueError as error:
            last = len(text.rstrip().split("\n"))
            reason = str(error).replace("(at end of document)", f"(at the end, line {last})")
            raise DataError(f"{path_text(path)}: no TOML: {reason}") from None

    def place(self, *way: str | int) -> str:
        """The file and the line of a field, or of the table around it where it has none of its own."""
        return place_of(self.path, self.lines, way)


def place_of(path: str, lines: Mapping[Path, int], way: Path) -> str:
    """The file and the line of a field by the lines of its fields and tables."""
    ways = (way[:end] for end in range(len(way), 0, -1))
    line = next((lines[known] for known in ways if known in lines), 0)
    return f"{path_text(path)}, line {line}" if line else path_text(path)


def read_tables(
    path: str, name: str, kinds: Mapping[str, type], required: Mapping[str, str]
) -> list[tuple[str, dict[str, Any]]]:
    """The tables [[name]] of a file, each with its place; errors name line and field.

    Fields are of `kinds`, lists of texts become tuples; `required` says of fields that must be there what they are.
    """
    document = TomlDocument.read(path)
    entries = document.values.get(name)
    if list(document.values) != [name] or not isinstance(entries, list) or not entries:
        raise DataError(
            f"{path_text(path)}: no {name}; each begins with a line [[{name}]], and there is nothing else"
        )
    tables = []
    for n, entry in enumerate(entries):

        def where(*field: str, n: int = n) -> str:
            return ": ".join((document.place(name, n, *field), f"{name} {n + 1}", *field))

        values = fields.table(entry, where())
        for field, value in values.items():
            try:
                fields.check_keys([field], kinds)
            except AdjudgeError as error:
                raise DataError(f"{where()}: {error}") from None
            fields.check_type(value, kinds[field], where(field))
            if kinds[field] is list:
                values = values | {field: tuple(fields.texts(value, where(field)))}
        for field, what in required.items():
            if field not in values:
                raise DataError(f"{where(field)}: missing{what and '; '}{what}")
        tables.append((where(), values))
    return tables


def _lines(text: str) -> dict[Path, int]:
    """Lines by path of each field: `("test_set", 0, "name")` is the name of the first test set."""
    places: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _statements(text):
        document = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table = _table(document, counts)
            places.setdefault(table, line)
            continue
        for way in _ways(document):
            places.setdefault(table + way, line)
    return places


def _statements(text: str) -> list[tuple[int, str]]:
    """Headers and fields, each with its first line: as many lines as make TOML by themselves."""
    statements: list[tuple[int, str]] = []
    begun: list[str] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not begun and line.strip()[:1] in ("", "#"):
            continue
        begun.append(line)
        if len(begun) > 1 and not any(mark in line for mark in _CLOSING):
            continue
        statement = "\n".join(begun)
        try:
            tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue  # it goes on
        statements.append((number - len(begun) + 1, statement))
        begun = []
    return statements


def _table(header: Mapping[str, Any], counts: dict[Path, int]) -> Path:
    """The path of the table that a header begins; tables of a list are counted."""
    way: Path = ()
    document: Any = header
    while document:
        ((name, document),) = document.items()
        way = (*way, name)
        if isinstance(document, list):
            counts[way] = counts.get(way, -1) + 1
            document = document[0]
            way = (*way, counts[way])
        elif way in counts:
            way = (*way, counts[way])
    return way


def _ways(document: Mapping[str, Any], before: Path = ()) -> list[Path]:
    """The path of every field of a statement, tables first."""
    ways: list[Path] = []
    for name, value in document.items():
        way = (*before, name)
        ways.append(way)
        if isinstance(value, Mapping):
            ways += _ways(value, way)
        if isinstance(value, list):
            for place, entry in enumerate(value):
                if isinstance(entry, Mapping):
                    ways += [(*way, place), *_ways(entry, (*way, place))]
    return ways
