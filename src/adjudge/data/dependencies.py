"""Dependency trees of sentences, and the trees of all the texts of a test set, by text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from adjudge.data.trees import Tree
from adjudge.errors import DataError
from adjudge.wording import pluralise


@dataclass(frozen=True)
class ParsedSentence:
    """A dependency tree, in columns: a word, its head, its relation to it, its tags and its lemma.

    Words are numbered from 1; the head of the one root is 0. What is not known is the empty string.
    """

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    tags: tuple[str, ...] = ()
    """Parts of speech as the language's own treebanks name them (XPOS), as in Penn's NNS."""
    lemmas: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """Universal parts of speech (UPOS), as in NOUN."""

    def __post_init__(self) -> None:
        length = len(self.words)
        for name in ("tags", "lemmas", "classes"):
            object.__setattr__(self, name, getattr(self, name) or ("",) * length)
        columns = (self.heads, self.relations, self.tags, self.lemmas, self.classes)
        if any(len(column) != length for column in columns):
            raise DataError(f"a sentence of {pluralise(length, 'word')} has columns of other lengths")
        if fault := head_fault(self.heads):
            raise DataError(f"word {fault[0]}: {fault[1]}")

    def __len__(self) -> int:
        return len(self.words)

    @property
    def parts_of_speech(self) -> tuple[str, ...]:
        """The language's own tags, the universal ones where there are none."""
        return tuple(tag or known for tag, known in zip(self.tags, self.classes, strict=True))

    def dependents(self) -> list[list[int]]:
        """The dependents of each word, in order; entry 0 holds the root."""
        below: list[list[int]] = [[] for _ in range(len(self.words) + 1)]
        for number, head in enumerate(self.heads, 1):
            below[head].append(number)
        return below


Parse: TypeAlias = tuple[ParsedSentence, ...] | tuple[Tree, ...]
"""The sentences of a segment: dependency trees, or trees of constituents."""


def head_fault(heads: Sequence[int]) -> tuple[int, str] | None:
    """The first word whose head does not fit a tree, and the reason; None for a tree."""
    roots = [number for number, head in enumerate(heads, 1) if head == 0]
    for number, head in enumerate(heads, 1):
        if not 0 <= head <= len(heads):
            return number, f"its head is {head}, but the words are numbered from 1 to {len(heads)}"
        if head == number:
            return number, "it is its own head"
    if heads and not roots:
        return 1, "no word is the root (head 0)"
    if len(roots) > 1:
        return roots[1], f"a second root, beside word {roots[0]}; a sentence has one"
    whole = {0}
    for number in range(1, len(heads) + 1):
        way = []
        while number not in whole:
            way.append(number)
            number = heads[number - 1]
            if number in way:
                return number, f"its heads go round in a circle ({_circle(heads, number)})"
        whole.update(way)
    return None


def _circle(heads: Sequence[int], start: int) -> str:
    way = [start]
    while (following := heads[way[-1] - 1]) != start:
        way.append(following)
    shown = way if len(way) <= 6 else way[:6]
    return " → ".join([*map(str, shown), *(["…"] if len(way) > 6 else []), str(start)])


class Treebank(Mapping[str, Parse]):
    """The trees of texts. A text has one parse, wherever it stands."""

    def __init__(self, trees: Mapping[str, Parse]) -> None:
        self._trees = dict(trees)

    def __getitem__(self, text: str) -> Parse:
        return self._trees[text]

    def __iter__(self) -> Iterator[str]:
        return iter(self._trees)

    def __len__(self) -> int:
        return len(self._trees)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Treebank) and self._trees == other._trees

    __hash__ = None  # type: ignore[assignment]

    def fingerprint(self, texts: Iterable[str | None]) -> str:
        """A hash of the trees of these texts, which also covers texts without trees."""
        digest = hashlib.sha256()
        for text in texts:
            parse = None if text is None else self._trees.get(text)
            digest.update(repr(parse).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()
