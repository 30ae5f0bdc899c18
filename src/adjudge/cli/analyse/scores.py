"""How scores of segments are spread, and how far metrics agree on them."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _cache, _options, _outputs, _show
from adjudge.cli.analyse._options import drawing_options


@click.command("scores", short_help="How scores of segments are spread, and how far metrics agree on them.")
@_options.file_options
@_options.metric_option("chrf, ter and length-ratio")
@click.option(
    "--bins", metavar="N", type=_options.Whole(2, 200), default=20, help="Of the histograms; 20 by default."
)
@drawing_options
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.threads_option
@_cache.cache_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    bins: int,
    unit: str,
    resamples: int,
    seed: int,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
    **files: Any,
) -> None:
    """Show histograms of the segments' scores, ratios of lengths among them, and scatters of every two metrics.

    \b
    adjudge analyse scores -r reference.en rulebased.en neural.en
    adjudge analyse scores -r reference.en -m bleu -m chrf -m ter -o scores.html rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.score_distributions import score_distributions
    from adjudge.cli._progress import progress
    from adjudge.report.analyses.score_distributions import forms

    specs = _options.metric_specs(metrics) or ["chrf", "ter", "length-ratio"]
    _options.check_files(systems, doing="analyse scores", **files)
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse scores", **files)
        _outputs.check_not_read(loaded.inputs)
        result = score_distributions(
            loaded.test_set,
            loaded.outputs,
            specs,
            bins=bins,
            resamples=resamples,
            unit=unit,
            seed=seed,
            threads=threads,
            cache=_cache.row_cache(caching),
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
