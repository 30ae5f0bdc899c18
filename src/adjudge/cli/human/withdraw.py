"""Let an annotator's answers count no more; they are kept, and marked."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, opened


@click.command("withdraw", short_help="Let an annotator's answers count no more; they are kept, and marked.")
@click.argument("name")
@click.argument("annotator")
@_options.keywords()
def command(
    *, name: str, annotator: str, database: str = DEFAULT_DATABASE, reason: str = "", undo: bool = False
) -> None:
    """Let the answers of ANNOTATOR in the campaign NAME count no more, and take no new ones.

    They are kept, and marked; `adjudge human export --withdrawn` writes them too. What is then missing can be given to
    others: adjudge human add.
    """
    from adjudge.campaigns.store import campaigns, upkeep

    with opened(database) as store:
        stored = campaigns.find(store, name)
        changed = (upkeep.reinstate if undo else upkeep.withdraw)(store, stored, annotator, reason)
    state = "count again" if undo else "count no more"
    _show.say(f"the answers of {annotator} {state if changed else f'{state}, as before'}")
