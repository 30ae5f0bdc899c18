"""Workers of a marketplace, who come with an id that others may know, and how they are known again.

An id in an address proves nothing. Whoever comes first with it has it: from then on their browser (by its cookie) or
the marketplace's assignment, which only the worker and the organiser know, shows that it is the same person.
"""

from __future__ import annotations

import time

from sqlalchemy import insert, update

from adjudge.campaigns.crowd import worker_name
from adjudge.campaigns.store import people, schema, storable
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.connection import Store
from adjudge.campaigns.store.people import Annotator, secret_hash
from adjudge.campaigns.store.problems import Clash, StoreError

CROWD = "crowd"


class WorkerIdTaken(StoreError):
    """Somebody else, as far as can be told, came with that id before."""


def arrive(
    store: Store, stored: StoredCampaign, worker: str, *, assignment: str = "", cookie: str = ""
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


def is_back(store: Store, stored: StoredCampaign, worker: str, cookie: str) -> bool:
    """Whether that worker comes again, in the browser that they came with before."""
    annotator = people.find_or_none(store, stored, worker_name(stored.secret, worker))
    return annotator is not None and _signed_in(store, annotator, cookie)


def _signed_in(store: Store, annotator: Annotator, cookie: str) -> bool:
    session = people.session(store, cookie) if cookie else None
    return session is not None and session.annotator is not None and session.annotator.id == annotator.id
