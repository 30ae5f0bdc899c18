"""Nobody but SQLite opens a database that is in use: closing it again would end SQLite's locks."""

import gzip
import os
import shutil
import subprocess
import sys

import pytest

from adjudge.campaigns.store import CampaignStore, StoreError, backup, campaigns
from adjudge.database import file_locks
from helpers import stored

LOCKED = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        # SQLite's shared lock lies on these bytes, for as long as a connection is open in write-ahead mode.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 2**30 + 2)
    except OSError:
        print("locked")
"""


@pytest.fixture
def store(sqlite):
    opened = CampaignStore.open(sqlite)
    yield opened
    opened.close()


def is_locked(path):
    """Whether another process finds SQLite's lock."""
    return "locked" in subprocess.check_output([sys.executable, "-c", LOCKED, path], text=True)


WAYS = {
    "open": lambda path, folder: open(path, "rb").close(),
    "read": lambda path, folder: path.read_bytes(),
    "descriptor": lambda path, folder: os.close(os.open(path, os.O_RDONLY)),
    "copy": lambda path, folder: shutil.copy(path, folder / "copy.db"),
    "append": lambda path, folder: path.open("a").close(),
    "gzip": lambda path, folder: gzip.open(path).close(),
    "by another name": lambda path, folder: (folder / "link.db").read_bytes(),
    "its log": lambda path, folder: open(f"{path}-wal", "rb").close(),
    "its index": lambda path, folder: open(f"{path}-shm", "rb").close(),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_nothing_else_opens_a_database_in_use(store, tmp_path, way):
    (tmp_path / "link.db").symlink_to(store.file)
    with pytest.raises(StoreError, match="is a database in use, which nothing may open beside it"):
        way(store.file, tmp_path)
    assert is_locked(store.file)


def test_a_second_store_leaves_the_locks_of_the_first(store):
    CampaignStore.open(store.address).close()
    assert is_locked(store.file)


def test_a_store_that_was_closed_is_a_file_again(store):
    store.close()
    assert store.file.read_bytes().startswith(b"SQLite format 3")
    assert not is_locked(store.file)


def test_a_database_that_was_refused_is_watched_no_longer(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no database " * 100)
    with pytest.raises(StoreError):
        CampaignStore.open(str(path))
    assert path.read_text().startswith("no database")


def test_the_database_is_no_back_up_of_itself(store, tmp_path):
    kept = campaigns.add(store, *stored.made())
    with pytest.raises(StoreError, match="is a database in use"):
        backup.restore(store, store.file)
    with pytest.raises(StoreError, match="is a database in use"):
        backup.save(store, kept, store.file)
    assert is_locked(store.file)


FORKED = """
import os, sys
from adjudge.campaigns.store import CampaignStore, StoreError, campaigns
store = CampaignStore.open(sys.argv[1])
for use in (lambda: campaigns.all_campaigns(store), lambda: CampaignStore.open(sys.argv[1])):
    if os.fork() == 0:
        try:
            use()
        except StoreError as error:
            print(error, flush=True)
        os._exit(0)
    os.wait()
"""


def test_a_fork_does_not_use_what_it_inherited(sqlite):
    text = subprocess.check_output([sys.executable, "-c", FORKED, sqlite], text=True).splitlines()
    assert "was opened before this process was forked" in text[0]
    assert "was open when this process was forked" in text[1]


def test_every_connection_is_counted(store):
    with store.reading(), store.reading():
        assert file_locks._connections[store.file] >= 2
    store.close()
    assert store.file not in file_locks._connections
