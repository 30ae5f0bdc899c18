"""Hits and their items, within the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select

from adjudge.campaigns.items import Hit, Item
from adjudge.campaigns.store import schema, storable
from adjudge.campaigns.store.connection import as_written
from adjudge.database.problems import StoreError


def add_hits(connection: Connection, key: int, hits: Sequence[Hit]) -> None:
    """Keep hits of a campaign with their items; an item that several people judge is kept once."""
    if not hits:
        return
    known = _add_items(connection, key, (item for hit in hits for item in hit.items))
    people = _ids(connection, schema.annotators, schema.annotators.c.name, key)
    _check_hits(hits, people, _ids(connection, schema.hits, schema.hits.c.name, key))
    h = schema.hits
    first = connection.execute(
        select(func.coalesce(func.max(h.c.place) + 1, 0)).where(h.c.campaign == key)
    ).scalar_one()
    connection.execute(
        insert(h),
        [
            {"campaign": key, "place": place, "name": hit.name, "annotator": people.get(hit.annotator)}
            for place, hit in enumerate(hits, int(first))
        ],
    )
    numbers = _ids(connection, h, h.c.name, key)
    connection.execute(
        insert(schema.tasks),
        [
            {"hit": numbers[hit.name], "place": place, "item": known[item.key]}
            for hit in hits
            for place, item in enumerate(hit.items)
        ],
    )


def _check_hits(hits: Sequence[Hit], people: dict[str, int], known: dict[str, int]) -> None:
    names = set(known)
    for hit in hits:
        storable.check_name("the name of a hit", hit.name)
        if hit.name in names:
            raise StoreError(f"there is a hit {hit.name!r} already")
        names.add(hit.name)
        if not hit.items:
            raise StoreError(f"hit {hit.name!r} has no items")
        if hit.annotator and hit.annotator not in people:
            raise StoreError(
                f"hit {hit.name!r} is for {hit.annotator!r}, who is no annotator of this campaign"
            )


def _add_items(connection: Connection, key: int, items: Iterable[Item]) -> dict[str, int]:
    """The database's numbers of items by their keys, after new ones were kept."""
    given: dict[str, Item] = {}
    for item in items:
        if given.setdefault(item.key, item) is not item and given[item.key] != item:
            raise StoreError(f"two different items have the key {item.key!r}")
    i = schema.items
    known = _ids(connection, i, i.c.key, key)
    new = []
    for item in given.values():
        if item.key not in known:
            storable.check_name("the key of an item", item.key)
            stored = item.as_json()
            storable.check_json(f"item {item.key!r}", stored)
            new.append({"campaign": key, "key": item.key, "item": stored})
    if len(new) < len(given):
        for stored in connection.execute(select(i.c.item).where(i.c.campaign == key)).scalars():
            if stored["key"] in given and _storable(given[stored["key"]]) != stored:
                raise StoreError(f"there is another item with the key {stored['key']!r}")
    if new:
        connection.execute(insert(i), new)
        known = _ids(connection, i, i.c.key, key)
    return known


def _storable(item: Item) -> Any:
    return json.loads(json.dumps(item.as_json()))


def _ids(connection: Connection, table: Any, name: Any, key: int) -> dict[str, int]:
    return dict(connection.execute(select(name, table.c.id).where(table.c.campaign == key)).all())


def items_by_number(connection: Connection, key: int) -> dict[int, Item]:
    """Return the items of a campaign by the database's number."""
    i = schema.items
    rows = connection.execute(select(i.c.id, i.c.item).where(i.c.campaign == key))
    with as_written("an item"):
        return {number: Item.from_json(item) for number, item in rows}


def hits_by_number(connection: Connection, key: int) -> list[tuple[int, Hit]]:
    """Return every hit of a campaign with the database's number, in the order in which they were made."""
    h, t, a = schema.hits, schema.tasks, schema.annotators
    item_of = items_by_number(connection, key)
    rows = connection.execute(
        select(h.c.id, h.c.name, a.c.name, t.c.item)
        .join(t, t.c.hit == h.c.id)
        .outerjoin(a, a.c.id == h.c.annotator)
        .where(h.c.campaign == key)
        .order_by(h.c.place, t.c.place)
    ).all()
    grouped: dict[tuple[int, str, str], list[Item]] = {}
    for number, name, annotator, item in rows:
        grouped.setdefault((number, name, annotator or ""), []).append(item_of[item])
    return [
        (number, Hit(name, tuple(items), annotator)) for (number, name, annotator), items in grouped.items()
    ]
