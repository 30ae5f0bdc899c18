"""Texts that are the same although they should not be: systems, references, outputs and references."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, compress, count
from operator import eq

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of

UNUSUAL = 0.8
"""Different systems rarely agree in more than a third of the longer segments."""
LONG = 40
"""Characters from which on two people would hardly write the same."""


def _same(text: Text, other: Text) -> list[int]:
    """The longer segments that are the same in both."""
    enough = _enough(text)
    same = compress(count(), map(eq, text.segments, other.segments))
    return [line for line in same if len(text.segments[line]) >= enough]


def _long(text: Text) -> int:
    """How many longer segments there are."""
    return int((text.lengths >= _enough(text)).sum())


def _enough(text: Text) -> int:
    return LONG // 3 if text.spaceless else LONG


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
        long, same = _long(text), _same(text, other)
        if long >= 20 and len(same) > UNUSUAL * long:
            share = percent_of(len(same) / long)
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
        long = _long(text)
        for reference in corpus.references:
            if text.segments == reference.segments:
                what = f"is {reference.name} itself: all segments are the same"
                yield finding(text, "error", what, count=len(text))
                break
            same = _same(text, reference)
            if long >= 10 and len(same) > 0.4 * long:
                severity: Severity = "error" if len(same) > 0.9 * long else "warning"
                what = f"equals {reference.name} in {percent_of(len(same) / long)} of the longer segments"
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
        long, same = _long(text), _same(text, other)
        if long >= 10 and len(same) > 0.4 * long:
            share = len(same) / long
            what = f"and {other.name} are the same in {percent_of(share)} of the longer segments"
            yield finding(text, "warning" if share > UNUSUAL else "note", what, lines=same)
