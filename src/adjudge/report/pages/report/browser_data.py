"""A table of segments packed for a browser: numbers as columns of bytes, each text once, all of it compressed.

Two parts. The first begins with the length of a JSON document (four bytes, little-endian), then the document, then
columns of whole numbers of 32 bits; a column stands as its lowest bytes, then the next ones, up to the highest, which
compresses better than number by number. Scores are whole numbers of some power of ten, so that what is shown is what is
compared. The second part has the texts in UTF-8, without anything between them, those of a segment beside each other,
for they are alike.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Alignment
from adjudge.dossiers.joined_segments import language_tags
from adjudge.dossiers.segment_table import MarkedSpan, ScoreColumn, SegmentTable

MISSING = -(2**31)
"""In place of a number or a text that there is not."""
DIGITS = 8
"""That count, of scores."""
LEVEL = 6
"""Of compression."""


@dataclass(frozen=True)
class PackedTable:
    """The two parts, in base64."""

    columns: str
    texts: str


def packed(table: SegmentTable) -> PackedTable:
    """The whole table."""
    texts, columns = TextIndex(), Columns()
    document = {
        "name": table.name,
        "languages": language_tags([table.language])[0],
        "pairs": _pairs(table.languages, columns),
        "segments": len(table),
        "fingerprint": _fingerprint(table),
        "systems": [_clean(system) for system in table.systems],
        **_text_columns(table, texts, columns),
        "labels": [_label(name, values, columns) for name, values in table.labels.items()],
        "scores": [_score(scores, table.systems, columns) for scores in table.scores],
        "counts": [
            {"name": _clean(name), "columns": [_count(counts.get(s), columns) for s in table.systems]}
            for name, counts in table.counts.items()
        ],
        "spans": _spans(table, texts, columns),
        "marks": [
            {"name": _clean(name), "column": columns.put(np.diff(indices, prepend=0))}
            for name, indices in table.marks.items()
        ],
        "alignments": [
            {"name": name, "systems": [_alignments(alignment.get(s), texts, columns) for s in table.systems]}
            for name, alignment in table.alignments.items()
        ],
    }
    encoded = texts.encoded()
    document["texts"] = columns.put(np.array(list(map(len, encoded)), np.int64))
    document["columns"] = columns.lengths
    head = json.dumps(document, ensure_ascii=True).encode()
    return PackedTable(
        _compress(b"".join((len(head).to_bytes(4, "little"), head, *columns.parts))),
        _compress(b"".join(encoded)),
    )


@dataclass
class Columns:
    """Columns of whole numbers, as they are collected."""

    parts: list[bytes] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def put(self, values: NDArray[Any] | Sequence[int]) -> int:
        """Another column; its place among all."""
        numbers = np.ascontiguousarray(values, dtype="<i4")
        self.parts.append(numbers.view(np.uint8).reshape(-1, 4).T.tobytes())
        self.lengths.append(len(numbers))
        return len(self.lengths) - 1


@dataclass
class TextIndex:
    """Texts, each of them once."""

    places: dict[str, int] = field(default_factory=dict)

    def place(self, text: str | None) -> int:
        """The number of a text."""
        return MISSING if text is None else self.places.setdefault(text, len(self.places))

    def encoded(self) -> list[bytes]:
        """All texts in UTF-8; half of a surrogate pair, which has no place there, is a replacement character."""
        return [_utf8(text) for text in self.places]


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _compress(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, LEVEL, mtime=0)).decode("ascii")


def _fingerprint(table: SegmentTable) -> str:
    """Of what stars and comments are about: segments, not systems, which come and go."""
    digest = hashlib.sha256()
    for text in (*table.identifiers, *(table.sources or ()), *chain(*table.references)):
        digest.update(_utf8(text or "") + b"\0")
    return digest.hexdigest()[:16]


def _text_columns(table: SegmentTable, texts: TextIndex, columns: Columns) -> dict[str, Any]:
    """Sources, references and outputs; put segment by segment, so that what is alike is near."""
    numbered = table.identifiers == tuple(map(str, range(1, len(table) + 1)))
    whole = [
        column for column in (table.sources, *table.references, *table.outputs.values()) if column is not None
    ]
    places = [[texts.place(text) for text in segment] for segment in zip(*whole, strict=True)]
    by_column = np.array(places, np.int64).reshape(-1, len(whole)).T
    numbers = [columns.put(column) for column in by_column]
    first = int(table.sources is not None)
    return {
        "identifiers": None if numbered else columns.put([texts.place(name) for name in table.identifiers]),
        "source": numbers[0] if first else None,
        "references": numbers[first : first + len(table.references)],
        "outputs": numbers[first + len(table.references) :],
    }


def _label(name: str, values: Sequence[str], columns: Columns) -> dict[str, Any]:
    known = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return {
        "name": _clean(name),
        "values": [_clean(value) for value in known],
        "column": columns.put([known[v] for v in values]),
    }


def _pairs(languages: Sequence[str] | None, columns: Columns) -> dict[str, Any] | None:
    """The languages of every segment, where they are not the same for all."""
    if languages is None:
        return None
    known = {value: place for place, value in enumerate(dict.fromkeys(languages))}
    return {
        "values": language_tags(list(known)),
        "column": columns.put([known[language] for language in languages]),
    }


def _score(scores: ScoreColumn, systems: Sequence[str], columns: Columns) -> dict[str, Any]:
    digits = _digits(scores.values.values())
    return {
        "key": _clean(scores.key),
        "title": _clean(scores.title),
        "higher": scores.higher_better,
        "kind": scores.kind,
        "decimals": min(scores.decimals, max(digits, 0)),
        "digits": digits,
        "columns": [_scale(scores.values.get(system), digits, columns) for system in systems],
    }


def _digits(values: Any) -> int:
    """The power of ten that scores are whole numbers of: none where they are whole, else eight digits in all."""
    numbers = np.concatenate([np.abs(v[np.isfinite(v)]) for v in map(np.asarray, values)] or [np.zeros(0)])
    largest = float(numbers.max(initial=0))
    if largest < 2**31 and np.all(numbers == np.floor(numbers)):
        return 0
    return DIGITS - math.ceil(math.log10(largest))


def _scale(values: NDArray[Any] | None, digits: int, columns: Columns) -> int | None:
    if values is None:
        return None
    finite = np.isfinite(values)
    scaled = np.rint(np.where(finite, values, 0) * 10.0**digits)
    return columns.put(np.where(finite, scaled, MISSING).astype(np.int64))


def _count(values: NDArray[Any] | None, columns: Columns) -> int | None:
    return None if values is None else columns.put(values)


def _spans(table: SegmentTable, texts: TextIndex, columns: Columns) -> list[dict[str, int] | None]:
    """Of every system: how many each segment has, and all of them in a row."""
    return [_spans_of(table.spans.get(system), texts, columns) for system in table.systems]


def _spans_of(
    segments: Sequence[Sequence[MarkedSpan]] | None, texts: TextIndex, columns: Columns
) -> dict[str, int] | None:
    if segments is None:
        return None
    spans = list(chain.from_iterable(segments))
    return {
        "count": columns.put([len(segment) for segment in segments]),
        "start": columns.put([MISSING if s.start is None else s.start for s in spans]),
        "end": columns.put([MISSING if s.end is None else s.end for s in spans]),
        "severity": columns.put([texts.place(s.severity) for s in spans]),
        "category": columns.put([texts.place(s.category) for s in spans]),
        "annotator": columns.put([texts.place(s.annotator) for s in spans]),
        "comment": columns.put([texts.place(s.comment) for s in spans]),
        "source": columns.put([int(s.side == "source") for s in spans]),
    }


def _alignments(
    segments: Sequence[Alignment | None] | None, texts: TextIndex, columns: Columns
) -> dict[str, Any] | None:
    """Words of both sides as texts with spaces between them, and links in a row."""
    if segments is None:
        return None
    links = [link for segment in segments if segment is not None for link in segment.links]
    kinds = {kind: place for place, kind in enumerate(dict.fromkeys(link.kind for link in links))}
    return {
        "kinds": list(kinds),
        **{
            side: columns.put(
                [
                    texts.place(None if segment is None else " ".join(getattr(segment, side)))
                    for segment in segments
                ]
            )
            for side in ("hypothesis", "reference")
        },
        "count": columns.put([0 if segment is None else len(segment.links) for segment in segments]),
        "kind": columns.put([kinds[link.kind] for link in links]),
        **{
            name: columns.put([place for link in links for place in getattr(link, side)])
            for name, side in (("words", "hypothesis"), ("others", "reference"))
        },
    }


def _clean(text: str) -> str:
    """Names and values of labels without halves of surrogate pairs."""
    return _utf8(text).decode()
