"""Hits that change owners: released, abandoned by a crowd, or made for somebody without work."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from sqlalchemy import func, select, update

from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import schema
from adjudge.campaigns.store.admission import enter
from adjudge.campaigns.store.campaigns import StoredCampaign, record
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.events import ANSWER
from adjudge.campaigns.store.hits import add_hits, hits_by_number
from adjudge.campaigns.store.people import Annotator
from adjudge.campaigns.store.work import outline_within


def release_hit(store: CampaignStore, stored: StoredCampaign, name: str) -> bool:
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


def abandoned_hits(store: CampaignStore, stored: StoredCampaign, seconds: float) -> list[str]:
    """Unfinished hits of a crowd whose owners have been inactive for a while."""
    h, a, e, t = schema.hits, schema.annotators, schema.events, schema.tasks
    since = time.time() - seconds
    crowd = select(h.c.id, h.c.name, a.c.id).join(a, a.c.id == h.c.annotator)
    crowd = crowd.where(h.c.campaign == stored.id, a.c.kind == "crowd", a.c.created < since).order_by(
        h.c.place
    )
    with store.reading() as connection:
        rows = connection.execute(crowd).all()
        active = set(
            connection.execute(
                select(e.c.annotator)
                .join(a, a.c.id == e.c.annotator)
                .where(a.c.campaign == stored.id, e.c.received >= since)
            ).scalars()
        )
        names = []
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
            if owner not in active and answered < connection.execute(size).scalar_one():
                names.append(name)
    return names


def refill(
    store: CampaignStore,
    stored: StoredCampaign,
    annotator: Annotator,
    make: Callable[[list[Hit]], Sequence[Hit]],
) -> int:
    """Where somebody has nothing left to do, add what `make` makes of all hits there are; how many were added.

    One after the other: `make` is told of all that was given out before, so that of two who ask at the same time the
    second is given something else. It must not use the database itself.
    """
    with store.writing() as connection:
        store.alone(connection, stored.id)
        enter(connection, annotator)
        if not all(step.answered for step in outline_within(connection, annotator)):
            return 0
        new = list(make([hit for _, hit in hits_by_number(connection, stored.id)]))
        if new:
            add_hits(connection, stored.id, new)
            record(connection, stored.id, "extended", {"for": annotator.name, "hits": len(new)})
        return len(new)
