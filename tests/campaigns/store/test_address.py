"""Addresses of databases: what is none, and other ways to write one."""

import os

import pytest

from adjudge.campaigns.store import Store, Unavailable
from adjudge.errors import UsageError


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
        Store.open(url)


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
        store = Store.open(name)
        assert store.file == tmp_path / name
        again = Store.open(store.address, create=False)
        assert again.file == store.file
        store.close()
        again.close()
        assert os.listdir(tmp_path) == [name]
        os.unlink(name)


def test_a_password_is_in_no_message():
    with pytest.raises(Unavailable) as caught:
        Store.open("postgresql+psycopg://me:hush-hush@127.0.0.1:1/nothing")
    assert "hush-hush" not in str(caught.value)


def test_other_ways_to_write_an_address(postgresql):
    address = postgresql.database().removeprefix("postgresql+psycopg")
    for scheme in ("postgresql", "postgres"):
        Store.open(scheme + address).close()
