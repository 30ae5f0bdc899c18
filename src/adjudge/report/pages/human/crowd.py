"""What workers of a marketplace handed in, and what is to be said to them: for screens and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from adjudge.campaigns.crowd import FAILED, PASSED, STATES, WorkerVerdict
from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import tsv_line

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


def verdict_renderer(verdicts: Sequence[WorkerVerdict]) -> Renderer:
    """What workers handed in, in every format."""
    return Renderer(
        lambda: verdict_sections(verdicts),
        lambda: verdict_document(verdicts),
        tsv=lambda: verdict_tsv(verdicts),
        ascii_only=False,
    )


def verdict_sections(verdicts: Sequence[WorkerVerdict]) -> list[Section]:
    """How many there are of each kind, and all that are not simply to be paid."""
    counts = Counter(verdict.state for verdict in verdicts)
    counted = (Column("Result"), Column("results", numeric=True), Column("meaning"))
    rows = [
        Row((Cell(state), Cell(f"{counts[state]:,}"), Cell(MEANINGS[state])))
        for state in STATES
        if counts[state] or state == PASSED
    ]
    title = f"{len(verdicts):,} results: {counts[PASSED]:,} may be paid"
    sections = [Section(title, (Table(counted, tuple(rows)),))]
    odd = [verdict for verdict in verdicts if verdict.state != PASSED]
    if odd:
        columns = (Column("line", numeric=True), Column("Worker"), Column("Hit"), Column("Result"))
        rows = [
            Row(
                (
                    Cell(str(verdict.result.line)),
                    Cell(verdict.result.worker),
                    Cell(verdict.hit),
                    Cell(verdict.state),
                )
            )
            for verdict in odd
        ]
        sections.append(Section("To be looked at", (Table(columns, tuple(rows)),)))
    return sections


def verdict_document(verdicts: Sequence[WorkerVerdict]) -> dict[str, Any]:
    """For programs."""
    counts = Counter(verdict.state for verdict in verdicts)
    return {
        "counts": {state: counts[state] for state in STATES},
        "results": [
            {
                "line": verdict.result.line,
                "worker": verdict.result.worker,
                "assignment": verdict.result.assignment,
                "annotator": verdict.annotator,
                "hit": verdict.hit,
                "state": verdict.state,
            }
            for verdict in verdicts
        ],
    }


def verdict_tsv(verdicts: Sequence[WorkerVerdict]) -> str:
    """A line a result."""
    lines = [tsv_line(["line", "worker", "assignment", "annotator", "hit", "state"])]
    for verdict in verdicts:
        cells = (
            verdict.result.line,
            verdict.result.worker,
            verdict.result.assignment,
            verdict.annotator,
            verdict.hit,
            verdict.state,
        )
        lines.append(tsv_line([str(cell) for cell in cells]))
    return "".join(lines)
