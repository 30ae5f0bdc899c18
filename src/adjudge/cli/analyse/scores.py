"""How scores of segments are spread, and how far metrics agree on them."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace


@click.command("scores", short_help="How scores of segments are spread, and how far metrics agree on them.")
@_options.file_options
@_options.keywords(metrics="May be repeated. Default: chrf, ter and length-ratio.")
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    bins: int = 20,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show histograms of the segments' scores, ratios of lengths among them, and scatters of every two metrics.

    \b
    adjudge analyse scores -r reference.en rulebased.en neural.en
    adjudge analyse scores -r reference.en -m bleu -m chrf -m ter -o scores.html rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.score_distributions import score_distributions
    from adjudge.cli._workspace import progress
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
            cache=_workspace.row_cache(cache),
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
