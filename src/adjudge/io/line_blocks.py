"""Texts that do not fit into memory, block by block: 100 million lines are read in a few megabytes."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, cast

from adjudge.errors import DataError, MissingExtraError
from adjudge.io.files import MAGIC, missing_file, shown

BLOCK = 1 << 22
"""Bytes of text at a time."""
LONGEST_LINE = 1 << 26
"""Bytes: what has no line break for so long is no text."""


def line_blocks(path: str, *, block: int = BLOCK) -> Iterator[list[str]]:
    """The lines of a UTF-8 file, plain or compressed (.gz, .xz, .zst), some thousands at a time."""
    with faults_told(path), open(path, "rb") as raw:
        yield from _blocks(path, decompressed(path, raw), block)


@contextmanager
def faults_told(path: str) -> Iterator[None]:
    """Faults of files and archives as messages that name them."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(missing_file(path)) from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory; a file was expected") from None
    except PermissionError:
        raise DataError(f"{path} may not be read: permission denied") from None
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise DataError(f"{path} is damaged or cut short: {error}") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None


def decompressed(path: str, raw: IO[bytes]) -> IO[bytes]:
    """The content of a file that stands at its beginning; the first bytes tell how it is compressed."""
    head = raw.read(6)
    raw.seek(0)
    kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), None)
    if kind == ".gz":
        import gzip

        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if kind == ".xz":
        return cast(IO[bytes], lzma.LZMAFile(raw))
    if kind == ".zst":
        try:
            import zstandard
        except ImportError:
            raise MissingExtraError(f"reading {path} (zstd)", "zstd") from None
        return cast(IO[bytes], zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True))
    return raw


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
