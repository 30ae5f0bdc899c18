"""Log records to MLflow, each once."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import found, opened


@click.command("mlflow", short_help="Log records to MLflow, each once.")
@click.argument("names", metavar="NAME...", nargs=-1)
@_options.keywords()
def command(
    *,
    names: tuple[str, ...],
    tracking: str | None = None,
    experiment: str = "adjudge",
    place: str | None = None,
    quiet: bool = False,
) -> None:
    """Log records to MLflow, all or those that are named: a run a record, which is logged once.

    Scores are its metrics, revision and label its tags, and the result with its rows an artefact.

    \b
    adjudge history mlflow
    adjudge history mlflow last --tracking http://localhost:5000
    """
    from adjudge.history.mlflow import log_records

    with opened(place) as history:
        records = found(history, names) if names else history.records()
        logged = log_records(history, records, tracking=tracking, experiment=experiment)
    if not quiet:
        new = sum(own.new for own in logged)
        _show.say(f"adjudge: {new} of {len(logged)} records are new in MLflow's experiment {experiment}")
