"""A store of computed values on disk: parses, translations, embeddings, answers of models, each under its content.

One SQLite file a folder, opened by nothing but SQLite (docs/design.md, "Files with locks"). Several processes may
use it at once. It only saves time: whatever is wrong with the file, work is done as if there were no store, and `notes`
says so. Answers of models are paid for and quote the texts they were asked about, so the file is closed to other users.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

SIZE = 4 << 30
"""Size limit in bytes; the oldest values are removed first."""
PATIENCE = 10.0
"""Seconds to wait for another process that is writing."""
PIECE = 400
"""Keys asked for in one statement."""
LARGE = "tokens"
"""The kind of value that is removed first: vectors are large and cheap to recompute, unlike paid answers."""
CHECK = 8
"""Bytes of a hash before each value."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS contents (
    kind TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID
"""


def key_of(*parts: str | bytes) -> bytes:
    """A key from all that a value depends on; no two lists of parts have the same one."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


class ContentStore:
    """Values in `FOLDER/contents.db`, by kind and key."""

    def __init__(self, folder: Path, size: int = SIZE) -> None:
        self.path = folder / "contents.db"
        self.size = size
        self.notes: list[str] = []
        self._lock = threading.Lock()
        self._connection: tuple[int, sqlite3.Connection] | None = None  # with the process that opened it
        self._broken = False

    def get(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The stored values, by key; damaged values are left out."""
        import sqlite3  # late: few commands compute what is kept here

        values: dict[bytes, bytes] = {}
        wanted = list(dict.fromkeys(keys))
        with self._lock:
            try:
                for start in range(0, len(wanted), PIECE):
                    values.update(self._piece(kind, wanted[start : start + PIECE]))
            except (
                sqlite3.Error,
                OSError,
                UnicodeDecodeError,
            ) as error:  # the last: SQLite quotes what is no text
                self._give_up(error)
                return {}
        return values

    def put(self, kind: str, values: Mapping[bytes, bytes]) -> None:
        """Store values, all or none; nothing happens where nothing can be written."""
        import sqlite3

        now = time.time_ns()
        rows = [(kind, key, _seal(value), now) for key, value in values.items()]
        with self._lock:
            try:
                connection = self._open()
                if connection is None:
                    return
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.executemany("INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?)", rows)
                self._make_room(connection)
            except (
                sqlite3.Error,
                OSError,
                UnicodeDecodeError,
            ) as error:  # the last: SQLite quotes what is no text
                self._give_up(error)

    def close(self) -> None:
        """Close the file; the next access opens it again."""
        with self._lock:
            if self._connection is not None and self._connection[0] == os.getpid():
                self._connection[1].close()
            self._connection = None

    def _piece(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        connection = self._open()
        if connection is None:
            return {}
        marks = ",".join("?" * len(keys))
        rows = connection.execute(
            f"SELECT key, value FROM contents WHERE kind = ? AND key IN ({marks})", (kind, *keys)
        )
        values = {key: _unseal(value) for key, value in rows}
        return {key: value for key, value in values.items() if value is not None}

    def _open(self) -> sqlite3.Connection | None:
        """The connection of this process; None if the store cannot be used."""
        if self._broken:
            return None
        if self._connection is None or self._connection[0] != os.getpid():
            import sqlite3

            from adjudge.database.files import make_private

            self.path.parent.mkdir(parents=True, exist_ok=True)
            make_private(self.path)
            _close_to_others(self.path)
            # Transactions are ours to begin; the lock above keeps threads apart.
            connection = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(SCHEMA)
            self._connection = os.getpid(), connection
        return self._connection[1]

    def _make_room(self, connection: sqlite3.Connection) -> None:
        """Remove the oldest tenth once the file is full, values of the kind LARGE first."""
        pages, unused, page = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - unused) * page <= self.size:
            return
        rows = connection.execute("SELECT count(*) FROM contents").fetchone()[0]
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "DELETE FROM contents WHERE (kind, key) IN "
                "(SELECT kind, key FROM contents ORDER BY kind <> ?, used LIMIT ?)",
                (LARGE, rows // 10 + 1),
            )

    def _give_up(self, error: Exception) -> None:
        """Stop using the store, and note why."""
        self._broken = True
        self.notes.append(
            f"{self.path}: cannot be used to keep what was computed ({error}), so it is computed every time; if the "
            "file is damaged, remove it, or name another folder with ADJUDGE_CACHE"
        )


def _close_to_others(path: Path) -> None:
    """Remove the permissions of others from a file that an earlier version created; those of the group stay."""
    for part in ("", "-wal", "-shm"):
        with suppress(OSError):  # it is not there, or another user's
            mode = stat.S_IMODE(os.stat(f"{path}{part}").st_mode)
            if mode & stat.S_IRWXO:
                os.chmod(f"{path}{part}", mode & ~stat.S_IRWXO)


def _seal(value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=CHECK).digest() + value


def _unseal(sealed: object) -> bytes | None:
    if not isinstance(sealed, bytes):
        return None
    value = sealed[CHECK:]
    return value if hashlib.blake2b(value, digest_size=CHECK).digest() == sealed[:CHECK] else None
