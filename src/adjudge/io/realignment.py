"""Outputs whose lines an engine merged or split, cut anew so that each line goes with its reference.

The words of all lines are aligned with those of the reference by edit distance, and cut where the reference is, as
mwerSegmenter does (Matusov et al. 2005). A cut where the output has no line break costs a few edits, and so does a line
break where there is no cut: what an engine kept apart stays apart unless the words say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.wording import counted, some_of

NEW_CUT = 5.0
"""Edits that a cut costs where the output has no line break; one at its very beginning or end costs nothing."""
LOST_BREAK = 5.0
"""Edits that a line break costs where there is no cut."""
NARROWEST = 64
"""Words on either side of the diagonal that are looked at first; twice as many where the way comes near an edge."""
# Scripts without spaces: every character is a word, and a cut may lie between any two of them.
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_SPACELESS}]|[^\W{_SPACELESS}]+|[^\w\s]")
_ALONE = re.compile(rf"[{_SPACELESS}]")
Codes = NDArray[np.int64]
Costs = NDArray[np.float64]


@dataclass(frozen=True)
class Realigned:
    """An output with a segment for every reference."""

    segments: tuple[str, ...]
    lines: int
    """How many it had before."""
    changed: tuple[int, ...]
    """The segments, from 0, that had no line of their own."""

    def note(self, system: str) -> str:
        """What was done, for the user to know; '' where nothing was."""
        if not self.changed and self.lines == len(self.segments):
            return ""
        which = some_of([str(i + 1) for i in self.changed], 5)
        return (
            f"{system}: {counted(self.lines, 'line')} for {counted(len(self.segments), 'segment')}, re-aligned with "
            f"the reference by edit distance; {counted(len(self.changed), 'segment')} had no line of "
            f"{'its' if len(self.changed) == 1 else 'their'} own" + (f": {which}" if which else "")
        )


def realigned(lines: Sequence[str], references: Sequence[str]) -> Realigned:
    """The text of all lines, cut into as many segments as there are references."""
    text, breaks = "\n".join(lines), _breaks(lines)
    tokens = [(m.start(), m.end(), m[0].casefold()) for m in _TOKEN.finditer(text)]
    begins = [begin for begin, _, _ in tokens]
    own = np.searchsorted(begins, breaks)  # the tokens that lines begin with
    words = [[m[0].casefold() for m in _TOKEN.finditer(reference)] for reference in references]
    codes: dict[str, int] = {}
    ours = np.array([codes.setdefault(word, len(codes)) for _, _, word in tokens], np.int64)
    theirs = np.array([codes.setdefault(word, len(codes)) for several in words for word in several], np.int64)
    ends = np.cumsum([len(several) for several in words])
    extra = np.full(len(tokens) + 1, np.inf)
    extra[_allowed(text, tokens)] = NEW_CUT
    extra[own] = -LOST_BREAK
    extra[[0, -1]] = 0.0
    cuts = best_cuts(ours, theirs, ends[:-1], extra)
    places = [0, *(begins[cut] if cut < len(begins) else len(text) for cut in cuts), len(text)]
    segments = tuple(_joined(text[b:e]) for b, e in pairwise(places))
    known = {line.strip() for line in lines}
    changed = tuple(i for i, segment in enumerate(segments) if segment not in known)
    return Realigned(segments, len(lines), changed)


def best_cuts(ours: Codes, theirs: Codes, ends: Codes, extra: Costs) -> list[int]:
    """Where to cut our words so that edits between the parts and theirs, which end at `ends`, are fewest.

    `extra[j]` is what a cut before our word j costs beside, inf where there can be none; what is below 0 is a gain that
    the first of several cuts there has.
    """
    width = NARROWEST
    while len(ends):
        way = _Way.within(ours, theirs, ends, extra, width)
        if way.keeps_clear(width):
            return way.cuts
        width *= 2
    return []


@dataclass(frozen=True)
class _Way:
    """The best cuts near the diagonal, and how far the band reached at each of them."""

    cuts: list[int]
    reach: list[tuple[int, int]]
    words: int

    def keeps_clear(self, width: int) -> bool:
        """Whether no cut lies so near an edge of the band that a better one may lie beyond."""
        near = width // 4
        return bool(self.cuts) and all(
            (low == 0 or cut - low >= near) and (high == self.words or high - cut >= near)
            for cut, (low, high) in zip(self.cuts, self.reach, strict=True)
        )

    @classmethod
    def within(cls, ours: Codes, theirs: Codes, ends: Codes, extra: Costs, width: int) -> _Way:
        """The best way through a band of so many words on either side."""
        n, m = len(theirs), len(ours)
        table = _Table(ours, extra)
        crossings: list[tuple[int, Codes]] = []
        reach: list[tuple[int, int]] = []
        following = 0
        for i in range(n + 1):
            middle = i * m // max(1, n)
            table.advance(int(theirs[i - 1]) if i else None, max(0, middle - width), min(m, middle + width))
            while following < len(ends) and ends[following] == i:
                crossings.append((table.low, table.cut()))
                reach.append((table.low, table.high))
                following += 1
        if not np.isfinite(min(table.moved[m], table.still[m])):
            return cls([], reach, m)
        cuts = [table.last_cut(m)]
        for start, origins in reversed(crossings[1:]):
            cuts.append(int(origins[cuts[-1] - start]))
        return cls(cuts[::-1], reach, m)


class _Table:
    """A row of edit distances from the beginning: of ways that took a word since the last cut, and of others."""

    def __init__(self, ours: Codes, extra: Costs) -> None:
        self.ours, self.extra = ours, extra
        self.moved = np.full(len(ours) + 1, np.inf)
        self.still = np.full(len(ours) + 1, np.inf)
        self.still[0] = 0.0
        self.origin = np.zeros(len(ours) + 1, np.int64)  # where `moved` was cut last; `still` was where it is
        self.columns = np.arange(len(ours) + 1)
        self.low, self.high = 0, 0

    def advance(self, word: int | None, low: int, high: int) -> None:
        """Take the next word of theirs, and look at columns `low` to `high`."""
        self.moved[:low] = self.still[:low] = np.inf
        self.low, self.high = low, high
        if word is not None:
            here, before = slice(max(low, 1), high + 1), slice(max(low, 1) - 1, high)
            best, origin = self._best(before)
            aside = best + (self.ours[before] != word)
            up = self.moved[here] + 1
            self.origin[here] = np.where(aside <= up, origin, self.origin[here])
            self.moved[here] = np.minimum(aside, up)
            self.moved[0] = np.inf
            self.still[low : high + 1] += 1
        self._spread()

    def cut(self) -> Codes:
        """Cut at every column, and return where each had been cut before."""
        view = slice(self.low, self.high + 1)
        moved = self.moved[view] + self.extra[view]
        still = self.still[view] + np.maximum(self.extra[view], 0.0)
        origins = np.where(moved <= still, self.origin[view], self.columns[view])
        self.still[view] = np.minimum(moved, still)
        self.moved[view] = np.inf
        self._spread()
        return origins

    def last_cut(self, column: int) -> int:
        """Where the best way to a column was cut last."""
        return int(self.origin[column]) if self.moved[column] <= self.still[column] else column

    def _best(self, view: slice) -> tuple[Costs, Codes]:
        moved, still = self.moved[view], self.still[view]
        return np.minimum(moved, still), np.where(moved <= still, self.origin[view], self.columns[view])

    def _spread(self) -> None:
        """Let words of ours that are too many cost one each: every column from the best one before it."""
        view = slice(self.low, self.high + 1)
        best, origin = self._best(view)
        columns = self.columns[view]
        level = best - columns
        least = np.minimum.accumulate(level)
        source = np.maximum.accumulate(np.where(level <= least, np.arange(len(level)), 0))
        reached = np.concatenate([[np.inf], least[:-1]]) + columns
        closer = reached < self.moved[view]
        from_there = np.concatenate([[0], origin[source[:-1]]]) if len(level) else origin
        self.origin[view] = np.where(closer, from_there, self.origin[view])
        self.moved[view] = np.where(closer, reached, self.moved[view])


def _breaks(lines: Sequence[str]) -> list[int]:
    """Where lines begin in the joined text, but the first."""
    starts = np.cumsum([len(line) + 1 for line in lines])
    return [int(start) for start in starts[:-1]]


def _allowed(text: str, tokens: Sequence[tuple[int, int, str]]) -> list[int]:
    """The words before which there may be a cut: behind white space, or beside a character that needs none."""
    return [
        j
        for j in range(1, len(tokens))
        if tokens[j - 1][1] < tokens[j][0]
        or (_ALONE.match(text[tokens[j][0]]) and text[tokens[j - 1][0]].isprintable())
    ]


def _joined(piece: str) -> str:
    """A piece of text in one line."""
    pieces = [part.strip() for part in piece.split("\n")]
    joined = ""
    for part in filter(None, pieces):
        spaceless = joined and _ALONE.match(joined[-1]) and _ALONE.match(part[0])
        joined += part if not joined or spaceless else f" {part}"
    return joined
