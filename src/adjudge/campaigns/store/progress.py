"""The progress of a campaign, by annotator and by system."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, or_, select

from adjudge.campaigns.store import answers, campaigns, schema, stages
from adjudge.campaigns.store.answers import AnnotatorProgress
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore, as_written
from adjudge.campaigns.store.events import ANSWER


@dataclass(frozen=True)
class SystemProgress:
    """How many judgements of one system are wanted, and how many there are; controls are not counted."""

    system: str
    wanted: int
    given: int


@dataclass(frozen=True)
class CampaignProgress:
    """The progress of a campaign."""

    name: str
    title: str
    protocol: str
    status: str
    created: float
    annotators: tuple[AnnotatorProgress, ...]
    """Those who came to try it are not among them."""
    systems: tuple[SystemProgress, ...]
    free: int = 0
    """Items of hits that nobody has taken yet, as a crowd does; of a second stage texts that wait for a judge."""

    @property
    def tasks(self) -> int:
        """How many answers are wanted in all; not of the withdrawn, whose answers count no more."""
        return self.free + sum(person.tasks for person in self.annotators if not person.withdrawn)

    @property
    def answered(self) -> int:
        """The number of answers given."""
        return sum(person.answered for person in self.annotators if not person.withdrawn)


def campaign_progress(store: CampaignStore, stored: StoredCampaign) -> CampaignProgress:
    """Return how far a campaign has come by now."""
    people = tuple(
        person for person in answers.annotator_progress(store, stored) if person.kind != campaigns.DEMO
    )
    planned, given = _judgements(store, stored)
    systems = tuple(SystemProgress(name, planned[name], given[name]) for name in sorted(planned | given))
    title, protocol = stored.campaign.title or stored.name, stored.campaign.protocol.name
    free = _free(store, stored) + stages.waiting_judgements(store, stored)
    return CampaignProgress(
        stored.name, title, protocol, stored.status, stored.created, people, systems, free
    )


def _free(store: CampaignStore, stored: StoredCampaign) -> int:
    t, h = schema.tasks, schema.hits
    query = (
        select(func.count())
        .select_from(t)
        .join(h, h.c.id == t.c.hit)
        .where(h.c.campaign == stored.id, h.c.annotator.is_(None))
    )
    with store.reading() as connection:
        return int(connection.execute(query).scalar_one())


def _judgements(store: CampaignStore, stored: StoredCampaign) -> tuple[Counter[str], Counter[str]]:
    """How many judgements of each system are wanted and given: of ordinary items, not by demos or the withdrawn.

    Organisers look at this all the time, so texts of items are not made into objects for it.
    """
    i, t, h, a, e = schema.items, schema.tasks, schema.hits, schema.annotators, schema.events
    tasks = (
        select(t.c.item, h.c.annotator, func.count())
        .join(h, h.c.id == t.c.hit)
        .where(h.c.campaign == stored.id)
        .group_by(t.c.item, h.c.annotator)
    )
    with store.reading() as connection:
        rows = connection.execute(select(i.c.id, i.c.item).where(i.c.campaign == stored.id))
        with as_written("an item"):
            systems = {number: _systems(item) for number, item in rows}
        left_out = select(a.c.id).where(
            a.c.campaign == stored.id, or_(a.c.withdrawn.is_not(None), a.c.kind == campaigns.DEMO)
        )
        others = set(connection.execute(left_out).scalars())
        given_out = [row for row in connection.execute(tasks) if row[1] not in others]
        newest = answers.newest_events(connection, stored, t.c.item, e.c.kind)
    planned, given = Counter[str](), Counter[str]()
    for item, _, count in given_out:
        for name in systems[item]:
            planned[name] += count
    for _, annotator, item, kind in newest:
        if kind == ANSWER and annotator not in others:
            given.update(systems[item])
    return planned, given


def _systems(item: dict[str, Any]) -> list[str]:
    if item["kind"] != "ordinary":
        return []
    return [name for candidate in item["candidates"] for name in candidate["systems"]]
