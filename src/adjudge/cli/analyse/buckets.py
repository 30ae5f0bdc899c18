"""Scores by buckets of segments: by length, rarity, difficulty or any label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _outputs, _show
from adjudge.cli.analyse._options import (
    cutting_options,
    drawing_options,
    judgements_option,
    read_judgements,
    training_option,
)
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.analysis.segment_groups import Values
    from adjudge.io import Loaded
    from adjudge.io.judgements import LoadedJudgements as LoadedJudgements


@click.command(
    "buckets", short_help="Scores by buckets of segments: by length, rarity, difficulty or any label."
)
@_options.file_options
@_options.metric_option("bleu and chrf")
@click.option(
    "--by",
    metavar="WHAT",
    default="length",
    help="length in words (default), rarity of words, difficulty, pos (parts of speech in trees) or pos:NOUN, human "
    "(--judgements), contamination (--training), or a label of the test set.",
)
@click.option(
    "--cuts",
    metavar="X,X,...",
    callback=_options.number_list(float, "a number"),
    help="Where the next bucket begins; also of a label that has numbers.",
)
@_options.trees_option
@judgements_option
@training_option("A text that a system was trained on, for --by contamination")
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
    judgements: tuple[str, ...],
    training: tuple[str, ...],
    tokenize: str,
    lowercase: bool,
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
    """Show scores by buckets of segments, and in which of them systems differ.

    \b
    adjudge analyse buckets -r reference.en rulebased.en neural.en
    adjudge analyse buckets -r reference.en -m chrf --by rarity rulebased.en neural.en
    adjudge analyse buckets -r reference.en -L labels.tsv --by domain rulebased.en neural.en
    adjudge analyse buckets -r reference.en --judgements answers.tsv --by human rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.buckets import Resampling, bucket_scores
    from adjudge.analysis.cutting import Cutting
    from adjudge.cli._progress import progress
    from adjudge.report.analyses.buckets import forms

    specs = _options.metric_specs(metrics) or ["bleu", "chrf"]
    _options.check_files(systems, doing="analyse buckets", **files)
    for option, given in (("human", judgements), ("contamination", training)):
        if given and by != option:
            raise UsageError(f"--{'judgements' if option == 'human' else 'training'} is for --by {option}")
    outside = read_judgements(judgements) if judgements else None
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse buckets", **files)
        inputs = (*loaded.inputs, *(outside.inputs if outside else ()))
        _outputs.check_not_read(inputs)
        result = bucket_scores(
            loaded.test_set,
            loaded.outputs,
            specs,
            by=by,
            cuts=cuts,
            values=_values(by, loaded, outside, training, threads),
            cutting=Cutting(tokenize, lowercase),
            resampling=Resampling(resamples=resamples, seed=seed, threads=threads, unit=unit),
            cache=_cache.row_cache(caching),
            progress=report_progress,
        )
    _show.warn((*loaded.notes, *(outside.warnings if outside else ())), quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=inputs), form, output)


def _values(
    by: str, loaded: Loaded, outside: LoadedJudgements | None, training: Sequence[str], threads: int
) -> Values | None:
    """What segments are sorted by that the test set does not know itself."""
    if outside is not None:
        from adjudge.analysis.human_scores import human_scores

        return human_scores(outside.judgements, loaded.test_set, loaded.outputs)
    if training:
        from adjudge.checks.contamination import contamination_labels

        return contamination_labels(loaded.test_set, training, threads=threads)
    return None
