"""Annotators and organisers: links, sessions, sign-in. Of every secret only a hash is kept."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from adjudge.errors import unknown_name
from adjudge.human.store import campaigns, schema
from adjudge.human.store.campaigns import Kept
from adjudge.human.store.connection import Store, StoreError

SESSION_SECONDS = 30 * 24 * 3600
ORGANISER_SECONDS = 12 * 3600
LINK_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Annotator:
    """A person, as far as the database knows them."""

    id: int
    campaign: int
    name: str
    kind: str
    external: str
    withdrawn: float | None


@dataclass(frozen=True)
class Session:
    """Who is signed in."""

    annotator: Annotator | None
    organiser: bool


def hashed(token: str) -> str:
    """What is kept of a secret; it is random and long, so a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def annotators(store: Store, kept: Kept) -> list[Annotator]:
    """Everyone in a campaign, in the order they came."""
    with store.reading() as connection:
        rows = connection.execute(
            select(schema.annotators)
            .where(schema.annotators.c.campaign == kept.id)
            .order_by(schema.annotators.c.id)
        )
        return [_annotator(row) for row in rows.mappings()]


def find(store: Store, kept: Kept, name: str) -> Annotator:
    """The annotator of that name."""
    known = {one.name: one for one in annotators(store, kept)}
    if name not in known:
        raise StoreError(str(unknown_name("annotator", name, known)))
    return known[name]


def _annotator(row: Mapping[Any, Any]) -> Annotator:
    return Annotator(
        row["id"], row["campaign"], row["name"], row["kind"], row["external"] or "", row["withdrawn"]
    )


def renew(store: Store, kept: Kept, names: Sequence[str] = ()) -> dict[str, str]:
    """New secrets for the links of some annotators, or of all persons; older links of theirs end."""
    chosen = [find(store, kept, name) for name in names] or [
        one for one in annotators(store, kept) if one.kind == "person"
    ]
    made = {one.name: secrets.token_urlsafe(24) for one in chosen}
    with store.writing() as connection:
        for one in chosen:
            connection.execute(
                update(schema.annotators)
                .where(schema.annotators.c.id == one.id)
                .values(token=hashed(made[one.name]))
            )
            connection.execute(delete(schema.sessions).where(schema.sessions.c.annotator == one.id))
        campaigns.record(connection, kept.id, "links", {"annotators": list(made)})
    return made


def by_token(store: Store, token: str) -> Annotator | None:
    """Whose link it is."""
    with store.reading() as connection:
        row = (
            connection.execute(select(schema.annotators).where(schema.annotators.c.token == hashed(token)))
            .mappings()
            .first()
        )
    return _annotator(row) if row else None


def visitor(store: Store, kept: Kept, kind: str, name: str, external: str = "") -> Annotator:
    """An annotator who came through an open link (`demo` or `crowd`); the same one when they come again."""
    try:
        with store.writing() as connection:
            connection.execute(
                insert(schema.annotators).values(
                    campaign=kept.id, name=name, kind=kind, external=external or None, created=time.time()
                )
            )
    except IntegrityError:
        pass
    found = find(store, kept, name)
    if found.kind != kind:
        raise StoreError(f"{name!r} is the name of somebody else")
    return found


def open_session(store: Store, annotator: Annotator | None) -> str:
    """What a cookie is to hold from now on; without an annotator it is an organiser's."""
    token, now = secrets.token_urlsafe(32), time.time()
    with store.writing() as connection:
        connection.execute(delete(schema.sessions).where(schema.sessions.c.expires < now))
        connection.execute(
            insert(schema.sessions).values(
                id=hashed(token),
                annotator=annotator.id if annotator else None,
                organiser=annotator is None,
                created=now,
                expires=now + (SESSION_SECONDS if annotator else ORGANISER_SECONDS),
            )
        )
    return token


def session(store: Store, token: str) -> Session | None:
    """Who a cookie belongs to; None where it is unknown or too old."""
    s, a = schema.sessions, schema.annotators
    with store.reading() as connection:
        row = (
            connection.execute(
                select(s.c.organiser, a)
                .select_from(s.outerjoin(a, a.c.id == s.c.annotator))
                .where(s.c.id == hashed(token), s.c.expires > time.time())
            )
            .mappings()
            .first()
        )
    if row is None:
        return None
    return Session(_annotator(row) if row["id"] is not None else None, bool(row["organiser"]))


def close_session(store: Store, token: str) -> None:
    """Sign out."""
    with store.writing() as connection:
        connection.execute(delete(schema.sessions).where(schema.sessions.c.id == hashed(token)))


def one_time_link(store: Store) -> str:
    """A secret with which an organiser signs in once, within a day."""
    token, now = secrets.token_urlsafe(24), time.time()
    with store.writing() as connection:
        connection.execute(delete(schema.one_time_links).where(schema.one_time_links.c.expires < now))
        connection.execute(insert(schema.one_time_links).values(id=hashed(token), expires=now + LINK_SECONDS))
    return token


def use_one_time_link(store: Store, token: str) -> bool:
    """Whether the secret was good; it is spent by this."""
    links = schema.one_time_links
    with store.writing() as connection:
        used = connection.execute(
            update(links)
            .where(links.c.id == hashed(token), links.c.used.is_(None), links.c.expires > time.time())
            .values(used=time.time())
        )
        return used.rowcount == 1


def set_password(store: Store, password: str, name: str = "organiser") -> None:
    """Keep the hash (Argon2) of an organiser's password; every organiser is signed out."""
    from argon2 import PasswordHasher

    if len(password) < 10:
        raise StoreError("a password has at least 10 characters")
    made = PasswordHasher().hash(password)
    with store.writing() as connection:
        connection.execute(delete(schema.passwords).where(schema.passwords.c.name == name))
        connection.execute(insert(schema.passwords).values(name=name, hash=made))
        connection.execute(delete(schema.sessions).where(schema.sessions.c.organiser.is_(True)))


def check_password(store: Store, password: str, name: str = "organiser") -> bool:
    """Whether that is the password; a name that is not known takes as long as one that is."""
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

    with store.reading() as connection:
        kept = connection.execute(
            select(schema.passwords.c.hash).where(schema.passwords.c.name == name)
        ).scalar()
    hasher = PasswordHasher()
    try:
        return hasher.verify(kept or hasher.hash("nobody's password"), password) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def attempts(store: Store, who: str, seconds: float) -> int:
    """How often somebody has tried to sign in lately; `who` is hashed, addresses are not kept."""
    now = time.time()
    with store.reading() as connection:
        counted = connection.execute(
            select(func.count())
            .select_from(schema.attempts)
            .where(schema.attempts.c.who == hashed(who), schema.attempts.c.at > now - seconds)
        )
        return int(counted.scalar_one())


def note_attempt(store: Store, who: str) -> None:
    """Count one more try to sign in."""
    now = time.time()
    with store.writing() as connection:
        connection.execute(delete(schema.attempts).where(schema.attempts.c.at < now - 3600))
        connection.execute(insert(schema.attempts).values(who=hashed(who), at=now))
