"""A database of a history: SQLite by the driver that comes with Python, PostgreSQL by psycopg, one SQL for both.

SQLAlchemy, which campaigns use, would do it as well, but only to import it takes longer than a thousand records may
take to be listed (docs/history.md has the figures). Readers need no more than read access: the journal is the one that
is rolled back, so nothing lies beside the file while nobody writes. Tables are made version by version: a database of
an older one is brought up to date when it is opened.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from adjudge.database import file_locks
from adjudge.database.files import check_named, is_address, is_writable, shown_address
from adjudge.database.problems import Purpose, StoreError, newer_database
from adjudge.database.store import DamagedRow, OpenDatabase
from adjudge.errors import MissingExtraError, UsageError

VERSION = 2
VERSION_TABLE = "history_version"

_TABLES = {
    1: (
        "CREATE TABLE {version_table} (number INTEGER PRIMARY KEY)",
        # What a list shows stands in columns; whatever else is known of an evaluation is in its document.
        "CREATE TABLE contents (hash TEXT PRIMARY KEY, data {bytes} NOT NULL)",
        """CREATE TABLE records (
            id {key},
            made DOUBLE PRECISION NOT NULL,
            command TEXT NOT NULL,
            label TEXT,
            revision TEXT,
            branch TEXT,
            changed INTEGER,
            version TEXT NOT NULL,
            study TEXT NOT NULL,
            document TEXT NOT NULL REFERENCES contents (hash),
            labels TEXT REFERENCES contents (hash)
        )""",
        """CREATE TABLE scores (
            record BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            test_set TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            segments INTEGER NOT NULL,
            level TEXT NOT NULL,
            system TEXT NOT NULL,
            run TEXT,
            metric TEXT NOT NULL,
            signature TEXT NOT NULL,
            score DOUBLE PRECISION,
            low DOUBLE PRECISION,
            high DOUBLE PRECISION,
            higher_is_better INTEGER,
            by_metric INTEGER NOT NULL,
            PRIMARY KEY (record, place)
        )""",
        """CREATE TABLE row_sets (
            record BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            test_set TEXT NOT NULL,
            system TEXT NOT NULL,
            run TEXT NOT NULL,
            metric TEXT NOT NULL,
            columns INTEGER NOT NULL,
            segments INTEGER NOT NULL,
            content TEXT NOT NULL REFERENCES contents (hash),
            PRIMARY KEY (record, place)
        )""",
        "CREATE INDEX row_sets_content ON row_sets (content)",
        "CREATE INDEX records_document ON records (document)",
        "CREATE INDEX records_labels ON records (labels)",
    ),
    2: (
        # NULL in records of version 1, which have none.
        "ALTER TABLE records ADD COLUMN checksum TEXT",
        """CREATE TABLE looks (
            baseline TEXT NOT NULL,
            question TEXT NOT NULL,
            number INTEGER NOT NULL,
            checksum TEXT NOT NULL,
            PRIMARY KEY (baseline, question)
        )""",
    ),
}


def statements(number: int, *, sqlite: bool) -> list[str]:
    """The statements that upgrade a database from the previous version to this one."""
    words = {
        "version_table": VERSION_TABLE,
        "bytes": "BLOB" if sqlite else "BYTEA",
        # A number is never given twice, also where the last record was deleted.
        "key": "INTEGER PRIMARY KEY AUTOINCREMENT"
        if sqlite
        else "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    }
    made = [statement.format(**words) for statement in _TABLES[number]]
    return [*made, f"INSERT INTO {VERSION_TABLE} (number) VALUES ({number})"]


BUSY_SECONDS = 30
"""How long to wait for other writers; each takes a moment."""
LOCK = 20261117
"""The number of PostgreSQL's lock for writing to a history."""
SCHEMES = ("postgresql://", "postgres://", "postgresql+psycopg://")
SQLITE = ("sqlite:///", "sqlite+pysqlite:///")
HISTORY = Purpose(
    things="histories",
    example="history.db",
    absent="keep a first evaluation in it (adjudge score … --record), or say where it is (--history)",
    empty="nothing was ever recorded in it (adjudge score … --record)",
    way_out="Keep a copy of it, and begin a new one (--record=FILE), which files of --save can be added to (adjudge "
    "history add)",
)

Execute = Callable[..., list[tuple[Any, ...]]]
"""Runs a statement with its values and returns rows."""


class Database(OpenDatabase):
    """An open database of a history. One thread uses it at a time."""

    purpose = HISTORY
    version_table = VERSION_TABLE

    def __init__(self, name: str, file: Path | None) -> None:
        super().__init__(name, file)
        self.version = VERSION
        """Version of the tables; an older one only where they may not be changed."""
        self._connection: Any = None

    @classmethod
    def open(cls, place: str, *, create: bool = False, writes: bool = False) -> Database:
        """Open the database at a path or address and upgrade it; with `create`, a missing one is created."""
        check_named(place)
        if place.startswith(SCHEMES):
            opened = cls._server(place)
        elif is_address(place) and not place.startswith(SQLITE):
            raise UsageError(
                f"{shown_address(place)!r}: a history is a file of SQLite, or postgresql://USER@HOST/NAME; other "
                "databases are not supported"
            )
        else:
            opened = cls._of_file(_path(place), create=create, writes=writes or create)
        try:
            opened._upgrade()
        except BaseException:
            opened.close()
            raise
        return opened

    @classmethod
    def _of_file(cls, path: Path, *, create: bool, writes: bool) -> Database:
        # A writer that was killed leaves a journal, which readers roll back where they may.
        mode = "rw" if cls.prepare(path, create=create, writes=writes) else "ro"
        opened = cls(_displayed_path(path), path)
        with opened.explained():
            connection = sqlite3.connect(
                f"file:{quote(os.fsencode(path))}?mode={mode}",
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            file_locks.register_connection(path)
            connection.execute("PRAGMA foreign_keys = ON")
        opened._connection = connection
        return opened

    @classmethod
    def _server(cls, address: str) -> Database:
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("a PostgreSQL database", "postgresql") from None

        url = address.replace("+psycopg://", "://", 1)
        opened = cls(shown_address(url), None)
        with opened.explained():
            try:
                connection = psycopg.connect(url, connect_timeout=10)
            except psycopg.Error as error:
                if isinstance(error, psycopg.ProgrammingError) or not _is_encoded(url):
                    # What the driver says has parts of the password in it.
                    raise UsageError(
                        f"the address {opened.name} cannot be read (encode special characters of the password: %40 "
                        "for @)"
                    ) from None
                raise
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        opened._connection = connection
        return opened

    def close(self) -> None:
        """Close the connection."""
        if self.is_ours:
            self._connection.close()
            if self.file is not None:
                file_locks.unregister_connection(self.file)

    @contextmanager
    def reading(self) -> Iterator[Execute]:
        """A transaction for reading; it sees one state of the database, whatever others write meanwhile."""
        with self._transaction("BEGIN") as execute:
            yield execute

    @contextmanager
    def writing(self) -> Iterator[Execute]:
        """A transaction for writing; it is committed or rolled back as a whole, while other writers wait."""
        with self._transaction("BEGIN IMMEDIATE") as execute:
            if self.file is None:
                # The lock comes before the transaction sees anything, or it would see what was there before the wait.
                execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
                execute(f"SELECT pg_advisory_xact_lock({LOCK})")
            yield execute

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Execute]:
        def execute(statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
            if self.file is None:
                statement = statement.replace("?", "%s")
            try:
                cursor.execute(statement, values)
                return cursor.fetchall() if cursor.description else []
            except UnicodeDecodeError:  # in what the driver would say of the damage
                raise DamagedRow("what describes its tables is no text") from None

        with self.access():
            cursor = self._connection.cursor()
            if self.file is not None:
                cursor.execute(begin)
            try:
                yield execute
                self._connection.commit()
            except BaseException:
                self._connection.rollback()
                raise
            finally:
                cursor.close()

    def _upgrade(self) -> None:
        """Upgrade the tables; current ones cost two queries."""
        with self.reading() as execute:
            self.version = self._version(execute)
        if self.version == VERSION or (self.version > 0 and not self._is_writable()):
            return
        with self.writing() as execute:  # another process may have been faster
            for number in range(self._version(execute) + 1, VERSION + 1):
                for statement in statements(number, sqlite=self.file is not None):
                    execute(statement)
        self.version = VERSION

    def _is_writable(self) -> bool:
        return self.file is None or is_writable(self.file)

    def _version(self, execute: Execute) -> int:
        listed = (
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            if self.file is not None
            else "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        )
        if not self.has_version([name for (name,) in execute(listed)]):
            return 0
        versions = [number for (number,) in execute(f"SELECT number FROM {VERSION_TABLE}")]
        if not all(isinstance(number, int) for number in versions):
            raise DamagedRow("its version is no number")
        newest = max(versions, default=0)
        if newest > VERSION:
            raise newer_database(self.name, newest)
        return newest

    def in_words(self, error: Exception) -> StoreError | None:
        """The error that an error of sqlite3 or psycopg stands for; None for one that is neither's."""
        if not isinstance(error, sqlite3.Error) and type(error).__module__.partition(".")[0] != "psycopg":
            return None
        return HISTORY.in_words(self.name, error, is_file=self.file is not None)


def _path(place: str) -> Path:
    for scheme in SQLITE:
        if place.startswith(scheme):
            if "?" in place:
                raise UsageError(f"{place!r}: an address of SQLite is sqlite:///FILE and nothing more")
            place = place.removeprefix(scheme)
            check_named(place)
    return Path(os.path.abspath(place))


def _displayed_path(path: Path) -> str:
    """A file relative to the working directory, in printable characters."""
    shown = os.path.relpath(path)
    return os.fsencode(path if shown.startswith("..") else shown).decode("utf-8", "replace")


def _is_encoded(url: str) -> bool:
    """Whether special characters in user and password are percent-encoded."""
    return (
        re.fullmatch(r"(?:[^@/?#%\s]|%[0-9A-Fa-f]{2})*", url.partition("://")[2].rpartition("@")[0])
        is not None
    )
