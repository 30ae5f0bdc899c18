"""Values come back as they were put or not at all, whoever else uses the file and whatever happens to it."""

import multiprocessing
import os
import sqlite3
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.io.content_store import LARGE, PIECE, ContentStore, key_of
from helpers.content_stores import put_some


@pytest.fixture
def store(tmp_path):
    opened = ContentStore(tmp_path / "kept")
    yield opened
    opened.close()


def keys(number):
    return [key_of("key", str(i)) for i in range(number)]


@given(values=st.dictionaries(st.binary(max_size=8), st.binary(max_size=64)))
def test_values_come_back(values, tmp_path_factory):
    store = ContentStore(tmp_path_factory.mktemp("values"))
    store.put("kind", values)
    store.close()
    assert ContentStore(store.path.parent).get("kind", list(values)) == values


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_only_its_owner_can_read_it(tmp_path, umask):
    """Answers of models are paid for, and quote the texts."""
    before = os.umask(umask)
    try:
        store = ContentStore(tmp_path / "kept")
        store.put("answers", {b"k": b"v"})
        modes = {path.name: path.stat().st_mode & 0o777 for path in store.path.parent.iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert modes == {"contents.db": 0o600, "contents.db-wal": 0o600, "contents.db-shm": 0o600}


@pytest.mark.parametrize(("mode", "after"), [(0o644, 0o640), (0o666, 0o660), (0o640, 0o640), (0o600, 0o600)])
def test_a_file_of_an_earlier_version_is_closed_to_others(tmp_path, mode, after):
    """A group that shares a cache on purpose goes on sharing it."""
    first = ContentStore(tmp_path)
    first.put("answers", {b"k": b"v"})
    first.close()
    first.path.chmod(mode)
    again = ContentStore(tmp_path)
    assert again.get("answers", [b"k"]) == {b"k": b"v"}
    again.close()
    assert first.path.stat().st_mode & 0o777 == after


def test_kinds_do_not_mix(store):
    store.put("trees", {b"k": b"tree"})
    assert store.get("answers", [b"k"]) == {}


def test_more_keys_than_one_statement_takes(store):
    values = {key: bytes([i % 256]) for i, key in enumerate(keys(3 * PIECE + 1))}
    store.put("kind", values)
    assert store.get("kind", [*values, b"unknown"]) == values


@given(first=st.lists(st.text(max_size=3), max_size=3), second=st.lists(st.text(max_size=3), max_size=3))
def test_other_parts_have_another_key(first, second):
    assert (key_of(*first) == key_of(*second)) == (first == second)


def test_a_flipped_byte_is_not_known(store):
    store.put("kind", {b"k": b"value", b"l": b"other"})
    store.close()
    with sqlite3.connect(store.path) as connection:
        flipped = "CAST(substr(value, 1, 8) || 'valse' AS BLOB)"
        connection.execute(f"UPDATE contents SET value = {flipped} WHERE key = ?", (b"k",))
    connection.close()
    assert store.get("kind", [b"k", b"l"]) == {b"l": b"other"}


def test_a_file_that_is_no_database_costs_time_and_not_work(tmp_path):
    (tmp_path / "contents.db").write_bytes(b"no database at all" * 100)
    store = ContentStore(tmp_path)
    store.put("kind", {b"k": b"v"})
    assert store.get("kind", [b"k"]) == {}
    (note,) = store.notes
    assert str(store.path) in note
    assert "ADJUDGE_CACHE" in note
    assert (tmp_path / "contents.db").read_bytes().startswith(b"no database")


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    store = ContentStore(tmp_path / "file" / "folder")
    assert store.get("kind", [b"k"]) == {}
    store.put("kind", {b"k": b"v"})
    assert len(store.notes) == 1


def test_room_is_made_for_what_is_new(tmp_path):
    store = ContentStore(tmp_path, size=1 << 20)
    for i, key in enumerate(keys(60)):
        store.put("kind", {key: os.urandom(1 << 16), b"count": str(i).encode()})
    assert len(store.get("kind", keys(60))) < 30
    assert store.get("kind", [b"count"]) == {b"count": b"59"}
    store.close()


def test_several_processes_at_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=put_some, args=(tmp_path, 50 * i)) for i in range(2)]
    for other in others:
        other.start()
    put_some(tmp_path, 100)
    for other in others:
        other.join()
        assert other.exitcode == 0
    known = ContentStore(tmp_path).get("kind", [key_of(str(i)) for i in range(150)])
    assert sorted(map(int, known.values())) == list(range(150))


def test_threads_share_a_store(store):
    def work(start):
        for i in range(start, start + 50):
            store.put("kind", {key_of(str(i)): b"v"})
            assert store.get("kind", [key_of(str(i))])

    threads = [threading.Thread(target=work, args=(50 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.get("kind", [key_of(str(i)) for i in range(200)])) == 200
    assert not store.notes


def test_vectors_go_before_answers(tmp_path):
    store = ContentStore(tmp_path, size=200_000)
    store.put("answers", {key: bytes(1000) for key in keys(20)})
    for number in range(8):
        store.put(LARGE, {key_of("vector", str(number), str(i)): bytes(10_000) for i in range(10)})
    assert len(store.get("answers", keys(20))) == 20
    store.close()


def test_a_schema_that_is_no_text_costs_time_and_not_work(tmp_path):
    """SQLite quotes it in its message, which Python then cannot decode."""
    store = ContentStore(tmp_path)
    store.put("kind", {b"key": b"value"})
    store.close()
    data = store.path.read_bytes()
    store.path.write_bytes(data.replace(b"CREATE TABLE", b"CREATE \xffABLE"))
    again = ContentStore(tmp_path)
    assert again.get("kind", [b"key"]) == {}
    again.put("kind", {b"key": b"value"})
    assert "if the file is damaged, remove it" in again.notes[0]
