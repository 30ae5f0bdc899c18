"""Bring a campaign back from its file."""

from __future__ import annotations

import click

from adjudge.cli import _show
from adjudge.cli.human._store import database_option, opened


@click.command("restore", short_help="Bring a campaign back from its file.")
@click.argument("file")
@database_option
@click.option("--name", metavar="NAME", default="", help="What to call it, where the name is taken.")
@click.option(
    "--new-links", is_flag=True, help="End the annotators' old links (adjudge human links makes new ones)."
)
def command(file: str, database: str, name: str, new_links: bool) -> None:
    """Bring back the campaign that `adjudge human backup` wrote into FILE; nothing that is there is written over."""
    from adjudge.campaigns import names
    from adjudge.campaigns.store import backup

    if name:
        names.check_campaign(name)
    with opened(database, create=True) as store:
        stored = backup.restore(store, file, name=name, links=not new_links)
    _show.say(f"campaign {stored.name!r} is back, {stored.status}")
