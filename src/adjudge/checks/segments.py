"""Segments that say nothing, the same as others, or the same thing over and over."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity, excerpt
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of, pluralise

LOOP = 4
"""So many times the same words in a row are a loop."""
LIKE = 50
"""Lines with the same output that are held against each other, at most."""
_STRETCHED = re.compile(r"([^\W\d_])\1{9,}")


@check(
    "empty",
    "empty outputs (where source and reference are not), references and sources",
    "error warning note",
    "An empty output is scored as a translation with nothing in it. Find out why the system gave none.",
)
def empty(corpus: Corpus) -> Iterator[Finding]:
    """Segments without anything but spaces."""
    for text in corpus.everything:
        if all(text.segments) and not any(map(str.isspace, text.segments)):
            continue
        beside = corpus.beside(text)
        lines = [
            line
            for line, segment in enumerate(text.given)
            if segment is not None
            and not segment.strip()
            and (not beside or any(other.segments[line].strip() for other in beside))
        ]
        if not lines:
            continue
        share = len(lines) / len(text)
        severity: Severity = "warning"
        if text.role == "source":
            severity = "note"
        elif share > 0.1:
            severity = "error"
        advice = ""
        if text.role == "reference":
            advice = (
                "Against an empty reference every output is wrong. Translate it, or take it out of all files."
            )
        elif text.role == "source":
            advice = "Take the segment out of all files: there is nothing to translate in it."
        what = f"has {pluralise(len(lines), 'empty segment')}, {percent_of(share)} of them"
        other = next((other for other in beside if other.segments[lines[0]].strip()), None)
        example = f"{text.unit} {lines[0] + 1}"
        if other is not None:
            example += f", {other.name} has {excerpt(other.segments[lines[0]])}"
        yield finding(text, severity, what, lines=lines, example=example, advice=advice)


@check(
    "repeated",
    "the same output for sources (or references) that have nothing in common",
    "error warning",
    "A system that says the same of different sources is stuck, or answers with a fallback. Look at these outputs.",
)
def repeated(corpus: Corpus) -> Iterator[Finding]:
    """Outputs that stand in several lines whose source or reference differs."""
    bases = corpus.references if corpus.sources is None else (corpus.sources,)
    if not bases:
        return
    for text in corpus.outputs:
        lines = _repeats(text, bases)
        # Two different sources may well have the same translation.
        if len(lines) < max(4, 0.01 * len(text)):
            continue
        expected = max(len(_repeats(base, [o for o in bases if o is not base] or [text])) for base in bases)
        if len(lines) < 3 * max(1, expected):
            continue
        often, times = Counter(text.segments[line] for line in lines).most_common(1)[0]
        share = len(lines) / len(text)
        what = (
            f"has the same output for different segments in {pluralise(len(lines), 'line')} ({percent_of(share)}); "
            f"one of them {times:,} times"
        )
        first = [line for line in lines if text.segments[line] == often]
        yield finding(text, "error" if share > 0.2 else "warning", what, lines=first, count=len(lines))


def _repeats(text: Text, bases: Sequence[Text]) -> list[int]:
    """Lines whose segment (of three words or more) stands elsewhere too, beside another text."""
    number = Counter(text.segments)
    if len(number) == len(text):
        return []
    places: dict[str, list[int]] = {}
    for line, segment in enumerate(text.segments):
        if number[segment] > 1 and (segment.count(" ") > 1 or (text.spaceless and len(segment) > 5)):
            places.setdefault(segment, []).append(line)
    lines: list[int] = []
    for found_at in places.values():
        lines += [line for line in found_at if not _has_like(line, found_at, bases)]
    return sorted(lines)


def _has_like(line: int, others: Sequence[int], bases: Sequence[Text]) -> bool:
    """Whether another of the lines has much the same beside it: two translators of one source differ."""
    for base in bases:
        mine = _pieces(base.segments[line], base.spaceless)
        for other in others[:LIKE]:
            theirs = _pieces(base.segments[other], base.spaceless)
            if other != line and len(mine & theirs) >= 0.25 * max(1, len(mine | theirs)):
                return True
    return False


@lru_cache(4096)
def _pieces(segment: str, spaceless: bool) -> frozenset[str]:
    text = segment.strip().lower()
    return frozenset(map("".join, pairwise(text)) if spaceless else text.split()) or frozenset((text,))


@check(
    "looping",
    "the same words over and over in one output",
    "warning note",
    "Neural systems fall into such loops; the rest of the sentence is lost, and scores of length suffer.",
)
def looping(corpus: Corpus) -> Iterator[Finding]:
    """Loops of words, or of characters where there are no words, that neither source nor reference has."""
    for text in corpus.outputs:
        lines = [line for line, segment in enumerate(text.segments) if is_loop(segment, text.spaceless)]
        lines += [line for line in _stretched_lines(text) if _STRETCHED.search(text.segments[line])]
        beside = corpus.beside(text)
        lines = [
            line
            for line in sorted(set(lines))
            if not any(
                is_loop(other.segments[line], other.spaceless) or _STRETCHED.search(other.segments[line])
                for other in beside
            )
        ]
        if lines:
            share = len(lines) / len(text)
            severity: Severity = "warning" if share > 0.002 or len(lines) > 5 else "note"
            what = f"repeats words over and over in {pluralise(len(lines), 'line')} ({percent_of(share)})"
            yield finding(text, severity, what, lines=lines)


def _stretched_lines(text: Text) -> set[int]:
    """Lines in which any character stands ten times in a row; much faster than to let a pattern try every place."""
    codes = np.frombuffer(text.whole.encode("utf-32-le", "surrogatepass"), np.uint32)
    same = codes[1:] == codes[:-1]
    if len(same) < 9:
        return set()
    four = same[:-3] & same[1:-2] & same[2:-1] & same[3:]
    return set(map(text.line, np.flatnonzero(four[:-5] & four[4:-1] & same[8:]).tolist()))


def is_loop(segment: str, spaceless: bool) -> bool:
    """Whether some words stand LOOP times or more in a row, eight words at least in all."""
    if len(segment) < 16:
        return False
    words: Sequence[str] = segment if spaceless else segment.split()
    # Four rounds of two words or more, or eight of one, repeat five pairs at least; cheap to know beforehand. All
    # words but the last begin a pair, so that there are no fewer of these: words are cheaper still to look at.
    fewest = len(words) - 6
    if len(words) < (20 if spaceless else 8) or len(set(words)) - 1 > fewest:
        return False
    if len(set(pairwise(words))) > fewest:
        return False
    # In a loop every pair of words has been seen just as long ago.
    seen: dict[tuple[str, str], int] = {}
    period = run = 0
    for at, pair in enumerate(pairwise(words)):
        ago = at - seen.get(pair, at)
        seen[pair] = at
        run = run + 1 if ago == period and ago else 1
        period = ago
        if period and run >= max((LOOP - 1) * period - 1, 7 - period):
            looped = words[at + 2 - period : at + 2]
            if any(map(str.isalpha, looped)):
                return True
    return False
