"""The checklist of an evaluation, shown: a point a line, with the verdict and the evidence."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudge.checklist import FAIL, PASS, Checklist
from adjudge.report.sections import Section

MARKS = {PASS: "✓", FAIL: "✗"}


def sections(found: Checklist) -> list[Section]:
    """What is answered and what is not, then the claim."""
    count = sum(point.verdict == PASS for point in found.points)
    lines = tuple(
        f"{MARKS.get(point.verdict, '?')} {point.name} ({point.verdict}): {point.question} "
        f"{_sentence(point.evidence)}"
        for point in found.points
    )
    parts = [Section(f"Checklist: {count} of {len(found.points)} points pass", sentences=lines)]
    if found.claim is not None:
        verb = "may" if found.claim.granted else "MAY NOT"
        title = f"{found.claim.claim.replace('-', ' ').capitalize()} {verb} be claimed"
        parts.append(Section(title, sentences=tuple(_sentence(reason) for reason in found.claim.because)))
    return parts


def document(found: Checklist) -> dict[str, Any]:
    """For JSON."""
    return {
        "points": [asdict(point) for point in found.points],
        "claim": None
        if found.claim is None
        else asdict(found.claim) | {"because": list(found.claim.because)},
    }


def _sentence(text: str) -> str:
    return f"{text}." if text else ""
