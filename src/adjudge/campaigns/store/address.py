"""Where a database is: a path is a path, whatever characters it has, and an address begins with a scheme and ://.

Nothing in here opens the file; `file_locks.py` says why nobody but SQLite may.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.campaigns.store.problems import StoreError
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from sqlalchemy import URL

DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
MEMORY = (None, "", ":memory:")
"""What SQLAlchemy calls a database that is in no file."""
SMALLEST = 512
"""Bytes: SQLite takes what is shorter for an empty file, and writes over it."""


def is_address(database: str) -> bool:
    """Whether it is an address, as against the path of a file."""
    return re.match(r"[A-Za-z0-9+.-]*://", database) is not None


def address(database: str) -> URL:
    """The address of a database that was named by its path or its address."""
    import sqlalchemy

    if not database:
        raise UsageError("the name of the database is empty (is a variable not set?); name a file")
    if database == ":memory:":
        raise UsageError(":memory: would keep nothing; name a file (one of that very name: ./:memory:)")
    if not is_address(database):
        return sqlalchemy.URL.create("sqlite", database=os.path.abspath(database))
    try:
        url = sqlalchemy.make_url(database)
    except (sqlalchemy.exc.ArgumentError, ValueError):
        raise UsageError(
            f"{database!r} is no address of a database; write sqlite:///FILE or "
            "postgresql+psycopg://USER@HOST/NAME"
        ) from None
    if url.drivername not in DRIVERS:
        raise UsageError(
            f"a database of {url.drivername} is not supported; use SQLite or PostgreSQL (sqlite:///FILE, "
            "postgresql+psycopg://USER@HOST/NAME)"
        )
    url = url.set(drivername=DRIVERS[url.drivername])
    if url.drivername == "sqlite" and ("?" in database or url.host):
        raise UsageError(
            f"{database!r}: an address of SQLite is sqlite:///FILE and nothing more (? is %3F there); or give the "
            "path as it is"
        )
    return url


def file_of(url: URL) -> Path | None:
    """The file of SQLite's that an address names."""
    if url.drivername != "sqlite" or url.database in MEMORY:
        return None
    return Path(os.path.abspath(url.database or ""))


def prepare_file(path: Path, create: bool) -> None:
    """Refuse what is no place for a database, and make the file where there is none: for its owner alone."""
    try:
        _check(path, create)
    except OSError as error:
        raise StoreError(f"the database {path} cannot be used: {error.strerror}") from None
    if create:
        # Made without opening it. Elsewhere than on Linux only root may; SQLite makes it there, as the umask says.
        with suppress(FileExistsError, PermissionError, AttributeError):
            os.mknod(path, stat.S_IFREG | 0o600)


def _check(path: Path, create: bool) -> None:
    """SQLite says "unable to open database file" to all of this, or makes a database of what is none."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder; name a file in it: {path}/adjudge.db")
    if not path.exists():
        if not create:
            raise StoreError(
                f"there is no database {path}; make a campaign first (adjudge human new FILE), or say where it is "
                "(--database)"
            )
        if not path.parent.is_dir():
            raise StoreError(f"the database {path} cannot be made: there is no folder {path.parent}")
    elif not path.is_file():
        raise StoreError(f"{path} is no file; give campaigns one of their own")
    effective = {"effective_ids": True} if os.access in os.supports_effective_ids else {}
    # Beside the file SQLite keeps two others while it is in use.
    for place in (path, path.parent):
        if place.exists() and not os.access(place, os.R_OK | os.W_OK, **effective):
            raise StoreError(f"the database {path} cannot be used: {place} may not be written by this user")
    size = path.stat().st_size if path.exists() else 0
    if 0 < size < SMALLEST:
        raise StoreError(
            f"{path} is no database of campaigns but another file; give campaigns one of their own"
        )
    if size == 0 and not create and not os.path.exists(f"{path}-wal"):
        raise StoreError(f"{path} is empty: no campaign was ever made in it (adjudge human new FILE)")
