"""A verification shown: what was computed again, and what does not hold."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from adjudge.evaluate.documents import plain
from adjudge.report.table import visible
from adjudge.report.text import Line, Span, wrapped
from adjudge.runs.verify import Problem, Verification
from adjudge.wording import counted


def text_lines(found: Verification, *, width: int | None = None, rule: bool = False) -> list[Line]:
    """The decision, a line a problem, and what could not be checked."""
    lines: list[Line] = [[Span(decision(found), "heading")]]
    for problem in found.problems:
        filled = wrapped(sentence(problem).split(" "), width=width, indent="    ")
        lines += [[Span("  - " + filled[0][0].text.lstrip())], *filled[1:]]
    lines += [[Span(visible(f"Note: {note}"), "note")] for note in found.notes]
    return lines


def as_json(found: Verification, *, version: str) -> str:
    """All that is known, unrounded; what is not a finite number is null."""
    document = {
        "version": version,
        "result": {"path": found.path, "version": found.version, "kind": found.kind},
        "holds": found.holds,
        "checked": found.checked,
        "inputs": [asdict(state) | {"holds": not state.problem} for state in found.files],
        "problems": [
            {name: plain(value) for name, value in asdict(problem).items()}
            | {"message": sentence(problem), "difference": plain(problem.difference)}
            for problem in found.problems
        ],
        "notes": list(found.notes),
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def decision(found: Verification) -> str:
    """Whether everything holds."""
    what = f"{visible(found.path)} ({found.kind}, adjudge {visible(found.version)})"
    if found.holds:
        files = counted(len(found.files), "file")
        return f"{what}: everything holds; {counted(found.checked, 'value')} checked, computed again from {files}."
    return (
        f"{what} does not hold: {counted(len(found.problems), 'problem')}, {found.checked:,} values checked."
    )


def sentence(problem: Problem) -> str:
    """One problem in words: where, which field, the value in the file and the right one."""
    where, field = visible(problem.where), visible(problem.field)
    if problem.message:
        place = f"{where} ({field})" if problem.kind == "file" else ", ".join(filter(None, [where, field]))
        return f"{place} {visible(problem.message)}"
    if not where and not field.startswith(problem.kind):
        field = f"{problem.kind}.{field}"
    change = problem.difference
    apart = f" (difference {change:+.3g})" if change is not None and math.isfinite(change) else ""
    values = f"is {_shown(problem.stored)}, but should be {_shown(problem.now)}{apart}"
    return f"{where}: {field} {values}" if where else f"{field} {values}"


def _shown(value: Any) -> str:
    return visible(json.dumps(value, ensure_ascii=False, default=str))
