"""The tasks of an annotator, and their progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select

from adjudge.campaigns.items import Item
from adjudge.campaigns.store import schema
from adjudge.campaigns.store.admission import known_id, unknown_task
from adjudge.campaigns.store.connection import CampaignStore, as_written
from adjudge.campaigns.store.events import ANSWER
from adjudge.campaigns.store.people import Annotator


@dataclass(frozen=True)
class AnnotatorTask:
    """A task: an item in an annotator's hit."""

    id: int
    hit: int
    place: int
    item: Item
    answer: dict[str, Any] | None
    """The answer that counts now."""
    seconds: float | None = None
    """Seconds that it took."""
    revision: str = ""
    """The key of the last event, '' where there is none: what an answer that comes next was given after."""


@dataclass(frozen=True)
class TaskStatus:
    """A task without its texts."""

    id: int
    hit: int
    place: int
    answered: bool


def tasks(store: CampaignStore, annotator: Annotator, hit: int | None = None) -> list[AnnotatorTask]:
    """Return all tasks of an annotator (or those of one hit), in order, with the answers that count."""
    t, h, i = schema.tasks, schema.hits, schema.items
    query = (
        select(t.c.id, t.c.hit, t.c.place, i.c.item)
        .select_from(h)
        .join(t, t.c.hit == h.c.id)
        .join(i, i.c.id == t.c.item)
        .where(h.c.annotator == annotator.id)
        .order_by(h.c.place, t.c.place)
    )
    if hit is not None:
        query = query.where(h.c.id == known_id(hit))
    with store.reading() as connection:
        rows = connection.execute(query).all()
        last = _last(connection, annotator, hit)
    with as_written("an item"):
        return [
            AnnotatorTask(key, number, place, Item.from_json(item), *last.get(key, (None, None, "")))
            for key, number, place, item in rows
        ]


def _last(
    connection: Connection, annotator: Annotator, hit: int | None
) -> dict[int, tuple[dict[str, Any] | None, float | None, str]]:
    """The answers of an annotator that count, how long they took and their keys; None where one was taken back."""
    e, t = schema.events, schema.tasks
    query = select(e.c.task, e.c.kind, e.c.answer, e.c.seconds, e.c.key).where(e.c.annotator == annotator.id)
    if hit is not None:
        query = query.join(t, t.c.id == e.c.task).where(t.c.hit == known_id(hit))
    return {
        task: (answer, seconds, key) if kind == ANSWER else (None, None, key)
        for task, kind, answer, seconds, key in connection.execute(query.order_by(e.c.id))
    }


def outline(store: CampaignStore, annotator: Annotator) -> list[TaskStatus]:
    """Return the tasks of an annotator in order, without their texts: which are done, and which come next."""
    with store.reading() as connection:
        return outline_within(connection, annotator)


def outline_within(connection: Connection, annotator: Annotator) -> list[TaskStatus]:
    """Return the tasks of an annotator in order, within the caller's transaction."""
    e, t, h = schema.events, schema.tasks, schema.hits
    rows = connection.execute(
        select(t.c.id, t.c.hit, t.c.place)
        .join(h, h.c.id == t.c.hit)
        .where(h.c.annotator == annotator.id)
        .order_by(h.c.place, t.c.place)
    ).all()
    events = connection.execute(
        select(e.c.task, e.c.kind).where(e.c.annotator == annotator.id).order_by(e.c.id)
    )
    last = dict(events.all())
    return [TaskStatus(key, hit, place, last.get(key) == ANSWER) for key, hit, place in rows]


def remaining(store: CampaignStore, annotator: Annotator) -> int:
    """Return how many tasks of an annotator are not answered yet."""
    return sum(not step.answered for step in outline(store, annotator))


_TASK = (
    select(schema.items.c.item, schema.campaigns.c.status)
    .select_from(schema.tasks)
    .join(schema.hits, schema.hits.c.id == schema.tasks.c.hit)
    .join(schema.items, schema.items.c.id == schema.tasks.c.item)
    .join(schema.campaigns, schema.campaigns.c.id == schema.hits.c.campaign)
    .where(schema.tasks.c.id == bindparam("task"), schema.hits.c.annotator == bindparam("annotator"))
)
"""Asked for every answer, as is what follows, so they are put together once."""


def task(store: CampaignStore, annotator: Annotator, number: int) -> tuple[Item, str]:
    """Return the item of an annotator's task and the status of the campaign; AdmissionError where it is not theirs."""
    values = {"task": known_id(number), "annotator": annotator.id}
    with store.reading(single=True) as connection:
        row = connection.execute(_TASK, values).first()
    if row is None:
        raise unknown_task(number)
    with as_written("an item"):
        return Item.from_json(row.item), row.status
