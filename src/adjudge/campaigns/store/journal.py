"""The journal of a campaign: every answer, correction and undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from adjudge.campaigns.store import schema
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.events import ANSWER

COUNTS, SUPERSEDED, UNDONE = "counts", "superseded", "undone"


@dataclass(frozen=True)
class Entry:
    """One event."""

    number: int
    """Its place in the campaign, from 1."""
    annotator: str
    annotator_kind: str
    hit: str
    place: int
    """The task's place in the hit, from 0."""
    item: str
    """The item's key."""
    key: str
    """The browser's key of the event; unique for each annotator."""
    kind: str
    """answer, undo, or erased."""
    state: str
    """Of an answer: counts, superseded (by a newer one) or undone; withdrawn where all of the annotator's are.

    '' for anything else.
    """
    answer: dict[str, Any] | None
    seconds: float | None
    started: float | None
    received: float


def entries(store: CampaignStore, stored: StoredCampaign) -> list[Entry]:
    """Return every event of a campaign, in the order in which they came."""
    rows = _rows(store, stored)
    newest_first: list[Entry] = []
    next_kind: dict[tuple[int, int], str] = {}
    for number in range(len(rows), 0, -1):
        row = rows[number - 1]
        state = _state(row, next_kind.get((row.who, row.task)))
        next_kind[row.who, row.task] = row.kind
        newest_first.append(
            Entry(
                number,
                row.annotator,
                row.annotator_kind,
                row.hit,
                row.place,
                row.item,
                row.key,
                row.kind,
                state,
                row.answer,
                row.seconds,
                row.started,
                row.received,
            )
        )
    return newest_first[::-1]


def _state(row: Any, next_kind: str | None) -> str:
    """The state of an answer, by the next event on the same task."""
    if row.kind != ANSWER:
        return ""
    if next_kind is not None:
        return SUPERSEDED if next_kind == ANSWER else UNDONE
    return COUNTS if row.withdrawn is None else "withdrawn"


def _rows(store: CampaignStore, stored: StoredCampaign) -> Sequence[Any]:
    e, t, h, i, a = schema.events, schema.tasks, schema.hits, schema.items, schema.annotators
    query = (
        select(
            e.c.annotator.label("who"),
            e.c.task,
            a.c.name.label("annotator"),
            a.c.kind.label("annotator_kind"),
            a.c.withdrawn,
            h.c.name.label("hit"),
            t.c.place,
            i.c.key.label("item"),
            e.c.key,
            e.c.kind,
            e.c.answer,
            e.c.seconds,
            e.c.started,
            e.c.received,
        )
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .join(i, i.c.id == t.c.item)
        .join(a, a.c.id == e.c.annotator)
        .where(h.c.campaign == stored.id)
        .order_by(e.c.id)
    )
    with store.reading() as connection:
        return connection.execute(query).all()
