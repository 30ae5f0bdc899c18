"""The nouns: a test set, what systems made of it, scores on segments, and which words went with which."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from adjudge import _native
from adjudge.errors import DataError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

    import numpy as np
    from numpy.typing import NDArray

    from adjudge.data.dependencies import Treebank

Segments = tuple[str, ...]
ReferenceSet = tuple[str | None, ...]
Item = TypeVar("Item")


@dataclass(frozen=True)
class TestSet:
    """Sources, references and labels of the same segments, in columns.

    A segment may lack a reference in some of the sets (None) but not in all of them; an empty string is an
    empty reference, not a missing one.
    """

    __test__ = False  # not something for pytest to collect

    references: tuple[ReferenceSet, ...] = ()
    sources: Segments | None = None
    labels: Mapping[str, Segments] = field(default_factory=dict)
    name: str = ""
    language: str = ""
    """The language pair (`en-de`) or the target language, with or without regions and scripts."""
    language_from: str = ""
    """How the language is known: `-l`, a tag in a file, a suffix; empty if it was given in Python."""
    level: str = ""
    """What one text is, where it is more than a segment: `document`, `window:3` (data/levels.py)."""
    realigned: bool = False
    """Whether outputs were realigned to the references by edit distance (io/realignment.py)."""
    pseudo: int = 0
    """How many of the reference sets, the last ones, are machine translations of the source."""
    trees: Treebank | None = None
    """Trees of sources, references and outputs, by text, where they are given."""
    back_translations: Mapping[str, str] = field(default_factory=dict)
    """Outputs translated back into the source language, by the text of the output."""

    def __post_init__(self) -> None:
        _refuse_text(self.references, "references", "a list of reference sets, each a list of segments")
        references = [_column(c, f"reference {i}", holes=True) for i, c in enumerate(self.references, 1)]
        object.__setattr__(self, "references", tuple(column for column, _ in references))
        if self.sources is not None:
            object.__setattr__(self, "sources", _column(self.sources, "sources")[0])
        labels = {name: _column(column, f"label {name!r}")[0] for name, column in self.labels.items()}
        object.__setattr__(self, "labels", MappingProxyType(labels))
        object.__setattr__(self, "back_translations", MappingProxyType(dict(self.back_translations)))
        if not 0 <= self.pseudo <= len(self.references):
            raise DataError(f"{self.pseudo} pseudo-references among {len(self.references)} reference sets")
        columns = list(self._columns())
        if not columns:
            raise DataError("a test set needs references or sources; this one has neither")
        first, column = columns[0]
        for name, other in columns[1:]:
            if len(other) != len(column):
                raise DataError(
                    f"{first} has {pluralise(len(column), 'segment')}, but {name} has {len(other)}"
                )
        # A set without holes serves every segment, and most test sets have one.
        if self.references and all(has_holes for _, has_holes in references):
            for index, segment in enumerate(zip(*self.references, strict=True)):
                if all(reference is None for reference in segment):
                    raise DataError(f"segment {index + 1} has no reference at all")

    def _columns(self) -> Iterator[tuple[str, Sequence[str | None]]]:
        for index, column in enumerate(self.references):
            yield f"reference {index + 1}", column
        if self.sources is not None:
            yield "source", self.sources
        for name, column in self.labels.items():
            yield f"label {name!r}", column

    def __len__(self) -> int:
        return len(next(self._columns())[1])

    def __getitem__(self, segments: slice | Sequence[int]) -> TestSet:
        """The test set with some of its segments, in the given order."""

        def pick(column: tuple[Item, ...]) -> tuple[Item, ...]:
            return column[segments] if isinstance(segments, slice) else tuple(column[i] for i in segments)

        return TestSet(
            references=tuple(pick(column) for column in self.references),
            sources=None if self.sources is None else pick(self.sources),
            labels={name: pick(column) for name, column in self.labels.items()},
            name=self.name,
            language=self.language,
            language_from=self.language_from,
            level=self.level,
            realigned=self.realigned,
            pseudo=self.pseudo,
            trees=self.trees,
            back_translations=self.back_translations,
        )

    @property
    def human_references(self) -> tuple[ReferenceSet, ...]:
        """The reference sets by people."""
        return self.references[: len(self.references) - self.pseudo]

    @property
    def pseudo_references(self) -> tuple[ReferenceSet, ...]:
        """The reference sets that are machine translations of the source."""
        return self.references[len(self.references) - self.pseudo :]

    def reference_count(self) -> int | None:
        """How many references each segment has; None where that differs from segment to segment."""
        if all(None not in column for column in self.references):
            return len(self.references)
        counts = {sum(r is not None for r in segment) for segment in zip(*self.references, strict=True)}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that a metric may read: sources and references, but not labels or names."""
        digest = hashlib.sha256()
        for role, column in [*(("reference", c) for c in self.references), ("source", self.sources or ())]:
            digest.update(f"{role} {len(column)} ".encode())
            add_texts(digest, column)
            digest.update(b"\n")
        if self.pseudo:
            digest.update(f"pseudo {self.pseudo}\n".encode())
        return digest.hexdigest()

    def knowledge_of(self, outputs: Sequence[str]) -> str:
        """A hash of what is known of outputs beyond their text: trees and back-translations; empty where nothing is."""
        parts = []
        back = [self.back_translations.get(text) for text in outputs]
        if any(text is not None for text in back):
            parts.append(hashlib.sha256(repr(back).encode("utf-8", "surrogatepass")).hexdigest())
        else:
            back = []
        if self.trees is not None:
            parts.append(self.trees.fingerprint([*outputs, *back]))
        return " ".join(parts)


@dataclass(frozen=True)
class Outputs:
    """The output of a system for a test set, from one training run."""

    system: str
    segments: Segments
    run: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", _column(self.segments, f"outputs of {self.system!r}")[0])

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def title(self) -> str:
        """The system's name, with its run where it has one."""
        return f"{self.system} (run {self.run})" if self.run else self.system


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of systems on segments: systems × segments, NaN where one is missing."""

    systems: tuple[str, ...]
    scores: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.scores.ndim != 2 or len(self.scores) != len(self.systems):
            raise DataError(
                f"{pluralise(len(self.systems), 'system')}, but scores of shape {self.scores.shape}"
            )


@dataclass(frozen=True)
class Link:
    """A link between words of a hypothesis and of a reference, as half-open ranges of word numbers."""

    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    kind: str
    """The kind of match: exact, stem, synonym, paraphrase, shift (equal after a move) or substitution."""

    @property
    def matches(self) -> bool:
        """Whether the words match; in a substitution they do not."""
        return self.kind != "substitution"


@dataclass(frozen=True)
class Shift:
    """A phrase of a hypothesis that is moved as one edit, in the numbers the words have just before."""

    words: tuple[int, int]
    """The phrase, a half-open range."""
    target: int
    """The word before which it is moved; the number of words for the end."""


@dataclass(frozen=True)
class Alignment:
    """The words of a hypothesis and of the reference it was held against, and what links them.

    Words in no link are unmatched: in an edit distance insertions on the one side and deletions on the other.
    Links count words as they stand in the hypothesis, whatever was shifted.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    links: tuple[Link, ...] = ()
    shifts: tuple[Shift, ...] = ()
    """In the order in which they are made."""


def _column(column: Iterable[Any], what: str, *, holes: bool = False) -> tuple[tuple[Any, ...], bool]:
    """The segments of a column, and whether some are missing, which only `holes` allows."""
    _refuse_text(column, what, "a list of segments")
    segments = tuple(column)
    has_holes, has_oddities = _native.holes_and_oddities(segments)
    if has_oddities or (has_holes and not holes):
        allowed = (str, type(None)) if holes else (str,)
        for number, segment in enumerate(segments, 1):
            if not isinstance(segment, allowed):
                raise DataError(f"{what}: segment {number} is {type(segment).__name__}, not a string")
    return segments, has_holes


_HASHED = 2**16
"""Block size for hashing, in segments."""


def add_texts(digest: Hash, column: Sequence[str | None]) -> None:
    """Hash the segments of a column: their lengths on one line, then all their texts."""
    segments = tuple(column)
    digest.update(f"{_native.segment_lengths(segments)}\n".encode())
    for start in range(0, len(segments), _HASHED):  # one string of all would be as large as the file
        digest.update(_native.joined_utf8(segments[start : start + _HASHED]))


def _refuse_text(value: object, what: str, wanted: str) -> None:
    # A string is a sequence of strings to Python; without the brackets every character would be a segment.
    if isinstance(value, (str, bytes)):
        raise DataError(f"{what}: one string was given, {wanted} was expected; put it in [brackets]")
    if not isinstance(value, Iterable):
        raise DataError(f"{what}: {type(value).__name__} was given, {wanted} was expected")
