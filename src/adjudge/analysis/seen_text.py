"""A text looked through for faults: what its segments hold, each thing looked for once and only where it can be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import eq
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.checks.contents import digits_of, numbers_of

Item = TypeVar("Item")
_FIGURE = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
CIRCLE = 4
"""Words of a phrase that comes again and again."""


class SeenText(tuple[str, ...]):
    """Segments and what was found in them, kept because a source is compared with every output."""

    @cached_property
    def figures(self) -> list[int]:
        """Segments with digits."""
        has = _FIGURE.search
        return [place for place, segment in enumerate(self) if has(segment)]

    @cached_property
    def digits(self) -> dict[int, str]:
        """All digits of the segments that have any."""
        return {place: digits_of(self[place]) for place in self.figures}

    @cached_property
    def numbers(self) -> dict[int, list[str]]:
        """The numbers that should survive, of the segments that have any."""
        numbered = ((place, sorted(numbers_of(self[place]))) for place in self.figures)
        return {place: numbers for place, numbers in numbered if numbers}

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Characters of each segment."""
        return np.fromiter(map(len, self), np.int64, len(self))

    @cached_property
    def words(self) -> list[list[str]]:
        """Words of letters, segment by segment."""
        return list(map(_WORD.findall, self))

    @cached_property
    def vocabularies(self) -> list[frozenset[str]]:
        """The different words of each segment."""
        return list(map(frozenset, self.words))

    @cached_property
    def doubled(self) -> dict[int, list[str]]:
        """Words that stand twice in a row, of the segments that have any."""
        lower = _Lowered()
        doubled: dict[int, list[str]] = {}
        for place, words in enumerate(self.words):
            lowered = list(map(lower.__getitem__, words))
            if any(map(eq, lowered, lowered[1:])) and (twice := words_twice(words)):
                doubled[place] = twice
        return doubled

    @cached_property
    def circles(self) -> dict[int, tuple[str, int]]:
        """The phrase that comes most often, and how often, of the segments where one comes again."""
        circles = {}
        for place, segment in enumerate(self):
            words = _phrase_words(segment)
            # All words of a phrase that comes again stood there before.
            if len(words) - len(set(words)) >= CIRCLE and (top := _top(words))[1] > 1:
                circles[place] = top
        return circles

    def holding(
        self, items: Callable[[str], Sequence[Item]], may_have: Callable[[SeenText], Sequence[int]]
    ) -> Mapping[int, Sequence[Item]]:
        """The items of the segments that have any, looked for where there may be some."""
        known: dict[Any, Mapping[int, Sequence[Item]]] = self.__dict__.setdefault("_held", {})
        if items not in known:
            looked_at = ((place, items(self[place])) for place in may_have(self))
            known[items] = {place: entry for place, entry in looked_at if entry}
        return known[items]


class _Lowered(dict[str, str]):
    """Words in small letters, each made once."""

    def __missing__(self, word: str) -> str:
        self[word] = lowered = word.lower()
        return lowered


def words_twice(words: Sequence[str]) -> list[str]:
    """Words that stand twice in a row, whatever their case."""
    return [b for a, b in pairwise(words) if a.lower() == b.lower() and len(b) > 1]


def top_phrase(segment: str) -> tuple[str, int]:
    """The phrase that comes most often, and how often."""
    return _top(_phrase_words(segment))


def _phrase_words(segment: str) -> list[str]:
    """Characters are words where there are no spaces."""
    words = segment.split()
    return list(segment) if len(words) * 20 < len(segment) else words


def _top(words: Sequence[str]) -> tuple[str, int]:
    phrases = [" ".join(words[i : i + CIRCLE]) for i in range(len(words) - CIRCLE + 1)]
    if len(set(phrases)) == len(phrases):  # as nearly always
        return (phrases[0], 1) if phrases else ("", 0)
    return Counter(phrases).most_common(1)[0]
