"""Lines in the wrong places: shifted, swapped, reversed or shuffled files, and files of another test set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from adjudge.checks.alignment import CHANGE, LineAlignment, Run, align
from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.evidence import LineEvidence, evidence, features
from adjudge.checks.findings import Finding, Severity, excerpt
from adjudge.checks.registry import check, finding
from adjudge.wording import pluralise

UNRELATED = 0.2
"""Lengths of lines that belong together correlate with 0.8 and more, in any two languages."""
SHUFFLED = 0.25
"""Share of the lines with a clear place that may lie elsewhere."""
FEW = 20
GAIN = 0.3
"""Nats a line by which another place must fit better; lengths alone give more than one."""
BORNE_OUT = 3.0
"""Nats by which the source must speak for an output before its reference is held to be the one out of place."""
SHORT = 5
"""Shorter runs are taken for free translations, unless two lines have changed places."""


@check(
    "order",
    "outputs, references and sources whose lines stand elsewhere: shifted, swapped, reversed, shuffled",
    "error warning",
    "Scores of such a file mean nothing. Look at the lines named here side by side and make the file again.",
)
def order(corpus: Corpus) -> Iterator[Finding]:
    """Hold each text against the reference (or, without one, the source), and the reference against the source."""
    if len(corpus.texts) < 2 or len(corpus) < 2:
        return
    read = cache(features)

    def speaks(text: Text, against: Text) -> LineEvidence:
        return evidence(read(text), read(against))

    def aligned(text: Text, against: Text) -> LineAlignment:
        return align(speaks(text, against))

    base = corpus.references[0] if corpus.references else corpus.sources
    if base is None:
        return
    others = [text for text in corpus.texts if text is not base]
    findings = [_check_alignment(text, base, aligned(text, base)) for text in others]
    wrong = [
        text
        for text, finding in zip(others, findings, strict=True)
        if finding is not None and text.role != "source"
    ]
    alone = wrong == [text for text in others if text.role != "source"]  # the reference, against everybody
    if wrong and alone and (about := _check_alignment(base, wrong[0], aligned(base, wrong[0]))) is not None:
        second, source = wrong[0], corpus.sources
        against_second = [_check_alignment(text, second, aligned(text, second)) for text in wrong[1:]]
        moved = _credible_runs(aligned(second, base).runs)
        borne_out = source is not None and bool(moved) and _stands(moved, speaks(second, source))
        # Where all disagree with the reference in the same way, they may well agree with each other.
        agreed = len(wrong) > 1 and not any(against_second)
        if borne_out or agreed:
            yield from filter(None, [about, *against_second])
            return
    yield from filter(None, findings)


def _stands(runs: Sequence[Run], source: LineEvidence) -> bool:
    """Whether lines that the reference would have elsewhere stand where the source has them."""
    here = sum(float(source.at(np.array([0]))[run.start : run.end].sum()) for run in runs)
    elsewhere = sum(float(source.at(np.array([run.offset]))[run.start : run.end].sum()) for run in runs)
    return here - elsewhere > BORNE_OUT


def _check_alignment(text: Text, against: Text, alignment: LineAlignment) -> Finding | None:
    name = against.name
    strays = alignment.strays
    example = _where(text, against, *strays[0]) if strays else ""
    if alignment.reversed:
        what = f"is in reverse order: its first line is the last of {name}"
        return finding(text, "error", what, count=len(text), example=example)
    unrelated = not math.isnan(alignment.correlation) and alignment.correlation < UNRELATED
    many = len(strays) >= max(SHORT, SHUFFLED * alignment.clear)
    if (unrelated or many) and _is_permutation(strays):
        what = f"is shuffled: of {pluralise(alignment.clear, 'line')} whose place in {name} is clear, "
        what += f"{len(strays):,} stand elsewhere{_sort_order(text)}"
        return finding(
            text, "error", what, lines=[line for line, _ in strays], count=len(strays), example=example
        )
    if unrelated:
        what = (
            f"does not fit {name}: not even the lengths of lines go together "
            f"(correlation {alignment.correlation:.2f}){_sort_order(text)}"
        )
        return finding(text, "error", what, advice="Is it the same test set, in the same order?")
    moved = _credible_runs(alignment.runs)
    if not moved:
        return None
    number = sum(len(run) for run in moved)
    severity: Severity = "error" if number > FEW or number > 0.05 * len(text) else "warning"
    lines = [line for run in moved for line in range(run.start, run.end)]
    first = moved[0]
    return finding(
        text,
        severity,
        _moves(moved, text, against),
        lines=lines,
        example=_where(text, against, first.latest, first.latest + first.offset),
    )


def _credible_runs(runs: tuple[Run, ...]) -> list[Run]:
    """Runs at another place that are long, or two neighbouring lines that have changed places."""
    believed = []
    for at, run in enumerate(runs):
        after = runs[at + 1] if at + 1 < len(runs) else None
        before = runs[at - 1] if at else None
        swapped = len(run) == 1 and any(
            other is not None and len(other) == 1 and {run.offset, other.offset} == {1, -1}
            for other in (before, after)
        )
        # Where the other text repeats itself, lines fit many places alike.
        better = run.evidence > CHANGE and run.gain > max(CHANGE, GAIN * len(run))
        if run.offset and better and (len(run) >= SHORT or swapped):
            believed.append(run)
    return believed


def _moves(runs: list[Run], text: Text, against: Text) -> str:
    if len({run.offset for run in runs}) == 1:
        run = runs[0]
        direction = "later" if run.offset > 0 else "earlier"
        to_end = "on" if runs[-1].end == len(text) else f"to {text.unit} {runs[-1].end:,}"
        begin = (
            f"from {text.unit} {run.start + 1:,} {to_end}" if run.start or to_end != "on" else "as a whole"
        )
        doubt = f" (give or take {run.latest - run.earliest:,})" if run.latest > run.earliest else ""
        lines = pluralise(abs(run.offset), "line")
        return f"is shifted by {lines} {begin}{doubt}: it holds what {against.name} has {lines} {direction}"
    if len(runs) == 2 and runs[0].end == runs[1].start and runs[0].offset > 0 > runs[1].offset:
        first, second = runs
        if len(first) == -second.offset and len(second) == first.offset:
            if len(first) == len(second) == 1:
                return f"has {text.unit}s {first.start + 1:,} and {second.start + 1:,} swapped"
            return f"has {_range(first)} and {_range(second)} swapped against {against.name}"
    told = [
        f"{_range(run)} what {against.name} has {pluralise(abs(run.offset), 'line')} "
        f"{'later' if run.offset > 0 else 'earlier'}"
        for run in runs[:3]
    ]
    more = f", and {len(runs) - 3} more such pieces" if len(runs) > 3 else ""
    return f"has pieces out of place: it has in {', in '.join(told)}{more}"


def _range(run: Run) -> str:
    return f"line {run.start + 1:,}" if len(run) == 1 else f"lines {run.start + 1:,} to {run.end:,}"


def _where(text: Text, against: Text, line: int, belongs: int) -> str:
    mine = excerpt(text.segments[line], width=48)
    if not 0 <= belongs < len(against):
        return f"{text.unit} {line + 1}: {mine}"
    theirs = excerpt(against.segments[belongs], width=48)
    return (
        f"{text.unit} {line + 1}: {mine} belongs to {against.unit} {belongs + 1} of {against.name}: {theirs}"
    )


def _is_permutation(strays: tuple[tuple[int, int], ...]) -> bool:
    """Whether the lines have places of their own, as in a shuffled file; by chance many meet at the same few."""
    return len(strays) >= SHORT and len({place for _, place in strays}) > 0.8 * len(strays)


def _sort_order(text: Text) -> str:
    """How a file came out of order, where that can be seen."""
    segments = text.segments
    if all(a <= b for a, b in pairwise(segments)):
        return "; its lines are sorted by alphabet"
    for lengths in (text.words, [len(segment) for segment in segments]):
        steps = [b - a for a, b in pairwise(lengths) if a != b]
        rising = sum(step > 0 for step in steps)
        if len(steps) > SHORT and not 0.05 * len(steps) < rising < 0.95 * len(steps):
            return "; its lines are sorted by length"
    return ""
