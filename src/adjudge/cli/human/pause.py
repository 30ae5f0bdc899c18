"""Pause a campaign: annotators can read, but not answer."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, name_argument, opened


@click.command("pause", short_help="Pause a campaign: annotators can read, but not answer.")
@name_argument
@_options.keywords()
def command(*, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Pause a campaign: annotators can read, but not answer."""
    from adjudge.campaigns.store import campaigns

    with opened(database) as store:
        stored = campaigns.find(store, name)
        campaigns.set_status(store, stored, "paused")
    _show.say(f"campaign {stored.name!r} is paused")
