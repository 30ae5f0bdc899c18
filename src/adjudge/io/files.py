"""Files as bytes and lines of text; every error names the file and the place in it.

Texts that do not fit into memory are read block by block.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from adjudge import _native
from adjudge.errors import DataError, UsageError
from adjudge.io.compression import expand_content, expanded_file
from adjudge.io.remote import open_address, shown_address

BLOCK = 1 << 22
"""Bytes of text at a time."""
LONGEST_LINE = 1 << 26
"""Bytes: what has no line break for so long is no text."""
LONGEST_SEGMENT = 1 << 23
"""Characters, more than any book has; chrF takes about 80 bytes of memory for each."""
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def read_bytes(path: str, stdin: BinaryIO | None = None) -> tuple[bytes, str]:
    """The decompressed bytes of a file (or of `stdin`) and the sha256 of the bytes as they were stored."""
    if path == "-" and stdin is None:
        raise UsageError("standard input (-) is not to be had here; give a file")
    with read_errors(path):
        if stdin is not None:
            raw = stdin.read()
        else:
            with open_address(path) as file:
                raw = file.read()
    return expand_content(path_text(path), raw), hashlib.sha256(raw).hexdigest()


def read_lines(path: str) -> list[str]:
    """The lines of a file of text, plain or compressed."""
    return lines(path, read_bytes(path)[0])


@contextmanager
def read_errors(path: str) -> Iterator[None]:
    """Turn errors of the operating system into messages that name the file."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(missing_file(path)) from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory; a file was expected") from None
    except PermissionError:
        raise DataError(f"{path} may not be read: permission denied") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        raise DataError(f"{path!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def lines(path: str, data: bytes, *, before: int = 0) -> list[str]:
    r"""The lines of a UTF-8 text, split at `\n` and nowhere else.

    A BOM at the start and a `\r` directly before `\n` are dropped; the last line need not end in `\n`. Of a piece of
    a text, so many lines stand `before` it.
    """
    data = checked_text(path, data, before)
    start = len(_UTF8_BOM) if not before and data.startswith(_UTF8_BOM) else 0
    rows, fault = _native.split_lines(data, start)
    if fault >= 0:
        raise _bad_utf8(path, data, fault, before)
    return rows


def whole_text(path: str, data: bytes) -> str:
    r"""The text of a UTF-8 file in one piece, without BOM, `\r\n` as `\n`."""
    data = checked_text(path, data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _bad_utf8(path, data, error.start) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def as_utf8(path: str, data: bytes) -> bytes:
    """Text in UTF-8: what has the mark of UTF-16 at its start, as Excel's does, is converted."""
    if not data.startswith(_UTF16_BOMS):
        return data
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeError as error:
        at = getattr(error, "start", 0)
        raise DataError(f"{path_text(path)}, byte {at + 1}: marked as UTF-16, but it is none") from None


def checked_text(path: str, data: bytes, before: int = 0) -> bytes:
    """The bytes of a text, in UTF-8; what is no text is refused: nothing at all, NUL characters."""
    if not before:
        data = as_utf8(path, data)
    if data in (b"", _UTF8_BOM):
        raise DataError(f"{path_text(path)} is empty: no segment in it")
    if (at := data.find(b"\0")) >= 0:
        line, byte = _place(data, at)
        raise DataError(
            f"{path_text(path)}, line {before + line}, byte {byte}: a NUL character; UTF-8 text was expected"
            f"{_guess(path, data)}"
        )
    return data


def check_segments(path: str, segments: Sequence[str | None], *, before: int = 0) -> None:
    """Refuse a segment that is too long to be one: metrics would take gigabytes for a file without line breaks."""
    first = _native.first_longer(tuple(segments), LONGEST_SEGMENT)
    if first >= 0:
        raise too_long_segment(path, before + first + 1)


def too_long_segment(path: str, number: int) -> DataError:
    """What is said of a segment that is too long."""
    return DataError(
        f"{path_text(path)}, segment {number}: longer than {LONGEST_SEGMENT:,} characters; were its line breaks lost? "
        "One segment a line was expected"
    )


def _bad_utf8(path: str, data: bytes, at: int, before: int = 0) -> DataError:
    line, byte = _place(data, at)
    return DataError(
        f"{path_text(path)}, line {before + line}, byte {byte}: not UTF-8 (0x{data[at]:02x}); "
        f"convert the file: iconv -f ITS-ENCODING -t UTF-8 {path}"
    )


def _guess(path: str, data: bytes) -> str:
    """What a file with NUL characters may be: UTF-16 has them in every other byte of Western text."""
    if data.startswith(b"PK\x03\x04"):
        return ", this is a spreadsheet or another zip archive: save it as CSV"
    half = len(data[:4096]) // 2
    low, high = data[: 2 * half : 2].count(0), data[1 : 2 * half : 2].count(0)
    if max(low, high) < half / 2 or min(low, high) > half / 20:
        return ", is this a text file?"
    return f", this looks like UTF-16: iconv -f UTF-16{'LE' if high > low else 'BE'} -t UTF-8 {path}"


def path_text(path: str) -> str:
    """A file as messages name it."""
    return "standard input" if path == "-" else shown_address(path)


def _place(data: bytes, at: int) -> tuple[int, int]:
    """Line and byte within the line, both from 1."""
    return data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)


def missing_file(path: str) -> str:
    """What is to be said of a file that is not there: perhaps another name."""
    from difflib import get_close_matches  # late: few names are wrong

    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return f"{path} does not exist, nor can its folder {folder or '.'} be listed"
    nearest = get_close_matches(name, names, n=1)
    suggestion = f"; did you mean {os.path.join(folder, nearest[0])}?" if nearest else ""
    return f"{path} does not exist{suggestion}"


class NoFileError(OSError):
    """There is something else under the name of a file: a pipe, a folder, a device."""


def open_file(path: str | Path) -> BinaryIO:
    """A file to be read that lies there as such; a pipe is not waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # as the system has them
    number = os.open(path, flags)
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return open(number, "rb")
    os.close(number)
    what = "a pipe" if stat.S_ISFIFO(mode) else "a folder" if stat.S_ISDIR(mode) else "no file"
    raise NoFileError(f"{path_text(str(path))} is {what}")


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
                f"{path_text(path)}, line {line}: more than {LONGEST_LINE >> 20} MB without a line break"
            )
        if end:
            lines = _decode(path, data[:end], line)
            line += len(lines)
            yield lines
    if rest:
        yield _decode(path, rest, line)


def _decode(path: str, data: bytes, line: int) -> list[str]:
    start = len(_UTF8_BOM) if line == 1 and data.startswith(_UTF8_BOM) else 0
    rows, fault = _native.split_lines(data, start)
    if fault >= 0:
        at = line + data.count(b"\n", 0, fault)
        raise DataError(
            f"{path_text(path)}, line {at}: not UTF-8 (0x{data[fault]:02x}); "
            f"convert the file: iconv -f ITS-ENCODING -t UTF-8 {path}"
        )
    return rows
