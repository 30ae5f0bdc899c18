"""What can go wrong with a database, each with a way out."""

from __future__ import annotations

from adjudge.errors import DataError


class StoreError(DataError):
    """What was asked of a database cannot be done; the message says why."""


class Unavailable(StoreError):
    """The database cannot be reached or cannot write: to be tried again later."""


class Clash(StoreError):
    """Something of that name is there already: somebody else was faster."""
