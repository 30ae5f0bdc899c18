"""Completed work: who finished what, whether quality control was passed, and what was submitted.

What a completion code says stays as it was when somebody was first done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, or_, select

from adjudge.campaigns.crowd import FAILED, PASSED, Roster, WorkerVerdict, assignment_mark, hit_name
from adjudge.campaigns.store import schema
from adjudge.campaigns.store.campaigns import StoredCampaign, record
from adjudge.campaigns.store.connection import CampaignStore
from adjudge.campaigns.store.people import Annotator

COMPLETED, HANDED_IN = "completed", "handed in"


@dataclass(frozen=True)
class Completion:
    """Somebody was done with a hit, or with everything (hit '')."""

    annotator: str
    hit: str
    passed: bool


def hit_names(store: CampaignStore, annotator: Annotator) -> dict[int, str]:
    """The names of an annotator's hits, by id."""
    h = schema.hits
    with store.reading() as connection:
        rows = connection.execute(select(h.c.id, h.c.name).where(h.c.annotator == annotator.id))
        return dict(rows.all())


def first_verdict(
    store: CampaignStore, stored: StoredCampaign, annotator: Annotator, hit: str, judge: Callable[[], bool]
) -> bool:
    """Whether somebody passed, as it was found when they were done for the first time, which `judge` then says.

    Later corrections do not change the code: otherwise a worker could get two codes and compare them.
    """
    hit = hit_name(hit)
    with store.reading() as connection:
        earlier = _earlier_verdict(connection, stored, annotator.name, hit)
    if earlier is not None:
        return earlier
    passed, a = judge(), schema.annotators
    with store.writing() as connection:
        # Of two windows that ask at once the first one's word counts.
        connection.execute(select(a.c.id).where(a.c.id == annotator.id).with_for_update(key_share=True))
        earlier = _earlier_verdict(connection, stored, annotator.name, hit)
        if earlier is None:
            detail = {"annotator": annotator.name, "hit": hit, "passed": passed}
            record(connection, stored.id, COMPLETED, detail)
    return passed if earlier is None else earlier


def _earlier_verdict(connection: Connection, stored: StoredCampaign, annotator: str, hit: str) -> bool | None:
    for completion in _completions(connection, stored):
        if (completion.annotator, completion.hit) == (annotator, hit):
            return completion.passed
    return None


def completions(store: CampaignStore, stored: StoredCampaign) -> list[Completion]:
    """All completions, in order of time."""
    with store.reading() as connection:
        return _completions(connection, stored)


def _completions(connection: Connection, stored: StoredCampaign) -> list[Completion]:
    t = schema.actions
    rows = connection.execute(
        select(t.c.detail).where(t.c.campaign == stored.id, t.c.kind == COMPLETED).order_by(t.c.id)
    )
    return [_completion(detail) for (detail,) in rows]


def _completion(detail: dict[str, Any]) -> Completion:
    return Completion(str(detail["annotator"]), str(detail["hit"]), bool(detail["passed"]))


def roster(store: CampaignStore, stored: StoredCampaign) -> Roster:
    """The recorded work against which results of a marketplace are checked."""
    a, h, t = schema.annotators, schema.hits, schema.actions
    with store.reading() as connection:
        people = connection.execute(select(a.c.name, a.c.kind).where(a.c.campaign == stored.id)).all()
        owned = (
            select(h.c.name)
            .outerjoin(a, a.c.id == h.c.annotator)
            .where(h.c.campaign == stored.id, or_(a.c.kind.is_(None), a.c.kind == "crowd"))
        )
        hits = [hit_name(name) for name in connection.execute(owned).scalars()]
        issued = [(completion.annotator, completion.hit) for completion in _completions(connection, stored)]
        earlier = connection.execute(
            select(t.c.detail).where(t.c.campaign == stored.id, t.c.kind == HANDED_IN).order_by(t.c.id)
        ).scalars()
        before: dict[tuple[str, str], str] = {}
        for detail in earlier:
            for result in detail["results"]:
                if result["state"] in (PASSED, FAILED):
                    before.setdefault((result["annotator"], result["hit"]), result["assignment"])
    return Roster(
        stored.secret,
        frozenset(hits),
        frozenset(name for name, kind in people if kind == "crowd"),
        frozenset(name for name, kind in people if kind == "person"),
        issued,
        before,
    )


def record_results(
    store: CampaignStore, stored: StoredCampaign, sha256: str, verdicts: Sequence[WorkerVerdict]
) -> bool:
    """Write down what became of a file of results; whether that is new. Ids of a marketplace are not in it."""
    t = schema.actions
    detail = {
        "sha256": sha256,
        "results": [
            {
                "annotator": verdict.annotator,
                "hit": verdict.hit,
                "assignment": assignment_mark(stored.secret, verdict.result.assignment),
                "state": verdict.state,
            }
            for verdict in verdicts
        ],
    }
    with store.writing() as connection:
        store.alone(connection, stored.id)
        known = connection.execute(
            select(t.c.detail).where(t.c.campaign == stored.id, t.c.kind == HANDED_IN)
        ).scalars()
        if detail in list(known):
            return False
        record(connection, stored.id, HANDED_IN, detail)
    return True
