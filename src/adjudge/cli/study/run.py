"""Score and compare all systems of a study on all its test sets."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _cache, _options, _record, _testing
from adjudge.cli._studies import Destination, given_options, show_study
from adjudge.cli._workspace import allow_programs_option, model_options

TESTING = (
    "baseline",
    "method",
    "trials",
    "resamples",
    "sampling",
    "confidence",
    "seed",
    "unit",
    "strata",
    "correction",
    "family",
    "alpha",
    "margins",
)


@click.command(
    "run",
    cls=_record.RecordingCommand,
    short_help="Score and compare all systems of a study on all its test sets.",
)
@click.argument("file", metavar="STUDY-FILE")
@_options.metric_option("those of the study")
@_testing.options(*TESTING)
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.save_option
@_record.record_options
@_options.threads_option
@_cache.cache_option
@allow_programs_option
@model_options
@_options.quiet_option
def command(
    *,
    file: str,
    metrics: tuple[str, ...],
    form: str,
    output: str | None,
    save: str | None,
    recording: _record.Recording | None,
    threads: int,
    caching: bool,
    quiet: bool,
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
    show_study(file, specs, given, shown, threads=threads, caching=caching)
