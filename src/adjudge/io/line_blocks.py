"""Texts that do not fit into memory, block by block: 100 million lines are read in a few megabytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from adjudge.errors import DataError
from adjudge.io.compression import expanded_file
from adjudge.io.files import read_errors, shown

BLOCK = 1 << 22
"""Bytes of text at a time."""
LONGEST_LINE = 1 << 26
"""Bytes: what has no line break for so long is no text."""


def line_blocks(path: str, *, block: int = BLOCK) -> Iterator[list[str]]:
    """The lines of a UTF-8 file, plain or compressed, some thousands at a time."""
    with read_errors(path), open(path, "rb") as stored:
        yield from _blocks(path, expanded_file(path, stored), block)


def _blocks(path: str, file: IO[bytes], block: int) -> Iterator[list[str]]:
    rest, line = b"", 1
    while piece := file.read(block):
        data = rest + piece
        end = data.rfind(b"\n") + 1
        rest = data[end:]
        if len(rest) > LONGEST_LINE:
            raise DataError(
                f"{shown(path)}, line {line}: more than {LONGEST_LINE >> 20} MB without a line break"
            )
        if end:
            lines = _decoded(path, data[:end], line)
            line += len(lines)
            yield lines
    if rest:
        yield _decoded(path, rest, line)


def _decoded(path: str, data: bytes, line: int) -> list[str]:
    if line == 1:
        data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + data.count(b"\n", 0, error.start)
        raise DataError(
            f"{shown(path)}, line {at}: not UTF-8 (0x{data[error.start]:02x}); "
            f"convert the file: iconv -f ITS-ENCODING -t UTF-8 {path}"
        ) from None
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
