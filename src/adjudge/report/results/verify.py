"""A verification shown: what was computed again, and what does not hold."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from adjudge.display import Layout, Section, visible
from adjudge.history.verify import Verification, VerificationProblem
from adjudge.report.render.formats import Forms
from adjudge.wording import pluralise, signed

LAYOUT = Layout("  - ", "    ", None)


def forms(verification: Verification, *, version: str) -> Forms:
    """A verification as sentences and as data."""
    return Forms(lambda: [section(verification)], lambda: document(verification, version))


def section(verification: Verification) -> Section:
    """The decision, a line a problem, and what could not be checked."""
    return Section(
        lead=decision(verification),
        style="heading",
        sentences=tuple(map(sentence, verification.problems)),
        notes=tuple(f"Note: {note}" for note in verification.notes),
        layout=LAYOUT,
    )


def document(verification: Verification, version: str) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "version": version,
        "result": {"path": verification.path, "version": verification.version, "kind": verification.kind},
        "holds": verification.holds,
        "checked": verification.checked,
        "inputs": [asdict(state) | {"holds": not state.problem} for state in verification.files],
        "problems": [
            asdict(problem) | {"message": sentence(problem), "difference": problem.difference}
            for problem in verification.problems
        ],
        "notes": list(verification.notes),
    }


def decision(verification: Verification) -> str:
    """Whether everything holds."""
    what = f"{visible(verification.path)} ({verification.kind}, adjudge {visible(verification.version)})"
    if verification.holds:
        files, values = pluralise(len(verification.files), "file"), pluralise(verification.checked, "value")
        return f"{what}: everything holds; {values} checked, computed again from {files}."
    problems = pluralise(len(verification.problems), "problem")
    return f"{what} does not hold: {problems}, {pluralise(verification.checked, 'value')} checked."


def sentence(problem: VerificationProblem) -> str:
    """One problem in words: where, which field, the value in the file and the right one."""
    where, field = visible(problem.where), visible(problem.field)
    if problem.message:
        place = f"{where} ({field})" if problem.kind == "file" else ", ".join(filter(None, [where, field]))
        return f"{place} {visible(problem.message)}"
    if not where and not field.startswith(problem.kind):
        field = f"{problem.kind}.{field}"
    change = problem.difference
    apart = (
        f" (difference {signed(change, 3, kind='g')})" if change is not None and math.isfinite(change) else ""
    )
    values = f"is {_shown(problem.stored)}, but should be {_shown(problem.now)}{apart}"
    return f"{where}: {field} {values}" if where else f"{field} {values}"


def _shown(value: Any) -> str:
    return visible(json.dumps(value, ensure_ascii=False, default=str))
