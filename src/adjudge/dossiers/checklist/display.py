"""The checklist of an evaluation, shown: a point a line, with the verdict and the evidence; in print a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudge.display import Cell, Column, Row, Section, Table, visible
from adjudge.dossiers.checklist import FAIL, PASS, Checklist, Claim

MARKS = {PASS: "✓", FAIL: "✗"}


def sections(checklist: Checklist) -> list[Section]:
    """What is answered and what is not, then the claim."""
    count = sum(point.verdict == PASS for point in checklist.points)
    lines = tuple(
        f"{MARKS.get(point.verdict, '?')} {point.name} ({point.verdict}): {point.question} {point.evidence}."
        for point in checklist.points
    )
    title = f"Checklist: {count} of {len(checklist.points)} points pass"
    parts = [Section(title, sentences=lines, printed=_table(checklist))]
    return [*parts, _claim(checklist.claim)] if checklist.claim is not None else parts


def _table(checklist: Checklist) -> Table:
    head = (
        Column("#"),
        Column("Point"),
        Column("Question", wide=0.27),
        Column("Verdict"),
        Column("Evidence", wide=0.37),
    )
    rows = []
    for number, point in enumerate(checklist.points, 1):
        cells = [Cell(visible(text)) for text in (str(number), point.name, point.question)]
        verdict = Cell(point.verdict, best=point.verdict != PASS, style=point.verdict)
        rows.append(Row((*cells, verdict, Cell(visible(point.evidence)))))
    return Table(head, tuple(rows))


def _claim(claim: Claim) -> Section:
    verb = "may" if claim.granted else "MAY NOT"
    title = f"{claim.claim.replace('-', ' ').capitalize()} {verb} be claimed"
    reasons = [f"{reason}." for reason in claim.because]
    if claim.open_points:
        reasons.insert(0, f"Not passed: {'; '.join(claim.open_points)}.")
    return Section(title, sentences=tuple(reasons))


def document(checklist: Checklist) -> dict[str, Any]:
    """For JSON."""
    claim = checklist.claim
    return {
        "points": [asdict(point) for point in checklist.points],
        "claim": None
        if claim is None
        else asdict(claim) | {"open_points": list(claim.open_points), "because": list(claim.because)},
    }
