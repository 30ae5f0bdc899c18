"""Fields of a JSON file, taken out with their types checked; what is wrong is said with its place."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from adjudge.errors import DataError
from adjudge.io.files import read_bytes, shown

KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a whole number"}
Kind = TypeVar("Kind")


def read_json(path: str, what: str) -> dict[str, Any]:
    """The object in a file; `what` says what kind of file it should be."""
    data, _ = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{shown(path)} is not {what}: it is not even text (UTF-8)") from None
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise DataError(f"{shown(path)} is empty; {what} was expected") from None
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            raise DataError(
                f"{shown(path)} is truncated: it ends on line {text.count(chr(10)) + 1}"
            ) from None
        raise DataError(
            f"{shown(path)}, line {error.lineno}: not JSON ({error.msg}); {what} was expected"
        ) from None
    except RecursionError:
        raise DataError(f"{shown(path)} is not {what}: JSON nested too deeply") from None
    except ValueError as error:  # a number with thousands of digits, NaN
        raise DataError(f"{shown(path)} is not {what}: {error}") from None
    if not isinstance(document, dict):
        raise DataError(f"{shown(path)} is not {what}: {_kind(document)}, but an object was expected")
    return document


@dataclass(frozen=True)
class Fields:
    """An object in a file, and where it stands there."""

    path: str
    values: dict[str, Any]
    place: str = ""

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def fault(self, key: str, problem: str) -> DataError:
        """An error that names the file and the field."""
        return DataError(f"{shown(self.path)}: {self.place}{key}: {problem}")

    def take(self, key: str, kind: type[Kind]) -> Kind:
        """The value of a field that must be there."""
        if key not in self.values:
            raise self.fault(key, f"missing; {KINDS[kind]} was expected")
        value = self.values[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fault(key, f"{_kind(value)}, but {KINDS[kind]} was expected")
        return value

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
                raise self.fault(f"{key}[{i}]", f"{_kind(value)}, but a text was expected")
        return tuple(values)

    def object(self, key: str) -> Fields:
        """An object that must be there."""
        return Fields(self.path, self.take(key, dict), f"{self.place}{key}.")

    def objects(self, key: str) -> Iterator[Fields]:
        """The objects of a list that must be there."""
        for i, value in enumerate(self.take(key, list)):
            if not isinstance(value, dict):
                raise self.fault(f"{key}[{i}]", f"{_kind(value)}, but an object was expected")
            yield Fields(self.path, value, f"{self.place}{key}[{i}].")

    def _number(self, key: str, value: Any) -> float:
        if value is None:
            return math.nan
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(key, f"{_kind(value)}, but a number was expected")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fault(key, "a number too large for any score")
        return number


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON (null stands for what is missing)")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return "a number" if isinstance(value, float) else KINDS[type(value)]
