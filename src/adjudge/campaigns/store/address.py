"""Where a database is: a path is a path, whatever characters it has, and an address begins with a scheme and ://.

Nothing in here opens the file; `database/file_locks.py` says why nobody but SQLite may.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.database.files import check_named, is_address
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


def address(database: str) -> URL:
    """The address of a database that was named by its path or its address."""
    import sqlalchemy

    check_named(database)
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
