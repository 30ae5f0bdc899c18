"""Print a link with which the organiser signs in once."""

from __future__ import annotations

import click

from adjudge.cli import _options
from adjudge.cli.human._store import DEFAULT_DATABASE, base_url_option, opened


@click.command("sign-in", short_help="Print a link with which the organiser signs in once.")
@_options.keywords()
@base_url_option
def command(*, database: str = DEFAULT_DATABASE, base_url: str) -> None:
    """Print a link with which the organiser signs in once, within a day, at a server of this database.

    It works whatever others try at the server's door, and needs no password.
    """
    from adjudge.campaigns.store import people

    with opened(database) as store:
        token = people.one_time_link(store)
    click.echo(f"{base_url}/organiser/link/{token}")
