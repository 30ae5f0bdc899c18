"""The test set itself: sources that repeat, labels that do not hold together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from adjudge.checks.corpus import Corpus
from adjudge.checks.findings import SHOWN, Finding
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of, pluralise

REPEATS = 0.05


@check(
    "repeated-sources",
    "a test set in which many source segments are the same",
    "note",
    "Repeated segments count several times and are not independent: intervals come out too narrow. Keep one of each.",
)
def repeated_sources(corpus: Corpus) -> Iterator[Finding]:
    """Longer sources that stand in the test set more than once."""
    text = corpus.sources
    if text is None:
        return
    number = Counter(segment for segment in text.segments if len(segment) > (8 if text.spaceless else 25))
    lines = [line for line, segment in enumerate(text.segments) if number[segment] > 1]
    extra = sum(times - 1 for times in number.values())
    if extra > REPEATS * len(text) and extra > 2:
        what = f"repeats {pluralise(extra, 'segment')} ({percent_of(extra / len(text))})"
        yield finding(text, "note", what, lines=lines, count=extra)


@check(
    "labels",
    "documents whose segments do not lie together, and empty labels",
    "warning note",
    "Document by document means that a label stands for one stretch of segments. Give the parts names of their own, "
    "or sort all files alike.",
)
def labels(corpus: Corpus) -> Iterator[Finding]:
    """A document that comes back after another one."""
    for name, column in corpus.labels.items():
        blank = [line for line, label in enumerate(column) if not label.strip()]
        if blank:
            what = f"label {name!r} is empty in {pluralise(len(blank), 'segment')}"
            advice = "Give every segment a label: empty ones make a group of their own."
            yield _make_finding(what, "note", blank, len(column), advice)
        if name != "document":
            continue
        seen: set[str] = set()
        back: list[tuple[int, str]] = []
        at = 0
        for label, group in groupby(column):
            if label in seen:
                back.append((at, label))
            seen.add(label)
            at += sum(1 for _ in group)
        if back:
            lines = [line for line, _ in back]
            what = f"document {back[0][1]!r} comes back in line {lines[0] + 1:,} after another document"
            if len(back) > 1:
                what += f", and so {pluralise(len(back), 'time')} in all"
            yield _make_finding(what, "warning", lines, len(column))


def _make_finding(what: str, severity: str, lines: list[int], total: int, advice: str = "") -> Finding:
    return Finding(
        severity,  # type: ignore[arg-type]
        "",
        what,
        advice,
        lines=tuple(line + 1 for line in lines[:SHOWN]),
        count=len(lines),
        share=len(lines) / max(1, total),
    )
