"""A campaign out of its file (`backup.py`) into a database: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, Connection, Float, Integer, String, Table, insert, select

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import Item
from adjudge.campaigns.store import backup, campaigns, schema, storable
from adjudge.campaigns.store.backup import Row
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import Store
from adjudge.campaigns.store.events import ANSWER, ERASED, UNDO
from adjudge.campaigns.store.problems import Clash, StoreError
from adjudge.errors import AdjudgeError
from adjudge.wording import counted

BATCH = 1000


def restore(store: Store, path: str | Path, *, name: str = "", links: bool = True) -> StoredCampaign:
    """Bring a campaign back, under its own name or another one; nothing that is there is written over.

    With `links` the annotators' old links lead to it again (at the address of this server); without, they get new
    ones from `people.renew_links`. Nobody is signed in.
    """
    saved = backup.check(path)  # before anything is written
    name = storable.check_name("name", name or saved.campaign)
    taken = StoreError(
        f"there is a campaign {name!r} already, and none is written over; restore it under another name"
    )
    try:
        with store.writing() as connection:
            c = schema.campaigns
            if connection.execute(select(c.c.id).where(c.c.name == name)).first():
                raise taken
            filling = _RowWriter(connection, name, links)
            for number, part, row in backup.lines(path):
                try:
                    filling.write(part, row)
                except (AdjudgeError, KeyError, TypeError, ValueError, AttributeError) as error:
                    raise StoreError(f"{path}, line {number}: {part}: {_error_text(error)}") from None
            filling.flush()
            detail = {"made": saved.made, "sha256": saved.sha256, "name": saved.campaign}
            campaigns.record(connection, filling.key, "restored", detail)
    except Clash:  # somebody else made one of that name at the same time
        raise taken from None
    return campaigns.find(store, name)


def _error_text(error: Exception) -> str:
    return f"there is no {error}" if isinstance(error, KeyError) else str(error)


class _RowWriter:
    """Puts rows where they belong, in batches; numbers of the database are found by the names in the file."""

    def __init__(self, connection: Connection, name: str, links: bool) -> None:
        self.connection, self.name, self.links = connection, name, links
        self.key = 0
        self._part = ""
        self._batch: list[tuple[Table, Row]] = []
        self._annotators: dict[str, int] = {}
        self._items: dict[str, int] = {}
        self._hits: dict[str, list[str]] = {}
        self._tasks: dict[tuple[str, int], int] = {}
        self._ways: dict[str, Callable[[Row], None]] = {
            "campaign": self._campaign,
            "segment": partial(self._put, schema.segments),
            "output": partial(self._put, schema.outputs),
            "annotator": self._annotator,
            "item": self._item,
            "hit": self._hit,
            "event": self._event,
            "action": partial(self._put, schema.actions),
        }

    def write(self, part: str, row: Row) -> None:
        """The next row of the file."""
        if part != self._part:
            self.flush()
            self._part = part
        if part in self._ways:
            storable.check_json(part, row)
            self._ways[part](row)

    def flush(self) -> None:
        """Write what is left, and learn which numbers the database gave."""
        self._write()
        if self._part == "annotator":
            self._annotators = self._numbers(schema.annotators, schema.annotators.c.name)
        elif self._part == "item":
            self._items = self._numbers(schema.items, schema.items.c.key)
        elif self._part == "hit":
            self._add_tasks()

    def _write(self) -> None:
        if self._batch:
            self.connection.execute(insert(self._batch[0][0]), [row for _, row in self._batch])
            self._batch = []

    def _numbers(self, table: Table, name: Column[str]) -> dict[str, int]:
        return dict(
            self.connection.execute(select(name, table.c.id).where(table.c.campaign == self.key)).all()
        )

    def _put(self, table: Table, row: Row) -> None:
        if "campaign" in table.c:
            row = {**row, "campaign": self.key}
        _check_columns(table, row)
        self._batch.append((table, row))
        if len(self._batch) >= BATCH:
            self._write()

    def _campaign(self, row: Row) -> None:
        row = {**row, "name": self.name, "config": {**row["config"], "name": self.name}}
        parse(row["config"])
        _check_columns(schema.campaigns, row)
        inserted = self.connection.execute(insert(schema.campaigns).values(**row))
        self.key = int(inserted.inserted_primary_key[0])  # type: ignore[index]

    def _annotator(self, row: Row) -> None:
        a = schema.annotators
        if not self.links:
            row = {**row, "token": None}
        elif (
            row["token"] and self.connection.execute(select(a.c.id).where(a.c.token == row["token"])).first()
        ):
            raise StoreError(
                f"the link of {row['name']!r} leads to another campaign of this database already; restore it without "
                "its links (--new-links)"
            )
        self._put(a, row)

    def _item(self, row: Row) -> None:
        self._put(schema.items, {"key": Item.from_json(row["item"]).key, "item": row["item"]})

    def _hit(self, row: Row) -> None:
        owner = None if row["annotator"] is None else self._annotators[row["annotator"]]
        self._hits[row["name"]] = row["items"]
        self._put(schema.hits, {"name": row["name"], "place": row["place"], "annotator": owner})

    def _add_tasks(self) -> None:
        h, t = schema.hits, schema.tasks
        numbers = self._numbers(h, h.c.name)
        rows = [
            {"hit": numbers[name], "place": place, "item": self._items[item]}
            for name, items in self._hits.items()
            for place, item in enumerate(items)
        ]
        self.connection.execute(insert(t), rows)
        made = select(h.c.name, t.c.place, t.c.id).join(h, h.c.id == t.c.hit).where(h.c.campaign == self.key)
        self._tasks = {(hit, place): number for hit, place, number in self.connection.execute(made)}

    def _event(self, row: Row) -> None:
        if row["kind"] not in (ANSWER, UNDO, ERASED):
            raise StoreError(f"unknown kind {row['kind']!r}")
        kept = {name: value for name, value in row.items() if name not in ("hit", "place")}
        task, annotator = self._tasks[row["hit"], row["place"]], self._annotators[row["annotator"]]
        self._put(schema.events, {**kept, "task": task, "annotator": annotator})


def _check_columns(table: Table, row: Row) -> None:
    """Every column, each of its kind: SQLite would keep anything."""
    columns = {column.name: column for column in table.columns if column.name != "id"}
    if set(row) != set(columns):
        odd = sorted(set(row) ^ set(columns))
        raise StoreError(f"its fields are not as adjudge writes them ({', '.join(odd)})")
    for name, column in columns.items():
        value: Any = row[name]
        kind = type(column.type)
        if value is None and column.nullable:
            continue
        allowed: tuple[type, ...] = {Float: (int, float), Integer: (int,), JSON: (dict, list)}.get(
            kind, (str,)
        )
        if column.foreign_keys:
            allowed = (int,)
        if not isinstance(value, allowed) or isinstance(value, bool):
            raise StoreError(f"{name} is {value!r}")
        if isinstance(column.type, String):
            _check_length(name, str(value), column.type.length)


def _check_length(name: str, value: str, longest: int | None) -> None:
    if longest and len(value) > longest:
        raise StoreError(f"{name} has {counted(len(value), 'character')}, not at most {longest}")
