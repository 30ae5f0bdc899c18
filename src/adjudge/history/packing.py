"""Rows as files and histories keep them, and the text of a saved file: packed block by block, read back checked."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from adjudge.io.fields import Fields
from adjudge.metrics.base import Rows
from adjudge.stats.units import BLOCK


class RowKey(NamedTuple):
    """What rows belong to: a test set, a run of a system and a metric."""

    test_set: str
    system: str
    run: str
    metric: str


def file_text(
    document: Mapping[str, Any],
    entries: Iterable[Mapping[str, Any]],
    labels: Mapping[str, Sequence[str]] | None,
) -> str:
    """The text of a file whose rows are already packed; the file of a study has no labels."""
    return "".join(file_pieces(document, ((json.dumps(entry),) for entry in entries), labels))


def file_pieces(
    document: Mapping[str, Any], entries: Iterable[Iterable[str]], labels: Mapping[str, Sequence[str]] | None
) -> Iterator[str]:
    """The text of a file in pieces, so that no more than one of them need be in memory.

    What people may want to read comes first, then one line per label and one per system and metric.
    """
    yield json.dumps(document, indent=1, allow_nan=False).removesuffix("\n}")
    if labels is not None:
        yield from _label_pieces(labels)
    yield ',\n "rows": [\n  '
    for place, entry in enumerate(entries):
        yield ",\n  " if place else ""
        yield from entry
    yield "\n ]\n}\n"


def _label_pieces(labels: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield ',\n "labels": {\n'
    for place, (name, column) in enumerate(labels.items()):
        yield ",\n" * bool(place) + f"  {json.dumps(name)}: ["
        for start in range(0, len(column), BLOCK):
            yield ", " * bool(start) + json.dumps(list(column[start : start + BLOCK]))[1:-1]
        yield "]"
    yield "\n }"


def entry_pieces(key: RowKey, rows: Rows, *, of_study: bool) -> Iterator[str]:
    """The line of a system and metric in pieces: the JSON of `row_entry`."""
    empty = json.dumps(row_entry(key, len(rows), rows.shape[1], b"", of_study=of_study))
    yield empty.removesuffix('"}')
    rest = b""
    for piece in _compress(rows):
        whole = rest + piece
        end = len(whole) - len(whole) % 3  # three bytes are four letters
        yield base64.b64encode(whole[:end]).decode("ascii")
        rest = whole[end:]
    yield base64.b64encode(rest).decode("ascii") + '"}'


def row_entry(
    key: RowKey, segments: int, columns: int, compressed: bytes, *, of_study: bool
) -> dict[str, Any]:
    """Compressed rows as an entry of a file; only the result of a study names the test set."""
    names = key._asdict() | {"run": key.run or None}
    if not of_study:
        del names["test_set"]
    return names | {
        "shape": [segments, columns],
        "data": base64.b64encode(compressed).decode("ascii"),
    }


def compressed_rows(rows: Rows) -> bytes:
    """Rows as compressed bytes, as a history stores them."""
    return b"".join(_compress(rows))


def _compress(rows: Rows) -> Iterator[bytes]:
    """The compressed bytes of rows, a block of them at a time: they may be more than memory holds."""
    packer = zlib.compressobj(3)
    for start in range(0, len(rows), BLOCK):
        yield packer.compress(np.ascontiguousarray(rows[start : start + BLOCK], "<f8").tobytes())
    yield packer.flush()


def unpacked_rows(fields: Fields, segments: int | None) -> Rows:
    """The rows of an entry; `segments` says how many there must be, where that is known."""
    shape = fields.take("shape", list)
    if len(shape) != 2 or any(type(side) is not int for side in shape) or not 1 <= shape[1] <= 10_000:
        raise fields.fault("shape", "two whole numbers, segments and columns, were expected")
    if segments is not None and shape[0] != segments:
        raise fields.fault("shape", f"rows of {shape[0]} segments, but the test set has {segments}")
    size = 8 * shape[0] * shape[1]
    try:
        stream = zlib.decompressobj()
        numbers = stream.decompress(base64.b64decode(fields.take("data", str), validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise fields.fault("data", f"damaged ({error})") from None
    if len(numbers) != size or not stream.eof or stream.unused_data:
        raise fields.fault("data", f"damaged: it does not hold {shape[0]} rows of {shape[1]} numbers")
    rows = np.frombuffer(numbers, "<f8").reshape(shape).astype(np.float64)
    if not np.isfinite(rows).all():
        raise fields.fault("data", "holds what is not a number")
    return rows
