"""What an annotator has to do, and the answers that come in."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Connection,
    Insert,
    String,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)

from adjudge.campaigns.crowd import hit_name
from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.items import Hit, Item
from adjudge.campaigns.store import next_hit, schema, storable
from adjudge.campaigns.store.campaigns import RUNNING, StoredCampaign, record
from adjudge.campaigns.store.connection import Store
from adjudge.campaigns.store.hits import add_hits, hits_by_number
from adjudge.campaigns.store.people import Annotator
from adjudge.campaigns.store.problems import Clash, StoreError, as_written

ANSWER, UNDO, ERASED = "answer", "undo", "erased"


class Refusal(StoreError):
    """An answer that cannot be taken now or ever; `code` says why.

    paused, withdrawn, unknown (no task of theirs), conflict (another answer under that key), answered (no
    corrections in this campaign), newer (there is an answer that the sender had not seen), seen (a hit whose texts they
    know).
    """

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
    revision: str = ""
    """The key of the last event, '' where there is none: what an answer that comes next was given after."""


@dataclass(frozen=True)
class TaskStatus:
    """A task without its texts."""

    id: int
    hit: int
    place: int
    answered: bool


@dataclass(frozen=True)
class Event:
    """An answer as it was taken; `again` where it had been sent before."""

    id: int
    again: bool


def tasks(store: Store, annotator: Annotator, hit: int | None = None) -> list[Task]:
    """Everything an annotator is to judge (or one hit of it), in order, with the answers that count."""
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
        query = query.where(h.c.id == _number(hit))
    with store.reading() as connection:
        rows = connection.execute(query).all()
        last = _last(connection, annotator, hit)
    with as_written("an item"):
        return [
            Task(key, number, place, Item.from_json(item), *last.get(key, (None, None, "")))
            for key, number, place, item in rows
        ]


def _last(
    connection: Connection, annotator: Annotator, hit: int | None
) -> dict[int, tuple[dict[str, Any] | None, float | None, str]]:
    """The answers of an annotator that count, how long they took and their keys; None where one was taken back."""
    e, t = schema.events, schema.tasks
    query = select(e.c.task, e.c.kind, e.c.answer, e.c.seconds, e.c.key).where(e.c.annotator == annotator.id)
    if hit is not None:
        query = query.join(t, t.c.id == e.c.task).where(t.c.hit == _number(hit))
    return {
        task: (answer, seconds, key) if kind == ANSWER else (None, None, key)
        for task, kind, answer, seconds, key in connection.execute(query.order_by(e.c.id))
    }


def outline(store: Store, annotator: Annotator) -> list[TaskStatus]:
    """Everything an annotator is to judge, in order, without the texts: what is done, and what comes next."""
    with store.reading() as connection:
        return _outline(connection, annotator)


def _outline(connection: Connection, annotator: Annotator) -> list[TaskStatus]:
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


def remaining(store: Store, annotator: Annotator) -> int:
    """How many tasks of theirs are not answered yet."""
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


def task(store: Store, annotator: Annotator, number: int) -> tuple[Item, str]:
    """The item of one task of theirs, and the state of the campaign; Refusal where it is not theirs."""
    values = {"task": _number(number), "annotator": annotator.id}
    with store.reading(single=True) as connection:
        row = connection.execute(_TASK, values).first()
    if row is None:
        raise _unknown(number)
    with as_written("an item"):
        return Item.from_json(row.item), row.status


def _number(number: int) -> int:
    """A number that a database can look for."""
    return number if 0 < number <= storable.LARGEST_ID else 0


def _unknown(number: int) -> Refusal:
    return Refusal("unknown", f"there is no task {number} of yours")


def record_answer(
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
    after: str | None = None,
) -> Event:
    """Take an answer (checked by its protocol) or an undo; once this returns it is kept.

    Sent again with the same key, it counts once. With `after`, the revision of the task that the sender saw, it is
    refused where another answer has come since, so that no window writes over what was said in another. A paused or
    closed campaign takes nothing, nor does one from which the annotator was withdrawn; without `corrections`, what is
    answered stays as it is.
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
    _check(values)
    try:
        with store.writing(single=corrections) as connection:
            if not corrections:
                _one_at_a_time(connection, number)
            written = connection.execute(
                _WRITE, {**values, "task": _number(number), "after": after, "unchecked": after is None}
            ).scalar()
            if written is None:
                return _known(connection, values) or _refuse(connection, annotator, number, after)
            if not corrections:
                _refuse_correction(connection, values, written)
            return Event(written, again=False)
    except Clash:  # there is an event under that key
        with store.reading(single=True) as connection:
            known = _known(connection, values)
        if known is None:
            raise
        return known


def _revision() -> ColumnElement[str]:
    """The key of the last event of a task of somebody's."""
    e = schema.events.alias("earlier")
    newest = (
        select(e.c.key)
        .where(e.c.task == bindparam("task"), e.c.annotator == bindparam("annotator"))
        .order_by(e.c.id.desc())
        .limit(1)
    )
    return func.coalesce(newest.scalar_subquery(), "")


_REVISION = _revision()


def _writing() -> Insert:
    """Write an event where the task is theirs, the campaign runs, they take part and saw the last one; else nothing.

    In PostgreSQL whoever pauses or withdraws waits until it is written, or is waited for.
    """
    e, t, h, a, c = schema.events, schema.tasks, schema.hits, schema.annotators, schema.campaigns
    written = [one for one in e.c if one is not e.c.id]
    admitted = (
        select(*(bindparam(one.name, type_=one.type) for one in written))
        .select_from(t)
        .join(h, h.c.id == t.c.hit)
        .join(a, a.c.id == h.c.annotator)
        .join(c, c.c.id == h.c.campaign)
        .where(t.c.id == bindparam("task"), a.c.id == bindparam("annotator"))
        .where(c.c.status == RUNNING, a.c.withdrawn.is_(None), a.c.forgotten.is_(None))
        .where(or_(bindparam("unchecked", type_=Boolean), bindparam("after", type_=String) == _REVISION))
        .with_for_update(read=True, of=[c, a])
    )
    return insert(e).from_select(written, admitted).returning(e.c.id)


_WRITE = _writing()


def _check(values: dict[str, Any]) -> None:
    """What no database could keep is the sender's to mend."""
    if values["kind"] not in (ANSWER, UNDO) or (values["kind"] == ANSWER) != (values["answer"] is not None):
        raise AnswerError("", "an answer was expected, or an undo without one")
    try:
        storable.check_name("key", values["key"], storable.LONGEST_KEY)
    except StoreError as error:
        raise AnswerError("key", str(error)) from None
    for field, value in (values["answer"] or {}).items():
        try:
            storable.check_json(str(field), {field: value})
        except StoreError as error:
            raise AnswerError(str(field), str(error)) from None
    for field in ("seconds", "started"):
        if values[field] is not None and not math.isfinite(values[field]):
            raise AnswerError(field, f"{field}: a number was expected, not {values[field]}")


def _known(connection: Connection, values: dict[str, Any]) -> Event | None:
    e = schema.events
    row = connection.execute(
        select(e.c.id, e.c.task, e.c.kind, e.c.answer).where(
            e.c.annotator == values["annotator"], e.c.key == values["key"]
        )
    ).first()
    if row is None:
        return None
    if (row.task, row.kind, row.answer) != (values["task"], values["kind"], values["answer"]):
        raise Refusal("conflict", "another answer was sent under the same key")
    return Event(row.id, again=True)


def _refuse(connection: Connection, annotator: Annotator, number: int, after: str | None) -> NoReturn:
    """Say why an answer was not written."""
    t, h, a, c = schema.tasks, schema.hits, schema.annotators, schema.campaigns
    row = connection.execute(
        select(c.c.status, a.c.withdrawn, a.c.forgotten)
        .select_from(t)
        .join(h, h.c.id == t.c.hit)
        .join(a, a.c.id == h.c.annotator)
        .join(c, c.c.id == h.c.campaign)
        .where(t.c.id == _number(number), a.c.id == annotator.id)
    ).first()
    if row is None:
        raise _unknown(number)
    _let_in(row)
    if after is not None:
        seen = connection.execute(
            select(_REVISION), {"task": _number(number), "annotator": annotator.id}
        ).scalar()
        if seen != after:
            raise Refusal("newer", "this was answered elsewhere in the meantime")
    raise _paused("was paused a moment ago")  # and goes on by now


def _one_at_a_time(connection: Connection, number: int) -> None:
    """Of two answers to a task that come at once the second waits for the first."""
    t = schema.tasks
    connection.execute(select(t.c.id).where(t.c.id == _number(number)).with_for_update(key_share=True))


def _refuse_correction(connection: Connection, values: dict[str, Any], written: int) -> None:
    """Refuse it (and do not keep it) where there was an answer before, or one is to be taken back."""
    e = schema.events
    before = (
        select(e.c.kind)
        .where(e.c.task == values["task"], e.c.annotator == values["annotator"], e.c.id < written)
        .order_by(e.c.id.desc())
        .limit(1)
    )
    if values["kind"] == UNDO or connection.execute(before).scalar() == ANSWER:
        raise Refusal("answered", "answers cannot be changed in this campaign")


def _let_in(row: Any) -> None:
    if row.withdrawn is not None or row.forgotten is not None:
        raise Refusal("withdrawn", "you no longer take part in this campaign")
    if row.status != RUNNING:
        raise _paused(f"is {row.status}")


def _paused(how: str) -> Refusal:
    return Refusal("paused", f"the campaign {how}; your answer is not lost, it will be sent later")


def take_hit(store: Store, stored: StoredCampaign, annotator: Annotator, name: str = "") -> int | None:
    """The hit that somebody is in the middle of, or one that nobody has (of that name, where one is given).

    Two windows of one person get the same one, two persons never do, and nobody gets two copies of a hit, nor one
    that comes too near to what they have seen (`assignment.successive_hits`; Refusal where it was asked for by name).
    None where none is left.
    """
    h = schema.hits
    before = next_hit.look_ahead(store, stored, annotator, name)
    with store.writing() as connection:
        _enter(connection, annotator)
        mine = select(h.c.id, h.c.name).where(h.c.campaign == stored.id, h.c.annotator == annotator.id)
        had = {hit_name(title): number for number, title in connection.execute(mine)}
        if name:
            own = had.get(hit_name(name))
        else:
            own = next((step.hit for step in _outline(connection, annotator) if not step.answered), None)
        if own is not None:
            return int(own)
        allowed = next_hit.AllowedHits(connection, stored, next_hit.hits_seen(connection, annotator))
        if before is not None and before.hits == allowed.hits:
            allowed.known |= before.known
        for number, title in next_hit.free_hits(connection, stored, name):
            if not allowed.allows(number, title):
                continue
            taken = connection.execute(
                update(h).where(h.c.id == number, h.c.annotator.is_(None)).values(annotator=annotator.id)
            )
            if taken.rowcount == 1:
                return int(number)
        if name and not allowed.known.get(hit_name(name), True):
            raise Refusal("seen", "this work shows texts that you have seen in another translation")
        return None


def _enter(connection: Connection, annotator: Annotator) -> None:
    """One of their requests after the other; Refusal where they get no more work."""
    a, c = schema.annotators, schema.campaigns
    connection.execute(select(a.c.id).where(a.c.id == annotator.id).with_for_update(key_share=True))
    _let_in(
        connection.execute(
            select(c.c.status, a.c.withdrawn, a.c.forgotten)
            .join(c, c.c.id == a.c.campaign)
            .where(a.c.id == annotator.id)
        ).one()
    )


def release_hit(store: Store, stored: StoredCampaign, name: str) -> bool:
    """Let others take a hit whose owner went away; answers that were given stay theirs, and count.

    Whether there was such a hit with an owner. What is not finished would otherwise stay so.
    """
    h = schema.hits
    with store.writing() as connection:
        freed = connection.execute(
            update(h)
            .where(h.c.campaign == stored.id, h.c.name == name, h.c.annotator.is_not(None))
            .values(annotator=None)
        )
        if freed.rowcount:
            record(connection, stored.id, "released", {"hit": name})
        return freed.rowcount == 1


def abandoned_hits(store: Store, stored: StoredCampaign, seconds: float) -> list[str]:
    """Hits of a crowd that are not finished, and whose owner has done nothing at all for so long."""
    h, a, e, t = schema.hits, schema.annotators, schema.events, schema.tasks
    since = time.time() - seconds
    crowd = select(h.c.id, h.c.name, a.c.id).join(a, a.c.id == h.c.annotator)
    crowd = crowd.where(h.c.campaign == stored.id, a.c.kind == "crowd", a.c.created < since).order_by(
        h.c.place
    )
    with store.reading() as connection:
        rows = connection.execute(crowd).all()
        awake = set(
            connection.execute(
                select(e.c.annotator)
                .join(a, a.c.id == e.c.annotator)
                .where(a.c.campaign == stored.id, e.c.received >= since)
            ).scalars()
        )
        found = []
        for hit, name, owner in rows:
            size = select(func.count()).select_from(t).where(t.c.hit == hit)
            last = dict(
                connection.execute(
                    select(e.c.task, e.c.kind)
                    .join(t, t.c.id == e.c.task)
                    .where(t.c.hit == hit, e.c.annotator == owner)
                    .order_by(e.c.id)
                ).all()
            )
            answered = sum(kind == ANSWER for kind in last.values())
            if owner not in awake and answered < connection.execute(size).scalar_one():
                found.append(name)
    return found


def refill(
    store: Store, stored: StoredCampaign, annotator: Annotator, make: Callable[[list[Hit]], Sequence[Hit]]
) -> int:
    """Where somebody has nothing left to do, add what `make` makes of all hits there are; how many were added.

    One after the other: `make` is told of all that was given out before, so that of two who ask at the same time the
    second is given something else. It must not use the database itself.
    """
    with store.writing() as connection:
        store.alone(connection, stored.id)
        _enter(connection, annotator)
        if not all(step.answered for step in _outline(connection, annotator)):
            return 0
        new = list(make([hit for _, hit in hits_by_number(connection, stored.id)]))
        if new:
            add_hits(connection, stored.id, new)
            record(connection, stored.id, "extended", {"for": annotator.name, "hits": len(new)})
        return len(new)
