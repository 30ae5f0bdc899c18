"""Positions of errors that were marked in pearmut.

They are counted in UTF-16's units, the last one in; `[missing]` is the place behind the last character. Up to 1.1.4
line breaks were not counted, since then they are (as is markup); what a file has to be follows from its errors, if
anything in it tells.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.data.judgements import Span
from adjudge.data.utf16 import Utf16Text
from adjudge.errors import DataError
from adjudge.io.fields import finite, is_whole
from adjudge.io.files import path_text

UNDECIDED = "undecided"
"""The severity of an error for which none was chosen, as in Appraise."""
Marked = tuple[str | None, Sequence[Mapping[str, Any]]]
"""A text, and its errors as in the log."""


def spans_in_code_points(
    path: str, rows: Sequence[Marked], *, breaks_counted: bool | None = None
) -> tuple[tuple[tuple[Span, ...], ...], str]:
    """The errors of each text in code points, and a warning if the way of counting is unclear."""
    known = _breaks_are_counted(rows) if breaks_counted is None else breaks_counted
    warning = ""
    if known is None:
        counting = "errors in texts with line breaks are taken to count these, as pearmut does since 1.1.5"
        warning = f"{path_text(path)}: {counting}"
    spans = []
    for text, errors in rows:
        places = None if text is None or not errors else _CountedText(text, known is not False)
        spans.append(tuple(_span(places, error) for error in errors))
    return tuple(spans), warning


def check_error_spans(place: str, errors: Any) -> list[Mapping[str, Any]]:
    """The errors in a file; each must have a position."""
    if not isinstance(errors or [], list):
        raise DataError(f"{place}: error_spans is no list")
    for error in errors or []:
        if not isinstance(error, Mapping) or not all(is_whole(error.get(at)) for at in ("start_i", "end_i")):
            raise DataError(f"{place}: an error needs start_i and end_i, as {reprlib.repr(error)} has not")
        if not 0 <= error["start_i"] <= error["end_i"]:
            raise DataError(
                f"{place}: an error from {error['start_i']} to {error['end_i']}; the end does not come before the start"
            )
    return errors or []


class _CountedText:
    """Positions in a text, counted with or without line breaks."""

    def __init__(self, text: str, breaks_counted: bool) -> None:
        self.places = [place for place, sign in enumerate(text) if breaks_counted or sign != "\n"]
        self.units = Utf16Text("".join(text[place] for place in self.places))
        self.length = self.units.units(len(self.places))
        """The number of positions; `[missing]` and other tokens come after them."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A half-open range of code points from inclusive positions."""
        return self.places[self.units.start(start)], self.places[self.units.start(end)] + 1


def _breaks_are_counted(rows: Sequence[Marked]) -> bool | None:
    """Whether line breaks are counted, by positions that only one way allows; None if unclear."""
    matters = False
    for text, errors in rows:
        if text is None or not errors or "\n" not in text:
            continue
        matters = True
        last = _CountedText(text, False).length  # where [missing] was, and nothing behind it
        breaks = {at for at, unit in enumerate(_utf16(text)) if unit == b"\n\0"}
        for error in errors:
            if error["end_i"] > last:
                return True
            if {error["start_i"], error["end_i"]} & breaks:
                return False  # a line break can be marked by nobody
    return None if matters else True


def _utf16(text: str) -> list[bytes]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def _span(text: _CountedText | None, error: Mapping[str, Any]) -> Span:
    first, last = error["start_i"], error["end_i"]
    category = error.get("category") or ""
    place: tuple[int | None, int | None] = (first, last + 1)
    if text is not None and last >= text.length:
        place = (None, None)
        token = last - text.length
        category = category or (f"special token {token + 1}" if token else "")
    elif text is not None:
        place = text.span(first, last)
    severity = str(error.get("severity") or UNDECIDED).lower()
    weight, comment = finite(error.get("weight")), str(error.get("comment") or "")
    return Span(*place, severity, str(category), "target", weight, comment)
