"""What workers of a marketplace handed in, and what is to be said to them: for screens and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from adjudge.campaigns.crowd import FAILED, PASSED, STATES, Verdict
from adjudge.report.formats import Forms
from adjudge.report.sections import Section
from adjudge.report.table import Cell, Column, Row, Table
from adjudge.report.tsv import tsv_line

MEANINGS = {
    PASSED: "may be paid",
    FAILED: "failed quality control",
    "wrong code": "a code that was never shown to anybody",
    "no code": "nothing was entered",
    "another's code": "a code that somebody else was shown",
    "code of another hit": "a code of the same worker for another hit",
    "unknown hit": "a hit that this campaign does not have",
    "no work": "a worker who never came",
    "handed in twice": "a code that was handed in before",
}


def verdict_forms(found: Sequence[Verdict]) -> Forms:
    """What workers handed in, in every format."""
    return Forms(
        lambda: verdict_sections(found),
        lambda: verdict_document(found),
        tsv=lambda: verdict_tsv(found),
        ascii_only=False,
    )


def verdict_sections(found: Sequence[Verdict]) -> list[Section]:
    """How many there are of each kind, and all that are not simply to be paid."""
    counts = Counter(one.state for one in found)
    counted = (Column("Result"), Column("results", numeric=True), Column("meaning"))
    rows = [
        Row((Cell(state), Cell(f"{counts[state]:,}"), Cell(MEANINGS[state])))
        for state in STATES
        if counts[state] or state == PASSED
    ]
    title = f"{len(found):,} results: {counts[PASSED]:,} may be paid"
    sections = [Section(title, (Table(counted, tuple(rows)),))]
    odd = [one for one in found if one.state != PASSED]
    if odd:
        columns = (Column("line", numeric=True), Column("Worker"), Column("Hit"), Column("Result"))
        rows = [
            Row((Cell(str(one.result.line)), Cell(one.result.worker), Cell(one.hit), Cell(one.state)))
            for one in odd
        ]
        sections.append(Section("To be looked at", (Table(columns, tuple(rows)),)))
    return sections


def verdict_document(found: Sequence[Verdict]) -> dict[str, Any]:
    """For programs."""
    counts = Counter(one.state for one in found)
    return {
        "counts": {state: counts[state] for state in STATES},
        "results": [
            {
                "line": one.result.line,
                "worker": one.result.worker,
                "assignment": one.result.assignment,
                "annotator": one.annotator,
                "hit": one.hit,
                "state": one.state,
            }
            for one in found
        ],
    }


def verdict_tsv(found: Sequence[Verdict]) -> str:
    """A line a result."""
    lines = [tsv_line(["line", "worker", "assignment", "annotator", "hit", "state"])]
    for one in found:
        cells = (one.result.line, one.result.worker, one.result.assignment, one.annotator, one.hit, one.state)
        lines.append(tsv_line([str(cell) for cell in cells]))
    return "".join(lines)
