"""A campaign that may not be written can be read: on a read-only file system, or without the permission to write.

Root may write whatever permissions say, so the file system is made read-only by a bind mount in a mount namespace
of its own (`unshare`), and permissions are tried as another user where the tests run as root.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.store import CampaignStore, StoreError, campaigns, events, people, work
from helpers import stored

READING = {
    "status": ("status", "news"),
    "export": ("export", "news"),
    "log": ("log", "news"),
    "analyse": ("analyse", "--campaign", "news", "--resamples", "20"),
    "backup": ("backup", "news", "{output}/news.backup"),
    "hits": ("hits", "crowd", "--base-url", "https://example.org"),
}
MOUNT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && shift 0 && exec "$@"'


def fill(path):
    """A campaign in which two people answered, and one with hits for a marketplace."""
    store = CampaignStore.open(str(path))
    kept = campaigns.add(store, *stored.made())
    campaigns.add(store, *stored.crowd())
    for who in people.annotators(store, kept):
        for task in work.tasks(store, who):
            score = 40 + 7 * task.item.segments[0] + 20 * (task.item.candidates[0].systems == ("two",))
            events.record_answer(store, who, task.id, key=f"k{task.id}", answer={"score": score}, seconds=5.0)
    return store


@pytest.fixture
def folder():
    """A folder that other users may enter, as pytest's own may not be."""
    with tempfile.TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        inner = Path(outer) / "campaign"
        inner.mkdir()
        yield inner
        inner.chmod(0o755)


@contextlib.contextmanager
def unprivileged():
    """Without root's rights, which no permission stops."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


COMMANDS = """
import contextlib, io, json, sys
from adjudge.cli import main

ended = []
for command in json.load(sys.stdin):
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = main(["human", *command])
    ended.append([code, *(stream.buffer.getvalue().decode() for stream in streams)])
print(json.dumps(ended))
"""


def mounted(folder, *commands):
    """Run commands of `adjudge human` in one process for which a folder is mounted read-only."""
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", MOUNT, str(folder)]
    probe = [*command, "sh", "-c", f"! touch {folder}/probe"] if shutil.which("unshare") else ["false"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted read-only here")
    told = json.dumps([list(map(str, arguments)) for arguments in commands])
    program = [*command, sys.executable, "-c", COMMANDS]
    done = subprocess.run(program, input=told, capture_output=True, text=True, check=True)
    return [Ended(*ended) for ended in json.loads(done.stdout)]


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def arguments_of(name, database, output):
    return [*(part.format(output=output) for part in READING[name]), "--database", database]


def test_it_is_read_on_a_read_only_file_system(run, folder, tmp_path):
    fill(folder / "adjudge.db").close()
    commands = [arguments_of(name, folder / "adjudge.db", tmp_path) for name in READING]
    expected = [run("human", *command) for command in commands]
    (tmp_path / "news.backup").unlink()
    for name, ours, theirs in zip(READING, expected, mounted(folder, *commands), strict=True):
        assert ours.code == 0, (name, ours.err)
        assert (theirs.code, theirs.out) == (0, ours.out), (name, theirs.err)
    assert (tmp_path / "news.backup").exists()
    assert os.listdir(folder) == ["adjudge.db"]


@pytest.mark.parametrize("name", ["status", "export", "log"])
def test_it_is_read_without_the_permission_to_write(run, folder, tmp_path, name):
    fill(folder / "adjudge.db").close()
    expected = run("human", *arguments_of(name, folder / "adjudge.db", tmp_path))
    (folder / "adjudge.db").chmod(0o444)
    folder.chmod(0o555)
    with unprivileged():
        ended = run("human", *arguments_of(name, folder / "adjudge.db", tmp_path))
    assert ended == expected
    assert ended.code == 0


def test_what_a_server_has_not_yet_moved_into_the_file_is_read_too(run, folder, tmp_path):
    """The newest answers are in the log beside it while the server runs."""
    store = fill(folder / "adjudge.db")
    try:
        assert (folder / "adjudge.db-wal").stat().st_size > 0
        expected = run("human", *arguments_of("export", folder / "adjudge.db", tmp_path))
        (ended,) = mounted(folder, arguments_of("export", folder / "adjudge.db", tmp_path))
        assert (ended.code, ended.out) == (0, expected.out), ended.err
        assert len(ended.out.splitlines()) > 5
    finally:
        store.close()


def test_a_log_that_cannot_be_read_is_not_left_out(folder, tmp_path):
    """Without its index the log cannot be read, and without the log answers would be missing."""
    store = fill(folder / "adjudge.db")
    copy = tmp_path / "copy"
    copy.mkdir()
    for part in ("", "-wal"):
        subprocess.run(["cp", folder / f"adjudge.db{part}", copy / f"adjudge.db{part}"], check=True)
    store.close()
    (ended,) = mounted(copy, arguments_of("export", copy / "adjudge.db", tmp_path))
    assert (ended.code, ended.out) == (1, "")
    assert "adjudge.db-wal holds the newest part of it" in ended.err
    assert len(ended.err.splitlines()) == 1


def test_what_writes_says_why_it_cannot(folder, tmp_path):
    fill(folder / "adjudge.db").close()
    commands = (("pause", "news"), ("links", "news"), ("serve", "--port", "0"))
    told = [(*command, "--database", folder / "adjudge.db") for command in commands]
    for ended in mounted(folder, *told):
        assert (ended.code, ended.out) == (1, "")
        assert "is on a read-only file system" in ended.err
        assert len(ended.err.splitlines()) == 1


def test_an_older_database_is_not_half_read(tmp_path, monkeypatch):
    """It would have to be brought up to date, which takes writing."""
    path = tmp_path / "adjudge.db"
    fill(path).close()
    monkeypatch.setattr("adjudge.campaigns.store.connection.VERSION", "0009")
    monkeypatch.setattr("adjudge.database.store.is_writable", lambda path: False)
    with pytest.raises(StoreError, match=r"made by an older adjudge .* copy it to a folder that may"):
        CampaignStore.open(str(path), create=False, writes=False)


def test_nothing_is_written_into_it(tmp_path, monkeypatch):
    path = tmp_path / "adjudge.db"
    fill(path).close()
    monkeypatch.setattr("adjudge.database.store.is_writable", lambda path: False)
    store = CampaignStore.open(str(path), create=False, writes=False)
    try:
        with pytest.raises(StoreError, match="readonly"):
            people.one_time_link(store)
    finally:
        store.close()
