"""What can go wrong with a database of campaigns, each with a way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from adjudge.database.problems import Clash, Purpose, StoreError, Unavailable
from adjudge.errors import AdjudgeError

__all__ = ["CAMPAIGNS", "WAY_OUT", "Clash", "StoreError", "Unavailable", "as_written"]

WAY_OUT = "Keep a copy of it, then restore the last back-up into a new one (adjudge human restore FILE --database NEW)"
CAMPAIGNS = Purpose(
    things="campaigns",
    example="adjudge.db",
    absent="make a campaign first (adjudge human new FILE), or say where it is (--database)",
    empty="no campaign was ever made in it (adjudge human new FILE)",
    way_out=WAY_OUT,
)


@contextmanager
def as_written(what: str) -> Iterator[None]:
    """Around reading what adjudge wrote itself: where that fails, somebody or a disk has changed it."""
    try:
        yield
    except StoreError:
        raise
    except (AdjudgeError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise StoreError(
            f"the database is damaged: {what} is not as it was written ({type(error).__name__}: {error}). {WAY_OUT}"
        ) from None
