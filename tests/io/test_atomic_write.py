"""Files written whole or not at all."""

import os
import resource
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from adjudge.errors import DataError
from adjudge.io.atomic_write import write_whole


@contextmanager
def little_room(size=4096):
    """A disk that is full after so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_old_file_and_no_half(tmp_path):
    path = tmp_path / "results.txt"
    path.write_bytes(b"old")
    with little_room(), pytest.raises(DataError, match=r"cannot write .*results\.txt: File too large"):
        write_whole(path, b"x" * 100_000)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["results.txt"]
    with little_room(), pytest.raises(DataError, match="cannot write"):
        write_whole(tmp_path / "new.txt", b"x" * 100_000)
    assert os.listdir(tmp_path) == ["results.txt"]


def test_nothing_is_left_when_it_is_interrupted(tmp_path, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "results.txt", b"new")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666, 0o755])
def test_permissions_stay(tmp_path, mode):
    path = tmp_path / "results.txt"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_whole(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    write_whole(tmp_path / "ours", b"")
    (tmp_path / "any").write_bytes(b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "any").stat().st_mode


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_new_private_file_is_for_its_owner_alone(tmp_path, umask, monkeypatch):
    path, modes = tmp_path / "names.jsonl", []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (modes.append(os.fstat(file).st_mode), fsync(file)))
    before = os.umask(umask)
    try:
        write_whole(path, b"anna", private=True)
    finally:
        os.umask(before)
    modes.append(path.stat().st_mode)
    assert [stat.S_IMODE(mode) for mode in modes] == [0o600, 0o600], "nor is its draft for others"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_a_private_file_that_was_there_keeps_its_permissions(tmp_path, mode):
    """Its owner has decided who reads it."""
    path = tmp_path / "names.jsonl"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_whole(path, b"new", private=True)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may give files away")
def test_the_owner_stays(tmp_path):
    path = tmp_path / "results.txt"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    write_whole(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_a_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to("there/results.txt")
    for content in (b"one", b"two"):
        write_whole(link, content)
        assert link.is_symlink()
        assert (tmp_path / "there/results.txt").read_bytes() == content
    assert os.listdir(tmp_path / "there") == ["results.txt"]


def test_a_name_as_long_as_names_can_be(tmp_path):
    path = tmp_path / ("n" * 255)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_pipe_stays_a_pipe(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"new")
    reader.join(10)
    assert (read, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"new"], True)


def test_devices():
    write_whole("/dev/null", b"new")
    with pytest.raises(DataError, match="cannot write /dev/full: No space left on device"):
        write_whole("/dev/full", b"new")


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_went_to_stdout_before_stays(tmp_path, name):
    code = f"from adjudge.io.atomic_write import write_whole; write_whole({name!r}, b'ours\\n')"
    path = tmp_path / "out"
    with path.open("wb") as file:
        file.write(b"before\n")
        file.flush()
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True, timeout=60)
        file.seek(0, os.SEEK_END)
        file.write(b"after\n")
    assert path.read_bytes() == b"before\nours\nafter\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into every folder")
def test_a_file_in_a_folder_that_may_not_be_written(tmp_path):
    path = tmp_path / "results.txt"
    path.write_bytes(b"old")
    tmp_path.chmod(0o500)
    try:
        write_whole(path, b"new")
        assert path.read_bytes() == b"new"
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["no/such/file", "a\0b", "n" * 300])
def test_what_cannot_be(tmp_path, name):
    with pytest.raises(DataError, match="cannot write"):
        write_whole(f"{tmp_path}/{name}", b"new")
