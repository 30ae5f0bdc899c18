"""Opening a database of campaigns, bringing it up to date, reading it and writing into it.

A path is a path whatever characters it has; an address begins with a scheme and `://`. Only SQLite opens the file
(`database/file_locks.py` says why). Alembic brings older databases up to date; a current one costs two queries.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, text

from adjudge.campaigns.store.schema import VERSION
from adjudge.database import file_locks
from adjudge.database.files import check_named, is_address, reading_uri
from adjudge.database.problems import (
    Clash,
    Purpose,
    StoreError,
    Unavailable,
    first_line,
    newer_database,
)
from adjudge.database.store import OpenDatabase
from adjudge.errors import AdjudgeError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine


WAY_OUT = "Keep a copy of it, then restore the last back-up into a new one (adjudge human restore FILE --database NEW)"
CAMPAIGNS = Purpose(
    things="campaigns",
    example="adjudge.db",
    absent="make a campaign first (adjudge human new FILE), or say where it is (--database)",
    empty="no campaign was ever made in it (adjudge human new FILE)",
    way_out=WAY_OUT,
)


FOLDER = Path(__file__).parent / "migrations"
DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
MEMORY = (None, "", ":memory:")
"""SQLAlchemy's names of a database in memory."""
DEFAULT = "adjudge.db"
VERSION_TABLE = "adjudge_version"
"""Not Alembic's usual name: another program that uses Alembic is not to be taken for this one."""
BUSY_SECONDS = 10
CONNECTIONS = 10
"""To PostgreSQL, for each process. More threads than that wait in line, so who holds one must not ask for another."""
IDLE_SECONDS = 5.0
"""A connection that was idle for longer is checked before use."""
LOCKS = 20261116
"""The first half of the numbers of our locks in PostgreSQL, which all programs of a database share."""


@contextmanager
def as_written(what: str) -> Iterator[None]:
    """Report a failure to read stored data as damage, since adjudge wrote it itself."""
    try:
        yield
    except StoreError:
        raise
    except (AdjudgeError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise StoreError(
            f"the database is damaged: {what} is not as it was written ({type(error).__name__}: {error}). {WAY_OUT}"
        ) from None


class CampaignStore(OpenDatabase):
    """An open database of campaigns. Threads may share it."""

    purpose = CAMPAIGNS
    version_table = VERSION_TABLE

    def __init__(self, engine: Engine, *, read_only: bool = False) -> None:
        file = file_of(engine.url)
        super().__init__(str(file or engine.url.render_as_string(hide_password=True)), file)
        self.engine = engine
        self.read_only = read_only
        """Whether nothing can be written, because of permissions or of the file system."""
        # SQLite lets one connection write at a time; waiting here is waiting in line, waiting there is polling.
        self._writing = threading.RLock() if self.is_sqlite else None
        # A database in memory is one connection, which cannot read and write at once.
        self._reading = self._writing if engine.url.database in MEMORY else None

    @property
    def is_sqlite(self) -> bool:
        """Whether it is an SQLite file."""
        return self.engine.dialect.name == "sqlite"

    @property
    def address(self) -> str:
        """What another process opens to have the same database; it may hold a password."""
        return str(self.file or self.engine.url.render_as_string(hide_password=False))

    @classmethod
    def open(cls, database: str = DEFAULT, *, create: bool = True, writes: bool = True) -> CampaignStore:
        """Open the database at a path or address and upgrade it; with `create`, a missing one is created.

        Without `writes` a file that may not be written, or lies on a read-only file system, is read as it is.
        """
        try:
            import sqlalchemy  # noqa: F401
        except ImportError:
            raise MissingExtraError("a campaign", "campaign") from None
        url, read_only = address(database), False
        if path := file_of(url):
            read_only = not cls.prepare(path, create=create and writes, writes=writes)
        store = cls(_engine(url, read_only=read_only), read_only=read_only)
        try:
            upgrade_database(store)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self, *, single: bool = False) -> Iterator[Connection]:
        """A connection that sees one state of the database, whatever others write meanwhile.

        A `single` statement does so by itself: no transaction is begun and ended around it.
        """
        options: dict[str, Any] = {"single": single}
        if not self.is_sqlite:
            level = "AUTOCOMMIT" if single else "REPEATABLE READ"
            options |= {"isolation_level": level, "postgresql_readonly": not single}
        # Ended by COMMIT, because psycopg forgets at a ROLLBACK which statements it has prepared.
        with self.access(), self._reading or nullcontext(), self.engine.connect() as connection:
            connection = connection.execution_options(**options)
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self, *, single: bool = False) -> Iterator[Connection]:
        """A transaction: all of it is kept once the block is left, or none.

        A `single` statement that changes something is a transaction by itself: PostgreSQL is asked once, not three
        times. It is kept once it has returned.
        """
        options: dict[str, Any] = {"writes": True}
        if single and not self.is_sqlite:
            options["isolation_level"] = "AUTOCOMMIT"
        with self.access(), self._writing or nullcontext(), self.engine.connect() as connection:
            connection = connection.execution_options(**options)
            with connection.begin():
                yield connection

    def alone(self, connection: Connection, number: int = 0) -> None:
        """Wait until nobody else is at this (a campaign's number, or 0 for the whole), and keep others waiting.

        In SQLite there is only one writer anyway.
        """
        if not self.is_sqlite:
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s, %s)", (LOCKS, number))

    def scrub(self) -> None:
        """Overwrite what was deleted, as far as the database lets us; docs/campaigns.md says what is left to do."""
        with self.access(), self._writing or nullcontext(), self.engine.connect() as connection:
            if self.is_sqlite:
                raw: Any = connection.connection.driver_connection
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            else:
                connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.exec_driver_sql(
                    "VACUUM annotators, campaigns, actions, hits, items, events, sessions"
                )

    def in_words(self, error: Exception) -> StoreError | None:
        """The error that one of SQLAlchemy, or of a text that cannot be read, stands for; None for another one."""
        from sqlalchemy import exc

        if isinstance(
            error, (UnicodeDecodeError, json.JSONDecodeError)
        ):  # of a column that we wrote ourselves
            return self.damaged(f"a text in it cannot be read ({error})")
        if not isinstance(error, (exc.DBAPIError, exc.TimeoutError)):
            return None
        cause = getattr(error, "orig", None) or error
        if isinstance(error, exc.IntegrityError):
            return Clash(f"the database {self.name} has something of that name already: {first_line(cause)}")
        temporary = (exc.OperationalError, exc.InterfaceError, exc.TimeoutError, exc.InternalError)
        explained = CAMPAIGNS.in_words(self.name, cause, is_file=self.file is not None)
        if isinstance(explained, Unavailable) and not isinstance(error, temporary):
            return StoreError(f"the database {self.name} refused this: {first_line(cause)}")
        return explained


def _engine(url: URL, *, read_only: bool = False) -> Engine:
    import sqlalchemy

    dumps = partial(json.dumps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if url.drivername != "sqlite":
        try:
            engine = sqlalchemy.create_engine(
                url, json_serializer=dumps, pool_size=CONNECTIONS, max_overflow=0, pool_use_lifo=True
            )
        except ImportError:
            raise MissingExtraError("a PostgreSQL database", "postgresql") from None
        _ask_idle_connections(engine)
        return engine
    path = file_of(url)
    options: dict[str, Any] = {"check_same_thread": False, "timeout": BUSY_SECONDS}
    engine = sqlalchemy.create_engine(
        url,
        json_serializer=dumps,
        connect_args=options,
        **({"pool_size": 10, "max_overflow": 30} if path else {"poolclass": sqlalchemy.StaticPool}),
        **({"creator": partial(_reader, path, options)} if path and read_only else {}),
    )

    @sqlalchemy.event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        try:
            _set_up(connection, read_only)
        except BaseException:
            connection.close()
            raise
        if path:
            file_locks.register_connection(path)

    if path:

        @sqlalchemy.event.listens_for(engine, "close")
        def _closed(_connection: Any, _record: Any) -> None:
            file_locks.unregister_connection(path)

    @sqlalchemy.event.listens_for(engine, "begin")
    def _begun(connection: Any) -> None:
        options = connection.get_execution_options()
        if not options.get("single"):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")

    return engine


def _reader(path: Path, options: dict[str, Any]) -> Any:
    import sqlite3

    return sqlite3.connect(reading_uri(path), uri=True, **options)


def _set_up(connection: Any, read_only: bool) -> None:
    connection.isolation_level = None  # transactions are begun where they begin, not guessed by the driver
    cursor = connection.cursor()
    if not read_only and _may_be_ours(cursor):
        _write_ahead(cursor)
    cursor.execute("PRAGMA synchronous = FULL")  # an acknowledged answer outlives a power cut
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")  # what is deleted is gone from the file too
    cursor.close()


def _ask_idle_connections(engine: Engine) -> None:
    """A database that was restarted in a quiet hour is noticed before anyone's answer is sent to it.

    While there is much to do nobody is asked, for it costs as much as a query: then whoever is first told that the
    connection is gone sends again (browsers do), and all other connections are made anew.
    """
    from sqlalchemy import event, exc

    @event.listens_for(engine, "checkin")
    def _left(_connection: Any, record: Any) -> None:
        record.info["left"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _taken(connection: Any, record: Any, _proxy: Any) -> None:
        left = record.info.get("left")
        if left is None or time.monotonic() - left < IDLE_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error:
            raise exc.InvalidatePoolError from None


def _may_be_ours(cursor: Any) -> bool:
    """Whether nobody else's tables are in it: another program's database is left as it is, to its last byte."""
    tables = {name for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return not tables or VERSION_TABLE in tables


def _write_ahead(cursor: Any) -> None:
    """Readers do not wait for writers. While two processes make the same file, SQLite says so without waiting."""
    import sqlite3

    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def address(database: str) -> URL:
    """The address of a database, given by path or address."""
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
    """The SQLite file of an address."""
    if url.drivername != "sqlite" or url.database in MEMORY:
        return None
    return Path(os.path.abspath(url.database or ""))


def version(store: CampaignStore) -> str | None:
    """The migration version of a database; None for an empty one."""
    with store.reading() as connection:
        if not store.has_version(set(inspect(connection).get_table_names())):
            return None
        return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()


def upgrade_database(store: CampaignStore) -> None:
    """Run the migrations that a database lacks, in one transaction."""
    current = version(store)
    if current == VERSION:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise newer_database(store.name, current)
    if store.read_only:
        raise StoreError(
            f"the database {store.name} was made by an older adjudge and must be brought up to date first, but it may "
            "not be written here: copy it to a folder that may"
        )
    with store.writing() as connection:
        store.alone(connection)  # two servers may start at once; the second finds the work done
        config.attributes["connection"] = connection
        config.attributes["version_table"] = VERSION_TABLE
        command.upgrade(config, "head")
