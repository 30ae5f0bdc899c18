"""Score and compare all systems of a study on all its test sets."""

from __future__ import annotations

import click

from adjudge.cli import _cache, _options
from adjudge.cli._studies import show_study


@click.command("run", short_help="Score and compare all systems of a study on all its test sets.")
@click.argument("file", metavar="STUDY-FILE")
@_options.metric_option("those of the study")
@click.option(
    "--baseline", metavar="SYSTEM", help="Hold every system against this one; by default every two."
)
@_options.resamples_option
@click.option(
    "--trials",
    metavar="N",
    type=_options.Whole(1, 10_000_000),
    default=10_000,
    help="Of each randomisation; 10000 by default.",
)
@_options.seed_option
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.threads_option
@_cache.cache_option
@_options.quiet_option
def command(
    *,
    file: str,
    metrics: tuple[str, ...],
    baseline: str | None,
    resamples: int,
    trials: int,
    seed: int,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
) -> None:
    """Score and compare all systems of a study on all its test sets.

    A table of test sets and systems, the mean over sets with an interval, and who is better in it; by language pair
    and domain where there are several.

    \b
    adjudge study run study.toml
    adjudge study run study.toml -m chrf --baseline production -o study.html
    """
    from adjudge.evaluate.studies import StudyPlan

    plan = StudyPlan(resamples, trials, seed, baseline=baseline or "", threads=threads)
    show_study(file, _options.metric_specs(metrics), plan, form, output, caching=caching, quiet=quiet)
