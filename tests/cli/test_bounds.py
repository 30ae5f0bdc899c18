"""What takes long or much memory in strangers' files is bounded, and the limit is named."""

import gzip
import lzma
import os
import random
import re
import subprocess
import sys
import time
import tracemalloc

import pytest

from adjudge.display import cell_width, shorten
from adjudge.errors import DataError
from adjudge.io import compression, files, tabular

EXPANDED = compression.LEAST_REFUSED + 1


def zstd(data):
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("xz", lzma.compress), ("zst", zstd)])
def test_an_archive_that_explodes_is_refused(run, tmp_path, suffix, pack):
    bomb = tmp_path / f"bomb.{suffix}"
    bomb.write_bytes(pack(b"\n" * EXPANDED))
    result = run("lint", bomb)
    assert "holds more than 100 times its own size" in " ".join(result.out.split())
    with pytest.raises(DataError, match="more than 100 times its own size"):
        files.read_bytes(str(bomb))


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("xz", lzma.compress), ("zst", zstd)])
def test_a_large_archive_that_explodes_is_refused_as_soon(tmp_path, suffix, pack):
    """Not only when a hundred times its own size is in memory."""
    bomb = tmp_path / f"bomb.{suffix}"
    bomb.write_bytes(pack(b"\n" * EXPANDED) * (2_000_000 // len(pack(b"\n" * EXPANDED))))
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match="more than 100 times its own size"):
            files.read_bytes(str(bomb))
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("xz", lzma.compress), ("zst", zstd)])
def test_archives_of_texts_are_read(tmp_path, suffix, pack):
    text = b"".join(b"line %d\n" % n for n in range(20_000))
    path = tmp_path / f"text.{suffix}"
    path.write_bytes(pack(text) + pack(b"more\n"))
    assert files.read_bytes(str(path))[0] == text + b"more\n"
    path.write_bytes(pack(b"a\n" * 1_000_000))  # small enough to be no harm
    assert len(files.read_bytes(str(path))[0]) == 2_000_000


def test_a_table_of_very_many_columns(tmp_path):
    """Twice the columns take twice the time, not four times."""
    names = [f"column {n}" for n in range(40_000)]
    data = ("\t".join(names) + "\n" + "\t".join("x" * 40_000) + "\n").encode()
    begun = time.process_time()
    assert len(tabular.read_tsv("x.tsv", data, None).columns) == 40_000
    assert time.process_time() - begun < 5  # 50 s where every name is looked for among all
    with pytest.raises(DataError, match="two columns are called 'column 7'"):
        tabular.read_tsv("x.tsv", data.replace(b"column 9\t", b"column 7\t", 1), None)


def test_a_table_of_very_many_labels(run, tmp_path):
    path = tmp_path / "wide.tsv"
    names = ["source", "reference", "mt", *(f"label{n}" for n in range(10_000))]
    path.write_text("\t".join(names) + "\n" + "\t".join(["a"] * len(names)) + "\n")
    begun = time.process_time()
    assert run("score", "-t", path, "-q").code == 0
    assert time.process_time() - begun < 10


def test_a_very_long_word_is_shortened_at_once():
    word = "中文字" * 30_000
    begun = time.process_time()
    short = shorten(word, 40)
    assert time.process_time() - begun < 1
    assert short == "中文字中文字中文字中…中文字中文字中文字"
    assert cell_width(short) <= 40


def test_a_pipe_in_the_cache_keeps_nobody_waiting(process, tmp_path):
    for name in ("reference", "system"):
        (tmp_path / name).write_text("the cat sat on the mat\n" * 3)
    cache = tmp_path / "cache"
    command, kept = (
        ("score", "-r", tmp_path / "reference", tmp_path / "system"),
        {"ADJUDGE_CACHE": str(cache)},
    )
    first = process(*command, env=kept)
    assert first.code == 0, first.err
    rows = list(cache.rglob("*.rows"))
    assert rows
    for path in rows:
        path.unlink()
        os.mkfifo(path)
    again = process(*command, env=kept)
    assert again.out == first.out  # within a minute; it waited for ever
    for path in rows:
        assert f"warning: {path} is a pipe" in again.err
    assert process(*command, env=kept).err == first.err  # what was computed lies there now


DEEP_TOML = {
    "lists": "x = " + "[" * 600 + "]" * 600,
    "lists that Python parses": "x = " + "[" * 200 + "]" * 200,
    "tables": "x = " + "{x = " * 600 + "1" + "}" * 600,
    "a dotted key": ".".join(["x"] * 20_000) + " = 1",
    "a quoted key": ".".join(["'x'"] * 20_000) + " = 1",
    "a key of quoted words": ".".join(['"x y"'] * 20_000) + " = 1",
    "a key of quoted quotes": " . ".join([r'"x\"y"'] * 20_000) + " = 1",
    "a dotted header": "[" + ".".join(["x"] * 20_000) + "]\nx = 1",
    "headers": "".join("[" + ".".join(["x"] * depth) + "]\n" for depth in range(1, 150)),
}
READ_TOML = {
    "study": "study run x.toml",
    "lint": "lint x.toml",
    "score": "score x.toml",
    "report": "report x.toml -o report.html",
    "tune": "tune learned --sets x.toml",
    "tasks": "meta run . --tasks x.toml",
    "weights": "rerank x.nbest --rule model --weights x.toml",
    "campaign": "human new x.toml -d campaigns.db",
}


@pytest.mark.parametrize("command", READ_TOML)
def test_toml_that_is_nested_too_deeply_is_refused(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.nbest").write_text("0 ||| a ||| x= 1 ||| 0.5\n")
    for shape, text in DEEP_TOML.items():
        (tmp_path / "x.toml").write_text(text)
        begun = time.process_time()
        ended = run(*READ_TOML[command].split())
        assert time.process_time() - begun < 2, shape
        assert (ended.code, ended.err.count("\n")) == (1, 1), (shape, ended)
        assert "x.toml" in ended.err, shape
        assert re.search("nested more than 100 deep|a key of more than 100 parts", ended.err), (
            shape,
            ended.err,
        )


def long_lines(folder, size):
    """A system and a reference, of which the second line has so many characters."""
    words = [random.Random(1).randbytes(3).hex()[:5] for _ in range(10_000)]
    for name, seed in (("sys.en", 2), ("ref.en", 3)):
        text = " ".join(random.Random(seed).choices(words, k=size // 6))
        (folder / name).write_text(f"a short line\n{text.ljust(size, 'x')}\na last line\n")


def peak_memory(folder, *arguments):
    """The exit code of a command, its errors and the most memory that it took, in bytes."""
    program = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'adjudge', *sys.argv[1:]], capture_output=True, text=True)\n"
        "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "print(done.returncode, peak * (1 if sys.platform == 'darwin' else 1024), done.stderr.strip())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    code, peak, message = done.stdout.split(" ", 2)
    return int(code), int(peak), message


LONG = "segment 2: longer than 8,388,608 characters; were its line breaks lost?"


@pytest.mark.parametrize("stream", [(), ("--stream",)])
def test_a_line_of_many_megabytes_does_not_fill_the_memory(tmp_path, stream):
    """Of 12 MB, chrF alone would take 1 GB."""
    long_lines(tmp_path, 12_000_000)
    code, peak, message = peak_memory(tmp_path, "score", *stream, "-r", "ref.en", "sys.en")
    assert (code, peak < 400e6) == (1, True), peak
    assert f"ref.en, {LONG}" in message


def test_the_longest_segments_are_scored_in_bounded_memory(tmp_path):
    long_lines(tmp_path, 2_000_000)
    code, peak, _ = peak_memory(tmp_path, "score", "-r", "ref.en", "-m", "chrf", "--no-cache", "sys.en")
    assert (code, peak < 100e6 + 100 * 2_000_000) == (0, True), peak


@pytest.fixture(scope="module")
def too_long(tmp_path_factory):
    """A folder with a segment that is a character too long, as texts and as a table."""
    folder = tmp_path_factory.mktemp("too-long")
    long_lines(folder, files.LONGEST_SEGMENT + 1)
    rows = zip(*((folder / name).read_text().splitlines() for name in ("sys.en", "ref.en")), strict=True)
    (folder / "set.tsv").write_text("mt\tref\n" + "".join("\t".join(row) + "\n" for row in rows))
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "score -r ref.en sys.en",
        "score --stream -r ref.en sys.en",
        "compare -r ref.en sys.en other=sys.en",
        "score -t set.tsv",
        "sacrebleu ref.en -i sys.en",
        "lint --strict -r ref.en sys.en",
    ],
)
def test_segments_longer_than_any_book_are_refused(run, too_long, monkeypatch, command):
    monkeypatch.chdir(too_long)
    ended = run(*command.split())
    assert ended.code == 1
    assert LONG in " ".join((ended.out + ended.err).split())


def test_a_segment_of_the_longest_size_is_one(tmp_path):
    files.check_segments("x", ["a", "x" * files.LONGEST_SEGMENT, None, ""])
    with pytest.raises(DataError, match="segment 8: longer"):
        files.check_segments("x", ["a", None, "x" * (files.LONGEST_SEGMENT + 1)], before=5)
