"""Outputs that are suspiciously short or long, and lines that were cut off."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of, pluralise

SHORT_FILE, LONG_FILE = 0.7, 1.4
TIMES = 3.0
"""A segment this many times shorter or longer than expected is an outlier."""
CHARACTERS = 30
"""Only segments that should have as many characters, or have them, are judged."""
# German closes with “ and ‘, Danish with «, Japanese with 」.
_CLOSING = "'\"»«”“’‘›‹)\\]）】」』"
# Full stops of Latin and Cyrillic, East Asian, Indian, Arabic, Armenian, Ethiopic, Burmese, Khmer and Tibetan texts.
_STOPS = ".!?…。！？．｡।॥۔؟։።፧၊။។៕།༎᠃"
# Thai and Lao end sentences with a space, and so with any letter.
_UNMARKED = "\u0e00-\u0eff"
_END = re.compile(rf"[{_STOPS}:;{_CLOSING}{_UNMARKED}]\s*$")
_FINAL = re.compile(rf"[{_STOPS}][{_CLOSING}]?\s*$")
BROKEN_OFF = 0.95
"""Lines without a full stop are taken for broken off where half of them are shorter than this, beside what is usual."""
WITNESSES = 2
"""Other outputs that speak for an end where there is no source: a reference may well add what its source lacks."""


@check(
    "lengths",
    "outputs much shorter or longer than reference and source, as a whole or in single segments",
    "warning note",
    "Short ones may be cut off, long ones hold something else or repeat. Look at the segments named.",
)
def lengths(corpus: Corpus) -> Iterator[Finding]:
    """Lengths in characters against what reference and source make one expect."""
    for text in corpus.outputs:
        if corpus.references:
            ratio = len(text.whole) / max(1, len(corpus.references[0].whole))
            if (
                not SHORT_FILE <= ratio <= LONG_FILE
                and len(text.whole) + len(corpus.references[0].whole) > 500
            ):
                how = "shorter" if ratio < 1 else "longer"
                what = f"is much {how} than the reference: {ratio:.2f} times its characters"
                yield finding(text, "warning", what)
        for short, lines in zip((True, False), _outliers(text, corpus), strict=True):
            if not lines:
                continue
            share = len(lines) / len(text)
            severity: Severity = "warning" if share > 0.01 else "note"
            how = "shorter" if short else "longer"
            number = pluralise(len(lines), "segment")
            what = f"has {number} at least {TIMES:g} times {how} than expected ({percent_of(share)})"
            yield finding(text, severity, what, lines=lines)


def _outliers(text: Text, corpus: Corpus) -> tuple[list[int], list[int]]:
    """Segments that are too short, and too long, beside everything they can be held against."""
    short, long = [], []
    ours = text.lengths
    for other in corpus.beside(text):
        theirs = other.lengths
        enough = (ours > 5) & (theirs > 5)
        if enough.sum() < 10:
            continue
        expected = _usual(ours[enough] / theirs[enough]) * theirs
        known = (ours > 0) & (theirs > 0)
        short.append(known & (expected >= CHARACTERS) & (ours * TIMES <= expected))
        long.append(known & (ours >= CHARACTERS) & (ours >= TIMES * np.maximum(expected, 10)))
    return _in_all(short), _in_all(long)


def _usual(ratios: NDArray[np.float64]) -> float:
    """The median on a scale where twice and half are as far from once."""
    middle = [(len(ratios) - 1) // 2, len(ratios) // 2]
    below, above = np.partition(ratios, middle)[middle].tolist()
    return math.exp((math.log(below) + math.log(above)) / 2)


def _in_all(marks: list[NDArray[np.bool_]]) -> list[int]:
    lines: list[int] = np.flatnonzero(np.logical_and.reduce(marks)).tolist() if marks else []
    return lines


@check(
    "cut-off",
    "lines that stop at a limit of length, or end without the full stop that source, reference or most outputs have",
    "warning note",
    "Raise the system's limit of length (max_length, max_new_tokens) and translate these lines again.",
)
def cut_off(corpus: Corpus) -> Iterator[Finding]:
    """A pile of lines with the same greatest length, and ends that are missing."""
    final = {text: _final(text) for text in corpus.texts}
    for text in corpus.outputs:
        yield from _piled_up(text, corpus)
        ended, sure = _final_lines(text, corpus, final)
        whole = _ends_with(_END, text)
        lines = [n for n in ended if not whole[n] and text.segments[n].strip()]
        if len(ended) < 10 or len(lines) < max(2, 0.005 * len(ended)):
            continue
        share = len(lines) / len(ended)
        severity: Severity = "warning" if sure and share > 0.05 else "note"
        segments = pluralise(len(lines), "segment")
        what = f"ends {segments} without the full stop that the others have ({percent_of(share)})"
        at = [max(0, len(text.segments[n]) - 40) for n in lines[:1]]
        advice = "" if _are_short(text, corpus, lines, ended) else WHOLE
        yield finding(text, severity, what, lines=lines, at=at, advice=advice)


WHOLE = (
    "These lines are as long as others: look whether they break off. If they are whole, only the full stop is missing, "
    "which metrics count as an error: add it."
)


def _are_short(text: Text, corpus: Corpus, lines: list[int], ended: list[int]) -> bool:
    """Whether lines are shorter than others of the text, beside a source or reference: as if they broke off."""
    others = np.setdiff1d(ended, lines)
    for other in corpus.beside(text):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = text.lengths / other.lengths
        if len(others) >= 10 and np.median(ratios[lines]) >= BROKEN_OFF * np.median(ratios[others]):
            return False
    return len(others) >= 10


def _final(text: Text) -> NDArray[np.bool_]:
    """Which segments end with a full stop."""
    return np.array(_ends_with(_FINAL, text), bool)


def _ends_with(pattern: re.Pattern[str], text: Text) -> list[bool]:
    """Which segments end as a pattern says; each of the few ends that there are is looked at once."""
    ends = [segment[-4:] for segment in text.segments]
    known = {end: pattern.search(end) is not None for end in set(ends)}
    return [known[end] for end in ends]


def _final_lines(
    text: Text, corpus: Corpus, final: Mapping[Text, NDArray[np.bool_]]
) -> tuple[list[int], bool]:
    """Lines at which all that stands beside a text ends, and whether a source or other outputs say so too."""
    beside = [final[other] for other in corpus.beside(text)]
    outputs = [final[other] for other in corpus.outputs if other is not text]
    if corpus.sources is not None:
        outputs = []
    sure = corpus.sources is not None or len(outputs) >= WITNESSES
    if not beside:
        return [], sure
    lines = np.logical_and.reduce(beside)
    if outputs and sure:
        lines &= 2 * np.sum(outputs, axis=0) > len(outputs)
    return np.flatnonzero(lines).tolist(), sure


def _piled_up(text: Text, corpus: Corpus) -> Iterator[Finding]:
    for counts, unit in ((text.words, "words"), (text.lengths.tolist(), "characters")):
        most = max(counts, default=0)
        if most < (20 if unit == "words" else 60):
            continue
        lines = [line for line, number in enumerate(counts) if number == most]
        # Without a limit the longest lines thin out: the two lengths below hold no more lines together.
        near = Counter(counts)
        if len(lines) < 3 or len(lines) <= near[most - 1] + near[most - 2]:
            continue
        longer = sum(
            any(len(other.segments[n]) > 1.1 * len(text.segments[n]) for other in corpus.beside(text))
            for n in lines
        )
        if longer < 0.5 * len(lines) and corpus.beside(text):
            continue
        what = f"has {pluralise(len(lines), 'line')} of {most:,} {unit} and none longer, as if cut off there"
        yield finding(
            text, "warning", what, lines=lines, at=[max(0, len(text.segments[n]) - 40) for n in lines[:1]]
        )
        return
