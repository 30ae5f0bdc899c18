"""The tables of a database of campaigns.

Rows of most tables are written once and stay. What changes: the state of a campaign, whose a hit is, the mark of a
withdrawal; and what `upkeep.forget` takes away.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = "0001"
"""The newest migration; a database with this version is current."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


_JSON = JSON(none_as_null=True)


def _campaign() -> Column[int]:
    return Column("campaign", ForeignKey("campaigns.id"), nullable=False)


campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("status", String(20), nullable=False),  # running, paused, closed
    Column("created", Float, nullable=False),
    Column("config", _JSON, nullable=False),  # the campaign file
    Column("secret", String(64), nullable=False),  # what completion codes are made from
)

segments = Table(
    "segments",
    metadata,
    _campaign(),
    Column("number", Integer, nullable=False),
    Column("source", Text),
    Column("references", _JSON, nullable=False),
    Column("labels", _JSON, nullable=False),
    UniqueConstraint("campaign", "number"),
)

outputs = Table(
    "outputs",
    metadata,
    _campaign(),
    Column("place", Integer, nullable=False),
    Column("system", String(200), nullable=False),
    Column("run", String(200), nullable=False),
    Column("segments", _JSON, nullable=False),
    UniqueConstraint("campaign", "place"),
)

items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True),
    _campaign(),
    Column("key", String(200), nullable=False),
    Column("item", _JSON, nullable=False),
    UniqueConstraint("campaign", "key"),
)

annotators = Table(
    "annotators",
    metadata,
    Column("id", Integer, primary_key=True),
    _campaign(),
    Column("name", String(200), nullable=False),
    Column("kind", String(20), nullable=False),  # person, crowd, demo
    Column("token", String(64), unique=True),  # a hash; the link itself is kept nowhere
    Column("external", String(200)),  # what a marketplace calls a worker
    Column("created", Float, nullable=False),
    Column("withdrawn", Float),  # since when their answers do not count
    Column("forgotten", Float),  # when the identity was deleted
    UniqueConstraint("campaign", "name"),
)

hits = Table(
    "hits",
    metadata,
    Column("id", Integer, primary_key=True),
    _campaign(),
    Column("place", Integer, nullable=False),
    Column("name", String(200), nullable=False),
    Column("annotator", ForeignKey("annotators.id")),  # NULL where no one has taken it yet
    UniqueConstraint("campaign", "name"),
    UniqueConstraint("campaign", "place"),
    Index("ix_hits_annotator", "annotator"),
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hit", ForeignKey("hits.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("item", ForeignKey("items.id"), nullable=False),
    UniqueConstraint("hit", "place"),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("annotator", ForeignKey("annotators.id"), nullable=False),
    Column("task", ForeignKey("tasks.id"), nullable=False),
    Column("key", String(64), nullable=False),  # chosen by the browser: sent twice, it counts once
    Column("kind", String(20), nullable=False),  # answer, undo, erased
    Column("answer", _JSON),
    Column("seconds", Float),
    Column("started", Float),
    Column("received", Float, nullable=False),
    UniqueConstraint("annotator", "key"),
    Index("ix_events_task_annotator", "task", "annotator", "id"),  # finds the newest answer to a task
    sqlite_autoincrement=True,
)

actions = Table(
    "actions",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _campaign(),
    Column("at", Float, nullable=False),
    Column("kind", String(40), nullable=False),  # created, paused, withdrawn, …
    Column("detail", _JSON, nullable=False),
    sqlite_autoincrement=True,
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash of what the cookie holds
    Column("annotator", ForeignKey("annotators.id")),
    Column("organiser", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Index("ix_sessions_annotator", "annotator"),
)

passwords = Table(
    "passwords",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("hash", String(500), nullable=False),
)

one_time_links = Table(
    "one_time_links",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash
    Column("expires", Float, nullable=False),
    Column("used", Float),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("who", String(64), nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_attempts_who_at", "who", "at"),
    Index("ix_attempts_at", "at"),
)
