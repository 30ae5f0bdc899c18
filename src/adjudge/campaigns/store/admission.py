"""Admission: why an answer or a hit is refused, and one request per person at a time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from adjudge.campaigns.store import schema, storable
from adjudge.campaigns.store.campaigns import RUNNING
from adjudge.campaigns.store.people import Annotator
from adjudge.database.problems import StoreError


class AdmissionError(StoreError):
    """An answer that cannot be taken now or ever; `code` says why.

    paused, withdrawn, unknown (no task of theirs), conflict (another answer under that key), answered (no
    corrections in this campaign), newer (there is an answer that the sender had not seen), seen (a hit whose texts they
    know).
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def check_admission(row: Any) -> None:
    """Refuse who no longer takes part, and everyone while the campaign does not run; `row` says which holds."""
    if row.withdrawn is not None or row.forgotten is not None:
        raise AdmissionError("withdrawn", "you no longer take part in this campaign")
    if row.status != RUNNING:
        raise paused_error(f"is {row.status}")


def paused_error(how: str) -> AdmissionError:
    """Return the error for a campaign that does not run."""
    return AdmissionError("paused", f"the campaign {how}; your answer is not lost, it will be sent later")


def enter(connection: Connection, annotator: Annotator) -> None:
    """Let one of their requests in after the other; AdmissionError where they get no more work."""
    a, c = schema.annotators, schema.campaigns
    connection.execute(select(a.c.id).where(a.c.id == annotator.id).with_for_update(key_share=True))
    check_admission(
        connection.execute(
            select(c.c.status, a.c.withdrawn, a.c.forgotten)
            .join(c, c.c.id == a.c.campaign)
            .where(a.c.id == annotator.id)
        ).one()
    )


def known_id(number: int) -> int:
    """Return the number, or 0 (which nothing has) where it is none that a database can look for."""
    return number if 0 < number <= storable.LARGEST_ID else 0


def unknown_task(number: int) -> AdmissionError:
    """Return the error for a task that is not theirs."""
    return AdmissionError("unknown", f"there is no task {number} of yours")
