"""Compressed files of every kind, whole and damaged in every way that the rules of `io/compression.py` name."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator

import zstandard


def zstd(data: bytes) -> bytes:
    """One zstd frame, with a checksum as the zstd program writes it."""
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "zst": zstd,
    "bz2": bz2.compress,
}
CUT = "is cut short: it ends in the middle of its"
TRAILING = "goes on after the end of its"
WINDOW = "needs more than 128 MB of memory to expand"


def whole_files(kind: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Files that hold the content, each with what is special about it."""
    pack = PACK[kind]
    half = content.find(b"\n", len(content) // 2) + 1
    members = pack(content[:half]), pack(content[half:])
    yield "one member", pack(content)
    yield "several members", b"".join(members)
    yield "empty members", pack(b"") + members[0] + pack(b"") + members[1]
    yield "padding", members[0] + bytes(8) + members[1] + bytes(1000)
    if kind == "zst":
        skippable = b"\x53\x2a\x4d\x18\x03\0\0\0abc"
        yield "skippable frames", skippable + members[0] + skippable + members[1] + skippable


def broken_files(kind: str, content: bytes) -> Iterator[tuple[str, bytes, str]]:
    """Files that must be refused, each with its fault and what the message says."""
    packed = PACK[kind](content)
    for size in (len(packed) - 1, len(packed) - 5, len(packed) * 2 // 3, len(packed) // 3, 15):
        yield f"{len(packed) - size} bytes missing", packed[:size], CUT
    for size in (1, 3, len(packed) // 2, len(packed) - 1):
        yield f"second member cut to {size} bytes", packed + packed[:size], CUT
    yield "padding within", packed + bytes(4) + packed[:-1], CUT
    for rest in (b"x", b"rubbish\n", bytes(4) + b"rubbish", content):
        yield f"{len(rest)} bytes behind", packed + rest, TRAILING
    if kind == "zst":
        yield "oversized window", zstd_with_window(content, 31), WINDOW
    if kind == "xz":
        yield "oversized window", xz_with_largest_dictionary(content), WINDOW


def zstd_with_window(content: bytes, window_log: int) -> bytes:
    """A frame of raw blocks whose header asks for a window of 2^window_log bytes (RFC 8878, section 3.1.1.1.2)."""
    blocks = [content[at : at + 100_000] for at in range(0, len(content), 100_000)]
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([(window_log - 10) << 3])
    for number, block in enumerate(blocks, 1):
        frame += (len(block) << 3 | (number == len(blocks))).to_bytes(3, "little") + block
    return frame


def xz_with_largest_dictionary(content: bytes) -> bytes:
    """An xz stream whose block header asks for a dictionary of 4 GB (.xz file format, section 5.3.1)."""
    packed = bytearray(lzma.compress(content))
    end = (
        12 + 4 * packed[12]
    )  # the header of the block begins behind that of the stream, and ends with its CRC32
    assert packed[14:16] == b"\x21\x01"  # the filter is LZMA2, with one byte of properties
    packed[16] = 40
    packed[end : end + 4] = zlib.crc32(packed[12:end]).to_bytes(4, "little")
    return bytes(packed)
