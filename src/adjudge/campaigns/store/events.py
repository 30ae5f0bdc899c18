"""The answers that come in: each is an event that is appended, undoing one is an event too, nothing is overwritten."""

from __future__ import annotations

import math
import time
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
)

from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.store import schema, storable
from adjudge.campaigns.store.admission import (
    AdmissionError,
    check_admission,
    known_id,
    paused_error,
    unknown_task,
)
from adjudge.campaigns.store.campaigns import RUNNING
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.people import Annotator
from adjudge.database.problems import Clash, StoreError

ANSWER, UNDO, ERASED = "answer", "undo", "erased"


@dataclass(frozen=True)
class Event:
    """An answer as it was taken; `again` where it had been sent before."""

    id: int
    again: bool


def record_answer(
    store: CampaignStore,
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
    """Record an answer (checked by its protocol) or an undo, and return its event; once this returns it is kept.

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
                _WRITE, {**values, "task": known_id(number), "after": after, "unchecked": after is None}
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


def _insert_statement() -> Insert:
    """Write an event where the task is theirs, the campaign runs, they take part and saw the last one; else nothing.

    In PostgreSQL, pausing and withdrawing wait until it is written, or it waits for them.
    """
    e, t, h, a, c = schema.events, schema.tasks, schema.hits, schema.annotators, schema.campaigns
    written = [column for column in e.c if column is not e.c.id]
    admitted = (
        select(*(bindparam(column.name, type_=column.type) for column in written))
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


_WRITE = _insert_statement()


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
        raise AdmissionError("conflict", "another answer was sent under the same key")
    return Event(row.id, again=True)


def _refuse(connection: Connection, annotator: Annotator, number: int, after: str | None) -> NoReturn:
    """Raise the reason why an answer was not written."""
    t, h, a, c = schema.tasks, schema.hits, schema.annotators, schema.campaigns
    row = connection.execute(
        select(c.c.status, a.c.withdrawn, a.c.forgotten)
        .select_from(t)
        .join(h, h.c.id == t.c.hit)
        .join(a, a.c.id == h.c.annotator)
        .join(c, c.c.id == h.c.campaign)
        .where(t.c.id == known_id(number), a.c.id == annotator.id)
    ).first()
    if row is None:
        raise unknown_task(number)
    check_admission(row)
    if after is not None:
        seen = connection.execute(
            select(_REVISION), {"task": known_id(number), "annotator": annotator.id}
        ).scalar()
        if seen != after:
            raise AdmissionError("newer", "this was answered elsewhere in the meantime")
    raise paused_error("was paused a moment ago")  # and goes on by now


def _one_at_a_time(connection: Connection, number: int) -> None:
    """Of two answers to a task that come at once the second waits for the first."""
    t = schema.tasks
    connection.execute(select(t.c.id).where(t.c.id == known_id(number)).with_for_update(key_share=True))


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
        raise AdmissionError("answered", "answers cannot be changed in this campaign")
