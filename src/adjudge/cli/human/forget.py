"""Delete what says who an annotator is."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, opened
from adjudge.errors import UsageError


@click.command("forget", short_help="Delete what says who an annotator is.")
@click.argument("name")
@click.argument("annotator")
@_options.keywords()
def command(
    *, name: str, annotator: str, database: str = DEFAULT_DATABASE, erase: bool = False, yes: bool = False
) -> None:
    """Delete what says who ANNOTATOR of the campaign NAME is: name, link, sessions, a marketplace's id.

    A pseudonym takes the place of the name, also in the campaign's other stage where there is one. This cannot be
    undone; back-ups made before still hold the name.
    """
    from adjudge.campaigns.store import campaigns, people, stages

    with opened(database) as store:
        stored = campaigns.find(store, name)
        people.find(store, stored, annotator)
        what = "who they are, and all they answered" if erase else "who they are"
        if not yes and not click.confirm(
            _show.harmless(f"Forget {annotator}: {what}? This cannot be undone."), err=True
        ):
            raise UsageError("nothing was forgotten")
        forgotten = stages.forget(store, stored, annotator, erase=erase)
    where = ", ".join(f"in {campaign!r} it is {pseudonym}" for campaign, pseudonym in forgotten.items())
    _show.say(f"{annotator} is forgotten; {where} from now on")
