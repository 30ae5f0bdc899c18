"""Values in JSON and TOML files: checks of their kinds, with messages that name field and line.

`where` names the field, as in `assignment.common`, with its file and line where the caller does not add them. JSON
texts are parsed here too: a key that stands twice is an error, not silently the later one.
"""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

from adjudge.errors import DataError, unknown_name
from adjudge.io.files import path_text, read_bytes, whole_text

KINDS: Mapping[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    tuple: "a list",
    dict: "an object",
    type(None): "null",
}
"""The kinds of values in words, as JSON has them."""
TABLE = "a table"
"""What TOML calls an object."""
LARGEST = 2**53
"""The largest number that is exact wherever it is read."""
Kind = TypeVar("Kind")


def fits(value: Any, kind: type) -> bool:
    """Whether a value is of a kind; a whole number is also a number, but true and false are not."""
    if isinstance(value, bool):
        return kind in (bool, object)
    return isinstance(value, {float: (int, float), tuple: (list, tuple), list: (list, tuple)}.get(kind, kind))


def wrong(where: str, expected: str, value: Any) -> DataError:
    """The error for a value that was not expected."""
    return DataError(f"{where}: {expected} was expected, not {reprlib.repr(value)}")


def check_type(value: Any, kind: type, where: str, expected: str = "") -> Any:
    """The value itself if it is of a kind, and exact for every reader."""
    if not fits(value, kind):
        raise wrong(where, expected or KINDS[kind], value)
    if isinstance(value, (int, float)) and not abs(value) <= LARGEST:
        raise wrong(where, f"a number up to {LARGEST:,}", value)
    return value


def table(value: Any, where: str, expected: str = TABLE) -> dict[str, Any]:
    """A table of fields."""
    checked: dict[str, Any] = check_type(value, dict, where, expected)
    return checked


def text(value: Any, where: str, expected: str = "a text") -> str:
    """A text that is not blank."""
    if value is None:
        raise DataError(f"{where}: missing")
    if not is_text(value):
        raise wrong(where, expected, value)
    return str(value)


def texts(value: Any, where: str, expected: str = "a list of texts", *, fewest: int = 0) -> list[str]:
    """A list of texts that are not blank."""
    if not is_texts(value) or len(value) < fewest:
        raise DataError(f"{where}: {expected} was expected")
    return list(value)


def check_keys(document: Iterable[str], known: Iterable[str], where: str = "") -> None:
    """Refuse unknown fields, and name the nearest known one."""
    names = list(known)
    for key in document:
        if key not in names:
            raise unknown_name("field", f"{where}{key}", [f"{where}{name}" for name in names])


def list_under(document: Mapping[str, Any], key: str, place: str) -> list[Any]:
    """The list under a key of another tool's file, an empty one where there is none."""
    return _under(document, key, place, list) or []


def table_under(document: Mapping[str, Any], key: str, place: str) -> dict[str, Any]:
    """The object under a key of another tool's file, an empty one where there is none."""
    return _under(document, key, place, dict) or {}


def _under(document: Mapping[str, Any], key: str, place: str, kind: type) -> Any:
    value = document.get(key)
    if value is not None and not isinstance(value, kind):
        raise DataError(f"{place}: {key!r} is no {KINDS[kind].split()[-1]}, but {reprlib.repr(value)}")
    return value


def is_text(value: Any) -> bool:
    """Whether it is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def is_texts(value: Any) -> bool:
    """Whether it is a list of texts that are not blank."""
    return isinstance(value, (list, tuple)) and all(map(is_text, value))


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number."""
    return fits(value, int)


def finite(value: Any) -> float | None:
    """A finite number, or None; JSON may have numbers that are too large."""
    if not fits(value, float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def kind_of(value: Any) -> str:
    """What kind of value it is, in words."""
    return "a number" if isinstance(value, float) else KINDS[type(value)]


@dataclass(frozen=True)
class Fields:
    """An object in a file, with its place there."""

    path: str
    values: dict[str, Any]
    place: str = ""

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def fault(self, key: str, problem: str) -> DataError:
        """An error that names the file and the field."""
        return DataError(f"{path_text(self.path)}: {self.place}{key}: {problem}")

    def take(self, key: str, kind: type[Kind]) -> Kind:
        """The value of a required field."""
        if key not in self.values:
            raise self.fault(key, f"missing; {KINDS[kind]} was expected")
        value = self.values[key]
        if not fits(value, kind):
            raise self.fault(key, f"{kind_of(value)}, but {KINDS[kind]} was expected")
        typed_value: Kind = value
        return typed_value

    def optional(self, key: str, kind: type[Kind]) -> Kind | None:
        """The value of a field that may be missing or null."""
        return self.take(key, kind) if key in self else None

    def whole(self, key: str, lowest: int, highest: int = 10**9) -> int:
        """A whole number in a range."""
        value = self.take(key, int)
        if not lowest <= value <= highest:
            raise self.fault(key, f"{value} is not a number from {lowest} to {highest}")
        return value

    def number(self, key: str) -> float:
        """A number; NaN where it is null, as a score is that was not finite."""
        if key not in self.values:
            raise self.fault(key, "missing; a number was expected")
        return self._number(key, self.values[key])

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of numbers."""
        return tuple(self._number(f"{key}[{i}]", value) for i, value in enumerate(self.take(key, list)))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self.take(key, list)
        for i, value in enumerate(values):
            if not isinstance(value, str):
                raise self.fault(f"{key}[{i}]", f"{kind_of(value)}, but a text was expected")
        return tuple(values)

    def object(self, key: str) -> Fields:
        """A required object."""
        return Fields(self.path, self.take(key, dict), f"{self.place}{key}.")

    def object_or_empty(self, key: str) -> Fields:
        """An object that may be missing, then empty."""
        return self.object(key) if key in self else Fields(self.path, {}, f"{self.place}{key}.")

    def members(self) -> Iterator[tuple[str, Fields]]:
        """The objects under all keys, by key."""
        return ((key, self.object(key)) for key in self.values)

    def objects(self, key: str) -> Iterator[Fields]:
        """The objects of a required list."""
        for i, value in enumerate(self.take(key, list)):
            if not isinstance(value, dict):
                raise self.fault(f"{key}[{i}]", f"{kind_of(value)}, but an object was expected")
            yield Fields(self.path, value, f"{self.place}{key}[{i}].")

    def _number(self, key: str, value: Any) -> float:
        if value is None:
            return math.nan
        if not fits(value, float):
            raise self.fault(key, f"{kind_of(value)}, but a number was expected")
        number = finite(value)
        if number is None:
            raise self.fault(key, "a number too large for any score")
        return number


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text written by hand; DataError names a duplicate key, ValueError comes from JSON."""
    return json.loads(text, object_pairs_hook=_without_duplicates)


def value_of(path: str, data: bytes) -> Any:
    """The value of a whole file of another tool."""
    try:
        return json.loads(whole_text(path, data))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path_text(path)}: not JSON: {error}") from None


def read_object(path: str, what: str) -> dict[str, Any]:
    """The object in a file; `what` says what kind of file it should be."""
    data, _ = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path_text(path)} is not {what}: it is not even text (UTF-8)") from None
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise DataError(f"{path_text(path)} is empty; {what} was expected") from None
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            raise DataError(
                f"{path_text(path)} is truncated: it ends on line {text.count(chr(10)) + 1}"
            ) from None
        raise DataError(
            f"{path_text(path)}, line {error.lineno}: not JSON ({error.msg}); {what} was expected"
        ) from None
    except RecursionError:
        raise DataError(f"{path_text(path)} is not {what}: JSON nested too deeply") from None
    except ValueError as error:  # a number with thousands of digits, NaN
        raise DataError(f"{path_text(path)} is not {what}: {error}") from None
    if not isinstance(document, dict):
        raise DataError(f"{path_text(path)} is not {what}: {kind_of(document)}, but an object was expected")
    return document


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise DataError(f"{key!r} stands there twice; take one of them away")
        table[key] = value
    return table


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON (null stands for what is missing)")
