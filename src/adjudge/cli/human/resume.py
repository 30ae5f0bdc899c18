"""Let a paused or closed campaign go on."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, name_argument, opened


@click.command("resume", short_help="Let a paused or closed campaign go on.")
@name_argument
@_options.keywords()
def command(*, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Let a paused or closed campaign go on."""
    from adjudge.campaigns.store import campaigns

    with opened(database) as store:
        stored = campaigns.find(store, name)
        campaigns.set_status(store, stored, "running")
    _show.say(f"campaign {stored.name!r} is running")
