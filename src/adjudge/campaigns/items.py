"""What a judge is shown: an item, its candidates, and the segments they translate.

An item knows which systems made its candidates and why it is there; `screens.py` leaves both out of what is sent to a
browser. Names of items and random numbers depend on the seed alone, on any machine and in any order.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import KINDS
from adjudge.errors import DataError

if TYPE_CHECKING:
    from adjudge.stats.draws import Generator


_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
REFERENCE_SYSTEM = "reference"
"""The system that references shown as candidates belong to, where a campaign gives them no other name."""


@dataclass(frozen=True)
class Candidate:
    """One translation among those of an item: equal outputs of several systems are shown once and count for all."""

    systems: tuple[str, ...]
    texts: tuple[str, ...]
    """One text for every segment of the item."""


@dataclass(frozen=True)
class Item:
    """One thing to judge, on one screen."""

    key: str
    """Its name, unique within a campaign and reproducible."""
    segments: tuple[int, ...]
    """Numbers of the segments in the test set, from 0: one, or those of a whole document."""
    candidates: tuple[Candidate, ...]
    kind: str = "ordinary"
    """One of `KINDS`."""
    of: str = ""
    """The key of the item that this one repeats or damages."""
    document: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Additions of single protocols: questions on the text, an expected answer, feedback."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise DataError(f"item {self.key!r}: unknown kind {self.kind!r} (known: {', '.join(KINDS)})")
        if not self.segments or not self.candidates:
            raise DataError(f"item {self.key!r} has no segment or no candidate")
        for candidate in self.candidates:
            if len(candidate.texts) != len(self.segments):
                raise DataError(
                    f"item {self.key!r}: {len(self.segments)} segments, but {len(candidate.texts)} texts"
                )
        object.__setattr__(self, "extra", MappingProxyType(dict(self.extra)))

    @property
    def systems(self) -> tuple[str, ...]:
        """Every system that is judged here."""
        return tuple(system for candidate in self.candidates for system in candidate.systems)

    def as_json(self) -> dict[str, Any]:
        """The item as JSON, which `Item.from_json` reads."""
        return {
            "key": self.key,
            "segments": list(self.segments),
            "candidates": [{"systems": list(c.systems), "texts": list(c.texts)} for c in self.candidates],
            "kind": self.kind,
            "of": self.of,
            "document": self.document,
            "extra": dict(self.extra),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Item:
        """The item that `as_json` wrote."""
        return cls(
            key=stored["key"],
            segments=tuple(stored["segments"]),
            candidates=tuple(Candidate(tuple(c["systems"]), tuple(c["texts"])) for c in stored["candidates"]),
            kind=stored["kind"],
            of=stored["of"],
            document=stored["document"],
            extra=stored["extra"],
        )


@dataclass(frozen=True)
class Hit:
    """Items to be judged by one person in this order: a sitting's work."""

    name: str
    items: tuple[Item, ...]
    annotator: str = ""
    """The annotator; '' if anyone may take it."""


@dataclass(frozen=True)
class GivenAnswer:
    """What an annotator answered to an item."""

    annotator: str
    hit: str
    item: Item
    answer: Mapping[str, Any]
    """In the protocol's canonical form."""
    seconds: float | None = None
    """Without idle time."""
    started: float | None = None
    """In seconds since 1970."""
    withdrawn: bool = False
    """Whether the annotator was withdrawn."""


@dataclass(frozen=True)
class CampaignMaterial:
    """The texts of a campaign: a test set and outputs."""

    test_set: TestSet
    outputs: tuple[Outputs, ...]

    def __post_init__(self) -> None:
        names = [output.title for output in self.outputs]
        for name in names:
            if names.count(name) > 1:
                raise DataError(f"two systems are called {name!r}; give one another name (NAME = FILE)")
        for output in self.outputs:
            if len(output) != len(self.test_set):
                raise DataError(
                    f"system {output.title!r} has {len(output)} segments, but the test set has {len(self.test_set)}"
                )

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order of the campaign."""
        return tuple(outputs.title for outputs in self.outputs)

    def names(self) -> tuple[str, ...]:
        """The names of segments: their ids, or numbers from 1."""
        return self.test_set.labels.get("segment") or tuple(str(i + 1) for i in range(len(self.test_set)))

    def documents(self) -> list[tuple[str, tuple[int, ...]]]:
        """Every document with its segments in order; each segment is one where the test set knows no documents."""
        labels: Sequence[str] = self.test_set.labels.get("document") or self.names()
        segments_of: dict[str, list[int]] = {}
        for number, name in enumerate(labels):
            segments_of.setdefault(name, []).append(number)
        return [(name, tuple(numbers)) for name, numbers in segments_of.items()]

    def reference(self, segment: int) -> str | None:
        """The first reference of a segment."""
        return next((r[segment] for r in self.test_set.references if r[segment] is not None), None)


def item_key(
    seed: int, kind: str, segments: Sequence[int], texts: Sequence[str], of: str = "", number: int = 0
) -> str:
    """The key of an item: a hash of its content and kind, which does not reveal the system.

    `number` tells items apart that show the same thing, where a later system repeats what an earlier one said.
    """
    return _digest([seed, kind, list(segments), list(texts), of, number]).hex()


def randomness(seed: int, *purpose: str) -> random.Random:
    """Python's random generator for one purpose, independent of all others."""
    return random.Random(int.from_bytes(_digest([seed, *purpose])))


def generator(seed: int, *purpose: str) -> Generator:
    """Numpy's generator for one purpose."""
    from adjudge.stats import draws  # late: a server starts without numpy

    return draws.generator(int.from_bytes(_digest([seed, *purpose])))


def _digest(parts: Sequence[object]) -> bytes:
    return hashlib.blake2b(_encode(parts).encode("ascii"), digest_size=8).digest()
