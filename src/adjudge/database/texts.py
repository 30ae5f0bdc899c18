"""Texts that a database can keep: the same on SQLite and on PostgreSQL.

PostgreSQL takes neither NUL characters nor halves of surrogate pairs; SQLite takes all of it and gives it to a browser
later, or to a file that nobody can read.
"""

from __future__ import annotations

from adjudge.database.problems import StoreError


def check_text(where: str, value: str) -> str:
    """A text that can be kept."""
    problem = flaw(value)
    if problem:
        raise StoreError(f"{where}: {problem}, which cannot be kept; take it out")
    return value


def flaw(value: str) -> str:
    """What keeps a text from being stored, '' where nothing does."""
    place = value.find("\0")
    if place >= 0:
        return f"character {place + 1} is NUL (U+0000)"
    if value.isascii():
        return ""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        code = ord(value[error.start])
        return f"character {error.start + 1} is half of a surrogate pair (U+{code:04X})"
    return ""
