"""The file of a database. A path may have any characters; an address begins with a scheme and ://.

Nothing in here opens the file: `file_locks.py` says why only SQLite may.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from adjudge.database.problems import Purpose, StoreError
from adjudge.errors import UsageError

SMALLEST = 512
"""In bytes: SQLite takes a shorter file for an empty one and overwrites it."""


def is_address(database: str) -> bool:
    """Whether it is an address rather than the path of a file."""
    return re.match(r"[A-Za-z0-9+.-]*://", database) is not None


def shown_address(url: str) -> str:
    """An address without its password, which may stand before the host or after a question mark."""
    scheme, mark, rest = url.partition("://")
    user, at, host = rest.rpartition("@")
    if "?" in user:  # it is unclear which part is the password
        return f"{scheme}{mark}…"
    return f"{scheme}{mark}{user.partition(':')[0]}{at}{host.partition('?')[0]}"


def check_named(database: str) -> None:
    """Refuse names under which nothing would be stored."""
    if not database:
        raise UsageError("the name of the database is empty (is a variable not set?); name a file")
    if database == ":memory:":
        raise UsageError(":memory: would keep nothing; name a file (one of that very name: ./:memory:)")


def prepare_file(path: Path, purpose: Purpose, *, create: bool, writes: bool = True) -> None:
    """Refuse what cannot be a database, and create a missing file that only its owner can read."""
    try:
        _check(path, purpose, create, writes)
    except OSError as error:
        raise StoreError(f"the database {path} cannot be used: {error.strerror}") from None
    if create:
        make_private(path)


def make_private(path: Path) -> None:
    """Create an empty file that only its owner can read, whatever the umask; an existing file is left alone.

    The files that SQLite keeps beside it (`-wal`, `-shm`) get the same permissions.
    """
    with suppress(FileExistsError):
        try:
            os.mknod(path, stat.S_IFREG | 0o600)  # without opening it
        except (PermissionError, AttributeError):  # elsewhere than on Linux only root may, and Windows cannot
            with suppress(PermissionError):  # SQLite says why
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def is_writable(path: Path) -> bool:
    """Whether a file can be written and others created beside it; never on a read-only file system, even for root."""
    effective = {"effective_ids": True} if os.access in os.supports_effective_ids else {}
    return all(os.access(place, os.W_OK, **effective) for place in (path, path.parent))


def reading_uri(path: Path) -> str:
    """The address under which SQLite reads a file that may not be written.

    Where a log (`-wal`) lies beside it, somebody writes it or was interrupted: SQLite reads both, which needs the
    index of the log (`-shm`). Without a log nobody has the file open, and SQLite needs nothing beside it if it is told
    that the file does not change (https://sqlite.org/wal.html#read_only_databases).
    """
    address = f"file:{quote(os.fsencode(path))}?mode=ro"
    if not os.path.exists(f"{path}-wal") or os.path.getsize(f"{path}-wal") == 0:
        return f"{address}&immutable=1"
    if not os.path.exists(f"{path}-shm"):
        raise StoreError(
            f"{path} cannot be read where it is: {path}-wal holds the newest part of it, and nothing may be written "
            "beside it; copy both files to a folder that may be written"
        )
    return address


def _check(path: Path, purpose: Purpose, create: bool, writes: bool) -> None:
    """Check what SQLite would only call "unable to open database file", or overwrite."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder; name a file in it: {path}/{purpose.example}")
    if not path.exists():
        if not create:
            raise StoreError(f"there is no database {path}; {purpose.absent}")
        if not path.parent.is_dir():
            raise StoreError(f"the database {path} cannot be made: there is no folder {path.parent}")
    elif not path.is_file():
        raise StoreError(f"{path} is no file; give {purpose.things} one of their own")
    effective = {"effective_ids": True} if os.access in os.supports_effective_ids else {}
    access = os.R_OK | os.W_OK if writes else os.R_OK
    # Beside the file SQLite keeps others while it is in use.
    for place in (path, path.parent) if writes else (path,):
        if place.exists() and not os.access(place, access, **effective):
            raise StoreError(f"the database {path} cannot be used: {_obstacle(place, writes)}")
    size = path.stat().st_size if path.exists() else 0
    if 0 < size < SMALLEST:
        raise purpose.other_file(path)
    if size == 0 and not create and not os.path.exists(f"{path}-wal"):
        raise StoreError(f"{path} is empty: {purpose.empty}")


def _obstacle(place: Path, writes: bool) -> str:
    read_only = hasattr(os, "ST_RDONLY") and os.statvfs(place).f_flag & os.ST_RDONLY
    if writes and read_only:
        return f"{place} is on a read-only file system"
    return f"{place} may not be {'written' if writes else 'read'} by this user"
