"""List the records of a history, the newest first."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import opened


@click.command("list", short_help="List the records of a history, the newest first.")
@_options.keywords()
@_options.format_option()
@_options.results_option
def command(*, last: int | None = None, place: str | None = None, form: str, output: str | None) -> None:
    """List the records of a history, the newest first.

    A record is named by its number, its label, its revision, or last, last~1, …

    \b
    adjudge history list
    adjudge history list --last 10 -f json
    """
    from adjudge import __version__
    from adjudge.report.results.history_list import forms

    with opened(place) as history:
        records = history.records()
    chosen = records if last is None else records[-last:]
    _show.show(forms(chosen, history.name, version=__version__), form, output)
