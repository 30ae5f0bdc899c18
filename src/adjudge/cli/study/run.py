"""Score and compare all systems of a study on all its test sets."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _record
from adjudge.cli._options import FIELDS, plan_options
from adjudge.cli._studies import Destination, given_options, show_study
from adjudge.cli._workspace import allow_programs_option, model_options

TESTING = tuple(name for name in FIELDS if name not in ("interval", "by"))


@click.command(
    "run",
    cls=_record.RecordingCommand,
    short_help="Score and compare all systems of a study on all its test sets.",
)
@click.argument("file", metavar="STUDY-FILE")
@_options.keywords(metrics="May be repeated. Default: those of the study.")
@plan_options(*TESTING)
@_options.format_option(_options.PAGES)
@_options.results_option
@_options.save_option
@_record.record_options
@allow_programs_option
@model_options
def command(
    *,
    file: str,
    metrics: tuple[str, ...] = (),
    form: str,
    output: str | None,
    save: str | None,
    recording: _record.Recording | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **testing: Any,
) -> None:
    """Score and compare all systems of a study on all its test sets.

    A table of test sets and systems, the mean over sets with an interval, and who is better in it; by language pair
    and domain where there are several. What is typed here comes before what the study's [plan] says.

    \b
    adjudge study run study.toml
    adjudge study run study.toml -m chrf --baseline production -o study.html
    adjudge study run study.toml --save spring.json
    """
    shown = Destination(form, output, save, quiet, recording)
    given = given_options(tuple(testing))
    specs = _options.metric_specs(metrics)
    show_study(file, specs, given, shown, threads=threads, cache=cache)
