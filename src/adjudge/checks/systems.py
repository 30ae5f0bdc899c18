"""Texts that are the same although they should not be: systems, references, outputs and references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of

UNUSUAL = 0.8
"""Different systems rarely agree in more than a third of the longer segments."""
LONG = 40
"""Characters from which on two people would hardly write the same."""


def _same(text: Text, other: Text, lines: Sequence[int]) -> list[int]:
    ours, theirs = text.segments, other.segments
    return [line for line in lines if ours[line] == theirs[line]]


def _long(text: Text) -> list[int]:
    enough = LONG // 3 if text.spaceless else LONG
    return [line for line, segment in enumerate(text.segments) if len(segment) >= enough]


@check(
    "identical-systems",
    "outputs of two systems that are the same, in whole or in an unusual share of segments",
    "warning note",
    "Was one file given under two names? Systems that hardly differ cannot be told apart by any test.",
)
def identical_systems(corpus: Corpus) -> Iterator[Finding]:
    """Pairs of systems, from the whole file down to UNUSUAL of the longer segments."""
    outputs = (*corpus.outputs, *(text for text in corpus.astray if text.role == "system"))
    for text, other in combinations(outputs, 2):
        if len(text) != len(other) or not len(text):
            continue
        if text.segments == other.segments:
            lines = list(range(len(text)))
            yield finding(text, "warning", f"and {other.name} are the same in all segments", lines=lines)
            continue
        if text.run and other.run:
            continue  # runs of one system are alike
        lines = _long(text)
        same = _same(text, other, lines)
        if len(lines) >= 20 and len(same) > UNUSUAL * len(lines):
            share = percent_of(len(same) / len(lines))
            what = f"and {other.name} are the same in {share} of the longer segments"
            yield finding(text, "note", what, lines=same)


@check(
    "leak",
    "outputs that are the reference itself",
    "error warning",
    "Was the reference given as an output, or part of the training data? Such scores say nothing about translation.",
)
def leak(corpus: Corpus) -> Iterator[Finding]:
    """Longer segments that equal a reference far more often than two translators would."""
    for text in corpus.outputs:
        lines = _long(text)
        for reference in corpus.references:
            if text.segments == reference.segments:
                what = f"is {reference.name} itself: all segments are the same"
                yield finding(text, "error", what, count=len(text))
                break
            same = _same(text, reference, lines)
            if len(lines) >= 10 and len(same) > 0.4 * len(lines):
                severity: Severity = "error" if len(same) > 0.9 * len(lines) else "warning"
                what = (
                    f"equals {reference.name} in {percent_of(len(same) / len(lines))} of the longer segments"
                )
                yield finding(text, severity, what, lines=same)


@check(
    "same-references",
    "references that are the same, in whole or in part",
    "warning note",
    "A second reference that repeats the first adds nothing, but changes signatures and some scores. Leave it out.",
)
def same_references(corpus: Corpus) -> Iterator[Finding]:
    """Pairs of references that agree as two translators would not."""
    for text, other in combinations(corpus.references, 2):
        if text.segments == other.segments:
            yield finding(text, "warning", f"and {other.name} are the same in all segments", count=len(text))
            continue
        lines = _long(text)
        same = _same(text, other, lines)
        if len(lines) >= 10 and len(same) > 0.4 * len(lines):
            share = len(same) / len(lines)
            what = f"and {other.name} are the same in {percent_of(share)} of the longer segments"
            yield finding(text, "warning" if share > UNUSUAL else "note", what, lines=same)
