"""Rows come back bit by bit or not at all, whatever happens to the folder."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from adjudge.cli import _workspace
from adjudge.data import TestSet
from adjudge.engine import cache as module
from adjudge.engine.cache import HEADER, RowCache
from adjudge.metrics import metric, names
from adjudge.metrics.bleu import Bleu
from helpers import estimators
from helpers.treebanks import with_trees

SET = TestSet(references=(("a b c d", "e f"),), sources=("x", "y"))
OUTPUT = ("a b c", "e g f")
ROWS = np.array([[1.0, 2.0, -0.0], [np.nan, np.inf, 5e-324]])


@pytest.fixture
def rows_cache(tmp_path):
    return RowCache(tmp_path / "rows")


def only_file(cache):
    (path,) = cache.folder.iterdir()
    return path


@given(
    rows=arrays(
        np.float64,
        array_shapes(min_dims=2, max_dims=2, min_side=0),
        elements=st.floats(allow_nan=True, allow_subnormal=True),
    )
)
def test_rows_come_back_bit_by_bit(rows, tmp_path_factory):
    cache = RowCache(tmp_path_factory.getbasetemp() / "bits")
    segments = ["s"] * len(rows)
    cache.put(Bleu(), SET, segments, rows)
    response = cache.get(Bleu(), SET, segments)
    assert response.dtype == np.float64
    assert response.shape == rows.shape
    assert response.tobytes() == rows.tobytes()
    assert response.flags.writeable


@pytest.mark.parametrize("name", [name for name in names() if metric(name).keeps_rows])
def test_every_metric_is_kept(name, rows_cache):
    name = f"qe(model={estimators.model_file()})" if name == "qe" else name
    scorer = metric(name)
    test_set = with_trees(SET, OUTPUT)
    rows = scorer.stats(scorer.prepare(test_set), OUTPUT)
    assert rows_cache.get(scorer, test_set, OUTPUT) is None
    rows_cache.put(scorer, test_set, OUTPUT, rows)
    assert rows_cache.get(metric(name), test_set, OUTPUT).tobytes() == rows.tobytes()


def test_transposed_rows_keep_their_order(rows_cache):
    rows = np.arange(6.0).reshape(3, 2).T
    rows_cache.put(Bleu(), SET, OUTPUT, rows)
    assert (rows_cache.get(Bleu(), SET, OUTPUT) == rows).all()


@pytest.mark.parametrize(
    ("scorer", "test_set", "output"),
    [
        (Bleu(lowercase=True), SET, OUTPUT),
        (metric("chrf"), SET, OUTPUT),
        (Bleu(), TestSet(references=(("a b c d", "e g"),), sources=("x", "y")), OUTPUT),
        (Bleu(), TestSet(references=(("a b c d", "e f"),), sources=("x", "z")), OUTPUT),
        (Bleu(), TestSet(references=(("a b c d", "e f"),)), OUTPUT),
        (Bleu(), SET, ("a b c", "e g f ")),
        (Bleu(), SET, ("a b ce", " g f")),
        (Bleu(), SET, ("a b c\ne g f", "")),
        (Bleu(), SET, ("a b c", "e g \ud800")),
    ],
)
def test_what_differs_is_not_found(scorer, test_set, output, rows_cache):
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    assert rows_cache.get(scorer, test_set, output) is None
    rows_cache.put(scorer, test_set, output, ROWS + 1)
    assert rows_cache.get(Bleu(), SET, OUTPUT).tobytes() == ROWS.tobytes()


@pytest.mark.parametrize("what", ["version", "code", "unicode"])
def test_another_adjudge_or_python_finds_nothing(what, rows_cache, monkeypatch):
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    if what == "version":
        monkeypatch.setattr(module, "__version__", "9.9.9")
    elif what == "code":
        monkeypatch.setattr(module, "_build", lambda: "another")
    else:
        monkeypatch.setattr(module.unicodedata, "unidata_version", "99.0")
    assert rows_cache.get(Bleu(), SET, OUTPUT) is None


def test_the_state_of_the_code_is_that_of_core_metrics_and_tokenizers():
    for file in ("_core", "bleu.py", "base.py", "tokenizers.py"):
        assert file in module._build()


def test_another_model_in_the_same_file_is_another_key(rows_cache, monkeypatch):
    from adjudge.text import tokenizers

    scorer = Bleu(tokenize="spm:model")
    for digest in ("11111111", "22222222"):  # `tokenizers` puts the file's hash into the signature
        made = tokenizers.Tokenizer("spm:model", f"spm-model-{digest}", None, str)
        monkeypatch.setattr(tokenizers, "tokenizer", lambda name, made=made: made)
        assert rows_cache.get(scorer, SET, OUTPUT) is None
        rows_cache.put(scorer, SET, OUTPUT, ROWS)


def test_metrics_of_others_are_not_kept(rows_cache):
    @dataclass(frozen=True)
    class Mine(Bleu):
        pass

    rows_cache.put(Mine(), SET, OUTPUT, ROWS)
    assert rows_cache.get(Mine(), SET, OUTPUT) is None
    assert not rows_cache.folder.exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:10],
        lambda data: data[: HEADER.size],
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"x" + data[1:],
        lambda data: data[:20] + b"\0\0\0\0" + data[24:],
        lambda data: os.urandom(500),
    ],
)
def test_damaged_files_are_ignored_and_replaced(damage, rows_cache):
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    path = only_file(rows_cache)
    path.write_bytes(damage(path.read_bytes()))
    assert rows_cache.get(Bleu(), SET, OUTPUT) is None
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    assert rows_cache.get(Bleu(), SET, OUTPUT).tobytes() == ROWS.tobytes()


def test_a_file_under_another_key_is_not_believed(rows_cache):
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    first = only_file(rows_cache)
    rows_cache.put(Bleu(lowercase=True), SET, OUTPUT, ROWS + 1)
    (second,) = set(rows_cache.folder.iterdir()) - {first}
    shutil.copy(first, second)
    assert rows_cache.get(Bleu(lowercase=True), SET, OUTPUT) is None


def test_a_folder_in_place_of_a_file_is_no_error(rows_cache):
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    path = only_file(rows_cache)
    path.unlink()
    path.mkdir()
    assert rows_cache.get(Bleu(), SET, OUTPUT) is None
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    assert [p.name for p in rows_cache.folder.iterdir()] == [path.name], "no draft is left behind"


def test_a_place_where_no_folder_can_be_is_no_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("n" * 300)):
        cache = RowCache(folder)
        cache.put(Bleu(), SET, OUTPUT, ROWS)
        assert cache.get(Bleu(), SET, OUTPUT) is None
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_is_no_error(rows_cache, monkeypatch):
    def full(path, data):
        with open(path, "wb") as file:
            file.write(data[:7])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.Path, "write_bytes", full)
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    assert rows_cache.get(Bleu(), SET, OUTPUT) is None
    assert list(rows_cache.folder.iterdir()) == []


def test_what_was_used_longest_ago_goes_first(tmp_path):
    size = HEADER.size + ROWS.nbytes
    cache = RowCache(tmp_path, size=10 * size)
    outputs = [(f"a {i}", "b") for i in range(11)]
    for i, output in enumerate(outputs[:10]):
        cache.put(Bleu(), SET, output, ROWS)
        for path in tmp_path.iterdir():  # an hour apart, whatever the clock of the file system
            facts = path.stat()
            os.utime(path, (facts.st_atime - 3600, facts.st_mtime - 3600))
        assert len(list(tmp_path.iterdir())) == i + 1
    assert cache.get(Bleu(), SET, outputs[0]) is not None  # the oldest, but used just now
    (tmp_path / "notes.txt").write_text("someone's own")
    RowCache(tmp_path, size=10 * size).put(Bleu(), SET, outputs[10], ROWS)
    present = [cache.get(Bleu(), SET, output) is not None for output in outputs]
    assert present == [True, False, False] + [True] * 8
    assert (tmp_path / "notes.txt").exists()


def test_rows_larger_than_the_cache_are_not_kept(tmp_path):
    cache = RowCache(tmp_path, size=100)
    cache.put(Bleu(), SET, OUTPUT, ROWS)
    assert cache.get(Bleu(), SET, OUTPUT) is None


def test_drafts_of_dead_processes_are_removed(rows_cache):
    rows_cache.folder.mkdir()
    old, new = (rows_cache.folder / f"{'0' * 64}.rows.{i}.tmp" for i in range(2))
    old.write_bytes(b"half of")
    new.write_bytes(b"half of")
    os.utime(old, (0, 0))
    rows_cache.put(Bleu(), SET, OUTPUT, ROWS)
    assert not old.exists()
    assert new.exists(), "another process may be writing it"


WRITER = """
import sys
import numpy as np
from pathlib import Path
from adjudge.data import TestSet
from adjudge.engine.cache import RowCache
from adjudge.metrics.bleu import Bleu
test_set = TestSet(references=(("r",) * 200,))
bad = 0
for turn in range(40):
    cache = RowCache(Path(sys.argv[1]), size=100_000)
    for i in range(8):
        output = (str(i),) * 200
        rows = np.full((200, 10), float(i))
        found = cache.get(Bleu(), test_set, output)
        bad += found is not None and found.tobytes() != rows.tobytes()
        cache.put(Bleu(), test_set, output, rows)
sys.exit(bad)
"""


def test_several_processes_share_a_folder(tmp_path):
    """Three write and evict the same files at once: nobody fails, nobody reads half a file."""
    started = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in started:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, b"")
    assert all(path.suffix == ".rows" for path in tmp_path.iterdir())
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 3 * 100_000


def test_the_folder_is_the_users(monkeypatch, tmp_path):
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _workspace.row_cache().folder == tmp_path / "own" / "rows"
    assert _workspace.row_cache(cache=False) is None
    monkeypatch.setenv("ADJUDGE_CACHE", "")
    assert _workspace.cache_folder() == tmp_path / "xdg" / "adjudge"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    for platform, folder in {
        "linux": ".cache/adjudge",
        "darwin": "Library/Caches/adjudge",
        "win32": "local/adjudge/cache",
    }.items():
        monkeypatch.setattr(_workspace.sys, "platform", platform)
        assert _workspace.cache_folder() == tmp_path / folder


def test_without_a_home_there_is_no_cache(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("ADJUDGE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(_workspace.Path, "home", homeless)
    assert _workspace.row_cache() is None
