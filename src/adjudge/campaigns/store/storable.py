"""What a database can keep, refused at the door by the name of its field: the same on SQLite and on PostgreSQL.

PostgreSQL takes neither NUL characters nor halves of surrogate pairs, and names have a length there; SQLite takes
all of it and gives it to a browser later, or to a file that nobody can read.
"""

from __future__ import annotations

import math
from typing import Any

from adjudge.database.problems import StoreError, check_text
from adjudge.wording import pluralise

LONGEST_NAME = 200
LONGEST_KEY = 64
LARGEST_ID = 2**31 - 1
DEEPEST = 50


def check_name(where: str, value: str, longest: int = LONGEST_NAME) -> str:
    """Check a name: not blank, and not too long."""
    if not isinstance(value, str) or not value.strip():
        raise StoreError(f"{where}: a name was expected, not {value!r}")
    if len(value) > longest:
        raise StoreError(
            f"{where}: {value[:20]!r}… has {pluralise(len(value), 'character')}; a name has at most {longest}"
        )
    return check_text(where, value)


def check_json(where: str, value: Any, depth: int = 0) -> None:
    """Check a JSON value."""
    if isinstance(value, str):
        check_text(where, value)
    elif isinstance(value, dict):
        for key, below in value.items():
            if not isinstance(key, str):
                raise StoreError(f"{where}: the name of a field is {key!r}, not a text")
            check_text(where, key)
            check_json(f"{where}.{key}", below, _deeper(where, depth))
    elif isinstance(value, (list, tuple)):
        for number, below in enumerate(value, 1):
            check_json(f"{where}, {number}", below, _deeper(where, depth))
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise StoreError(f"{where}: {value} is no number that can be kept")
    elif isinstance(value, int):
        if value.bit_length() > 63:
            raise StoreError(f"{where}: a number of {value.bit_length()} bits is too large to be kept")
    elif value is not None:
        raise StoreError(f"{where}: {type(value).__name__} cannot be kept")


def _deeper(where: str, depth: int) -> int:
    if depth >= DEEPEST:
        raise StoreError(f"{where}: lists within lists, more than {DEEPEST} deep")
    return depth + 1
