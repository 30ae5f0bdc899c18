"""What people have said so far: the answers that count, and how far everyone has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, select

from adjudge.human.items import Item
from adjudge.human.store import schema
from adjudge.human.store.campaigns import Kept
from adjudge.human.store.connection import Store
from adjudge.human.store.work import ANSWER, latest


@dataclass(frozen=True)
class Answer:
    """An answer that counts."""

    event: int
    annotator: str
    hit: str
    task: int
    item: Item
    answer: dict[str, Any]
    seconds: float | None
    started: float | None
    received: float
    withdrawn: bool


@dataclass(frozen=True)
class Progress:
    """How far one annotator has come."""

    annotator: str
    kind: str
    tasks: int
    answered: int
    seconds: float
    last: float | None
    withdrawn: bool


def counting(store: Store, kept: Kept, *, withdrawn: bool = False, demo: bool = False) -> list[Answer]:
    """The newest answer to every task, in the order in which they came; withdrawn ones only where asked for."""
    e, t, h, i, a = schema.events, schema.tasks, schema.hits, schema.items, schema.annotators
    newest = latest(campaign=kept.id)
    query = (
        select(
            e.c.id,
            a.c.name,
            h.c.name,
            e.c.task,
            t.c.item,
            e.c.answer,
            e.c.seconds,
            e.c.started,
            e.c.received,
            a.c.withdrawn,
        )
        .join(newest, newest.c.id == e.c.id)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .join(a, a.c.id == e.c.annotator)
        .where(e.c.kind == ANSWER)
        .order_by(e.c.id)
    )
    if not withdrawn:
        query = query.where(a.c.withdrawn.is_(None))
    if not demo:
        query = query.where(a.c.kind != "demo")
    with store.reading() as connection:
        items = {
            key: Item.from_json(item)
            for key, item in connection.execute(select(i.c.id, i.c.item).where(i.c.campaign == kept.id))
        }
        rows = connection.execute(query).all()
    return [
        Answer(row[0], row[1], row[2], row[3], items[row[4]], *row[5:9], withdrawn=row[9] is not None)
        for row in rows
    ]


def progress(store: Store, kept: Kept) -> list[Progress]:
    """How far everyone has come, in the order they came."""
    e, t, h, a = schema.events, schema.tasks, schema.hits, schema.annotators
    newest = latest(campaign=kept.id)
    done = (
        select(
            e.c.annotator,
            func.count().label("answered"),
            func.sum(e.c.seconds).label("seconds"),
            func.max(e.c.received).label("last"),
        )
        .join(newest, newest.c.id == e.c.id)
        .where(e.c.kind == ANSWER)
        .group_by(e.c.annotator)
        .subquery()
    )
    given = (
        select(h.c.annotator, func.count().label("tasks"))
        .join(t, t.c.hit == h.c.id)
        .where(h.c.campaign == kept.id)
        .group_by(h.c.annotator)
        .subquery()
    )
    with store.reading() as connection:
        rows = connection.execute(
            select(
                a.c.name, a.c.kind, given.c.tasks, done.c.answered, done.c.seconds, done.c.last, a.c.withdrawn
            )
            .outerjoin(given, given.c.annotator == a.c.id)
            .outerjoin(done, and_(done.c.annotator == a.c.id))
            .where(a.c.campaign == kept.id)
            .order_by(a.c.id)
        ).all()
    return [
        Progress(name, kind, tasks or 0, answered or 0, float(seconds or 0.0), last, withdrawn is not None)
        for name, kind, tasks, answered, seconds, last, withdrawn in rows
    ]
