"""Show one record of a history: its scores, its files, its revision."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import opened


@click.command("show", short_help="Show one record of a history: its scores, its files, its revision.")
@click.argument("name", metavar="NAME", default="last")
@_options.keywords()
@_options.format_option(("text", "json", "markdown"))
@_options.results_option
def command(*, name: str, place: str | None = None, form: str, output: str | None) -> None:
    """Show one record of a history: its scores, its files, its revision; the last one unless NAME says another.

    \b
    adjudge history show
    adjudge history show v1.2
    """
    from adjudge import __version__
    from adjudge.report.results.history_list import record_forms

    with opened(place) as history:
        record = history.find(name)
        evaluation = history.evaluation(record)
    _show.show(record_forms(record, evaluation, version=__version__), form, output)
