"""Judgements of translations by people, as columns of arrays, so that a million fit in memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.languages import same_pair
from adjudge.errors import DataError, UsageError
from adjudge.wording import join_names, pluralise

SPAM = "spam"
KINDS = ("ordinary", "repeat", "bad reference", "reference", "tutorial")
"""Kinds of items; the column `kind` holds indices into this list."""
ORDINARY, REPEAT, BAD_REFERENCE, REFERENCE, TUTORIAL = range(len(KINDS))
LOWER_IS_BETTER = ("hter",)
"""Protocols whose scores count errors, so that lower is better."""
NONE = -1
"""The code of a missing name."""


@dataclass(frozen=True, slots=True)
class Span:
    """An error that was marked: characters `start` up to `end` (half open), or something missing (None)."""

    start: int | None
    end: int | None
    severity: str
    category: str = ""
    side: str = "target"
    """`target`, or `source` where the source's words were marked."""
    weight: float | None = None
    """What it weighs, where the file says so."""
    comment: str = ""
    """What the annotator wrote about it."""


@dataclass(frozen=True, eq=False)
class NameColumn:
    """A column of names; each name is stored once, and a row holds its index (−1 for none)."""

    names: tuple[str, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> NameColumn:
        """A column from names in order of first appearance; None and '' are missing names."""
        places: dict[str, int] = {}
        codes = [places.setdefault(value, len(places)) if value else NONE for value in values]
        return cls(tuple(places), np.array(codes, dtype=np.int32))

    @classmethod
    def same(cls, name: str, count: int) -> NameColumn:
        """A column with the same name on every row ('' for none)."""
        return cls((name,) if name else (), np.full(count, 0 if name else NONE, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> NameColumn:
        """The names of some of the rows; names that none of them has are dropped."""
        codes = self.codes[rows]
        used = np.unique(codes[codes >= 0])
        if len(used) == len(self.names):
            return NameColumn(self.names, codes)
        places = np.full(len(self.names) + 1, NONE, dtype=np.int32)  # the last one serves code −1
        places[used] = np.arange(len(used), dtype=np.int32)
        return NameColumn(tuple(self.names[i] for i in used), places[codes])

    def values(self) -> list[str]:
        """The name on every row, '' where there is none."""
        named = (*self.names, "")  # −1 is the last
        return [named[code] for code in self.codes]

    def without(self, name: str) -> NameColumn:
        """The column with one name missing wherever it stands."""
        if name not in self.names:
            return self
        codes = np.where(self.codes == self.names.index(name), NONE, self.codes)
        return NameColumn(self.names, codes.astype(np.int32))[:]

    def in_order(self) -> NameColumn:
        """The names with codes in alphabetical order, whichever came first."""
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        places = np.full(len(order) + 1, NONE, dtype=np.int32)  # the last one serves code −1
        places[order] = np.arange(len(order), dtype=np.int32)
        return NameColumn(tuple(self.names[i] for i in order), places[self.codes])

    def renamed(self, change: Mapping[str, str]) -> NameColumn:
        """The column with some names replaced; equal new names are merged."""
        return NameColumn.joined(
            [NameColumn(tuple(change.get(name, name) for name in self.names), self.codes)]
        )

    @staticmethod
    def joined(parts: Sequence[NameColumn]) -> NameColumn:
        """Columns joined one after the other."""
        places: dict[str, int] = {}
        codes = []
        for part in parts:
            codes_of_part = [places.setdefault(name, len(places)) for name in part.names]
            codes.append(np.array([*codes_of_part, NONE], dtype=np.int32)[part.codes])
        return NameColumn(tuple(places), np.concatenate(codes) if codes else np.empty(0, np.int32))


@dataclass(frozen=True, eq=False)
class Judgements:
    """Answers of annotators, in the order in which they were given; every column has a row an answer.

    Where translations were rated, `score` holds the rating. Where they were ranked or set side by side, a row is a
    pair: `score` is 1 where `system` was preferred to `other`, 0 for a tie, −1 for the opposite; rows that come from
    one ranking share a `ranking`.
    """

    protocol: str
    """The protocol: da, sqm, esa, mqm, adequacy, fluency, hter, rank, …"""
    system: NameColumn
    item: NameColumn
    """What was judged: a segment by its number or id, or a document."""
    annotator: NameColumn
    score: NDArray[np.float64]
    kind: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    other: NameColumn | None = None
    ranking: NDArray[np.int64] | None = None
    start: NDArray[np.float64] | None = None
    """When it was begun, in seconds since 1970; NaN where unknown."""
    seconds: NDArray[np.float64] | None = None
    """How long it took; NaN where unknown."""
    spans: tuple[tuple[Span, ...], ...] | None = None
    labels: Mapping[str, NameColumn] = field(default_factory=dict)
    """document, domain, origin, hit, …"""
    measures: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Other numbers: keystrokes, words, …"""
    file: NameColumn | None = None
    line: NDArray[np.int64] | None = None
    """File and line of each judgement, for messages."""
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        count = len(self.score)
        if not len(self.kind) and count:
            object.__setattr__(self, "kind", np.zeros(count, np.int8))
        object.__setattr__(self, "labels", MappingProxyType(dict(self.labels)))
        object.__setattr__(self, "measures", MappingProxyType(dict(self.measures)))
        for name, column in self._columns():
            if len(column) != count:
                raise DataError(
                    f"{pluralise(count, 'judgement')}, but {pluralise(len(column), 'row')} of {name}"
                )

    def _columns(self) -> Iterable[tuple[str, Any]]:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name in ("labels", "measures"):
                yield from value.items()
            elif entry.name not in ("protocol", "higher_is_better") and value is not None:
                yield entry.name, value

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, rows: NDArray[Any] | slice) -> Judgements:
        """Some of the judgements: a mask, places or a slice."""
        if isinstance(rows, slice):
            rows = np.arange(len(self))[rows]
        elif rows.dtype == bool:
            rows = np.flatnonzero(rows)
        changed: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name in ("labels", "measures"):
                changed[entry.name] = {name: column[rows] for name, column in value.items()}
            elif entry.name == "spans" and value is not None:
                changed[entry.name] = tuple(value[i] for i in rows)
            elif entry.name not in ("protocol", "higher_is_better") and value is not None:
                changed[entry.name] = value[rows]
        return replace(self, **changed)

    def labelled(self, name: str, column: NameColumn) -> Judgements:
        """The judgements with one more label, or with another one of that name."""
        return replace(self, labels={**self.labels, name: column})

    def label_values(self, name: str, default: str = "") -> list[str]:
        """A label on every row, "" where it is missing; the default everywhere if there is no such label."""
        column = self.labels.get(name)
        return [default] * len(self) if column is None else column.values()

    @property
    def is_ranking(self) -> bool:
        """Whether each row compares two systems."""
        return self.other is not None

    def place(self, row: int) -> str:
        """File and line of a judgement, as far as they are known."""
        name = (*self.file.names, "")[self.file.codes[row]] if self.file is not None else ""
        line = int(self.line[row]) if self.line is not None else 0
        number = f"line {line}" if line else f"judgement {row + 1}"
        return f"{name}, {number}" if name else number

    @staticmethod
    def joined(parts: Sequence[Judgements]) -> Judgements:
        """The judgements of several files, one after the other; all must be of one protocol."""
        if not parts:
            raise DataError("no judgements were given")
        first = parts[0]
        if len(parts) == 1:
            return first
        for part in parts[1:]:
            if part.protocol != first.protocol or part.is_ranking != first.is_ranking:
                raise DataError(
                    f"{first.place(0)} is of the protocol {first.protocol!r}, {part.place(0)} of {part.protocol!r}; "
                    "judgements of several kinds cannot be analysed as one"
                )
        begins = np.cumsum([0, *(int(p.ranking.max(initial=-1)) + 1 for p in parts if p.ranking is not None)])
        return replace(
            first,
            system=NameColumn.joined([p.system for p in parts]),
            item=NameColumn.joined([p.item for p in parts]),
            annotator=NameColumn.joined([p.annotator for p in parts]),
            score=np.concatenate([p.score for p in parts]),
            kind=np.concatenate([p.kind for p in parts]),
            other=NameColumn.joined([p.other for p in parts if p.other]) if first.other else None,
            ranking=(
                np.concatenate([p.ranking + begins[i] for i, p in enumerate(parts) if p.ranking is not None])
                if all(p.ranking is not None for p in parts)
                else None
            ),
            start=_numbers([p.start for p in parts], parts),
            seconds=_numbers([p.seconds for p in parts], parts),
            spans=(
                tuple(s for p in parts for s in p.spans or ((),) * len(p))
                if any(p.spans is not None for p in parts)
                else None
            ),
            labels={
                name: NameColumn.joined([p.labels.get(name, NameColumn.same("", len(p))) for p in parts])
                for name in dict.fromkeys(name for p in parts for name in p.labels)
            },
            measures={
                name: np.concatenate([p.measures.get(name, np.full(len(p), math.nan)) for p in parts])
                for name in dict.fromkeys(name for p in parts for name in p.measures)
            },
            file=NameColumn.joined([p.file or NameColumn.same("", len(p)) for p in parts]),
            line=np.concatenate(
                [p.line if p.line is not None else np.zeros(len(p), np.int64) for p in parts]
            ),
        )


def _numbers(
    columns: Sequence[NDArray[np.float64] | None], parts: Sequence[Judgements]
) -> NDArray[np.float64] | None:
    if all(column is None for column in columns):
        return None
    return np.concatenate(
        [c if c is not None else np.full(len(p), math.nan) for c, p in zip(columns, parts, strict=True)]
    )


LANGUAGES = "languages"
"""The label that holds the language pair of a judgement."""


def language_pairs(judgements: Judgements) -> tuple[str, ...]:
    """The language pairs that judgements name, in the order of the alphabet."""
    column = judgements.labels.get(LANGUAGES)
    if column is None:
        return ()
    used = np.unique(column.codes[column.codes != NONE])
    return tuple(sorted(column.names[code] for code in used))


def of_pair(judgements: Judgements, pair: str) -> Judgements:
    """The judgements of one of their language pairs."""
    column = judgements.labels[LANGUAGES]
    return judgements[column.codes == column.names.index(pair)]


def of_language(judgements: Judgements, language: str) -> Judgements:
    """The judgements of a language pair, however it is spelled (en-ja, eng-jpn); all where there is one pair only."""
    pairs = language_pairs(judgements)
    if len(pairs) < 2:
        return judgements
    matching = [pair for pair in pairs if language and same_pair(pair, language)]
    if len(matching) != 1:
        none = f"and none are of {language}" if language else "say which one with -l"
        raise UsageError(
            f"the judgements are of {pluralise(len(pairs), 'language pair')} ({join_names(pairs, 6)}), {none}"
        )
    return of_pair(judgements, matching[0])


def with_labelled_controls(judgements: Judgements) -> Judgements:
    """Comparisons with control items marked: a label `spam` names the damaged system."""
    spam = judgements.labels.get(SPAM)
    if spam is None or judgements.other is None:
        return judgements
    damaged = np.array([*spam.names, ""], object)[spam.codes]
    sides = (
        np.array([*side.names, ""], object)[side.codes] for side in (judgements.system, judgements.other)
    )
    labelled = (spam.codes != NONE) & np.logical_or(*(damaged == side for side in sides))
    kind = np.where(labelled & (judgements.kind == ORDINARY), BAD_REFERENCE, judgements.kind).astype(np.int8)
    return replace(judgements, kind=kind)
