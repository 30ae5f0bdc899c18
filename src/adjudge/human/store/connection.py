"""Opening a database of campaigns, and what can go wrong with one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.errors import DataError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

DEFAULT = "sqlite:///adjudge.db"
BUSY_SECONDS = 10


class StoreError(DataError):
    """What was asked of a database cannot be done; the message says why."""


class Unavailable(StoreError):
    """The database cannot be reached or cannot write: to be tried again later."""


class Store:
    """An open database of campaigns. Threads may share it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        # SQLite lets one connection write at a time; waiting here is fair, waiting there is polling.
        self._writing = threading.RLock() if engine.dialect.name == "sqlite" else None

    @classmethod
    def open(cls, url: str = DEFAULT, *, create: bool = True) -> Store:
        """The database of that URL, brought up to date; made where `create` allows and there is none."""
        try:
            import sqlalchemy
        except ImportError:
            raise MissingExtraError("a campaign", "campaign") from None
        try:
            address = sqlalchemy.make_url(url)
        except sqlalchemy.exc.ArgumentError:
            raise UsageError(
                f"{url!r} is no address of a database; write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
            ) from None
        backend = address.get_backend_name()
        if backend not in ("sqlite", "postgresql"):
            raise UsageError(f"a database of {backend} is not supported; use SQLite or PostgreSQL")
        if backend == "sqlite" and not create and address.database and not Path(address.database).exists():
            raise StoreError(
                f"there is no database {address.database}; make a campaign first (adjudge human new FILE), or say "
                "where it is (--database)"
            )
        store = cls(_engine(address, backend))
        try:
            from adjudge.human.store.migrating import up_to_date

            up_to_date(store)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database."""
        with _explained(self), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is kept once the block is left, or none."""
        if self._writing is None:
            with _explained(self), self.engine.begin() as connection:
                yield connection
            return
        with self._writing, _explained(self), self.engine.connect() as connection:
            connection = connection.execution_options(writes=True)
            with connection.begin():
                yield connection


def _engine(address: Any, backend: str) -> Engine:
    import sqlalchemy

    if backend == "postgresql":
        try:
            return sqlalchemy.create_engine(address, pool_pre_ping=True, pool_size=10, max_overflow=10)
        except ImportError:
            raise MissingExtraError("a PostgreSQL database", "postgresql") from None
    memory = not address.database or address.database == ":memory:"
    engine = sqlalchemy.create_engine(
        address,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
        **({"poolclass": sqlalchemy.StaticPool} if memory else {"pool_size": 10, "max_overflow": 30}),
    )

    @sqlalchemy.event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not guessed by the driver
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")  # an acknowledged answer outlives a power cut
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @sqlalchemy.event.listens_for(engine, "begin")
    def _begun(connection: Any) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def _explained(store: Store) -> Iterator[None]:
    """Errors of the driver, in words."""
    from sqlalchemy import exc

    name = store.engine.url.render_as_string(hide_password=True)
    try:
        yield
    except exc.IntegrityError:
        raise
    except (exc.OperationalError, exc.InterfaceError, exc.TimeoutError, exc.InternalError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise Unavailable(f"the database {name} cannot be used: {reason}") from error
    except exc.DatabaseError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise StoreError(
            f"the database {name} is damaged or is no database of campaigns: {reason}"
        ) from error
