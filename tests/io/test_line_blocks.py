"""Texts read block by block have the lines they have when read at once, packed or not; faults have a place."""

import gzip
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io.files import lines, read_bytes
from adjudge.io.line_blocks import line_blocks

text = st.lists(st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])), min_size=1)


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
