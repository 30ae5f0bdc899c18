"""Fields of other tools' JSON, taken as what the tool writes there; anything else is said to be wrong by its place."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from typing import Any

from adjudge.errors import DataError


def list_of(place: str, held: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key, an empty one where there is none."""
    found = held.get(key)
    if found is not None and not isinstance(found, list):
        raise DataError(f"{place}: {key!r} is no list, but {reprlib.repr(found)}")
    return found or []


def table_of(place: str, held: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The object under a key, an empty one where there is none."""
    found = held.get(key)
    if found is not None and not isinstance(found, dict):
        raise DataError(f"{place}: {key!r} is no object, but {reprlib.repr(found)}")
    return found or {}


def whole_number(value: Any) -> bool:
    """Whether it is a whole number that counts something."""
    return isinstance(value, int) and not isinstance(value, bool)


def finite(value: Any) -> float | None:
    """A number, or None: JSON has some with hundreds of digits, which are none that can be computed with."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
