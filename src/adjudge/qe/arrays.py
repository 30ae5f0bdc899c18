"""Arrays and lists of words inside JSON: compressed and as text, which runs no program when it is read."""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.wording import counted

TYPES = ("<f4", "<f8", "<i4", "<i8", "<u8")
LARGEST = 1 << 33
"""Bytes of an array: no file may ask for more memory."""


def pack(array: NDArray[Any], kind: str) -> dict[str, Any]:
    """The array as JSON has it."""
    data = np.ascontiguousarray(array, kind).tobytes()
    return {"type": kind, "shape": list(array.shape), "data": _packed(data)}


def unpack(value: Any, where: str) -> NDArray[Any]:
    """The array again, checked; `where` names it in a message."""
    if not isinstance(value, dict) or value.get("type") not in TYPES:
        raise _damaged(where, "it is no array")
    shape = value.get("shape")
    if not isinstance(shape, list) or not all(isinstance(n, int) and 0 <= n < 1 << 40 for n in shape):
        raise _damaged(where, "its shape is none")
    kind = np.dtype(value["type"])
    size = math.prod(shape) * kind.itemsize
    array = np.frombuffer(_unpacked(value.get("data"), size, where), kind).reshape(shape)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise _damaged(where, "it holds what is no number")
    return array.astype(kind.newbyteorder("="))


def pack_rising(keys: NDArray[np.uint64]) -> dict[str, Any]:
    """Rising numbers by their differences, which take less room."""
    return pack(np.diff(keys, prepend=np.uint64(0)), "<u8")


def unpack_rising(value: Any, where: str) -> NDArray[np.uint64]:
    """These numbers again."""
    return np.cumsum(unpack(value, where), dtype=np.uint64)


def pack_words(words: Sequence[str]) -> dict[str, Any]:
    """A list of words."""
    data = "\n".join(words).encode("utf-8", "surrogatepass")
    return {"words": len(words), "bytes": len(data), "data": _packed(data)}


def unpack_words(value: Any, where: str) -> list[str]:
    """The list again."""
    if not isinstance(value, dict) or not isinstance(value.get("bytes"), int):
        raise _damaged(where, "it is no list of words")
    data = _unpacked(value.get("data"), value["bytes"], where)
    try:
        words = data.decode("utf-8", "surrogatepass").split("\n") if data else []
    except UnicodeDecodeError:
        raise _damaged(where, "it is no text") from None
    if len(words) != value.get("words"):
        raise _damaged(where, f"{counted(len(words), 'word')}, but {value.get('words')!r} were announced")
    return words


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def _unpacked(text: Any, size: int, where: str) -> bytes:
    if not isinstance(text, str) or not 0 <= size <= LARGEST:
        raise _damaged(where, "it is too large or not there")
    try:
        # No more is unpacked than was announced: a small file must not fill the memory.
        stream = zlib.decompressobj()
        data = stream.decompress(base64.b64decode(text, validate=True), size + 1)
    except (zlib.error, binascii.Error, ValueError):
        raise _damaged(where, "it cannot be unpacked") from None
    if len(data) != size:
        raise _damaged(where, f"{len(data):,} bytes, but {size:,} were announced")
    return data


def _damaged(where: str, why: str) -> DataError:
    return DataError(f"{where} is damaged: {why}; train the model again, or get the file anew")
