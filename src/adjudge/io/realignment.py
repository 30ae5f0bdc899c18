"""Outputs whose lines were merged or split, realigned so that each line matches its reference.

The words of all lines are aligned with those of the references by edit distance, and cut where these are, as
mwerSegmenter does (Matusov et al. 2005): each part counts by the reference of its segment that it is nearest to. A cut
where the output has no line break costs a few edits, and so does a line break where there is no cut: what an engine
kept apart stays apart unless the words say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge._native import best_cuts
from adjudge.data import ReferenceSet
from adjudge.wording import pluralise, some_of

NEW_CUT = 5
"""Edits that a cut costs where the output has no line break; one at its very beginning or end costs nothing."""
LOST_BREAK = 5
"""Edits that a line break costs where there is no cut."""
NO_CUT = 1 << 29
"""The cost of a cut where none is allowed."""
NARROWEST = 64
"""Words on either side of the diagonal that are looked at first; twice as many where the way comes near an edge."""
# Scripts without spaces: every character is a word, and a cut may lie between any two of them.
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_SPACELESS}]|[^\W{_SPACELESS}]+|[^\w\s]")
_ALONE = re.compile(rf"[{_SPACELESS}]")


@dataclass(frozen=True)
class Realignment:
    """An output with a segment for every reference."""

    segments: tuple[str, ...]
    lines: int
    """The number of lines before."""
    changed: tuple[int, ...]
    """The segments, from 0, that had no line of their own."""
    references: int = 1
    """The number of reference sets."""

    def note(self, system: str) -> str:
        """A note about the realignment; '' if nothing changed."""
        if not self.changed and self.lines == len(self.segments):
            return ""
        which = some_of([str(i + 1) for i in self.changed], 5)
        by = "the reference" if self.references == 1 else f"{pluralise(self.references, 'reference')}"
        return (
            f"{system}: {pluralise(self.lines, 'line')} for {pluralise(len(self.segments), 'segment')}, re-aligned "
            f"with {by} by edit distance; {pluralise(len(self.changed), 'segment')} had no line of "
            f"{'its' if len(self.changed) == 1 else 'their'} own" + (f": {which}" if which else "")
        )


def realign_output(lines: Sequence[str], references: Sequence[ReferenceSet]) -> Realignment:
    """The text of all lines, cut into as many segments as each of the reference sets has."""
    text, breaks = "\n".join(lines), _breaks(lines)
    tokens = [(m.start(), m.end(), m[0].casefold()) for m in _TOKEN.finditer(text)]
    begins = [begin for begin, _, _ in tokens]
    codes: dict[str, int] = {}
    output_codes = [codes.setdefault(word, len(codes)) for _, _, word in tokens]
    reference_codes = [_segment(reference, codes) for reference in references]
    extra = np.full(len(tokens) + 1, NO_CUT, np.int32)
    extra[_cut_positions(text, tokens)] = NEW_CUT
    extra[np.searchsorted(begins, breaks)] = -LOST_BREAK  # before the tokens that lines begin with
    extra[[0, -1]] = 0
    number = len(references[0])
    cuts = best_cuts(np.array(output_codes, np.int32), reference_codes, extra, number, NARROWEST)
    places = [0, *(begins[cut] if cut < len(begins) else len(text) for cut in cuts), len(text)]
    segments = tuple(_join_lines(text[b:e]) for b, e in pairwise(places)) if number else ()
    known = {line.strip() for line in lines}
    changed = tuple(i for i, segment in enumerate(segments) if segment not in known)
    return Realignment(segments, len(lines), changed, len(references))


def _segment(
    reference: ReferenceSet, codes: dict[str, int]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.uint8]]:
    """The words of a reference set as numbers, where each segment ends among them, and which it has."""
    words = [[m[0].casefold() for m in _TOKEN.finditer(segment or "")] for segment in reference]
    numbers = [codes.setdefault(word, len(codes)) for several in words for word in several]
    ends = np.cumsum([len(several) for several in words], dtype=np.int64)
    return np.array(numbers, np.int32), ends, np.array([text is not None for text in reference], np.uint8)


def _breaks(lines: Sequence[str]) -> list[int]:
    """Where lines begin in the joined text, but the first."""
    starts = np.cumsum([len(line) + 1 for line in lines])
    return [int(start) for start in starts[:-1]]


def _cut_positions(text: str, tokens: Sequence[tuple[int, int, str]]) -> list[int]:
    """The words before which there may be a cut: behind white space, or beside a character that needs none."""
    return [
        j
        for j in range(1, len(tokens))
        if tokens[j - 1][1] < tokens[j][0]
        or (_ALONE.match(text[tokens[j][0]]) and text[tokens[j - 1][0]].isprintable())
    ]


def _join_lines(piece: str) -> str:
    """A piece of text in one line."""
    pieces = [part.strip() for part in piece.split("\n")]
    joined = ""
    for part in filter(None, pieces):
        spaceless = joined and _ALONE.match(joined[-1]) and _ALONE.match(part[0])
        joined += part if not joined or spaceless else f" {part}"
    return joined
