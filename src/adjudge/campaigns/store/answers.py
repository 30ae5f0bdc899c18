"""The answers that count, and everyone's progress."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from adjudge.campaigns.items import GivenAnswer
from adjudge.campaigns.store import schema
from adjudge.campaigns.store.campaigns import DEMO, StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.events import ANSWER
from adjudge.campaigns.store.hits import items_by_number


@dataclass(frozen=True, kw_only=True)
class StoredAnswer(GivenAnswer):
    """An answer that counts."""

    event: int
    task: int
    received: float
    place: int = 0
    """Its place in the hit, from 0. Unlike `event` and `task` it is the same wherever the campaign is restored."""


@dataclass(frozen=True)
class AnnotatorProgress:
    """The progress of one annotator."""

    annotator: str
    kind: str
    tasks: int
    answered: int
    seconds: float
    last: float | None
    withdrawn: bool


def counted_answers(
    store: CampaignStore, stored: StoredCampaign, *, withdrawn: bool = False, demo: bool = False
) -> list[StoredAnswer]:
    """Return the answers that count (the newest to each task), in the order in which they came.

    Those of withdrawn annotators and of demos are left out, unless asked for.
    """
    e, t, h = schema.events, schema.tasks, schema.hits
    with store.reading() as connection:
        people = _annotator_rows(connection, stored)
        items = items_by_number(connection, stored.id)
        events = newest_events(
            connection,
            stored,
            e.c.id,
            e.c.kind,
            h.c.name.label("hit"),
            t.c.item,
            e.c.answer,
            e.c.seconds,
            e.c.started,
            e.c.received,
            t.c.place,
        )
    chosen = {
        number: person
        for number, person in people.items()
        if (withdrawn or person.withdrawn is None) and (demo or person.kind != DEMO)
    }
    counted = [
        StoredAnswer(
            annotator=chosen[event.annotator].name,
            hit=event.hit,
            item=items[event.item],
            answer=event.answer,
            seconds=event.seconds,
            started=event.started,
            withdrawn=chosen[event.annotator].withdrawn is not None,
            event=event.id,
            task=event.task,
            received=event.received,
            place=event.place,
        )
        for event in events
        if event.kind == ANSWER and event.annotator in chosen
    ]
    return sorted(counted, key=lambda answer: answer.event)


def newest_events(connection: Connection, stored: StoredCampaign, *columns: Any) -> Iterable[Any]:
    """The last event of every task of every annotator: an answer, or that it was taken back.

    Rows have the task, the annotator and these columns of events, tasks and hits. The newest is found here: databases
    plan that badly while they know little of a new table.
    """
    e, t, h = schema.events, schema.tasks, schema.hits
    rows = connection.execute(
        select(e.c.task, e.c.annotator, *columns)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .where(h.c.campaign == stored.id)
        .order_by(e.c.id)
    )
    return {row[:2]: row for row in rows}.values()


def event_count(store: CampaignStore, stored: StoredCampaign) -> int:
    """Return how many events a campaign has: answers, corrections, undos."""
    e, t, h = schema.events, schema.tasks, schema.hits
    query = (
        select(func.count())
        .select_from(e)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .where(h.c.campaign == stored.id)
    )
    with store.reading(single=True) as connection:
        return int(connection.execute(query).scalar_one())


def _annotator_rows(connection: Connection, stored: StoredCampaign) -> dict[int, Any]:
    a = schema.annotators
    rows = connection.execute(select(a).where(a.c.campaign == stored.id).order_by(a.c.id))
    return {row.id: row for row in rows}


def annotator_progress(store: CampaignStore, stored: StoredCampaign) -> list[AnnotatorProgress]:
    """Return how far each annotator has come with what is theirs now, in the order they came."""
    e, t, h = schema.events, schema.tasks, schema.hits
    given = (
        select(h.c.annotator, func.count())
        .join(t, t.c.hit == h.c.id)
        .where(h.c.campaign == stored.id)
        .group_by(h.c.annotator)
    )
    with store.reading() as connection:
        people = _annotator_rows(connection, stored)
        tasks: dict[int, int] = dict(connection.execute(given).all())
        newest = newest_events(
            connection, stored, h.c.annotator.label("owner"), e.c.kind, e.c.seconds, e.c.received
        )
    done: dict[int, list[tuple[float, float]]] = {number: [] for number in people}
    for _, annotator, owner, kind, seconds, received in newest:
        if kind == ANSWER and annotator == owner:
            done[annotator].append((seconds or 0.0, received))
    return [
        AnnotatorProgress(
            person.name,
            person.kind,
            tasks.get(number, 0),
            len(done[number]),
            math.fsum(seconds for seconds, _ in done[number]),
            max((received for _, received in done[number]), default=None),
            person.withdrawn is not None,
        )
        for number, person in people.items()
    ]
