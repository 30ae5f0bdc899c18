"""Who was done with what, and whether quality control was passed then: what completion codes say stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from adjudge.human.crowd import hit_name
from adjudge.human.store import schema
from adjudge.human.store.campaigns import Kept, record
from adjudge.human.store.connection import Store
from adjudge.human.store.people import Annotator

COMPLETED = "completed"


@dataclass(frozen=True)
class Completed:
    """Somebody was done with a hit, or with everything (hit '')."""

    annotator: str
    hit: str
    passed: bool


def hit_names(store: Store, annotator: Annotator) -> dict[int, str]:
    """What the hits of somebody are called, by the database's number."""
    h = schema.hits
    with store.reading() as connection:
        rows = connection.execute(select(h.c.id, h.c.name).where(h.c.annotator == annotator.id))
        return dict(rows.all())


def verdict(store: Store, kept: Kept, annotator: Annotator, hit: str, judge: Callable[[], bool]) -> bool:
    """Whether somebody passed, as it was found when they were done for the first time, which `judge` then says.

    Whoever corrects answers afterwards gets no other code: otherwise two codes could be had, and compared.
    """
    hit = hit_name(hit)
    with store.reading() as connection:
        found = _found(connection, kept, annotator.name, hit)
    if found is not None:
        return found
    passed, a = judge(), schema.annotators
    with store.writing() as connection:
        # Of two windows that ask at once the first one's word counts.
        connection.execute(select(a.c.id).where(a.c.id == annotator.id).with_for_update(key_share=True))
        found = _found(connection, kept, annotator.name, hit)
        if found is None:
            detail = {"annotator": annotator.name, "hit": hit, "passed": passed}
            record(connection, kept.id, COMPLETED, detail)
    return passed if found is None else found


def _found(connection: Connection, kept: Kept, annotator: str, hit: str) -> bool | None:
    for one in _all(connection, kept):
        if (one.annotator, one.hit) == (annotator, hit):
            return one.passed
    return None


def completed(store: Store, kept: Kept) -> list[Completed]:
    """Everyone who was done with something, in the order in which they were."""
    with store.reading() as connection:
        return _all(connection, kept)


def _all(connection: Connection, kept: Kept) -> list[Completed]:
    t = schema.actions
    rows = connection.execute(
        select(t.c.detail).where(t.c.campaign == kept.id, t.c.kind == COMPLETED).order_by(t.c.id)
    )
    return [_completed(detail) for (detail,) in rows]


def _completed(detail: dict[str, Any]) -> Completed:
    return Completed(str(detail["annotator"]), str(detail["hit"]), bool(detail["passed"]))
