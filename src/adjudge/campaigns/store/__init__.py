"""The database of campaigns: SQLite on one machine, PostgreSQL for several servers, with the same code.

Nothing is overwritten: every answer is an event that is appended, undoing one is an event too, and the answer that
counts is a query. `connection.py` opens a database, `schema.py` holds its tables, `migrations/` brings older ones up
to date. The rest is what can be done, one file a concern: `campaigns` and `people`; `next_hit`, `work` and `events`
for whoever judges (a hit, its tasks, an answer that comes in); `answers`, `progress` and `upkeep` for the organiser.
"""

from importlib.util import find_spec

from adjudge.errors import MissingExtraError

if find_spec("sqlalchemy") is None:
    raise MissingExtraError("a campaign", "campaign")

from adjudge.campaigns.store.connection import CampaignStore
from adjudge.database.problems import StoreError, Unavailable

__all__ = ["CampaignStore", "StoreError", "Unavailable"]
