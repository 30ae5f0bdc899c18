"""Looks at one baseline, counted by the gates that a history recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from adjudge.comparison.plan import Plan
from adjudge.data import Outputs
from adjudge.history.gate import digest, rows_digest
from adjudge.history.records import History
from adjudge.history.stored import StoredResult
from adjudge.stats.looks import ONLY_LOOK, Look

COMMAND = "gate"


@dataclass(frozen=True)
class GateQuestion:
    """The question that a gate asks: the baseline, and a digest of all that the answer depends on."""

    baseline: str
    digest: str

    @classmethod
    def of(
        cls,
        stored: StoredResult,
        outputs: Sequence[Outputs],
        plan: Plan,
        metrics: Sequence[str],
        system: str | None,
    ) -> GateQuestion:
        """The question whether these outputs are worse than a stored run."""
        options = [f"{entry.name}={getattr(plan, entry.name)}" for entry in fields(plan)]
        texts = [
            text
            for entry in outputs
            for text in (entry.system, entry.run, str(len(entry.segments)), *entry.segments)
        ]
        parts = [*options, *metrics, str(system), *texts]
        return cls(rows_digest(stored.rows), digest(part.encode() for part in parts))

    def as_document(self, look: Look) -> dict[str, Any]:
        """The entry in the document of a record."""
        return {"baseline": self.baseline, "question": self.digest, "look": look.number}


def take_look(place: str | None, question: GateQuestion, asked: Look = ONLY_LOOK) -> Look:
    """The next look at a baseline by the history at a place, by default the project's, or the look that is asked for.

    It is spent from now on, whatever becomes of the caller: others who ask at the same moment get other numbers. The
    same question again has the same answer, so it is the same look again and spends nothing.
    """
    with History.open(place, create=True) as history:
        recorded = _recorded_looks(history, question.baseline)
        number = history.take_look(question.baseline, question.digest, asked.number, recorded)
    return replace(asked, number=number, counted=asked.number is None)


def _recorded_looks(history: History, baseline: str) -> Mapping[str, int]:
    """The looks at a baseline that are in records, by question."""
    looks: dict[str, int] = {}
    for record in history.records():
        entry = history.document(record).get("gate") if record.command == COMMAND else None
        if isinstance(entry, dict) and entry.get("baseline") == baseline and entry.get("look"):
            looks.setdefault(str(entry["question"]), int(entry["look"]))
    return looks
