"""What can go wrong with a database, each with a way out.

Texts that a database cannot keep are refused by the name of their field. PostgreSQL takes neither NUL characters nor
halves of surrogate pairs; SQLite takes both and later hands them to a browser or to a file that cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.errors import DataError

DAMAGED = ("SQLITE_CORRUPT", "SQLITE_FORMAT")
"""How SQLite's codes of it begin."""
MISSING = {"42P01", "42703"}
"""PostgreSQL's codes of a table and of a column that is not there."""


class StoreError(DataError):
    """What was asked of a database cannot be done; the message says why."""


class Unavailable(StoreError):
    """The database cannot be reached or cannot write: to be tried again later."""


class Clash(StoreError):
    """Something of that name is there already: somebody else was faster."""


@dataclass(frozen=True)
class Purpose:
    """What a database is for, in the words of its errors."""

    things: str
    """What is kept in it: `campaigns`."""
    example: str
    """A name for its file."""
    absent: str
    """What to do where there is none."""
    empty: str
    """What it means that nothing is in it."""
    way_out: str
    """What to do where it is damaged."""

    def other_file(self, name: object) -> StoreError:
        """What is said of a file that is something else."""
        return StoreError(
            f"{name} is no database of {self.things} but another file; give {self.things} one of their own"
        )

    def other_tables(self, name: object, tables: list[str]) -> StoreError:
        """What is said of another program's database."""
        shown = ", ".join(sorted(tables)[:3]) + (", …" if len(tables) > 3 else "")
        return StoreError(
            f"the database {name} holds other tables ({shown}); give {self.things} one of their own"
        )

    def damaged(self, name: object, reason: str, *, is_file: bool) -> StoreError:
        """What to do about a database that is not whole."""
        recovered = f"; SQLite reads what is left: sqlite3 {name} .recover" if is_file else ""
        return StoreError(
            f"the database {name} is damaged or is no database of {self.things}: {reason}. {self.way_out}{recovered}"
        )


def newer_database(name: object, version: object) -> StoreError:
    """What is said of a database that a later release has changed."""
    return StoreError(
        f"the database {name} was made by a newer adjudge (its version {version} is not known here): "
        "pip install --upgrade adjudge"
    )


def first_line(error: object) -> str:
    """What a driver says, without the statement and the hints below it."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def is_damage(error: object, reason: str) -> bool:
    """Whether a driver's error says that the database is not whole."""
    name, state = getattr(error, "sqlite_errorname", None) or "", getattr(error, "sqlstate", None) or ""
    return name.startswith(DAMAGED) or state in MISSING or reason.startswith(("no such ", "Could not decode"))


def is_other_file(error: object) -> bool:
    """Whether SQLite says that the file is something else."""
    return getattr(error, "sqlite_errorname", None) == "SQLITE_NOTADB"


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
