"""Where the fields of a TOML file stand, so that what is wrong with one can be said with its line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from adjudge.errors import DataError
from adjudge.io.files import shown

Path = tuple[str | int, ...]
_CLOSING = ("]", "}", '"""', "'''")
"""What a statement of several lines ends with."""


def parse_toml(path: str, text: str) -> tuple[dict[str, Any], dict[Path, int]]:
    """The document of a file, and the line of every table and field; what is no TOML is said with its line."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        last = len(text.rstrip().split("\n"))
        reason = str(error).replace("(at end of document)", f"(at the end, line {last})")
        raise DataError(f"{shown(path)}: no TOML: {reason}") from None
    return document, _lines(text)


def _lines(text: str) -> dict[Path, int]:
    """By the way to each field: `("test_set", 0, "name")` is the name of the first test set."""
    places: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _statements(text):
        held = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table = _table(held, counts)
            places.setdefault(table, line)
            continue
        for way in _ways(held):
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
    """The way to the table that a header begins; tables of a list are counted."""
    way: Path = ()
    held: Any = header
    while held:
        ((name, held),) = held.items()
        way = (*way, name)
        if isinstance(held, list):
            counts[way] = counts.get(way, -1) + 1
            held = held[0]
            way = (*way, counts[way])
        elif way in counts:
            way = (*way, counts[way])
    return way


def _ways(held: Mapping[str, Any], before: Path = ()) -> list[Path]:
    """The way to every field of a statement, its tables first."""
    ways: list[Path] = []
    for name, value in held.items():
        way = (*before, name)
        ways.append(way)
        if isinstance(value, Mapping):
            ways += _ways(value, way)
        if isinstance(value, list):
            for place, entry in enumerate(value):
                if isinstance(entry, Mapping):
                    ways += [(*way, place), *_ways(entry, (*way, place))]
    return ways
