"""What organisers do to people's data: withdraw answers, take that back, forget somebody; and what was done.

docs/campaigns.md says what each of it means for the person, the answers and the copies that were made before.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, select, update

from adjudge.campaigns.store import campaigns, people, schema
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore, as_written
from adjudge.campaigns.store.events import ERASED
from adjudge.campaigns.store.people import Annotator
from adjudge.database.problems import StoreError, check_text


@dataclass(frozen=True)
class Action:
    """Something that an organiser did."""

    at: float
    kind: str
    detail: Mapping[str, Any]


def history(store: CampaignStore, stored: StoredCampaign) -> list[Action]:
    """Actions of organisers in a campaign, the oldest first."""
    a = schema.actions
    with store.reading() as connection:
        rows = connection.execute(select(a).where(a.c.campaign == stored.id).order_by(a.c.id)).all()
    return [Action(row.at, row.kind, row.detail) for row in rows]


def withdraw(store: CampaignStore, stored: StoredCampaign, name: str, reason: str = "") -> bool:
    """Let an annotator's answers count no more, and take no new ones; they are kept, and marked.

    Whether anything changed: somebody who is withdrawn stays so. An answer that is just being written is waited for.
    """
    check_text("the reason", reason)
    return _mark(store, stored, people.find(store, stored, name), time.time(), reason)


def reinstate(store: CampaignStore, stored: StoredCampaign, name: str, reason: str = "") -> bool:
    """Undo a withdrawal, so that all answers count again; return whether anything changed."""
    check_text("the reason", reason)
    return _mark(store, stored, people.find(store, stored, name), None, reason)


def _mark(
    store: CampaignStore, stored: StoredCampaign, who: Annotator, since: float | None, reason: str
) -> bool:
    a = schema.annotators
    before = a.c.withdrawn.is_not(None) if since is None else a.c.withdrawn.is_(None)
    with store.writing() as connection:
        changed = connection.execute(
            update(a).where(a.c.id == who.id, before).values(withdrawn=since)
        ).rowcount
        if changed:
            detail = {"annotator": who.name, **({"reason": reason} if reason else {})}
            campaigns.record(connection, stored.id, "reinstated" if since is None else "withdrawn", detail)
    return bool(changed)


def forget(store: CampaignStore, stored: StoredCampaign, name: str, *, erase: bool = False) -> str:
    """Delete what says who an annotator is, and return the pseudonym that takes the place of the name.

    Name, link, sessions, a marketplace's id and whatever an organiser wrote as reasons are gone, in the campaign file
    and in the history too. The answers stay and count, unless `erase` empties them: then when and how long somebody
    worked is gone as well, and only how many answers there were is left.
    """
    who = people.find(store, stored, name)
    if who.forgotten is not None:
        raise StoreError(f"{name!r} was forgotten already")
    pseudonym = f"former-{secrets.token_hex(6)}"
    now = time.time()
    a, e, c = schema.annotators, schema.events, schema.campaigns
    with store.writing() as connection:
        store.alone(connection, stored.id)
        # Whoever takes an answer holds the campaign first and then the annotator; so does this.
        connection.execute(select(c.c.id).where(c.c.id == stored.id).with_for_update(key_share=True))
        connection.execute(
            update(a).where(a.c.id == who.id).values(name=pseudonym, token=None, external=None, forgotten=now)
        )
        connection.execute(delete(schema.sessions).where(schema.sessions.c.annotator == who.id))
        _rename(connection, stored, who, pseudonym)
        if erase:
            connection.execute(
                update(e)
                .where(e.c.annotator == who.id)
                .values(kind=ERASED, answer=None, seconds=None, started=None, received=now)
            )
        campaigns.record(connection, stored.id, "forgotten", {"annotator": pseudonym, "erased": erase})
    with suppress(StoreError):  # it is done, and others may be reading
        store.scrub()
    return pseudonym


def _rename(connection: Connection, stored: StoredCampaign, who: Annotator, pseudonym: str) -> None:
    """Put a pseudonym wherever else the name stands: the campaign file, the history, names of hits, items."""
    c, h, i, t = schema.campaigns, schema.hits, schema.items, schema.actions
    config = connection.execute(select(c.c.config).where(c.c.id == stored.id)).scalar_one()
    config["annotators"] = _renamed_names(config["annotators"], stored, who.name, pseudonym)
    connection.execute(update(c).where(c.c.id == stored.id).values(config=config))
    for row in connection.execute(select(c).where(c.c.name == stored.campaign.edits_of)).all():
        judged = {**row.config, "annotators": _renamed_judges(row.config["annotators"], who.name, pseudonym)}
        connection.execute(update(c).where(c.c.id == row.id).values(config=judged))
    for row in connection.execute(select(t.c.id, t.c.detail).where(t.c.campaign == stored.id)).all():
        detail = _renamed(row.detail, who, pseudonym)
        if row.detail.get("annotator") == who.name:
            detail.pop("reason", None)
        if detail != row.detail:
            connection.execute(update(t).where(t.c.id == row.id).values(detail=detail))
    for row in connection.execute(select(h.c.id, h.c.name).where(h.c.annotator == who.id)).all():
        if who.name in row.name:
            name = row.name.replace(who.name, pseudonym)
            connection.execute(update(h).where(h.c.id == row.id).values(name=name))
    for row in connection.execute(select(i.c.id, i.c.item).where(i.c.campaign == stored.id)).all():
        with as_written("an item"):
            extra = _renamed(row.item["extra"], who, pseudonym)
        if extra != row.item["extra"]:  # whose edit it is, for one
            connection.execute(update(i).where(i.c.id == row.id).values(item={**row.item, "extra": extra}))


def _renamed_names(annotators: Any, stored: StoredCampaign, name: str, pseudonym: str) -> Any:
    """What a campaign file says of its annotators; whoever was only counted is named from now on."""
    names = [pseudonym if known == name else known for known in stored.campaign.annotators.all_names()]
    annotators = _renamed_judges(annotators, name, pseudonym)
    if pseudonym not in names:
        return annotators
    rest = annotators if isinstance(annotators, dict) else {}
    return {**{key: value for key, value in rest.items() if key != "count"}, "names": names}


def _renamed_judges(annotators: Any, name: str, pseudonym: str) -> Any:
    """A campaign's annotators with a pseudonym for a judge of its second stage."""
    if not isinstance(annotators, dict) or "judges" not in annotators:
        return annotators
    return {**annotators, "judges": [pseudonym if judge == name else judge for judge in annotators["judges"]]}


def _renamed(value: Any, who: Annotator, pseudonym: str) -> Any:
    """A value of JSON with the pseudonym wherever exactly the name (or the marketplace's id) stood."""
    if isinstance(value, dict):
        return {key: _renamed(below, who, pseudonym) for key, below in value.items()}
    if isinstance(value, list):
        return [_renamed(below, who, pseudonym) for below in value]
    return pseudonym if value and value in (who.name, who.external) else value
