"""Plain text and the bytes below it: every fault has its own words and its place."""

import gzip
import hashlib
import lzma
import random
import subprocess
import sys
import time
import tracemalloc

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError, MissingExtraError
from adjudge.io import files, read
from adjudge.io.files import line_blocks, lines, read_bytes

text = st.lists(st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])), min_size=1)
segment = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r"))


def segments(path, **options):
    (column,) = read(str(path), **options).outputs.values()
    return column


def written(tmp_path, data, name="system.en"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", ("a", "b")),
        (b"a\nb", ("a", "b")),
        (b"\n", ("",)),
        (b"a\n\nb\n\n", ("a", "", "b", "")),
        (b"a\r\nb\r\n", ("a", "b")),
        (b"a\r\nb\r", ("a", "b\r")),
        (b"a\rb\n\r\r\n", ("a\rb", "\r")),
        (b"\xef\xbb\xbfa\n", ("a",)),
        (b"\xef\xbb\xbf\n", ("",)),
        (b"a\xef\xbb\xbf\n", ("a\ufeff",)),
        (b" \t \n", (" \t ",)),
        ("a\u2028b\x0bc\x0cd\x85e\x1cf\u2029g\n".encode(), ("a\u2028b\x0bc\x0cd\x85e\x1cf\u2029g",)),
    ],
)
def test_lines_end_at_newlines_and_nowhere_else(tmp_path, data, expected):
    assert segments(written(tmp_path, data)) == expected


@given(st.lists(segment, min_size=1), st.booleans(), st.booleans())
def test_what_is_written_is_read(tmp_path_factory, texts, crlf, last_newline):
    ending = "\r\n" if crlf else "\n"
    last_newline = last_newline or not texts[-1]
    data = (ending.join(texts) + (ending if last_newline else "")).encode()
    path = written(tmp_path_factory.mktemp("text"), data)
    assert segments(path) == tuple(texts)


PIECES = ["a", "bc ", "\n", "\r", "\r\n", "é", "中", "😀", "\ufeff", "\x85", "\u2028"]


@given(st.lists(st.sampled_from(PIECES), min_size=1), st.booleans())
def test_lines_are_those_of_python(pieces, marked):
    text = "".join(pieces).removeprefix("\ufeff") or "a"
    expected = text.replace("\r\n", "\n").split("\n")
    data = ("\ufeff" * marked + text).encode()
    assert files.lines("x", data) == (expected[:-1] if text.endswith("\n") else expected)


@given(st.lists(st.sampled_from([*map(str.encode, PIECES), b"\xff", b"\xe2\x82", b"\xc0", b"\xed\xa0\x80"])))
def test_what_is_not_utf_8_is_found_where_python_finds_it(pieces):
    data = b"x" + b"".join(pieces)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        with pytest.raises(DataError, match=f"line {line}, byte {byte}: not UTF-8"):
            files.lines("x", data)
    else:
        files.lines("x", data)


def compress_zstd(data):
    return zstandard.ZstdCompressor().compress(data)


ARCHIVES = [(".gz", gzip.compress), (".xz", lzma.compress), (".zst", compress_zstd)]


@pytest.mark.parametrize(("suffix", "compress"), ARCHIVES)
def test_archives(tmp_path, suffix, compress):
    text = "ünï\n\nzwei\n".encode() * 500
    expected = ("ünï", "", "zwei") * 500
    packed = compress(text)
    path = written(tmp_path, packed, "system.en" + suffix)
    assert segments(path) == expected
    assert list(read(str(path)).outputs) == ["system"]
    assert read(str(path)).inputs[0].sha256 == hashlib.sha256(packed).hexdigest()
    # the first bytes tell an archive without the suffix, and an archive may be several, one behind the other
    assert segments(written(tmp_path, packed + packed, "other.en")) == expected * 2


@pytest.mark.parametrize(("suffix", "compress"), ARCHIVES)
def test_broken_archives(tmp_path, suffix, compress):
    packed = compress(random.Random(1).randbytes(5000).hex().encode())
    damaged = bytearray(packed)
    damaged[len(packed) // 2] ^= 0xFF
    for size in (6, 7, 20, len(packed) // 2, len(packed) - 1):
        with pytest.raises(DataError, match=rf"system\.en{suffix} is (cut short|not .* data)"):
            read(str(written(tmp_path, packed[:size], "system.en" + suffix)))
    for data in (bytes(damaged), packed + b"rubbish"):
        if suffix == ".zst" and data == bytes(damaged):
            continue  # zstd's checksum is optional, and was not asked for
        with pytest.raises(DataError, match=r"(is damaged|goes on after the end)"):
            read(str(written(tmp_path, data, "system.en" + suffix)))
    for data in (b"", b"plain text\n"):
        with pytest.raises(DataError, match=rf"is not {suffix[1:]} data, although its name says so"):
            read(str(written(tmp_path, data, "system.en" + suffix)))


def compress_zstd_checked(data):
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


@pytest.mark.parametrize(("suffix", "compress"), [*ARCHIVES[:2], (".zst", compress_zstd_checked)])
def test_archives_damaged_in_the_middle_of_a_later_part(tmp_path, suffix, compress):
    parts = [compress(random.Random(at).randbytes(5000).hex().encode()) for at in range(3)]
    damaged = bytearray(b"".join(parts))
    damaged[len(parts[0]) + len(parts[1]) // 2] ^= 0x10
    cut = parts[0] + parts[1][: len(parts[1]) // 2]
    for data in (bytes(damaged), cut, cut + parts[2]):
        with pytest.raises(DataError, match=rf"system\.en{suffix} is (damaged|cut short): "):
            read(str(written(tmp_path, data, "system.en" + suffix)))


def test_zstd_is_an_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"adjudge\[zstd\]"):
        read(str(written(tmp_path, compress_zstd(b"a\n"), "system.zst")))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"system\.en is empty"),
        (b"\xef\xbb\xbf", r"system\.en is empty"),
        (b"ok\nab\xff\n", r"system\.en, line 2, byte 3: not UTF-8 \(0xff\)"),
        (b"\xef\xbb\xbfa\xe4b\n", r"line 1, byte 5: not UTF-8 \(0xe4\)"),
        (b"a\r\nb\xc3", r"line 2, byte 2: not UTF-8 \(0xc3\)"),
        (b"a\n\xed\xa0\x80\n", r"line 2, byte 1: not UTF-8 \(0xed\)"),  # a surrogate
        (b"a\nb\0c\n", r"line 2, byte 2: a NUL character"),
        (b"\xff\xfea", r"system\.en, byte 3: marked as UTF-16, but it is none"),
        ("a\n".encode("utf-16-be"), r"line 1, byte 1: a NUL character; .* UTF-16"),
    ],
)
def test_faults_and_their_places(tmp_path, data, message):
    with pytest.raises(DataError, match=message):
        read(str(written(tmp_path, data)))


def test_place_of_a_fault_far_into_the_file():
    data = b"0123456789\n" * 1_000_000 + b"ab\xff\n"
    with pytest.raises(DataError, match="line 1000001, byte 3:"):
        files.lines("x", data)


def test_a_line_of_a_megabyte(tmp_path):
    text = "wörd " * 200_000
    assert segments(written(tmp_path, f"a\n{text}\nb\n".encode())) == ("a", text, "b")


def test_missing_files(tmp_path):
    written(tmp_path, b"a\n", "reference.en")
    with pytest.raises(DataError, match=r"refrence\.en does not exist; did you mean .*/reference\.en\?"):
        read(str(tmp_path / "refrence.en"))
    with pytest.raises(DataError, match=r"/zzz does not exist$"):
        read(str(tmp_path / "zzz"))
    with pytest.raises(DataError, match=r"nor can its folder .*nowhere be listed"):
        read(str(tmp_path / "nowhere" / "reference.en"))


def test_files_that_are_none(tmp_path):
    with pytest.raises(DataError, match="is a directory; a file was expected"):
        read(str(tmp_path))
    with pytest.raises(DataError, match="cannot be read"):
        read("a\0b")
    with pytest.raises(DataError, match="cannot be read"):
        read("x" * 5000)
    with pytest.raises(DataError, match="cannot be read"):
        read(str(written(tmp_path, b"a\n") / "below"))


def test_permission_denied(tmp_path, monkeypatch):
    def refuse(*args):
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, b"a\n")
    monkeypatch.setattr("builtins.open", refuse)  # root may read everything, so the mode bits prove nothing
    with pytest.raises(DataError, match=r"system\.en may not be read: permission denied"):
        files.read_bytes(str(path))


def test_reading_is_lean(tmp_path):
    line = "Zeile mit ein paar Wörtern und einem Zeichen jenseits der ersten Ebene 😀 darin\n"
    path = str(written(tmp_path, (line * 100_000 + "a\n").encode()))
    tracemalloc.start()
    column = segments(path)
    final, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(column) == 100_001
    assert peak < 2 * final


def compress_xz_small(data):
    return lzma.compress(data, preset=0)  # the usual dictionary alone takes 8 MB


@pytest.mark.parametrize(("suffix", "compress"), [ARCHIVES[0], (".xz", compress_xz_small), ARCHIVES[2]])
def test_an_archive_takes_three_times_its_content_at_most(tmp_path, suffix, compress):
    line = "Zeile mit ein paar Wörtern und Umlauten, so lang wie Sätze eines Testsatzes im Mittel sind\n".encode()
    path = str(written(tmp_path, compress(line * 100_000), "system.en" + suffix))
    read(path)  # what is imported first is not counted
    tracemalloc.start()
    assert len(segments(path)) == 100_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * len(line) * 100_000


def test_nothing_heavy_is_imported():
    program = (
        "import sys, adjudge, adjudge.io\n"
        "heavy = {'translate', 'lxml', 'zstandard', 'xml', 'numpy', 'json', 'lzma', 'gzip'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_time_is_linear_in_empty_lines():
    start = time.perf_counter()
    assert len(files.lines("x", b"\n" * 2_000_000)) == 2_000_000
    assert time.perf_counter() - start < 3


@given(text, st.integers(1, 40), st.booleans())
def test_the_same_lines_as_at_once(tmp_path_factory, rows, block, ends) -> None:
    path = tmp_path_factory.mktemp("blocks") / "text"
    content = "\n".join(rows) + "\n" * ends
    if not content.strip("\ufeff"):
        return
    path.write_bytes(content.encode())
    at_once = lines(str(path), read_bytes(str(path))[0])
    assert [line for lines in line_blocks(str(path), block=block) for line in lines] == at_once


@pytest.mark.parametrize("packed", [gzip.compress, lzma.compress])
def test_packed_files(tmp_path, packed) -> None:
    path = tmp_path / "text"
    path.write_bytes(packed(b"eins\r\nzwei\n" * 1000))
    assert sum(map(len, line_blocks(str(path), block=100))) == 2000
    path.write_bytes(path.read_bytes()[:-6])
    with pytest.raises(DataError, match="is cut short"):
        list(line_blocks(str(path)))


def test_zstd(tmp_path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "text.zst"
    path.write_bytes(zstandard.compress(b"a\nb\n") + zstandard.compress(b"c\n"))
    assert list(line_blocks(str(path))) == [["a", "b", "c"]]


def test_what_is_wrong_is_said_with_its_place(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a\n" * 50 + b"caf\xe9\n")
    with pytest.raises(DataError, match=r"text, line 51: not UTF-8 \(0xe9\)"):
        list(line_blocks(str(path), block=7))
    with pytest.raises(DataError, match="did you mean"):
        list(line_blocks(str(tmp_path / "texts")))
    with pytest.raises(DataError, match="is a directory"):
        list(line_blocks(str(tmp_path)))
