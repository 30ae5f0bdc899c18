"""What workers of a marketplace handed in, and what is to be said to them: for screens and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns.crowd import FAILED, PASSED, STATES, WorkerVerdict
from adjudge.display import Column, Data, Displayable, Records, Section

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


COUNTS = (
    Column.of("state", "Result"),
    Column.of("count", "results", 0),
    Column.of("meaning", "meaning"),
)
RESULTS = (
    Column.of("line", "line", 0, value=lambda own: own.result.line, text=lambda own: str(own.result.line)),
    Column.of("worker", "Worker", value=lambda own: own.result.worker),
    Column.of("assignment", value=lambda own: own.result.assignment),
    Column.of("annotator"),
    Column.of("hit", "Hit"),
    Column.of("state", "Result"),
)


@dataclass(frozen=True)
class StateCount:
    """How many results have a state."""

    state: str
    count: int

    @property
    def meaning(self) -> str:
        """What is to be done with them."""
        return MEANINGS[self.state]


@dataclass(frozen=True)
class CrowdDisplay(Displayable):
    """What workers of a marketplace handed in."""

    verdicts: Sequence[WorkerVerdict]

    def sections(self) -> list[Section]:
        """How many there are of each kind, and all that are not simply to be paid."""
        counts = Counter(verdict.state for verdict in self.verdicts)
        title = f"{len(self.verdicts):,} results: {counts[PASSED]:,} may be paid"
        counted = [StateCount(own, counts[own]) for own in STATES if counts[own] or own == PASSED]
        sections = [Section(title, (Records(COUNTS, counted).table(),))]
        odd = [verdict for verdict in self.verdicts if verdict.state != PASSED]
        return [*sections, Section("To be looked at", (Records(RESULTS, odd).table(),))] if odd else sections

    def document(self) -> dict[str, Any]:
        """For programs."""
        counts = Counter(verdict.state for verdict in self.verdicts)
        results = Records(RESULTS, self.verdicts).document()
        return {"counts": {state: counts[state] for state in STATES}, "results": results}

    def data(self) -> Data:
        """A row a result."""
        return Records(RESULTS, self.verdicts).data()
