"""Delete records of a history, with the rows that no other record holds."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import found, opened
from adjudge.wording import counted


@click.command("delete", short_help="Delete records of a history, with the rows that no other record holds.")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@_options.keywords()
def command(*, names: tuple[str, ...], place: str | None = None, quiet: bool = False) -> None:
    """Delete records of a history, with the rows that no other record holds; nothing brings them back.

    \b
    adjudge history delete 12
    adjudge history delete last last~1
    """
    with opened(place, writes=True) as history:
        records = found(history, names, damaged=True)
        history.delete(records)
    if not quiet:
        _show.say(f"adjudge: deleted {counted(len(records), 'record')} of {history.name}")
