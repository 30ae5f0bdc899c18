"""Compressed files: one way to expand them, whole or piece by piece, under one set of rules.

The rules hold for gzip, xz, zstd and bzip2. The first bytes of a file tell its kind. A file may hold several members
(frames, streams) in a row; zero bytes between and after them are padding. Everything else is refused: a member that
does not end, bytes that belong to no member, content of more than `MOST_EXPANDED` times the stored bytes, and members
that need more than `LARGEST_WINDOW` of memory.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple, Protocol, cast

from adjudge.errors import DataError, MissingExtraError

MOST_EXPANDED, LEAST_REFUSED = 100, 1 << 24
"""The largest factor by which a file may expand; up to 16 MB are always allowed."""
LARGEST_WINDOW = 1 << 27
"""Window size of decompressors, in bytes; enough for `zstd --ultra -22` and `xz -9`."""
_READ = 1 << 16
_PIECE = 1 << 20
_MOST_AT_ONCE = 1 << 22


class _Member(Protocol):
    """A decompressor of one member, as `bz2` and `lzma` have it."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Kind(NamedTuple):
    """One way of compressing files."""

    name: str
    suffix: str
    magic: tuple[bytes, ...]
    """First bytes of a member; no text begins like this, so that suffixes are not needed."""
    command: str
    """The command that expands such a file."""
    member: Callable[[str], _Member]
    most_fed: int = _READ
    """Compressed bytes to expand at once."""


def pieces(path: str, stored: IO[bytes]) -> Iterator[bytes]:
    """The content of a file in pieces of about a megabyte, expanded if it is compressed.

    The last piece comes only if the file is whole; `path` is its name in messages.
    """
    source = _Source(stored)
    kind = _kind(path, source.peek())
    ready: list[bytes] = []
    size = 0
    for piece in _members(path, source, kind) if kind else source.remaining():
        ready.append(piece)
        size += len(piece)
        if size >= _PIECE:
            yield b"".join(ready)
            ready, size = [], 0
    if size:
        yield b"".join(ready)


def expand_content(path: str, stored: bytes) -> bytes:
    """The content of a file that was read whole, expanded if it is compressed."""
    kind = _kind(path, stored)
    return b"".join(_members(path, _Source(io.BytesIO(stored)), kind)) if kind else stored


def expanded_file(path: str, stored: IO[bytes]) -> io.BufferedReader:
    """The content of a file as a file to read from, expanded if it is compressed."""
    return io.BufferedReader(cast(io.RawIOBase, _ExpandedFile(pieces(path, stored))), _READ)


def _kind(path: str, head: bytes) -> Kind | None:
    kind = next((kind for kind in KINDS if head.startswith(kind.magic)), None)
    named = os.path.splitext(path)[1].lower()
    if kind is None and named in COMPRESSION:
        raise DataError(f"{path} is not {named[1:]} data, although its name says so")
    return kind


def _members(path: str, source: _Source, kind: Kind) -> Iterator[bytes]:
    expanded = 0
    while head := source.peek(skip=b"\0"):
        if not any(head.startswith(magic) or magic.startswith(head) for magic in kind.magic):
            raise DataError(
                f"{path} goes on after the end of its {kind.name} data; copy or download it again, or keep only the "
                f"first {source.position} bytes (head -c {source.position})"
            )
        for piece in _member(path, source, kind):
            expanded += len(piece)
            # Of what was taken so far: a bomb is stopped early, however large it is.
            if expanded > max(MOST_EXPANDED * source.position, LEAST_REFUSED):
                raise DataError(
                    f"{path} holds more than {MOST_EXPANDED} times its own size, as no text does; "
                    f"if it is meant to, expand it first ({kind.command}) and give the file that comes out"
                )
            yield piece


def _member(path: str, source: _Source, kind: Kind) -> Iterator[bytes]:
    """One member; bytes after it are put back."""
    member = kind.member(path)
    pending = False
    while not member.eof:
        data = b"" if pending else source.read(kind.most_fed)
        if not data and not pending:
            raise DataError(
                f"{path} is cut short: it ends in the middle of its {kind.name} data; copy or download it again"
            )
        try:
            piece = member.decompress(data, _MOST_AT_ONCE)
        except MemoryError:
            raise
        except Exception as error:  # zlib.error, LZMAError, ZstdError, OSError or EOFError, by kind
            raise _damaged_error(path, kind, error) from None
        pending = len(piece) == _MOST_AT_ONCE
        yield piece
    source.put_back(len(member.unused_data))


def _damaged_error(path: str, kind: Kind, error: Exception) -> DataError:
    why = str(error).removeprefix("zstd decompress error: ")
    if "emory" in why:  # "Frame requires too much memory for decoding", "Memory usage limit exceeded"
        return DataError(
            f"{path} needs more than {LARGEST_WINDOW >> 20} MB of memory to expand, because it was compressed with a "
            f"very large window; expand it first ({kind.command}) and give the file that comes out"
        )
    return DataError(
        f"{path} is damaged: its {kind.name} data cannot be expanded ({why}); copy or download it again"
    )


class _Source:
    """Bytes as they are stored, in order; those that were read last can be put back."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._buffer, self._at = file, b"", 0
        self._before = 0
        """Bytes before the buffer."""

    @property
    def position(self) -> int:
        """How many bytes have been read."""
        return self._before + self._at

    def read(self, size: int) -> bytes:
        """At most `size` bytes; none at the end."""
        if self._at == len(self._buffer):
            self._fill()
        data = self._buffer[self._at : self._at + size]
        self._at += len(data)
        return data

    def put_back(self, size: int) -> None:
        """Put back the last bytes of a `read`."""
        self._at -= size

    def peek(self, *, skip: bytes = b"") -> bytes:
        """The next bytes after those to `skip`, enough to recognise the kind; none at the end."""
        while True:
            rest = self._buffer[self._at :]
            stripped = rest.lstrip(skip) if skip else rest
            self._at += len(rest) - len(stripped)
            if len(stripped) >= LONGEST_MAGIC or not self._fill():
                return stripped[:LONGEST_MAGIC]

    def remaining(self) -> Iterator[bytes]:
        """All bytes that are left."""
        data = self._buffer[self._at :]
        while data:
            yield data
            data = self._file.read(_PIECE)

    def _fill(self) -> bool:
        data = self._file.read(_READ)
        self._before += self._at
        self._buffer, self._at = self._buffer[self._at :] + data, 0
        return bool(data)


class _ExpandedFile(io.RawIOBase):
    """Pieces as a file."""

    def __init__(self, content: Iterator[bytes]) -> None:
        self._content, self._rest = content, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            self._rest = memoryview(next(self._content, b""))
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


class _GzipMember:
    """zlib's decompressor with the interface of `bz2` and `lzma`; it checks the checksum and length at the end."""

    def __init__(self, _: str) -> None:
        import zlib

        self._stream = zlib.decompressobj(16 + zlib.MAX_WBITS)  # 16: with gzip's header and trailer

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


class _ZstdMember:
    """A decompressor of one zstd frame; it cannot limit what it returns, so it is fed little."""

    def __init__(self, path: str) -> None:
        try:
            import zstandard
        except ImportError:
            raise MissingExtraError(f"reading {path} (zstd)", "zstd") from None
        self._frame = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW).decompressobj()

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data

    def decompress(self, data: bytes, _: int, /) -> bytes:
        return self._frame.decompress(data)


def _xz_member(_: str) -> _Member:
    import lzma

    # The decompressor itself takes some memory besides the window.
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=LARGEST_WINDOW + (1 << 22))


def _bzip2_member(_: str) -> _Member:
    import bz2

    return bz2.BZ2Decompressor()


_SKIPPABLE_FRAMES = tuple(bytes([0x50 + number]) + b"\x2a\x4d\x18" for number in range(16))
_BZIP2_MAGIC = tuple(
    b"BZh%d" % level + block for level in range(1, 10) for block in (b"1AY&SY", b"\x17rE8P\x90")
)
KINDS = (
    Kind("gzip", ".gz", (b"\x1f\x8b",), "gunzip", _GzipMember),
    Kind("xz", ".xz", (b"\xfd7zXZ\x00",), "unxz", _xz_member),
    # 1024 bytes are 256 blocks at most, each of which expands to 128 kB at most (RFC 8878, section 3.1.1.2).
    Kind("zstd", ".zst", (b"\x28\xb5\x2f\xfd", *_SKIPPABLE_FRAMES), "zstd -d --long=31", _ZstdMember, 1024),
    Kind("bzip2", ".bz2", _BZIP2_MAGIC, "bunzip2", _bzip2_member),
)
COMPRESSION = tuple(kind.suffix for kind in KINDS)
LONGEST_MAGIC = max(len(magic) for kind in KINDS for magic in kind.magic)
