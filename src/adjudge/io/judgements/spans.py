"""Errors that were marked in translations, from JSON and from `<v>` in the text.

JSON is a list of objects (or an object whose `errors` is one): `start` and `end` (half open) or Appraise's `start_i`
and `end_i`, `severity`, `category` or `error_type`, and `score` or `weight` for what it weighs. Where something is
missing, the place is "missing" or −1.

Appraise counts the last marked character in (`end_i` is inclusive). Errors that lay there before an annotator came
(ESA-AI) were put in with an end that is not; those have no `error_type`, as Appraise adds that to what it marks.
"""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudge.data.judgements import Span
from adjudge.errors import DataError
from adjudge.io.fields import finite, is_whole

Spans = tuple[Span, ...]
Place = Callable[[int], str]
_ABSENT = ("missing", -1, None)
UNDECIDED = "undecided"
"""Appraise's word for an error whose severity was never chosen."""


def from_json(cells: Sequence[str], place: Place) -> tuple[tuple[Spans, ...], list[float]]:
    """The errors of each cell, and the sum of their weights (NaN if one is missing); `place(row)` is for messages."""
    known: dict[str, tuple[Spans, float]] = {}
    rows: list[tuple[Spans, float]] = []
    for row, cell in enumerate(cells):
        if cell not in known:
            known[cell] = _read(cell, row, place)
        rows.append(known[cell])
    return tuple(spans for spans, _ in rows), [weight for _, weight in rows]


def _read(cell: str, row: int, place: Place) -> tuple[Spans, float]:
    text = cell.strip()
    if not text:
        return (), 0.0
    try:
        errors = json.loads(text)
        if isinstance(errors, str):  # Appraise keeps JSON within JSON
            errors = json.loads(errors)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place(row)}: errors that are no JSON: {error}") from None
    if isinstance(errors, dict):
        errors = errors.get("errors", errors.get("payload"))
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise DataError(f"{place(row)}: a list of errors was expected, as JSON objects")
    spans = tuple(_span(error, row, place) for error in errors)
    weights = [span.weight for span in spans if span.weight is not None]
    return spans, math.fsum(weights) if len(weights) == len(spans) else math.nan


def _span(error: Mapping[str, Any], row: int, place: Place) -> Span:
    inclusive = "end_i" in error and "error_type" in error
    start, end = error.get("start", error.get("start_i")), error.get("end", error.get("end_i"))
    category = error.get("category", error.get("error_type")) or ""
    if not isinstance(category, str):
        category = "/".join(map(str, category)) if isinstance(category, list) else str(category)
    side = "source" if error.get("is_source_error") or error.get("side") == "source" else "target"
    severity = str(error.get("severity") or UNDECIDED).lower()
    if start in _ABSENT or end in _ABSENT:
        start = end = None
    elif not (is_whole(start) and is_whole(end) and 0 <= start <= end):
        raise DataError(
            f"{place(row)}: an error from {start!r} to {end!r}; characters are counted from 0, the end comes after "
            "the start"
        )
    elif inclusive:
        end += 1
    return Span(
        start, end, severity, category, side, _weight(error.get("score", error.get("weight")), row, place)
    )


def _weight(value: Any, row: int, place: Place) -> float | None:
    """The weight of an error, if it has one; it is at least 0."""
    if value is None or value == "":
        return None
    number = finite(value)
    if number is None or number < 0:
        text = reprlib.repr(value)
        raise DataError(f"{place(row)}: an error whose score is {text}; it must be a number from 0 up")
    return number
