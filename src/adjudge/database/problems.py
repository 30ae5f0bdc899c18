"""What can go wrong with a database, each with a way out.

Texts that a database cannot keep are refused by the name of their field. PostgreSQL takes neither NUL characters nor
halves of surrogate pairs; SQLite takes both and later hands them to a browser or to a file that cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.errors import DataError

DAMAGED = ("SQLITE_CORRUPT", "SQLITE_FORMAT")
"""Prefixes of SQLite's error codes for damage."""
MISSING = {"42P01", "42703"}
"""PostgreSQL's error codes for a missing table and a missing column."""


class StoreError(DataError):
    """A database cannot do what was asked; the message says why."""


class Unavailable(StoreError):
    """The database cannot be reached or cannot write; try again later."""


class Clash(StoreError):
    """Something of that name exists already: somebody else was faster."""


@dataclass(frozen=True)
class Purpose:
    """What a database is for; its errors use these words."""

    things: str
    """What it stores: `campaigns`."""
    example: str
    """A name for its file."""
    absent: str
    """What to do where there is none."""
    empty: str
    """What it means if it is empty."""
    way_out: str
    """What to do where it is damaged."""

    def other_file(self, name: object) -> StoreError:
        """The error for a file that is something else."""
        return StoreError(
            f"{name} is no database of {self.things} but another file; give {self.things} one of their own"
        )

    def other_tables(self, name: object, tables: list[str]) -> StoreError:
        """The error for the database of another program."""
        shown = ", ".join(sorted(tables)[:3]) + (", …" if len(tables) > 3 else "")
        return StoreError(
            f"the database {name} holds other tables ({shown}); give {self.things} one of their own"
        )

    def in_words(self, name: object, error: object, *, is_file: bool) -> StoreError:
        """The error of a driver in words."""
        reason = first_line(error)
        if getattr(error, "sqlite_errorname", None) == "SQLITE_NOTADB":
            return self.other_file(name)
        if _is_damage(error, reason):
            return self.damaged(name, reason, is_file=is_file)
        return Unavailable(f"the database {name} cannot be used now: {reason}")

    def damaged(self, name: object, reason: str, *, is_file: bool) -> StoreError:
        """The error for a damaged database, with a way out."""
        recovered = f"; SQLite reads what is left: sqlite3 {name} .recover" if is_file else ""
        return StoreError(
            f"the database {name} is damaged or is no database of {self.things}: {reason}. {self.way_out}{recovered}"
        )


def newer_database(name: object, version: object) -> StoreError:
    """The error for a database that a later release has changed."""
    return StoreError(
        f"the database {name} was made by a newer adjudge (its version {version} is not known here): "
        "pip install --upgrade adjudge"
    )


def first_line(error: object) -> str:
    """The first line of a driver's message, without the statement and the hints below it."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _is_damage(error: object, reason: str) -> bool:
    """Whether a driver's error says that the database is damaged."""
    name, state = getattr(error, "sqlite_errorname", None) or "", getattr(error, "sqlstate", None) or ""
    return name.startswith(DAMAGED) or state in MISSING or reason.startswith(("no such ", "Could not decode"))


def check_text(where: str, value: str) -> str:
    """The text itself, if a database can store it."""
    problem = flaw(value)
    if problem:
        raise StoreError(f"{where}: {problem}, which cannot be kept; take it out")
    return value


def flaw(value: str) -> str:
    """Why a database cannot store a text; '' if it can."""
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
