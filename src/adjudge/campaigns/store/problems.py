"""What can go wrong with a database, each with a way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from adjudge.errors import AdjudgeError, DataError

WAY_OUT = "Keep a copy of it, then restore the last back-up into a new one (adjudge human restore FILE --database NEW)"


class StoreError(DataError):
    """What was asked of a database cannot be done; the message says why."""


class Unavailable(StoreError):
    """The database cannot be reached or cannot write: to be tried again later."""


class Clash(StoreError):
    """Something of that name is there already: somebody else was faster."""


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
