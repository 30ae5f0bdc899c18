"""Words that systems get right, by how frequent, how long or what they are."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show


@click.command(
    "words", short_help="Words that systems get right, by how frequent, how long or what they are."
)
@_options.file_options
@_options.keywords(bucket_by="frequency, length in characters, kind, or pos, the part of speech in trees.")
@_options.trees_option
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    bucket_by: str = "frequency",
    cuts: tuple[int, ...] | None = None,
    frequency_text: str | None = None,
    tokenize: str = "",
    lowercase: bool = False,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show precision, recall and F of words, bucket by bucket.

    \b
    adjudge analyse words -r reference.en rulebased.en neural.en
    adjudge analyse words -r reference.en --frequency-text train.en neural.en
    adjudge analyse words -r reference.en --bucket-by kind rulebased.en neural.en
    adjudge analyse words -r reference.en --bucket-by pos --trees trees.conllu rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.cutting import Cutting
    from adjudge.analysis.word_accuracy import counts_of_file, word_accuracy
    from adjudge.report.analyses.word_accuracy import forms

    cutting = Cutting(tokenize, lowercase)
    _options.check_files(systems, doing="analyse words", **files)
    loaded = _options.load_files(systems, doing="analyse words", **files)
    _outputs.check_not_read(loaded.inputs)
    result = word_accuracy(
        loaded.test_set,
        loaded.outputs,
        by=bucket_by,  # type: ignore[arg-type]
        cuts=cuts,
        frequencies=counts_of_file(frequency_text, cutting, loaded.test_set) if frequency_text else None,
        cutting=cutting,
        resamples=resamples,
        seed=seed,
        unit=unit,
    )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
