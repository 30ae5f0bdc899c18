"""A whole campaign as one file, and back into the same or another database.

The file is gzipped JSON, a line a row: first what it is, last how many rows there are of each kind and the SHA-256 of
all lines before. Rows name each other as people do (annotators and hits by their names, items by their keys), so that
it does not matter which numbers a database gives them. Sessions and organisers' passwords belong to a server, not to
a campaign: they are not in it. Names, ids of workers and the hashes of links are.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from sqlalchemy import JSON, Column, Connection, Float, Integer, String, Table, insert, select

from adjudge import __version__
from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import Item
from adjudge.campaigns.store import campaigns, schema, storable
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.events import ANSWER, ERASED, UNDO
from adjudge.database.problems import Clash, StoreError, Unavailable
from adjudge.errors import AdjudgeError, DataError
from adjudge.io.compression import expanded_file
from adjudge.wording import pluralise

BATCH = 1000
FORMAT, VERSION = "adjudge campaign", 1
PARTS = ("campaign", "segment", "output", "annotator", "item", "hit", "event", "action")
Row = dict[str, Any]


@dataclass(frozen=True)
class BackupSummary:
    """The content of a back-up file."""

    path: str
    campaign: str
    made: float
    counts: Mapping[str, int]
    """How many rows of each kind; `event` are the answers and undos."""
    sha256: str


def save(store: CampaignStore, stored: StoredCampaign, path: str | Path) -> BackupSummary:
    """Write a campaign into a new file, which only its owner can read; one that is there is left alone."""
    path = Path(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise StoreError(
            f"{path} is there already, and no back-up is written over; name another file"
        ) from None
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
                saved = _write(store, stored, packed, str(path))
            file.flush()
            os.fsync(file.fileno())
    except BaseException as error:
        with suppress(OSError):
            path.unlink()
        if isinstance(error, OSError):
            raise Unavailable(f"{path} cannot be written: {error.strerror}") from None
        raise
    return saved


def _write(
    store: CampaignStore, stored: StoredCampaign, file: IO[bytes] | gzip.GzipFile, path: str
) -> BackupSummary:
    digest, counts, made = hashlib.sha256(), Counter[str](), time.time()

    def put(part: str, row: Row) -> None:
        line = json.dumps({"part": part, **row}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        digest.update(line)
        file.write(line)

    head = {"format": FORMAT, "version": VERSION, "adjudge": __version__, "made": made, "name": stored.name}
    put("head", head)
    with store.reading() as connection:
        for part, row in _rows(connection, stored):
            counts[part] += 1
            put(part, row)
    whole = {part: counts[part] for part in PARTS}
    sha256 = digest.hexdigest()
    put("end", {"counts": whole, "sha256": sha256})
    return BackupSummary(path, stored.name, made, whole, sha256)


def _rows(connection: Connection, stored: StoredCampaign) -> Iterator[tuple[str, Row]]:
    """All rows of a campaign, those that others name first."""
    c, s, o, a = schema.campaigns, schema.segments, schema.outputs, schema.annotators
    i, t = schema.items, schema.actions
    yield from _plain(connection, "campaign", c, c.c.id == stored.id, c.c.id)
    yield from _plain(connection, "segment", s, s.c.campaign == stored.id, s.c.number)
    yield from _plain(connection, "output", o, o.c.campaign == stored.id, o.c.place)
    yield from _plain(connection, "annotator", a, a.c.campaign == stored.id, a.c.id)
    yield from _plain(connection, "item", i, i.c.campaign == stored.id, i.c.id, left_out="key")
    for hit in _hits(connection, stored):
        yield "hit", hit
    for event in _events(connection, stored):
        yield "event", event
    yield from _plain(connection, "action", t, t.c.campaign == stored.id, t.c.id)


def _plain(
    connection: Connection, part: str, table: Any, where: Any, order: Any, left_out: str = ""
) -> Iterator[tuple[str, Row]]:
    names = [column.name for column in table.columns if column.name not in ("id", "campaign", left_out)]
    for row in connection.execute(select(*(table.c[name] for name in names)).where(where).order_by(order)):
        yield part, dict(zip(names, row, strict=True))


def _hits(connection: Connection, stored: StoredCampaign) -> list[Row]:
    h, t, i, a = schema.hits, schema.tasks, schema.items, schema.annotators
    given = connection.execute(
        select(h.c.name, h.c.place, a.c.name, i.c.key)
        .select_from(h)
        .join(t, t.c.hit == h.c.id)
        .join(i, i.c.id == t.c.item)
        .outerjoin(a, a.c.id == h.c.annotator)
        .where(h.c.campaign == stored.id)
        .order_by(h.c.place, t.c.place)
    )
    hits: dict[str, Row] = {}
    for name, place, annotator, key in given:
        hit = hits.setdefault(name, {"name": name, "place": place, "annotator": annotator, "items": []})
        hit["items"].append(key)
    return list(hits.values())


def _events(connection: Connection, stored: StoredCampaign) -> Iterator[Row]:
    e, t, h, a = schema.events, schema.tasks, schema.hits, schema.annotators
    names = ("annotator", "hit", "place", "key", "kind", "answer", "seconds", "started", "received")
    query = (
        select(a.c.name, h.c.name, t.c.place, *(e.c[name] for name in names[3:]))
        .select_from(e)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .join(a, a.c.id == e.c.annotator)
        .where(h.c.campaign == stored.id)
        .order_by(e.c.id)
    )
    for row in connection.execute(query):
        yield dict(zip(names, row, strict=True))


def check(path: str | Path) -> BackupSummary:
    """Read a file to its end; StoreError says where one is not whole, or not ours."""
    saved: BackupSummary | None = None
    for number, part, row in lines(path):
        if saved is not None:
            raise StoreError(f"{path}, line {number}: something follows the end")
        if part == "end":
            saved = row["saved"]
    if saved is None:
        raise StoreError(f"{path} is not whole: its end is missing")
    return saved


def lines(path: str | Path) -> Iterator[tuple[int, str, Row]]:
    """Every row with the number of its line and its kind; the last one is `end`, with the `BackupSummary`."""
    head: Row = {}
    digest, counts = hashlib.sha256(), Counter[str]()
    for number, line in enumerate(_unpack(path), 1):
        row = _row(path, number, line)
        part = row.pop("part", "")
        if number == 1:
            head = _check_head(path, part, row)
        elif part == "end":
            whole = {name: counts[name] for name in PARTS}
            if row.get("counts") != whole or row.get("sha256") != digest.hexdigest():
                raise StoreError(f"{path} is not whole: what it holds is not what was written")
            made = float(head["made"])
            yield (
                number,
                part,
                {"saved": BackupSummary(str(path), str(head["name"]), made, whole, row["sha256"])},
            )
        elif part not in PARTS:
            raise StoreError(f"{path}, line {number}: unknown kind of row {part!r}")
        else:
            counts[part] += 1
            yield number, part, row
        digest.update(line)


def _unpack(path: str | Path) -> Iterator[bytes]:
    try:
        with open(path, "rb") as stored:
            yield from expanded_file(str(path), stored)
    except FileNotFoundError:
        raise StoreError(f"there is no file {path}") from None
    except DataError as error:
        raise StoreError(str(error)) from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None


def _row(path: str | Path, number: int, line: bytes) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise StoreError(f"{path}, line {number}: no row of a back-up")
    return row


def _check_head(path: str | Path, part: str, row: Row) -> Row:
    if part != "head" or row.get("format") != FORMAT:
        raise StoreError(f"{path} is no back-up of a campaign")
    if row.get("version") != VERSION:
        raise StoreError(
            f"{path} was written by another adjudge ({row.get('adjudge')}), whose back-ups this one cannot read: "
            "pip install --upgrade adjudge"
        )
    if not isinstance(row.get("made"), (int, float)) or not isinstance(row.get("name"), str):
        raise StoreError(f"{path}, line 1: no row of a back-up")
    return row


def restore(store: CampaignStore, path: str | Path, *, name: str = "", links: bool = True) -> StoredCampaign:
    """Restore a campaign under its own name or another one; nothing is overwritten.

    With `links` the annotators' old links lead to it again (at the address of this server); without, they get new
    ones from `people.renew_links`. Nobody is signed in.
    """
    saved = check(path)  # before anything is written
    name = storable.check_name("name", name or saved.campaign)
    name_error = StoreError(
        f"there is a campaign {name!r} already, and none is written over; restore it under another name"
    )
    try:
        with store.writing() as connection:
            c = schema.campaigns
            if connection.execute(select(c.c.id).where(c.c.name == name)).first():
                raise name_error
            filling = _RowWriter(connection, name, links)
            for number, part, row in lines(path):
                try:
                    filling.write(part, row)
                except (AdjudgeError, KeyError, TypeError, ValueError, AttributeError) as error:
                    raise StoreError(f"{path}, line {number}: {part}: {_error_text(error)}") from None
            filling.flush()
            detail = {"made": saved.made, "sha256": saved.sha256, "name": saved.campaign}
            campaigns.record(connection, filling.key, "restored", detail)
    except Clash:  # somebody else made one of that name at the same time
        raise name_error from None
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
            "segment": partial(self._write_row, schema.segments),
            "output": partial(self._write_row, schema.outputs),
            "annotator": self._annotator,
            "item": self._item,
            "hit": self._hit,
            "event": self._event,
            "action": partial(self._write_row, schema.actions),
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

    def _write_row(self, table: Table, row: Row) -> None:
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
        self._write_row(a, row)

    def _item(self, row: Row) -> None:
        self._write_row(schema.items, {"key": Item.from_json(row["item"]).key, "item": row["item"]})

    def _hit(self, row: Row) -> None:
        owner = None if row["annotator"] is None else self._annotators[row["annotator"]]
        self._hits[row["name"]] = row["items"]
        self._write_row(schema.hits, {"name": row["name"], "place": row["place"], "annotator": owner})

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
        columns = {name: value for name, value in row.items() if name not in ("hit", "place")}
        task, annotator = self._tasks[row["hit"], row["place"]], self._annotators[row["annotator"]]
        self._write_row(schema.events, {**columns, "task": task, "annotator": annotator})


def _check_columns(table: Table, row: Row) -> None:
    """Check the kinds of all columns, since SQLite would store anything."""
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
        raise StoreError(f"{name} has {pluralise(len(value), 'character')}, not at most {longest}")
