"""Scores by buckets of segments: by length, rarity, difficulty or any label."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _cache, _options, _outputs, _show
from adjudge.cli.analyse._options import cutting_options, drawing_options


@click.command(
    "buckets", short_help="Scores by buckets of segments: by length, rarity, difficulty or any label."
)
@_options.file_options
@_options.metric_option("bleu and chrf")
@click.option(
    "--by",
    metavar="WHAT",
    default="length",
    help="length in words (default), rarity of words, difficulty, or a label of the test set.",
)
@click.option(
    "--cuts",
    metavar="X,X,...",
    callback=_options.number_list(float, "a number"),
    help="Where the next bucket begins; also of a label that has numbers.",
)
@cutting_options
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
    by: str,
    cuts: tuple[float, ...] | None,
    tokenize: str,
    lowercase: bool,
    resamples: int,
    seed: int,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
    **files: Any,
) -> None:
    """Show scores by buckets of segments, and in which of them systems differ.

    \b
    adjudge analyse buckets -r reference.en rulebased.en neural.en
    adjudge analyse buckets -r reference.en -m chrf --by rarity rulebased.en neural.en
    adjudge analyse buckets -r reference.en -L labels.tsv --by domain rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.buckets import Resampling, bucket_scores
    from adjudge.analysis.cutting import Cutting
    from adjudge.cli._progress import progress
    from adjudge.report.buckets import forms

    specs = _options.metric_specs(metrics) or ["bleu", "chrf"]
    _options.check_files(systems, doing="analyse buckets", **files)
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse buckets", **files)
        _outputs.check_not_read(loaded.inputs)
        result = bucket_scores(
            loaded.test_set,
            loaded.outputs,
            specs,
            by=by,
            cuts=cuts,
            cutting=Cutting(tokenize, lowercase),
            resampling=Resampling(resamples=resamples, seed=seed, threads=threads),
            cache=_cache.row_cache(caching),
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
