"""Campaigns in a database: making one, finding it, pausing it, adding people and systems to it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from adjudge.campaigns.campaign import Campaign, parse
from adjudge.campaigns.items import CampaignMaterial, Hit
from adjudge.campaigns.store import schema, storable
from adjudge.campaigns.store.connection import CampaignStore, as_written
from adjudge.campaigns.store.hits import add_hits, hits_by_number
from adjudge.data import Outputs, TestSet
from adjudge.database.problems import Clash, StoreError, check_text
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import pluralise

RUNNING, PAUSED, CLOSED = "running", "paused", "closed"
STATES = (RUNNING, PAUSED, CLOSED)
DEMO = "demo"


@dataclass(frozen=True)
class StoredCampaign:
    """A campaign as the database has it."""

    id: int
    name: str
    status: str
    created: float
    campaign: Campaign
    secret: str


def add(
    store: CampaignStore,
    campaign: Campaign,
    material: CampaignMaterial,
    hits: Sequence[Hit],
    *,
    secret: str = "",
) -> StoredCampaign:
    """Store a new campaign with its texts and its hits, and return it; `people.renew_links` makes its links.

    Campaigns that share a secret have the same pseudonyms for the same people.
    """
    storable.check_name("name", campaign.name)
    storable.check_json("the campaign file", dict(campaign.stored))
    name_error = StoreError(
        f"there is a campaign {campaign.name!r} already; give this one another name, or look at that one "
        f"(adjudge human status {campaign.name})"
    )
    now = time.time()
    values = {"name": campaign.name, "status": RUNNING, "created": now, "config": dict(campaign.stored)}
    c = schema.campaigns
    try:
        with store.writing() as connection:
            if connection.execute(select(c.c.id).where(c.c.name == campaign.name)).first():
                raise name_error
            inserted = connection.execute(insert(c).values(**values, secret=secret or secrets.token_hex(32)))
            key = int(inserted.inserted_primary_key[0])  # type: ignore[index]
            _add_segments(connection, key, material.test_set)
            add_outputs(connection, key, material.outputs)
            _add_annotators(connection, key, campaign.annotators.all_names(), "person", now)
            add_hits(connection, key, hits)
            record(connection, key, "created", {"hits": len(hits)})
    except Clash:  # somebody else made one of that name at the same time
        raise name_error from None
    return find(store, campaign.name)


def _add_segments(connection: Connection, key: int, test_set: TestSet) -> None:
    if not len(test_set):
        raise StoreError("the test set is empty; there is nothing to judge")
    rows = []
    for number in range(len(test_set)):
        where = f"segment {number + 1}"
        source = test_set.sources[number] if test_set.sources is not None else None
        references = [column[number] for column in test_set.references]
        labels = {name: column[number] for name, column in test_set.labels.items()}
        for name, value in (
            ("source", source),
            *((f"reference {place}", text) for place, text in enumerate(references, 1)),
            *((f"label {name!r}", label) for name, label in labels.items()),
        ):
            if value is not None:
                check_text(f"{where}, {name}", value)
        rows.append(
            {"campaign": key, "number": number, "source": source, "references": references, "labels": labels}
        )
    connection.execute(insert(schema.segments), rows)


def add_outputs(connection: Connection, key: int, outputs: Iterable[Outputs]) -> None:
    """Store outputs of systems, after existing ones."""
    o, s = schema.outputs, schema.segments
    known = {
        (row.system, row.run)
        for row in connection.execute(select(o.c.system, o.c.run).where(o.c.campaign == key))
    }
    length = connection.execute(select(func.count()).select_from(s).where(s.c.campaign == key)).scalar_one()
    rows = []
    for place, system in enumerate(outputs, len(known)):
        storable.check_name("the name of a system", system.system)
        if system.run:
            storable.check_name(f"the run of system {system.system!r}", system.run)
        if (system.system, system.run) in known:
            raise StoreError(f"there is a system {system.title!r} already; give this one another name")
        if len(system) != length:
            raise StoreError(
                f"system {system.title!r} has {pluralise(len(system), 'segment')}, but the test set has {length}"
            )
        for number, segment in enumerate(system.segments, 1):
            check_text(f"system {system.title!r}, segment {number}", segment)
        known.add((system.system, system.run))
        rows.append(
            {
                "campaign": key,
                "place": place,
                "system": system.system,
                "run": system.run,
                "segments": list(system.segments),
            }
        )
    if rows:
        connection.execute(insert(o), rows)


def _add_annotators(connection: Connection, key: int, names: Sequence[str], kind: str, now: float) -> None:
    a = schema.annotators
    known = set(connection.execute(select(a.c.name).where(a.c.campaign == key)).scalars())
    for name in names:
        storable.check_name("the name of an annotator", name)
        if name in known:
            raise StoreError(f"there is an annotator {name!r} already; give this one another name")
        known.add(name)
    rows = [{"campaign": key, "name": name, "kind": kind, "created": now} for name in names]
    if rows:
        connection.execute(insert(a), rows)


def extend(
    store: CampaignStore,
    stored: StoredCampaign,
    hits: Sequence[Hit],
    *,
    annotators: Sequence[str] = (),
    kind: str = "person",
    outputs: Sequence[Outputs] = (),
) -> None:
    """Add annotators, systems and hits to a campaign that may be under way; what was given out stays."""
    with store.writing() as connection:
        store.alone(connection, stored.id)
        add_outputs(connection, stored.id, outputs)
        _add_annotators(connection, stored.id, annotators, kind, time.time())
        add_hits(connection, stored.id, hits)
        detail = {
            "annotators": list(annotators),
            "systems": [system.title for system in outputs],
            "hits": len(hits),
        }
        record(connection, stored.id, "extended", detail)


def all_campaigns(store: CampaignStore) -> list[StoredCampaign]:
    """Return every campaign, the oldest first."""
    with store.reading(single=True) as connection:
        rows = connection.execute(select(schema.campaigns).order_by(schema.campaigns.c.id)).mappings().all()
    return [_stored_campaign(row) for row in rows]


def find(store: CampaignStore, name: str) -> StoredCampaign:
    """Return the campaign of that name; without a name, the only one there is."""
    c = schema.campaigns
    with store.reading() as connection:
        known = list(connection.execute(select(c.c.name).order_by(c.c.id)).scalars())
        if not known:
            raise StoreError("there is no campaign yet; make one: adjudge human new FILE")
        if not name and len(known) > 1:
            raise StoreError(f"there are several campaigns; say which one: {', '.join(known)}")
        name = name or known[0]
        if name not in known:
            raise StoreError(str(unknown_name("campaign", name, known)))
        row = connection.execute(select(c).where(c.c.name == name)).mappings().one()
    return _stored_campaign(row)


def _stored_campaign(row: Mapping[Any, Any]) -> StoredCampaign:
    with as_written("a campaign"):
        campaign = parse(row["config"])
    return StoredCampaign(row["id"], row["name"], row["status"], row["created"], campaign, row["secret"])


def status(store: CampaignStore, stored: StoredCampaign) -> str:
    """Whether a campaign runs, is paused or closed, as of now."""
    c = schema.campaigns
    with store.reading(single=True) as connection:
        current = connection.execute(select(c.c.status).where(c.c.id == stored.id)).scalar()
    return str(current or stored.status)


def set_status(store: CampaignStore, stored: StoredCampaign, status: str) -> None:
    """Pause a campaign, let it go on, or close it; nothing is lost by any of it.

    An answer that is just being written is waited for: once this returns, a paused campaign takes no more.
    """
    if status not in STATES:
        raise UsageError(f"a campaign is {', '.join(STATES[:-1])} or {STATES[-1]}, not {status!r}")
    c = schema.campaigns
    with store.writing() as connection:
        changed = connection.execute(
            update(c).where(c.c.id == stored.id, c.c.status != status).values(status=status)
        )
        if changed.rowcount:
            record(connection, stored.id, status, {})


def record(connection: Connection, campaign: int, kind: str, detail: Mapping[str, Any]) -> None:
    """Record an action of an organiser."""
    connection.execute(
        insert(schema.actions).values(campaign=campaign, at=time.time(), kind=kind, detail=dict(detail))
    )


def material(store: CampaignStore, stored: StoredCampaign) -> CampaignMaterial:
    """Return the texts of a campaign: its test set and the outputs of its systems."""
    s, o = schema.segments, schema.outputs
    with store.reading() as connection:
        segments = connection.execute(select(s).where(s.c.campaign == stored.id).order_by(s.c.number)).all()
        made = connection.execute(select(o).where(o.c.campaign == stored.id).order_by(o.c.place)).all()
    sources = [row.source for row in segments]
    return CampaignMaterial(
        TestSet(
            references=tuple(zip(*(row.references for row in segments), strict=True)),
            sources=tuple(sources) if None not in sources else None,
            labels={name: tuple(row.labels[name] for row in segments) for name in segments[0].labels},
            name=stored.name,
            language=stored.campaign.language,
        ),
        tuple(Outputs(row.system, tuple(row.segments), row.run) for row in made),
    )


def hits(store: CampaignStore, stored: StoredCampaign) -> list[Hit]:
    """Return the hits of a campaign with their items, in the order in which they were made."""
    return [hit for _, hit in numbered_hits(store, stored)]


def numbered_hits(store: CampaignStore, stored: StoredCampaign) -> list[tuple[int, Hit]]:
    """Every hit with the number the database gave it."""
    with store.reading() as connection:
        return hits_by_number(connection, stored.id)
