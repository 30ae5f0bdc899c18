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
    store: Store, stored: StoredCampaign, external: Iterable[ExternalAnswer], sha256: str
) -> ImportCounts:
    """Append answers to tasks that have none; nothing that was answered here is touched.

    A second time the same file changes nothing. Where it ends in the middle (the campaign was paused), what was taken
    stays, and the rest comes with the next try.
    """
    new = again = answered = 0
    names = {number: hit.name for number, hit in campaigns.numbered_hits(store, stored)}
    tasks: dict[str, dict[tuple[str, int], work.Task]] = {}
    for given in external:
        person = people.find(store, stored, given.annotator)
        if given.annotator not in tasks:
            tasks[given.annotator] = {
                (names[task.hit], task.place): task for task in work.tasks(store, person)
            }
        task = tasks[given.annotator][given.hit, given.place]
        if task.answer is not None:
            again += task.answer == given.answer
            answered += task.answer != given.answer
            continue
        event = events.record_answer(
            store,
            person,
            task.id,
            key=_key(given),
            answer=dict(given.answer),
            seconds=given.seconds,
            started=given.started,
        )
        new += not event.again
        again += event.again  # taken over before, and taken back by whoever it is of
    if new:
        with store.writing() as connection:
            campaigns.record(connection, stored.id, IMPORTED, {"sha256": sha256, "answers": new})
    return ImportCounts(new, again, answered)


def _key(answer: ExternalAnswer) -> str:
    """What the answer is called: the same in every try, and another one for another answer."""
    content = json.dumps([answer.hit, answer.place, answer.answer, answer.started], sort_keys=True)
    return f"file-{hashlib.sha256(content.encode()).hexdigest()[:40]}"
