"""Whatever a file holds, reading it ends in a table or in an error written for a person, never in a traceback."""

import gzip
import json
import lzma
from contextlib import suppress

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import AdjudgeError
from adjudge.io import load, read

SGM = (
    '<refset setid="t" srclang="any" trglang="de"><doc docid="d" genre="n">'
    '<seg id="1">a &amp; b</seg></doc></refset>'
)
WMT = (
    '<?xml version="1.0" encoding="utf-8"?><dataset id="t"><doc id="d" origlang="en"><src lang="en"><p>'
    '<seg id="1">a</seg></p></src><ref lang="de"><p><seg id="1">b</seg></p></ref></doc></dataset>'
)
TMX = (
    '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>a<ph>x</ph></seg></tuv>'
    '<tuv xml:lang="de"><seg>b</seg></tuv><tuv xml:lang="de"><seg>c</seg></tuv></tu></body></tmx>'
)
XLIFF1 = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="f" source-language="en">'
    '<body><trans-unit id="1"><source>a</source><target>b</target></trans-unit></body></file></xliff>'
)
XLIFF2 = (
    '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en"><file id="f"><unit id="1">'
    '<segment><source>a</source><target><cp hex="7"/></target></segment></unit></file></xliff>'
)
LINES = b"a\nb\xc3\xa4\n"
SEEDS = [
    ("text", LINES),
    ("text", gzip.compress(LINES, mtime=0)),
    ("text", lzma.compress(LINES)),
    ("text", zstandard.ZstdCompressor().compress(LINES)),
    ("tsv", b"src\tref\tmt\nd\ta\tb\n"),
    ("tsv", b"system\tseg\tref\tmt\tx\nA\t1\ta\tb\t0\nB\t1\ta\tc\t1\n"),
    ("jsonl", json.dumps({"src": "a", "mt": "\ud83d\ude00", "refs": ["b", None], "n": 1}).encode()),
    ("sgm", SGM.encode()),
    ("xml", WMT.encode()),
    ("tmx", TMX.encode()),
    ("xliff", XLIFF1.encode()),
    ("xliff", XLIFF2.encode()),
]
# xdist wants the same names in every worker, and bytes are no names
NAMES = [
    "text",
    "gz",
    "xz",
    "zst",
    "tsv",
    "longform",
    "jsonl",
    "sgm",
    "xml",
    "tmx",
    "xliff1",
    "xliff2",
]


@st.composite
def damaged(draw, data):
    """The bytes with a few pieces cut, doubled or written over."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 20)))
        piece = draw(st.one_of(st.just(b""), st.binary(max_size=4), st.just(data[start:end] * 2)))
        data = data[:start] + piece + data[end:]
    return data


@pytest.mark.parametrize(("form", "data"), SEEDS, ids=NAMES)
def test_damaged_files_end_in_no_traceback(tmp_path, form, data):
    path = tmp_path / "file"

    @given(damaged(data))
    def check(content):
        path.write_bytes(content)
        with suppress(AdjudgeError):
            table = read(str(path), format=form)
            assert len(table) > 0
            assert {len(column) for _, column in table.named()} == {len(table)}
            for _, column in table.named():
                "".join(text or "" for text in column).encode()
        with suppress(AdjudgeError):
            load(test_set=str(path), input_format=form)

    check()


@pytest.mark.parametrize(("form", "data"), SEEDS, ids=NAMES)
def test_the_seeds_themselves_are_read(tmp_path, form, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    assert len(read(str(path), format=form)) > 0
    for other in {form for form, _ in SEEDS} - {form}:
        with suppress(AdjudgeError):
            read(str(path), format=other)
