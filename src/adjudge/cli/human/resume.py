"""Let a paused or closed campaign go on."""

from __future__ import annotations

import click

from adjudge.cli import _show
from adjudge.cli.human._store import database_option, name_argument, opened


@click.command("resume", short_help="Let a paused or closed campaign go on.")
@name_argument
@database_option
def command(name: str, database: str) -> None:
    """Let a paused or closed campaign go on."""
    from adjudge.campaigns.store import campaigns

    with opened(database) as store:
        stored = campaigns.find(store, name)
        campaigns.set_status(store, stored, "running")
    _show.say(f"campaign {stored.name!r} is running")
