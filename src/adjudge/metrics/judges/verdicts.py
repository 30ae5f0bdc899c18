"""Answers of a model as verdicts on segments: what cannot be read is missing, counted and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from adjudge import workspace
from adjudge.errors import DataError
from adjudge.metrics.judges.asking import ModelAnswer
from adjudge.metrics.judges.endpoint import Reply
from adjudge.metrics.judges.reading import Unreadable
from adjudge.wording import are, join_names, percent_of, pluralise

Verdict = TypeVar("Verdict")
NAMED = 5
"""Segments that a note names; of the others it says how many there are."""


def verdicts(
    judge: str, answers: Sequence[ModelAnswer], read: Callable[[Reply, int], Verdict], asked: str = ""
) -> list[Verdict | None]:
    """What each answer says, None where it says nothing; a note tells which, and who answered in place of `asked`."""
    if workspace.current().dry_run:
        return [None] * len(answers)
    if answers and all(answer.reply is None for answer in answers):
        raise DataError(f"{judge}: there is no answer to any question; {answers[0].reason}")
    read_answers: list[Verdict | None] = []
    missing: dict[str, list[int]] = {}
    for number, answer in enumerate(answers):
        verdict, reason = None, answer.reason
        if answer.reply is not None:
            try:
                verdict = read(answer.reply, number)
            except Unreadable as error:
                reason = str(error)
        if verdict is None:
            missing.setdefault(reason, []).append(number + 1)
        read_answers.append(verdict)
    _note_missing(judge, missing, len(answers))
    _note_models(judge, answers, asked)
    return read_answers


def _note_missing(judge: str, missing: dict[str, list[int]], total: int) -> None:
    if not missing:
        return
    count = sum(map(len, missing.values()))
    reasons = [
        f"{reason} (segment{'s' if len(numbers) > 1 else ''} {join_names([str(n) for n in numbers], NAMED)})"
        for reason, numbers in sorted(missing.items(), key=lambda reason: -len(reason[1]))
    ]
    workspace.current().note(
        f"{judge}: {pluralise(count, 'answer')} of {total:,} ({percent_of(count / total)}) could not be read and "
        f"{are(count)} missing, not 0: {'; '.join(reasons[:NAMED])}"
    )


def _note_models(judge: str, answers: Sequence[ModelAnswer], asked: str) -> None:
    others = {answer.reply.model for answer in answers if answer.reply is not None} - {"", asked}
    if asked and others:
        workspace.current().note(
            f"{judge}: the service says that {join_names(sorted(others), NAMED)} answered"
        )
