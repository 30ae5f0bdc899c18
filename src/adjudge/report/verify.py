"""A verification shown: what was computed again, and what does not hold."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from adjudge.report.formats import Forms
from adjudge.report.sections import Layout, Section
from adjudge.report.table import visible
from adjudge.runs.verify import Problem, Verification
from adjudge.wording import counted

LAYOUT = Layout("  - ", "    ", None)


def forms(found: Verification, *, version: str) -> Forms:
    """A verification as sentences and as data."""
    return Forms(lambda: [section(found)], lambda: document(found, version))


def section(found: Verification) -> Section:
    """The decision, a line a problem, and what could not be checked."""
    return Section(
        lead=decision(found),
        style="heading",
        sentences=tuple(map(sentence, found.problems)),
        notes=tuple(f"Note: {note}" for note in found.notes),
        layout=LAYOUT,
    )


def document(found: Verification, version: str) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "version": version,
        "result": {"path": found.path, "version": found.version, "kind": found.kind},
        "holds": found.holds,
        "checked": found.checked,
        "inputs": [asdict(state) | {"holds": not state.problem} for state in found.files],
        "problems": [
            asdict(problem) | {"message": sentence(problem), "difference": problem.difference}
            for problem in found.problems
        ],
        "notes": list(found.notes),
    }


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
