"""JSON texts to values; what stands there twice is said, and not silently the later one. `fields.py` has the rest."""

from __future__ import annotations

import json
from typing import Any

from adjudge.errors import DataError
from adjudge.io.fields import kind_of
from adjudge.io.files import read_bytes, shown, whole


def parse(text: str | bytes) -> Any:
    """The value of a text that people write by hand; DataError names a key that stands twice, ValueError is JSON's."""
    return json.loads(text, object_pairs_hook=_once)


def value_of(path: str, data: bytes) -> Any:
    """The value of a whole file of another tool."""
    try:
        return json.loads(whole(path, data))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{shown(path)}: not JSON: {error}") from None


def read_object(path: str, what: str) -> dict[str, Any]:
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
        raise DataError(f"{shown(path)} is not {what}: {kind_of(document)}, but an object was expected")
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise DataError(f"{key!r} stands there twice; take one of them away")
        table[key] = value
    return table


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number in JSON (null stands for what is missing)")
