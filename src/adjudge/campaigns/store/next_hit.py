"""The next hit of a crowd worker, and how workers of a marketplace are recognised.

The next hit is one that is free and may follow what the worker has seen (`assignment/order.py`). A worker id in an
address proves nothing: whoever comes first with it owns it. From then on their browser (by its cookie) or the
marketplace's assignment, which only the worker and the organiser know, shows that it is the same person.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, or_, select, update

from adjudge.campaigns.crowd import hit_name, worker_name
from adjudge.campaigns.items import Item
from adjudge.campaigns.store import people, schema, storable
from adjudge.campaigns.store.admission import AdmissionError, enter
from adjudge.campaigns.store.campaigns import DEMO, StoredCampaign
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.people import Annotator, secret_hash
from adjudge.campaigns.store.work import outline_within
from adjudge.database.problems import Clash, StoreError

CROWD = "crowd"
_AHEAD = 5
"""Number of fitting hits searched in advance, since some may be taken meanwhile."""


def take_hit(
    store: CampaignStore, stored: StoredCampaign, annotator: Annotator, name: str = ""
) -> int | None:
    """Give somebody a hit and return its number: the one they are in the middle of, or one that nobody has.

    Where a name is given, it is the hit of that name.

    Two windows of one person get the same one, two persons never do, and nobody gets two copies of a hit, nor one
    that comes too near to what they have seen (`assignment.order.may_follow`); AdmissionError where such a hit was
    asked for by name. None where none is left.
    """
    h = schema.hits
    before = look_ahead(store, stored, annotator, name)
    with store.writing() as connection:
        enter(connection, annotator)
        assigned = select(h.c.id, h.c.name).where(h.c.campaign == stored.id, h.c.annotator == annotator.id)
        had = {hit_name(title): number for number, title in connection.execute(assigned)}
        if name:
            resumed = had.get(hit_name(name))
        else:
            resumed = next(
                (step.hit for step in outline_within(connection, annotator) if not step.answered), None
            )
        if resumed is not None:
            return int(resumed)
        allowed = AllowedHits(connection, stored, hits_seen(connection, annotator))
        if before is not None and before.hits == allowed.hits:
            allowed.known |= before.known
        for number, title in free_hits(connection, stored, name):
            if not allowed.allows(number, title):
                continue
            claimed = connection.execute(
                update(h).where(h.c.id == number, h.c.annotator.is_(None)).values(annotator=annotator.id)
            )
            if claimed.rowcount == 1:
                return int(number)
        if name and not allowed.known.get(hit_name(name), True):
            raise AdmissionError("seen", "this work shows texts that you have seen in another translation")
        return None


def look_ahead(
    store: CampaignStore, stored: StoredCampaign, annotator: Annotator, name: str
) -> AllowedHits | None:
    """Which of the next hits fit, found out before anyone else has to wait; None where somebody has seen nothing."""
    with store.reading() as connection:
        hits = hits_seen(connection, annotator)
        if not hits:
            return None
        allowed = AllowedHits(connection, stored, hits)
        count = 0
        for number, title in free_hits(connection, stored, name):
            count += allowed.allows(number, title)
            if count == _AHEAD:
                break
    return allowed


def free_hits(connection: Connection, stored: StoredCampaign, name: str) -> list[tuple[int, str]]:
    """The free hits in order, or those with a given name."""
    h = schema.hits
    rows = select(h.c.id, h.c.name).where(h.c.campaign == stored.id, h.c.annotator.is_(None))
    return [
        (number, title)
        for number, title in connection.execute(rows.order_by(h.c.place))
        if not name or hit_name(title) == hit_name(name)
    ]


def preview_hit(
    store: CampaignStore, stored: StoredCampaign, name: str, most: int
) -> tuple[int, list[Item]] | None:
    """How many items a hit has (of that name, or any), and the first of them; it stays whose it is."""
    h, t, a = schema.hits, schema.tasks, schema.annotators
    rows = select(h.c.id, h.c.name).outerjoin(a, a.c.id == h.c.annotator)
    rows = rows.where(h.c.campaign == stored.id, or_(a.c.kind.is_(None), a.c.kind != DEMO))
    with store.reading() as connection:
        for number, title in connection.execute(rows.order_by(h.c.place)).all():
            if not name or hit_name(title) == hit_name(name):
                count = select(func.count()).select_from(t).where(t.c.hit == number)
                return int(connection.execute(count).scalar_one()), _items(connection, [number], most)
    return None


class AllowedHits:
    """Decides which hits a person may take after what they have seen."""

    def __init__(
        self, connection: Connection, stored: StoredCampaign, seen: Sequence[tuple[int, str]]
    ) -> None:
        self._connection, self._kept = connection, stored
        self.hits = list(seen)
        self.known: dict[str, bool] = {}
        """By the hit's name; copies are alike."""
        self._items: list[Item] | None = None

    def allows(self, number: int, title: str) -> bool:
        """Whether a hit fits: nobody gets two copies of one, but may go on with what was theirs."""
        if not self.hits or number in (known for known, _ in self.hits):
            return True
        original = hit_name(title)
        if original in {hit_name(known) for _, known in self.hits}:
            return False
        if original not in self.known:
            self.known[original] = self._may_follow(number)
        return self.known[original]

    def _may_follow(self, number: int) -> bool:
        from adjudge.campaigns.assignment.order import may_follow

        if self._items is None:
            self._items = _items(self._connection, [hit for hit, _ in self.hits])
        return may_follow(self._kept.campaign, self._items, _items(self._connection, [number]))


def hits_seen(connection: Connection, annotator: Annotator) -> list[tuple[int, str]]:
    """The hits that somebody has seen: as they were answered (also what was given to others since), then the rest."""
    e, t, h = schema.events, schema.tasks, schema.hits
    assigned = select(h.c.id, h.c.name).where(h.c.annotator == annotator.id).order_by(h.c.place)
    answered = (
        select(h.c.id, h.c.name, func.max(e.c.id))
        .join(t, t.c.hit == h.c.id)
        .join(e, e.c.task == t.c.id)
        .where(e.c.annotator == annotator.id)
        .group_by(h.c.id, h.c.name)
    )
    last = {(number, title): at for number, title, at in connection.execute(answered)}
    hits = dict.fromkeys([*last, *((number, title) for number, title in connection.execute(assigned))])
    return sorted(hits, key=lambda hit: last.get(hit, math.inf))


def _items(connection: Connection, hits: Sequence[int], most: int | None = None) -> list[Item]:
    """The items of some hits (or so many of each), one hit after the other."""
    t, i = schema.tasks, schema.items
    of = select(i.c.item).join(t, t.c.item == i.c.id).order_by(t.c.place).limit(most)
    return [
        Item.from_json(item)
        for hit in hits
        for item in connection.execute(of.where(t.c.hit == hit)).scalars()
    ]


class WorkerIdTaken(StoreError):
    """The worker id seems to belong to somebody else."""


def arrive(
    store: CampaignStore, stored: StoredCampaign, worker: str, *, assignment: str = "", cookie: str = ""
) -> Annotator:
    """The annotator that a worker is; WorkerIdTaken where neither the cookie nor the assignment shows it is them."""
    storable.check_name("the worker's id", worker)
    name = worker_name(stored.secret, worker)
    proof = secret_hash(f"assignment {stored.secret} {name} {assignment}") if assignment else None
    a = schema.annotators
    values = {"campaign": stored.id, "name": name, "kind": CROWD, "external": worker, "token": proof}
    known = [person for person in [people.find_or_none(store, stored, name)] if person is not None]
    if not known:
        try:
            with store.writing() as connection:
                connection.execute(insert(a).values(**values, created=time.time()))
            return people.find(store, stored, name)
        except Clash:  # two browsers came at once, and the other one was first
            known = [people.find(store, stored, name)]
    (annotator,) = known
    own = _signed_in(store, annotator, cookie)
    with store.writing() as connection:
        if own and proof:  # the newest assignment counts from now on
            connection.execute(update(a).where(a.c.id == annotator.id).values(token=proof))
        elif proof and not own:
            again = connection.execute(
                update(a).where(a.c.id == annotator.id, a.c.token == proof).values(token=proof)
            )
            own = again.rowcount == 1
    if not own:
        raise WorkerIdTaken("somebody came with this worker's id before, in another browser")
    return annotator


def is_back(store: CampaignStore, stored: StoredCampaign, worker: str, cookie: str) -> bool:
    """Whether that worker comes again, in the browser that they came with before."""
    annotator = people.find_or_none(store, stored, worker_name(stored.secret, worker))
    return annotator is not None and _signed_in(store, annotator, cookie)


def _signed_in(store: CampaignStore, annotator: Annotator, cookie: str) -> bool:
    session = people.session(store, cookie) if cookie else None
    return session is not None and session.annotator is not None and session.annotator.id == annotator.id
