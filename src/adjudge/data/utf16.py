"""Positions of errors in code points (as here) or in UTF-16 units (as in browsers).

Every character beyond the Basic Multilingual Plane (most emoji) is one code point and two units.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

from adjudge.data.judgements import Judgements, Span
from adjudge.data.texts import Texts

# What JavaScript's trim() takes off.
_BLANKS = re.compile("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*")
_LAST_OF_BMP = "\uffff"


class Utf16Text:
    """Positions of the characters of a text in UTF-16 units, from its first character or a later one.

    What lies behind the end stays as far behind it.
    """

    def __init__(self, text: str, first: int = 0) -> None:
        self.length = len(text)
        self.first = first
        wide = bool(text) and max(text) > _LAST_OF_BMP
        sizes = (1 + (c > _LAST_OF_BMP) for c in text)
        self.begins = list(accumulate(sizes, initial=0)) if wide else range(len(text) + 1)
        """Where each character begins, and after them the end."""

    def units(self, place: int) -> int:
        """A place in code points as one in units; what lies before the first character is at 0."""
        beyond = max(0, place - self.length)
        return max(0, self.begins[place - beyond] - self.begins[self.first]) + beyond

    def start(self, place: int) -> int:
        """A place in units as one in code points; in the middle of a character, where that begins."""
        place += self.begins[self.first]
        return bisect_right(self.begins, place) - 1 + max(0, place - self.begins[-1])

    def end(self, place: int) -> int:
        """The character at which something ends; in the middle of a character, where that ends."""
        place += self.begins[self.first]
        beyond = max(0, place - self.begins[-1])
        return bisect_left(self.begins, place - beyond) + beyond


def trim_start(text: str) -> Utf16Text:
    """Positions as Appraise counts them, without leading blanks."""
    blanks = _BLANKS.match(text)
    return Utf16Text(text, blanks.end() if blanks else 0)


def to_units(span: Span, units: Utf16Text) -> Span:
    """An error with its position in UTF-16 units."""
    if span.start is None or span.end is None:
        return span
    return replace(span, start=units.units(span.start), end=units.units(span.end))


def to_code_points(span: Span, units: Utf16Text) -> Span:
    """An error with its position in code points."""
    if span.start is None or span.end is None:
        return span
    start = units.start(span.start)
    return replace(span, start=start, end=max(start, units.end(span.end)))


def in_code_points(
    judgements: Judgements, texts: Texts, counted: Callable[[str], Utf16Text] = trim_start
) -> Judgements:
    """Judgements whose errors were counted in units, as in Appraise's CSV, counted in code points of the texts."""
    if judgements.spans is None:
        return judgements
    converted = []
    for row, spans in enumerate(judgements.spans):
        known = {side: _count_units(texts, side, row, counted) for side in {span.side for span in spans}}
        converted.append(
            tuple(span if (of := known[span.side]) is None else to_code_points(span, of) for span in spans)
        )
    return replace(judgements, spans=tuple(converted))


def _count_units(texts: Texts, side: str, row: int, counted: Callable[[str], Utf16Text]) -> Utf16Text | None:
    column = texts.source if side == "source" else texts.target
    text = None if column is None else column[row]
    return None if text is None else counted(text)
