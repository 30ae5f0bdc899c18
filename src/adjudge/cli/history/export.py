"""Write a record as --save would have, or all scores as OpenMetrics, JSON or TSV."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import opened
from adjudge.errors import UsageError

KINDS = {"json": "json", "tsv": "tsv", "openmetrics": "text"}


@click.command("export", short_help="Write a record as --save would have, or all scores for other programs.")
@click.argument("name", metavar="NAME", required=False)
@_options.keywords(last="Without NAME.")
@_options.format_option(KINDS)
@_options.results_option
def command(
    *, name: str | None, last: int | None = None, form: str, place: str | None = None, output: str | None
) -> None:
    """Write a record as --save would have, to the byte: for compare, gate and verify. Or the scores of all records.

    OpenMetrics is the text format that Prometheus reads: every score with its time.

    \b
    adjudge history export v1.2 -o run.json
    adjudge history export -f openmetrics -o history.om
    adjudge history export --last 100 -o scores.json
    """
    if name is not None and (form != "json" or last is not None):
        raise UsageError(
            "a record is written as JSON, with its rows; -f and --last are for the scores of all"
        )
    with opened(place) as history:
        if name is not None:
            from adjudge.history.evaluations import text_of

            _show.show_text(text_of(history.evaluation(history.find(name))), output)
            return
        records = history.records()
    chosen = records if last is None else records[-last:]
    if form == "openmetrics":
        from adjudge.history.openmetrics import openmetrics

        _show.show_text(openmetrics(chosen), output)
        return
    from adjudge import __version__
    from adjudge.report.results.history_list import forms

    _show.show(forms(chosen, history.name, version=__version__), form, output)
