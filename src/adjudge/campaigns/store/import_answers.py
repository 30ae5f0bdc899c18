"""Answers out of a file, appended as if their annotators had given them here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from adjudge.campaigns.external_answers import ExternalAnswer
from adjudge.campaigns.store import campaigns, events, people, work
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import Store

IMPORTED = "imported"


@dataclass(frozen=True)
class ImportCounts:
    """What became of the answers."""

    new: int
    again: int
    """That were taken over before."""
    answered: int
    """That have another answer here: it stays, and counts."""


def import_answers(
    store: Store, stored: StoredCampaign, found: Iterable[ExternalAnswer], sha256: str
) -> ImportCounts:
    """Append answers to tasks that have none; nothing that was answered here is touched.

    A second time the same file changes nothing. Where it ends in the middle (the campaign was paused), what was taken
    stays, and the rest comes with the next try.
    """
    new = again = answered = 0
    names = {number: hit.name for number, hit in campaigns.numbered_hits(store, stored)}
    tasks: dict[str, dict[tuple[str, int], work.Task]] = {}
    for one in found:
        person = people.find(store, stored, one.annotator)
        if one.annotator not in tasks:
            tasks[one.annotator] = {(names[task.hit], task.place): task for task in work.tasks(store, person)}
        task = tasks[one.annotator][one.hit, one.place]
        if task.answer is not None:
            again += task.answer == one.answer
            answered += task.answer != one.answer
            continue
        event = events.record_answer(
            store,
            person,
            task.id,
            key=_key(one),
            answer=dict(one.answer),
            seconds=one.seconds,
            started=one.started,
        )
        new += not event.again
        again += event.again  # taken over before, and taken back by whoever it is of
    if new:
        with store.writing() as connection:
            campaigns.record(connection, stored.id, IMPORTED, {"sha256": sha256, "answers": new})
    return ImportCounts(new, again, answered)


def _key(one: ExternalAnswer) -> str:
    """What the answer is called: the same in every try, and another one for another answer."""
    said = json.dumps([one.hit, one.place, one.answer, one.started], sort_keys=True)
    return f"file-{hashlib.sha256(said.encode()).hexdigest()[:40]}"
