"""Annotators and organisers: links, sessions, sign-in. Of every secret only a hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from adjudge.campaigns.store import campaigns, schema, storable
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.database.problems import Clash, StoreError, flaw
from adjudge.errors import unknown_name

SESSION_SECONDS = 30 * 24 * 3600
ORGANISER_SECONDS = 12 * 3600
LINK_SECONDS = 24 * 3600
ATTEMPT_SECONDS = 3600


@dataclass(frozen=True)
class Annotator:
    """A person, as far as the database knows them."""

    id: int
    campaign: int
    name: str
    kind: str
    external: str
    withdrawn: float | None
    forgotten: float | None = None


@dataclass(frozen=True)
class Session:
    """A signed-in person."""

    annotator: Annotator | None
    organiser: bool


def secret_hash(token: str) -> str:
    """The stored hash of a secret; secrets are long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def annotators(store: CampaignStore, stored: StoredCampaign) -> list[Annotator]:
    """Return everyone in a campaign, in the order they came."""
    with store.reading(single=True) as connection:
        rows = connection.execute(
            select(schema.annotators)
            .where(schema.annotators.c.campaign == stored.id)
            .order_by(schema.annotators.c.id)
        )
        return [_annotator(row) for row in rows.mappings()]


def find(store: CampaignStore, stored: StoredCampaign, name: str) -> Annotator:
    """Return the annotator of that name; StoreError where there is none."""
    annotator = find_or_none(store, stored, name)
    if annotator is None:
        known = [person.name for person in annotators(store, stored)]
        raise StoreError(str(unknown_name("annotator", name, known)))
    return annotator


def _annotator(row: Mapping[Any, Any]) -> Annotator:
    return Annotator(
        row["id"],
        row["campaign"],
        row["name"],
        row["kind"],
        row["external"] or "",
        row["withdrawn"],
        row["forgotten"],
    )


def renew_links(store: CampaignStore, stored: StoredCampaign, names: Sequence[str] = ()) -> dict[str, str]:
    """New secrets for the links of some annotators, or of all persons; older links of theirs end."""
    a = schema.annotators
    known = {annotator.name: annotator for annotator in annotators(store, stored)}
    for name in names:
        if name not in known:
            raise StoreError(str(unknown_name("annotator", name, known)))
        if known[name].forgotten is not None:
            raise StoreError(f"{name!r} was forgotten on request and gets no link")
    chosen = [known[name] for name in dict.fromkeys(names)] or [
        annotator
        for annotator in known.values()
        if annotator.kind == "person" and annotator.forgotten is None
    ]
    made = {annotator.name: secrets.token_urlsafe(24) for annotator in chosen}
    with store.writing() as connection:
        for annotator in chosen:
            connection.execute(
                update(a)
                .where(a.c.id == annotator.id, a.c.forgotten.is_(None))
                .values(token=secret_hash(made[annotator.name]))
            )
            connection.execute(delete(schema.sessions).where(schema.sessions.c.annotator == annotator.id))
        campaigns.record(connection, stored.id, "links", {"annotators": list(made)})
    return made


def annotator_by_token(store: CampaignStore, token: str) -> Annotator | None:
    """Return the annotator whose personal link has that secret, or None."""
    with store.reading(single=True) as connection:
        row = (
            connection.execute(
                select(schema.annotators).where(schema.annotators.c.token == secret_hash(token))
            )
            .mappings()
            .first()
        )
    return _annotator(row) if row else None


def find_or_add_visitor(
    store: CampaignStore, stored: StoredCampaign, kind: str, name: str, external: str = ""
) -> Annotator:
    """An annotator who came through an open link (`demo` or `crowd`); the same one when they come again."""
    storable.check_name("the name of an annotator", name)
    if external:
        storable.check_name("the worker's id", external)
    values = {"campaign": stored.id, "name": name, "kind": kind, "external": external or None}
    visitor = find_or_none(store, stored, name)
    if visitor is None:
        try:
            with store.writing(single=True) as connection:
                connection.execute(insert(schema.annotators).values(**values, created=time.time()))
        except Clash:  # they came twice at once
            pass
        visitor = find(store, stored, name)
    if visitor.kind != kind:
        raise StoreError(f"{name!r} is the name of somebody else")
    return visitor


def find_or_none(store: CampaignStore, stored: StoredCampaign, name: str) -> Annotator | None:
    """Return the annotator of that name, or None."""
    if flaw(name):
        return None
    a = schema.annotators
    with store.reading(single=True) as connection:
        row = (
            connection.execute(select(a).where(a.c.campaign == stored.id, a.c.name == name))
            .mappings()
            .first()
        )
    return _annotator(row) if row else None


def open_session(store: CampaignStore, annotator: Annotator | None) -> str:
    """What a cookie is to hold from now on; without an annotator it is an organiser's."""
    token, now = secrets.token_urlsafe(32), time.time()
    with store.writing(single=True) as connection:
        connection.execute(
            insert(schema.sessions).values(
                id=secret_hash(token),
                annotator=annotator.id if annotator else None,
                organiser=annotator is None,
                created=now,
                expires=now + (SESSION_SECONDS if annotator else ORGANISER_SECONDS),
            )
        )
    return token


_SESSION = (
    select(schema.sessions.c.organiser, schema.annotators)
    .select_from(
        schema.sessions.outerjoin(schema.annotators, schema.annotators.c.id == schema.sessions.c.annotator)
    )
    .where(
        schema.sessions.c.id == bindparam("session"),
        schema.sessions.c.expires > bindparam("now"),
        schema.annotators.c.forgotten.is_(None),
    )
)
"""Built once, because every request needs it."""


def session(store: CampaignStore, token: str) -> Session | None:
    """The annotator or organiser of a cookie; None where it is unknown or has expired."""
    values = {"session": secret_hash(token), "now": time.time()}
    with store.reading(single=True) as connection:
        row = connection.execute(_SESSION, values).mappings().first()
    if row is None:
        return None
    return Session(_annotator(row) if row["id"] is not None else None, bool(row["organiser"]))


def close_session(store: CampaignStore, token: str) -> None:
    """End a session."""
    with store.writing(single=True) as connection:
        connection.execute(delete(schema.sessions).where(schema.sessions.c.id == secret_hash(token)))


def one_time_link(store: CampaignStore) -> str:
    """A secret with which an organiser signs in once, within a day."""
    token, now = secrets.token_urlsafe(24), time.time()
    with store.writing(single=True) as connection:
        connection.execute(
            insert(schema.one_time_links).values(id=secret_hash(token), expires=now + LINK_SECONDS)
        )
    return token


def use_one_time_link(store: CampaignStore, token: str) -> bool:
    """Whether the secret was valid; it can be used only once."""
    links = schema.one_time_links
    with store.writing(single=True) as connection:
        used = connection.execute(
            update(links)
            .where(links.c.id == secret_hash(token), links.c.used.is_(None), links.c.expires > time.time())
            .values(used=time.time())
        )
        return used.rowcount == 1


def set_password(store: CampaignStore, password: str, name: str = "organiser") -> None:
    """Keep the hash (Argon2) of an organiser's password; every organiser is signed out."""
    if len(password) < 10:
        raise StoreError("a password has at least 10 characters")
    made = _hasher().hash(_bytes(password))
    with store.writing() as connection:
        store.alone(connection)  # of two who set it at once the later one wins
        connection.execute(delete(schema.passwords).where(schema.passwords.c.name == name))
        connection.execute(insert(schema.passwords).values(name=name, hash=made))
        connection.execute(delete(schema.sessions).where(schema.sessions.c.organiser.is_(True)))


def has_password(store: CampaignStore, name: str = "organiser") -> bool:
    """Whether a password was ever set."""
    with store.reading(single=True) as connection:
        rows = connection.execute(select(schema.passwords.c.name).where(schema.passwords.c.name == name))
        return rows.first() is not None


def check_password(store: CampaignStore, password: str, name: str = "organiser") -> bool:
    """Whether that is the password; a name that is not known takes as long as one that is."""
    from argon2.exceptions import InvalidHashError, VerificationError

    # the placeholder is made for known names too, so that both take as long
    stored, placeholder = _password(store, name), _placeholder_hash()
    try:
        return _hasher().verify(stored or placeholder, _bytes(password)) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def browser_mark(store: CampaignStore, browser: str, name: str = "organiser") -> str:
    """A proof that a browser signed in with the current password; '' if none is set."""
    stored_hash = _password(store, name)
    return (
        hmac.new(stored_hash.encode(), f"browser {browser}".encode(), "sha256").hexdigest()
        if stored_hash
        else ""
    )


def _password(store: CampaignStore, name: str) -> str | None:
    """The hash that is kept of a password."""
    with store.reading(single=True) as connection:
        query = select(schema.passwords.c.hash).where(schema.passwords.c.name == name)
        stored_hash: str | None = connection.execute(query).scalar()
        return stored_hash


def _hasher() -> Any:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _placeholder_hash() -> str:
    """A hash to compare with where there is none."""
    return str(_hasher().hash(secrets.token_bytes(16)))


def _bytes(password: str) -> bytes:
    """Keyboards write the same letters in several ways; composed, they are one."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def attempts(store: CampaignStore, who: str, seconds: float) -> int:
    """How often somebody has tried to sign in lately; of `who` a hash is kept, for an hour (see `delete_expired`)."""
    t = schema.attempts
    with store.reading(single=True) as connection:
        counted = connection.execute(
            select(func.count())
            .select_from(t)
            .where(t.c.who == secret_hash(who), t.c.at > time.time() - seconds)
        )
        return int(counted.scalar_one())


def note_attempt(store: CampaignStore, who: str, seconds: float = ATTEMPT_SECONDS) -> int:
    """Count one more try to sign in, and say how many there were lately, this one too.

    Noted before it is let through, no number of tries at the same time gets past a limit.
    """
    t = schema.attempts
    with store.writing(single=True) as connection:
        connection.execute(insert(t).values(who=secret_hash(who), at=time.time()))
    return attempts(store, who, seconds)


def delete_expired(store: CampaignStore) -> None:
    """Take away what has run out: sessions, links for one time, tries to sign in. A server does so all the while."""
    now = time.time()
    with store.writing() as connection:
        connection.execute(delete(schema.sessions).where(schema.sessions.c.expires < now))
        connection.execute(delete(schema.one_time_links).where(schema.one_time_links.c.expires < now))
        connection.execute(delete(schema.attempts).where(schema.attempts.c.at < now - ATTEMPT_SECONDS))
