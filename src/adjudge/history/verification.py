"""What became of a result when it was computed again: what was checked, and what does not hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge.history.reload import FileState


@dataclass(frozen=True)
class Problem:
    """Something in a result that does not hold."""

    kind: str
    """file, test_set, result, pair, test, claims, rows, labels … : the part of the result."""
    where: str
    """The file, or the system and the metric."""
    field: str
    stored: Any
    now: Any
    message: str = ""
    """Said instead of the two values, where they would say little."""

    @property
    def difference(self) -> float | None:
        """Now − stored, where both are numbers."""
        both = (self.stored, self.now)
        if any(isinstance(v, bool) or not isinstance(v, int | float) for v in both):
            return None
        return float(self.now - self.stored)


@dataclass(frozen=True)
class Verification:
    """What became of a result when it was computed again."""

    path: str
    version: str
    """The adjudge that wrote the result."""
    kind: str
    """score or compare."""
    files: tuple[FileState, ...]
    checked: int
    """How many values were compared."""
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()
    """What could not be checked, or was checked in another way, and why."""

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return not self.problems
