"""A verification: what was computed again, and what does not hold."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from adjudge.display import Displayable, Layout, Section, visible
from adjudge.history.reload import FileState
from adjudge.wording import pluralise, with_sign

LAYOUT = Layout("  - ", "    ", None)


@dataclass(frozen=True)
class VerificationProblem:
    """Something in a result that does not hold."""

    kind: str
    """file, test_set, result, pair, test, claims, rows, labels … : the part of the result."""
    where: str
    """The file, or the system and the metric."""
    field: str
    stored: Any
    now: Any
    message: str = ""
    """Shown instead of the two values, where these say little."""

    @property
    def difference(self) -> float | None:
        """Now − stored, where both are numbers."""
        both = (self.stored, self.now)
        if any(isinstance(v, bool) or not isinstance(v, int | float) for v in both):
            return None
        return float(self.now - self.stored)

    def sentence(self) -> str:
        """One problem in words: where, which field, the value in the file and the right one."""
        where, field = visible(self.where), visible(self.field)
        if self.message:
            place = f"{where} ({field})" if self.kind == "file" else ", ".join(filter(None, [where, field]))
            return f"{place} {visible(self.message)}"
        if not where and not field.startswith(self.kind):
            field = f"{self.kind}.{field}"
        change = self.difference
        apart = (
            f" (difference {with_sign(change, 3, kind='g')})"
            if change is not None and math.isfinite(change)
            else ""
        )
        values = f"is {_format_value(self.stored)}, but should be {_format_value(self.now)}{apart}"
        return f"{where}: {field} {values}" if where else f"{field} {values}"


@dataclass(frozen=True)
class Verification(Displayable):
    """The outcome of computing a result again."""

    path: str
    version: str
    """The adjudge that wrote the result."""
    kind: str
    """score, compare or study."""
    files: tuple[FileState, ...]
    checked: int
    """How many values were compared."""
    problems: tuple[VerificationProblem, ...]
    notes: tuple[str, ...] = ()
    """Notes on what could not be checked, or was checked differently."""

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return not self.problems

    @property
    def title(self) -> str:
        """The decision."""
        return self.decision()

    def sections(self) -> list[Section]:
        """The decision, a line for each problem, and what could not be checked."""
        return [
            Section(
                lead=self.decision(),
                style="heading",
                sentences=tuple(problem.sentence() for problem in self.problems),
                notes=tuple(f"Note: {note}" for note in self.notes),
                layout=LAYOUT,
            )
        ]

    def document(self) -> dict[str, Any]:
        """All that is known, unrounded."""
        return {
            "result": {"path": self.path, "version": self.version, "kind": self.kind},
            "holds": self.holds,
            "checked": self.checked,
            "inputs": [asdict(state) | {"holds": not state.problem} for state in self.files],
            "problems": [
                asdict(problem) | {"message": problem.sentence(), "difference": problem.difference}
                for problem in self.problems
            ],
            "notes": list(self.notes),
        }

    def decision(self) -> str:
        """Whether everything holds."""
        what = f"{visible(self.path)} ({self.kind}, adjudge {visible(self.version)})"
        if self.holds:
            files, values = pluralise(len(self.files), "file"), pluralise(self.checked, "value")
            return f"{what}: everything holds; {values} checked, computed again from {files}."
        problems = pluralise(len(self.problems), "problem")
        return f"{what} does not hold: {problems}, {pluralise(self.checked, 'value')} checked."


def _format_value(value: Any) -> str:
    return visible(json.dumps(value, ensure_ascii=False, default=str))
