"""What an annotator has to do, and the answers that come in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from adjudge.human.items import Item
from adjudge.human.store import schema
from adjudge.human.store.campaigns import RUNNING, Kept
from adjudge.human.store.connection import Store, StoreError
from adjudge.human.store.people import Annotator

ANSWER, UNDO = "answer", "undo"


class Refused(StoreError):
    """An answer that cannot be taken now or ever; `code`: paused, withdrawn, unknown, conflict, answered."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Task:
    """An item in somebody's hands."""

    id: int
    hit: int
    place: int
    item: Item
    answer: dict[str, Any] | None
    """The answer that counts now."""
    seconds: float | None = None
    """How long it took."""


@dataclass(frozen=True)
class Event:
    """An answer as it was taken; `again` where it had been sent before."""

    id: int
    again: bool


def latest(campaign: int | None = None, annotator: int | None = None) -> Any:
    """The query of the newest event of every task: the answer that counts, or an undo."""
    e, t, h = schema.events, schema.tasks, schema.hits
    query = select(func.max(e.c.id).label("id")).group_by(e.c.task, e.c.annotator)
    if annotator is not None:
        query = query.where(e.c.annotator == annotator)
    if campaign is not None:
        query = query.join(t, t.c.id == e.c.task).join(h, h.c.id == t.c.hit).where(h.c.campaign == campaign)
    return query.subquery()


def tasks(store: Store, annotator: Annotator) -> list[Task]:
    """Everything an annotator is to judge, in order, with the answers that count."""
    e, t, h, i = schema.events, schema.tasks, schema.hits, schema.items
    newest = latest(annotator=annotator.id)
    answered = (
        select(e.c.task, e.c.kind, e.c.answer, e.c.seconds).join(newest, newest.c.id == e.c.id).subquery()
    )
    with store.reading() as connection:
        rows = connection.execute(
            select(
                t.c.id, t.c.hit, t.c.place, i.c.item, answered.c.kind, answered.c.answer, answered.c.seconds
            )
            .join(h, h.c.id == t.c.hit)
            .join(i, i.c.id == t.c.item)
            .outerjoin(answered, answered.c.task == t.c.id)
            .where(h.c.annotator == annotator.id)
            .order_by(h.c.place, t.c.place)
        ).all()
    return [
        Task(key, hit, place, Item.from_json(item), *((answer, seconds) if kind == ANSWER else (None, None)))
        for key, hit, place, item, kind, answer, seconds in rows
    ]


def task(store: Store, annotator: Annotator, number: int) -> tuple[Item, str]:
    """The item of one task of theirs, and the state of the campaign; Refused where it is not theirs."""
    with store.reading() as connection:
        return _task(connection, annotator, number)


def _task(connection: Connection, annotator: Annotator, number: int) -> tuple[Item, str]:
    t, h, i, c = schema.tasks, schema.hits, schema.items, schema.campaigns
    row = connection.execute(
        select(i.c.item, c.c.status)
        .select_from(t)
        .join(h, and_(h.c.id == t.c.hit, h.c.annotator == annotator.id))
        .join(i, i.c.id == t.c.item)
        .join(c, c.c.id == h.c.campaign)
        .where(t.c.id == number)
    ).first()
    if row is None:
        raise Refused("unknown", f"there is no task {number} of yours")
    return Item.from_json(row[0]), row[1]


def append(
    store: Store,
    annotator: Annotator,
    number: int,
    *,
    key: str,
    kind: str = ANSWER,
    answer: dict[str, Any] | None = None,
    seconds: float | None = None,
    started: float | None = None,
    corrections: bool = True,
) -> Event:
    """Take an answer (checked by its protocol) or an undo; once this returns it is kept.

    Sent again with the same key, it counts once. A paused or closed campaign takes nothing, nor does one from which
    the annotator was withdrawn; without `corrections` neither does a task that has an answer.
    """
    values = {
        "annotator": annotator.id,
        "task": number,
        "key": key,
        "kind": kind,
        "answer": answer,
        "seconds": seconds,
        "started": started,
        "received": time.time(),
    }
    try:
        with store.writing() as connection:
            known = _known(connection, annotator, key, values)
            if known is not None:
                return known
            _, status = _task(connection, annotator, number)
            if status != RUNNING:
                raise Refused(
                    "paused", f"the campaign is {status}; your answer is not lost, it will be sent later"
                )
            withdrawn = connection.execute(
                select(schema.annotators.c.withdrawn).where(schema.annotators.c.id == annotator.id)
            ).scalar()
            if withdrawn is not None:
                raise Refused("withdrawn", "you no longer take part in this campaign")
            if not corrections and (kind == UNDO or _is_answered(connection, annotator, number)):
                raise Refused("answered", "answers cannot be changed in this campaign")
            inserted = connection.execute(insert(schema.events).values(**values))
            return Event(int(inserted.inserted_primary_key[0]), again=False)  # type: ignore[index]
    except IntegrityError:  # the same key came twice at the same time
        with store.reading() as connection:
            known = _known(connection, annotator, key, values)
        if known is None:
            raise
        return known


def _is_answered(connection: Connection, annotator: Annotator, number: int) -> bool:
    e = schema.events
    mine = select(e.c.kind).where(e.c.annotator == annotator.id, e.c.task == number)
    return connection.execute(mine.order_by(e.c.id.desc()).limit(1)).scalar() == ANSWER


def _known(connection: Connection, annotator: Annotator, key: str, values: dict[str, Any]) -> Event | None:
    e = schema.events
    row = connection.execute(
        select(e.c.id, e.c.task, e.c.kind, e.c.answer).where(e.c.annotator == annotator.id, e.c.key == key)
    ).first()
    if row is None:
        return None
    if (row.task, row.kind, row.answer) != (values["task"], values["kind"], values["answer"]):
        raise Refused("conflict", "another answer was sent under the same key")
    return Event(row.id, again=True)


def take_hit(store: Store, kept: Kept, annotator: Annotator, name: str = "") -> int | None:
    """Give somebody a hit that nobody has (of that name, where one is given); None where none is left."""
    h = schema.hits
    while True:
        with store.writing() as connection:
            query = select(h.c.id).where(h.c.campaign == kept.id, h.c.annotator.is_(None)).order_by(h.c.place)
            if name:
                query = query.where(h.c.name == name)
            found = connection.execute(query.limit(1)).scalar()
            if found is None:
                return None
            taken = connection.execute(
                update(h).where(h.c.id == found, h.c.annotator.is_(None)).values(annotator=annotator.id)
            )
            if taken.rowcount == 1:
                return int(found)
