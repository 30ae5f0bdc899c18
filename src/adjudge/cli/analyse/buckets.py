"""Scores by buckets of segments: by length, rarity, difficulty or any label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace
from adjudge.cli.analyse._options import (
    read_judgements,
)
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.analysis.segment_groups import Values
    from adjudge.io import Loaded
    from adjudge.io.judgements import LoadedJudgements


@click.command(
    "buckets", short_help="Scores by buckets of segments: by length, rarity, difficulty or any label."
)
@_options.file_options
@_options.keywords(
    metrics="May be repeated. Default: bleu and chrf.",
    bucket_by="length in words, rarity of words, difficulty, pos (parts of speech in trees) or pos:NOUN, human "
    "(--judgements), contamination (--training), or a label of the test set.",
    training="For --bucket-by contamination.",
)
@_options.trees_option
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    bucket_by: str = "length",
    cuts: tuple[float, ...] | None = None,
    judgements: tuple[str, ...] = (),
    training: tuple[str, ...] = (),
    tokenize: str = "",
    lowercase: bool = False,
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
    """Show scores by buckets of segments, and in which of them systems differ.

    \b
    adjudge analyse buckets -r reference.en rulebased.en neural.en
    adjudge analyse buckets -r reference.en -m chrf --bucket-by rarity rulebased.en neural.en
    adjudge analyse buckets -r reference.en -L labels.tsv --bucket-by domain rulebased.en neural.en
    adjudge analyse buckets -r reference.en --judgements answers.tsv --bucket-by human rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.buckets import Resampling, bucket_scores
    from adjudge.analysis.cutting import Cutting
    from adjudge.cli._workspace import progress
    from adjudge.report.analyses.buckets import forms

    specs = _options.metric_specs(metrics) or ["bleu", "chrf"]
    _options.check_files(systems, doing="analyse buckets", **files)
    for option, given in (("human", judgements), ("contamination", training)):
        if given and bucket_by != option:
            raise UsageError(
                f"--{'judgements' if option == 'human' else 'training'} is for --bucket-by {option}"
            )
    outside = read_judgements(judgements) if judgements else None
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse buckets", **files)
        inputs = (*loaded.inputs, *(outside.inputs if outside else ()))
        _outputs.check_not_read(inputs)
        result = bucket_scores(
            loaded.test_set,
            loaded.outputs,
            specs,
            by=bucket_by,
            cuts=cuts,
            values=_values(bucket_by, loaded, outside, training, threads),
            cutting=Cutting(tokenize, lowercase),
            resampling=Resampling(resamples=resamples, seed=seed, threads=threads, unit=unit),
            cache=_workspace.row_cache(cache),
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
