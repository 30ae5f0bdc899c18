"""Files of different length: how many lines each has, and where lines are missing or too many."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from adjudge.checks.alignment import LineAlignment, align
from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.evidence import evidence, features
from adjudge.checks.findings import Finding, excerpt
from adjudge.checks.registry import check, finding
from adjudge.wording import pluralise

TOLD = 5
"""Places told of one file; more of them are only counted."""


@check(
    "line-count",
    "files with different numbers of lines, and by similarity where lines are missing or too many",
    "error",
    "Lines must be the same segments in the same order; make the output again, or put the line in or out there.",
)
def line_count(corpus: Corpus) -> Iterator[Finding]:
    """Each text that is not as long as the others, with the places that explain it."""
    if not corpus.astray:
        return
    read = cache(features)
    for text in corpus.astray:
        if not corpus.texts:
            yield finding(text, "error", "is empty")
            continue
        same = [other for other in (*corpus.references, *corpus.outputs) if _comparable(text, other)]
        against = (same or corpus.texts)[0]
        what = f"has {pluralise(len(text), text.unit)}, but {against.name} has {len(against):,}"
        if not len(text):
            yield finding(
                text, "error", f"is empty, but {against.name} has {pluralise(len(against), 'line')}"
            )
            continue
        if text.role == "labels" or len(text) * len(against) == 0:
            yield finding(text, "error", what)
            continue
        alignment = align(evidence(read(text), read(against)))
        places = list(_places(alignment, text, against))
        told = "; ".join(where for where, _ in places[:TOLD])
        if len(places) > TOLD:
            told += f"; and {len(places) - TOLD} more places"
        line = next((line for _, line in places if line is not None), None)
        yield finding(
            text,
            "error",
            f"{what}{told and ': '}{told}",
            count=abs(len(text) - len(against)),
            lines=[line for _, line in places if line is not None],
            example=_example(text, against, places[0][0], line),
        )


def _comparable(text: Text, other: Text) -> bool:
    # Languages meet least between the source and the rest.
    return (text.role == "source") == (other.role == "source")


def _example(text: Text, against: Text, place: str, line: int | None) -> str:
    if line is None:
        return ""
    shown, name = (against, f" of {against.name}") if "missing" in place else (text, "")
    if not 0 <= line < len(shown):
        return ""
    return f"{shown.unit} {line + 1}{name}: {excerpt(shown.segments[line])}"


def _places(alignment: LineAlignment, text: Text, against: Text) -> Iterator[tuple[str, int | None]]:
    """Each place where lines are missing or too many, in words, with the index of the first such line."""
    if _hopeless(alignment):
        yield "the lines do not fit each other, so where they differ cannot be told", None
        return
    offset = 0
    for run in alignment.runs:
        change = run.offset - offset
        if change > 0:
            # What the output leaves out stands in the other text before the line that goes on.
            first, uncertainty = run.start + offset, run.latest - run.earliest
            yield (
                _message(
                    first, change, uncertainty, "missing", run.earliest + offset, at_start=not run.start
                ),
                first,
            )
        elif change < 0:
            # Lines that fit nowhere may belong to either run: as many as there are too many leave no doubt.
            first, uncertainty = run.earliest, run.latest - run.earliest + change
            if not run.start:
                first = uncertainty = 0
            elif uncertainty < 0:  # they fit, by chance, where others belong: before the change or behind it
                first, uncertainty = max(0, first + change), -uncertainty
            yield _message(first, -change, uncertainty, "too many", first, at_start=not first), first
        offset = run.offset
    left = len(against) - len(text) - offset
    if left > 0:
        yield f"the last {left:,} are missing" if left > 1 else "the last one is missing", len(against) - left
    elif left < 0:
        yield (
            f"the last {-left:,} are too many" if left < -1 else "the last one is too many",
            len(text) + left,
        )


def _hopeless(alignment: LineAlignment) -> bool:
    return len(alignment.strays) > 0.3 * max(alignment.clear, 10) or len(alignment.runs) > 200


def _message(first: int, number: int, uncertainty: int, kind: str, earliest: int, *, at_start: bool) -> str:
    if at_start:
        return f"the first {number:,} are {kind}" if number > 1 else f"the first one is {kind}"
    behind = f", everything behind is shifted by {number:,}"
    if uncertainty:
        where = f"somewhere in lines {earliest + 1:,} to {earliest + uncertainty + number:,} "
        return where + (f"{number:,} are {kind}" if number > 1 else f"one is {kind}") + behind
    if number == 1:
        return f"line {first + 1:,} is {kind}" + behind
    return f"lines {first + 1:,} to {first + number:,} are {kind}" + behind
