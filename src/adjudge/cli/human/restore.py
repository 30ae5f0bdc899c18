"""Bring a campaign back from its file."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, opened


@click.command("restore", short_help="Bring a campaign back from its file.")
@click.argument("file")
@_options.keywords(name="Where the name is taken.")
def command(*, file: str, database: str = DEFAULT_DATABASE, name: str = "", new_links: bool = False) -> None:
    """Bring back the campaign that `adjudge human backup` wrote into FILE; nothing that is there is written over."""
    from adjudge.campaigns import names
    from adjudge.campaigns.store import backup

    if name:
        names.check_campaign(name)
    with opened(database, create=True) as store:
        stored = backup.restore(store, file, name=name, links=not new_links)
    _show.say(f"campaign {stored.name!r} is back, {stored.status}")
