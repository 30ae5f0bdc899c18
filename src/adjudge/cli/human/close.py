"""Close a campaign: nothing more is taken, nothing is lost."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, name_argument, opened


@click.command("close", short_help="Close a campaign: nothing more is taken, nothing is lost.")
@name_argument
@_options.keywords()
def command(*, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Close a campaign: nothing more is taken, nothing is lost."""
    from adjudge.campaigns.store import campaigns

    with opened(database) as store:
        stored = campaigns.find(store, name)
        campaigns.set_status(store, stored, "closed")
    _show.say(f"campaign {stored.name!r} is closed")
