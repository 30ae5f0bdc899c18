"""Set the organiser's password."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, opened


@click.command("password", short_help="Set the organiser's password.")
@_options.keywords()
@click.password_option(help="Asked for where it is not given; at least 10 characters.")
def command(*, database: str = DEFAULT_DATABASE, password: str) -> None:
    """Set the password with which the organiser signs in; every organiser is signed out."""
    from adjudge.campaigns.store import people

    with opened(database, create=True) as store:
        people.set_password(store, password)
    _show.say("the organiser's password is set")
