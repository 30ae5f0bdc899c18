"""Campaigns in a database: making one, finding it, pausing it, adding work to it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from adjudge.data import Outputs, TestSet
from adjudge.errors import unknown_name
from adjudge.human.campaign import Campaign, parse
from adjudge.human.items import Hit, Item, Material
from adjudge.human.store import schema
from adjudge.human.store.connection import Store, StoreError

RUNNING, PAUSED, CLOSED = "running", "paused", "closed"
DEMO = "demo"


@dataclass(frozen=True)
class Kept:
    """A campaign as the database has it."""

    id: int
    name: str
    status: str
    created: float
    campaign: Campaign
    secret: str


def add(store: Store, campaign: Campaign, material: Material, hits: Sequence[Hit]) -> Kept:
    """Keep a new campaign with its texts and its hits; its annotators get links from `people.renew`."""
    now = time.time()
    with store.writing() as connection:
        taken = connection.execute(
            select(schema.campaigns.c.id).where(schema.campaigns.c.name == campaign.name)
        ).first()
        if taken:
            raise StoreError(
                f"there is a campaign {campaign.name!r} already; give this one another name, or look at that one "
                f"(adjudge human status {campaign.name})"
            )
        values = {"name": campaign.name, "status": RUNNING, "created": now, "config": _stored(campaign)}
        inserted = connection.execute(insert(schema.campaigns).values(**values, secret=secrets.token_hex(32)))
        key = int(inserted.inserted_primary_key[0])  # type: ignore[index]
        _add_material(connection, key, material)
        _add_annotators(connection, key, campaign.annotators.all_names(), "person", now)
        _add_hits(connection, key, hits)
        record(connection, key, "created", {"hits": len(hits)})
    return find(store, campaign.name)


def _stored(campaign: Campaign) -> dict[str, Any]:
    return dict(campaign.stored)


def _add_material(connection: Connection, key: int, material: Material) -> None:
    test_set = material.test_set
    connection.execute(
        insert(schema.segments),
        [
            {
                "campaign": key,
                "number": number,
                "source": test_set.sources[number] if test_set.sources is not None else None,
                "references": [column[number] for column in test_set.references],
                "labels": {name: column[number] for name, column in test_set.labels.items()},
            }
            for number in range(len(test_set))
        ],
    )
    add_outputs(connection, key, material.outputs)


def add_outputs(connection: Connection, key: int, outputs: Iterable[Outputs]) -> None:
    """Keep what systems made, after those that are there."""
    count = connection.execute(
        select(func.count()).select_from(schema.outputs).where(schema.outputs.c.campaign == key)
    ).scalar_one()
    rows = [
        {
            "campaign": key,
            "place": place,
            "system": one.system,
            "run": one.run,
            "segments": list(one.segments),
        }
        for place, one in enumerate(outputs, int(count))
    ]
    if rows:
        connection.execute(insert(schema.outputs), rows)


def _add_annotators(connection: Connection, key: int, names: Iterable[str], kind: str, now: float) -> None:
    rows = [{"campaign": key, "name": name, "kind": kind, "created": now} for name in names]
    if rows:
        connection.execute(insert(schema.annotators), rows)


def _add_hits(connection: Connection, key: int, hits: Sequence[Hit]) -> None:
    """Hits with their items; an item that several people judge is kept once."""
    items: dict[str, Item] = {}
    for hit in hits:
        for item in hit.items:
            if items.setdefault(item.key, item) != item:
                raise StoreError(f"two different items have the key {item.key!r}")
    known = _ids(connection, schema.items, schema.items.c.key, key)
    new = [
        {"campaign": key, "key": one.key, "item": one.as_json()}
        for one in items.values()
        if one.key not in known
    ]
    if new:
        connection.execute(insert(schema.items), new)
        known = _ids(connection, schema.items, schema.items.c.key, key)
    people = _ids(connection, schema.annotators, schema.annotators.c.name, key)
    first = connection.execute(
        select(func.count()).select_from(schema.hits).where(schema.hits.c.campaign == key)
    ).scalar_one()
    for hit in hits:
        if hit.annotator and hit.annotator not in people:
            raise StoreError(
                f"hit {hit.name!r} is for {hit.annotator!r}, who is no annotator of this campaign"
            )
    if not hits:
        return
    connection.execute(
        insert(schema.hits),
        [
            {"campaign": key, "place": place, "name": hit.name, "annotator": people.get(hit.annotator)}
            for place, hit in enumerate(hits, int(first))
        ],
    )
    places = _ids(connection, schema.hits, schema.hits.c.name, key)
    connection.execute(
        insert(schema.tasks),
        [
            {"hit": places[hit.name], "place": place, "item": known[item.key]}
            for hit in hits
            for place, item in enumerate(hit.items)
        ],
    )


def _ids(connection: Connection, table: Any, name: Any, key: int) -> dict[str, int]:
    return dict(connection.execute(select(name, table.c.id).where(table.c.campaign == key)).all())


def extend(
    store: Store,
    kept: Kept,
    hits: Sequence[Hit],
    *,
    annotators: Sequence[str] = (),
    kind: str = "person",
    outputs: Sequence[Outputs] = (),
) -> None:
    """Add annotators, systems and hits to a campaign that may be under way; what was given out stays."""
    try:
        with store.writing() as connection:
            add_outputs(connection, kept.id, outputs)
            _add_annotators(connection, kept.id, annotators, kind, time.time())
            _add_hits(connection, kept.id, hits)
            detail = {
                "annotators": list(annotators),
                "systems": [one.title for one in outputs],
                "hits": len(hits),
            }
            record(connection, kept.id, "extended", detail)
    except IntegrityError:
        raise StoreError(
            f"campaign {kept.name!r}: an annotator or a hit of that name is there already"
        ) from None


def all_of(store: Store) -> list[Kept]:
    """Every campaign, the oldest first."""
    with store.reading() as connection:
        rows = connection.execute(select(schema.campaigns).order_by(schema.campaigns.c.id)).mappings().all()
    return [_kept(row) for row in rows]


def find(store: Store, name: str) -> Kept:
    """The campaign of that name; without a name the only one there is."""
    known = {one.name: one for one in all_of(store)}
    if not name and len(known) == 1:
        return next(iter(known.values()))
    if not known:
        raise StoreError("there is no campaign yet; make one: adjudge human new FILE")
    if not name:
        raise StoreError(f"there are several campaigns; say which one: {', '.join(known)}")
    if name not in known:
        raise StoreError(str(unknown_name("campaign", name, known)))
    return known[name]


def _kept(row: Mapping[Any, Any]) -> Kept:
    campaign = parse(row["config"])
    return Kept(row["id"], row["name"], row["status"], row["created"], campaign, row["secret"])


def set_status(store: Store, kept: Kept, status: str) -> None:
    """Pause a campaign, let it go on, or close it; nothing is lost by any of it."""
    with store.writing() as connection:
        connection.execute(
            update(schema.campaigns).where(schema.campaigns.c.id == kept.id).values(status=status)
        )
        record(connection, kept.id, status, {})


def record(connection: Connection, campaign: int, kind: str, detail: Mapping[str, Any]) -> None:
    """Write down what an organiser did."""
    connection.execute(
        insert(schema.actions).values(campaign=campaign, at=time.time(), kind=kind, detail=dict(detail))
    )


def material(store: Store, kept: Kept) -> Material:
    """The texts of a campaign."""
    with store.reading() as connection:
        segments = (
            connection.execute(
                select(schema.segments)
                .where(schema.segments.c.campaign == kept.id)
                .order_by(schema.segments.c.number)
            )
            .mappings()
            .all()
        )
        made = (
            connection.execute(
                select(schema.outputs)
                .where(schema.outputs.c.campaign == kept.id)
                .order_by(schema.outputs.c.place)
            )
            .mappings()
            .all()
        )
    names = list(segments[0]["labels"]) if segments else []
    sources = [row["source"] for row in segments]
    return Material(
        TestSet(
            references=tuple(zip(*(row["references"] for row in segments), strict=True)),
            sources=tuple(sources) if None not in sources else None,
            labels={name: tuple(row["labels"][name] for row in segments) for name in names},
            name=kept.name,
            language=kept.campaign.language,
        ),
        tuple(Outputs(row["system"], tuple(row["segments"]), row["run"]) for row in made),
    )


def hits(store: Store, kept: Kept) -> list[Hit]:
    """Every hit with its items, in the order in which they were made."""
    return [hit for _, hit in numbered_hits(store, kept)]


def numbered_hits(store: Store, kept: Kept) -> list[tuple[int, Hit]]:
    """Every hit with the number the database gave it."""
    c = schema
    with store.reading() as connection:
        found = {
            key: Item.from_json(item)
            for key, item in connection.execute(
                select(c.items.c.id, c.items.c.item).where(c.items.c.campaign == kept.id)
            )
        }
        rows = connection.execute(
            select(c.hits.c.id, c.hits.c.name, c.annotators.c.name, c.tasks.c.item)
            .join(c.tasks, c.tasks.c.hit == c.hits.c.id)
            .outerjoin(c.annotators, c.annotators.c.id == c.hits.c.annotator)
            .where(c.hits.c.campaign == kept.id)
            .order_by(c.hits.c.place, c.tasks.c.place)
        ).all()
    grouped: dict[tuple[int, str, str], list[Item]] = {}
    for number, name, annotator, item in rows:
        grouped.setdefault((number, name, annotator or ""), []).append(found[item])
    return [
        (number, Hit(name, tuple(items), annotator)) for (number, name, annotator), items in grouped.items()
    ]
