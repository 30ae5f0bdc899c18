"""Words that systems get right, by how frequent, how long or what they are."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.analyse._options import cutting_options, drawing_options


@click.command(
    "words", short_help="Words that systems get right, by how frequent, how long or what they are."
)
@_options.file_options
@click.option(
    "--by",
    metavar="PROPERTY",
    default="frequency",
    help="frequency (default), length in characters, kind, or pos, the part of speech in trees.",
)
@click.option(
    "--cuts",
    metavar="N,N,...",
    callback=_options.number_list(int, "a whole number"),
    help="Where the next bucket begins, as in 1,2,5,10; by default usual bounds.",
)
@click.option(
    "--training",
    metavar="FILE",
    help="A text in the target language that frequencies are counted in, in place of the reference.",
)
@_options.trees_option
@cutting_options
@drawing_options
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    by: str,
    cuts: tuple[int, ...] | None,
    training: str | None,
    tokenize: str,
    lowercase: bool,
    unit: str,
    resamples: int,
    seed: int,
    form: str,
    output: str | None,
    quiet: bool,
    **files: Any,
) -> None:
    """Show precision, recall and F of words, bucket by bucket.

    \b
    adjudge analyse words -r reference.en rulebased.en neural.en
    adjudge analyse words -r reference.en --training train.en neural.en
    adjudge analyse words -r reference.en --by kind rulebased.en neural.en
    adjudge analyse words -r reference.en --by pos --trees trees.conllu rulebased.en neural.en
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
        by=by,  # type: ignore[arg-type]
        cuts=cuts,
        frequencies=counts_of_file(training, cutting, loaded.test_set) if training else None,
        cutting=cutting,
        resamples=resamples,
        seed=seed,
        unit=unit,
    )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
