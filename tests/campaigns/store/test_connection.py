"""Opening databases, and saying what is wrong with one."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from adjudge.campaigns.store import CampaignStore, StoreError, Unavailable, campaigns, people
from adjudge.campaigns.store.connection import version
from adjudge.campaigns.store.schema import VERSION, metadata
from adjudge.errors import UsageError
from helpers import stored


def test_one_that_is_not_there_is_not_made_unless_wanted(tmp_path):
    with pytest.raises(StoreError, match=r"there is no database .*adjudge\.db; make a campaign first"):
        CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(StoreError, match="is a folder; name a file in it"):
        CampaignStore.open(f"sqlite:///{tmp_path}")


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(StoreError, match=r"there is no folder .*missing"):
        CampaignStore.open(f"sqlite:///{tmp_path}/missing/adjudge.db")


@pytest.mark.parametrize("content", [b"no database at all, but long enough for a header" * 50, b"x"])
def test_another_file_is_no_database(tmp_path, content):
    (tmp_path / "notes.txt").write_bytes(content)
    with pytest.raises(StoreError, match=r"notes\.txt is no database of campaigns but another file"):
        CampaignStore.open(f"sqlite:///{tmp_path}/notes.txt")
    assert (tmp_path / "notes.txt").read_bytes() == content


def test_an_empty_file_is_made_a_database_only_by_who_may(tmp_path):
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(StoreError, match=r"empty\.db is empty: no campaign was ever made in it"):
        CampaignStore.open(str(path), create=False)
    assert path.stat().st_size == 0
    CampaignStore.open(str(path)).close()
    assert path.stat().st_size > 0


def test_a_fifo_is_no_database(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="is no file"):
        CampaignStore.open(str(tmp_path / "pipe"))


def test_only_its_owner_can_read_it(tmp_path):
    before = os.umask(0o022)
    try:
        store = CampaignStore.open(str(tmp_path / "adjudge.db"))
        campaigns.add(store, *stored.made())
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    store.close()
    assert modes == {"adjudge.db": 0o600, "adjudge.db-wal": 0o600, "adjudge.db-shm": 0o600}


def test_a_database_of_another_program_keeps_every_byte(tmp_path):
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE customers (name)")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="holds other tables"):
        CampaignStore.open(str(path))
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["other.db"]


def test_a_damaged_database(tmp_path):
    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    store.close()
    content = (tmp_path / "adjudge.db").read_bytes()
    (tmp_path / "adjudge.db").write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    with pytest.raises(
        StoreError, match=r"is damaged or is no database .*human restore FILE.*\.recover"
    ) as caught:
        CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    assert not isinstance(caught.value, Unavailable)


def as_nobody(action):
    """Run something without root's rights, which no permission stops."""
    if os.geteuid() != 0:
        return action()
    os.seteuid(65534)
    try:
        return action()
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("file", "folder", "message"),
    [
        (0o444, 0o777, "may not be written by this user"),
        (0o666, 0o555, "may not be written by this user"),
        (0o666, 0o000, "cannot be used: Permission denied"),
    ],
)
def test_a_file_that_may_not_be_used(file, folder, message):
    with tempfile.TemporaryDirectory() as outer:  # pytest's own lets no other user in
        Path(outer).chmod(0o755)
        inner = Path(outer) / "inner"
        inner.mkdir()
        url = f"sqlite:///{inner}/adjudge.db"
        CampaignStore.open(url).close()
        (inner / "adjudge.db").chmod(file)
        inner.chmod(folder)
        try:
            with pytest.raises(StoreError, match=message):
                as_nobody(lambda: CampaignStore.open(url))
        finally:
            inner.chmod(0o755)


def test_a_server_that_does_not_answer(tmp_path):
    with pytest.raises(Unavailable, match="cannot be used now"):
        CampaignStore.open(f"postgresql+psycopg://nobody@/nothing?host={tmp_path}")


def test_a_database_that_the_server_does_not_have(postgresql):
    with pytest.raises(Unavailable, match='database "missing" does not exist'):
        CampaignStore.open(postgresql.url("missing"))


OPENING = """
import os, sys
import alembic.command
from adjudge.campaigns.store import CampaignStore
reading, writing = os.pipe()
children = []
for _ in range(3):
    children.append(os.fork())
    if children[-1] == 0:
        os.close(writing)
        os.read(reading, 1)
        CampaignStore.open(sys.argv[1]).close()
        sys.exit()
os.close(writing)  # which all of them wait for
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""


def test_processes_open_a_new_database_at_once(empty):
    done = subprocess.run(
        [sys.executable, "-c", OPENING, empty], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    store = CampaignStore.open(empty)
    assert version(store) == VERSION
    store.close()


def test_many_threads_open_a_new_database_at_once(empty):
    with ThreadPoolExecutor(8) as pool:
        for store in pool.map(CampaignStore.open, [empty] * 8):
            store.close()


def test_an_answer_outlives_a_power_cut(tmp_path):
    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    with store.reading() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    store.close()


def test_a_reader_sees_one_state(store, kept):
    count = text("SELECT count(*) FROM campaigns")
    with store.reading() as connection:
        assert connection.execute(count).scalar() == 1
        campaigns.add(store, *stored.made("second"))
        assert connection.execute(count).scalar() == 1
    with store.reading() as connection:
        assert connection.execute(count).scalar() == 2


def test_a_reader_cannot_write_by_mistake(postgresql):
    store = CampaignStore.open(postgresql.clean())
    with pytest.raises(StoreError, match="read-only transaction"), store.reading() as connection:
        connection.execute(text("DELETE FROM sessions"))
    store.close()


def test_what_fails_is_not_half_kept(store, kept):
    def fail():
        with store.writing() as connection:
            campaigns.record(connection, kept.id, "something", {})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM actions")).scalar() == 1


def test_a_database_in_memory_can_be_shared_by_threads():
    store = CampaignStore.open("sqlite://")
    campaigns.add(store, *stored.made())

    def turn(number):
        kept = campaigns.find(store, "news")
        campaigns.set_status(store, kept, ("paused", "running")[number % 2])
        return kept.name

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(turn, range(20))) == {"news"}
    store.close()


def test_sqlite_is_whole(tmp_path):
    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    campaigns.add(store, *stored.made())
    store.close()
    with sqlite3.connect(tmp_path / "adjudge.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_postgresql_prepares_what_is_asked_often(postgresql):
    """psycopg does so from the sixth time on, and forgets all of it at a ROLLBACK."""
    store = CampaignStore.open(postgresql.clean())
    for _ in range(10):
        people.session(store, "nobody")
        campaigns.all_campaigns(store)
    with store.reading() as connection:
        prepared = connection.execute(text("SELECT statement FROM pg_prepared_statements")).scalars().all()
    assert {statement.split("FROM")[1].split()[0] for statement in prepared} >= {"sessions", "campaigns"}
    store.close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "the name of the database is empty"),
        (":memory:", ":memory: would keep nothing"),
        ("sqlite:///what?.db", "nothing more .. is %3F there"),
        ("sqlite://host/file.db", "is sqlite:///FILE and nothing more"),
        ("://", "is no address of a database"),
        ("postgresql+psycopg://host:port/name", "is no address of a database"),
        ("mysql://host/name", "a database of mysql is not supported; use SQLite"),
        ("sqlite+aiosqlite:///file.db", "sqlite.aiosqlite is not supported"),
    ],
)
def test_what_is_no_address(url, message):
    with pytest.raises(UsageError, match=message):
        CampaignStore.open(url)


def test_a_path_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (
        "what?.db",
        "100%25.db",
        "a b#c&d=e.db",
        "sqlite:x.db",
        "file:y.db",
        os.fsdecode(b"\xff.db"),
    ):
        store = CampaignStore.open(name)
        assert store.file == tmp_path / name
        again = CampaignStore.open(store.address, create=False)
        assert again.file == store.file
        store.close()
        again.close()
        assert os.listdir(tmp_path) == [name]
        os.unlink(name)


def test_a_password_is_in_no_message():
    with pytest.raises(Unavailable) as caught:
        CampaignStore.open("postgresql+psycopg://me:hush-hush@127.0.0.1:1/nothing")
    assert "hush-hush" not in str(caught.value)


def test_other_ways_to_write_an_address(postgresql):
    address = postgresql.database().removeprefix("postgresql+psycopg")
    for scheme in ("postgresql", "postgres"):
        CampaignStore.open(scheme + address).close()


def test_a_new_database_is_up_to_date_and_stays_so(database):
    for _ in range(2):
        store = CampaignStore.open(database)
        assert version(store) == VERSION
        assert campaigns.all_campaigns(store) == []
        store.close()


def test_migrations_make_the_tables_that_the_code_knows(store):
    with store.reading() as connection:
        result = inspect(connection)
        assert set(result.get_table_names()) == {*metadata.tables, "adjudge_version"}
        for table in metadata.tables.values():
            columns = {column["name"]: column["nullable"] for column in result.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}
            indexes = {
                index["name"]: index["column_names"]
                for index in result.get_indexes(table.name)
                if not index["unique"]
            }
            assert indexes == {index.name: [c.name for c in index.columns] for index in table.indexes}
            unique = {
                tuple(constraint["column_names"]) for constraint in result.get_unique_constraints(table.name)
            }
            wanted = [
                constraint
                for constraint in table.constraints
                if type(constraint).__name__ == "UniqueConstraint"
            ]
            assert unique == {tuple(c.name for c in entry.columns) for entry in wanted}


def test_migrations_leave_nothing_to_alembic(store):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with store.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "adjudge_version"})
        assert compare_metadata(context, metadata) == []


def test_a_database_of_a_newer_version(database):
    store = CampaignStore.open(database)
    with store.writing() as connection:
        connection.execute(text("UPDATE adjudge_version SET version_num = '9999'"))
    store.close()
    try:
        with pytest.raises(StoreError, match=r"made by a newer adjudge .its version 9999 is not known here"):
            CampaignStore.open(database)
    finally:
        store = CampaignStore(store.engine)
        with store.writing() as connection:
            connection.execute(text(f"UPDATE adjudge_version SET version_num = '{VERSION}'"))
        store.close()


@pytest.mark.parametrize("table", ["alembic_version", "customers"])
def test_a_database_of_another_program_is_left_alone(empty, table):
    from sqlalchemy import create_engine

    engine = create_engine(empty)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE {table} (version_num VARCHAR(32))"))
    with pytest.raises(StoreError, match=f"holds other tables .{table}.; give campaigns one of their own"):
        CampaignStore.open(empty)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == [table]
    engine.dispose()


def test_a_table_that_was_lost(empty):
    store = CampaignStore.open(empty)
    with store.writing() as connection:
        connection.execute(text("DROP TABLE actions"))
    with pytest.raises(StoreError, match="is damaged or is no database of campaigns") as caught:
        campaigns.add(store, *stored.made())
    assert not isinstance(caught.value, Unavailable)
    store.close()
