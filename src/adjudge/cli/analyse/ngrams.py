"""N-grams that one of two systems gets right, adds or leaves out more often."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.analyse._options import cutting_options


@click.command(
    "ngrams", short_help="N-grams that one of two systems gets right, adds or leaves out more often."
)
@_options.file_options
@click.option(
    "--kind",
    metavar="KIND",
    default="match",
    help="match (the reference has them; default), over (it has not), under (of the reference, and not there).",
)
@click.option("--shortest", metavar="N", type=_options.Whole(1, 20), default=1, help="Words; 1 by default.")
@click.option("--longest", metavar="N", type=_options.Whole(1, 20), default=4, help="Words; 4 by default.")
@click.option(
    "--alpha",
    metavar="X",
    type=float,
    default=1.0,
    help="Smoothing: the more, the more frequent they are; 1 by default.",
)
@click.option(
    "--top",
    metavar="K",
    type=_options.Whole(1, 100_000),
    default=10,
    help="How many of each system; 10 by default.",
)
@cutting_options
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    kind: str,
    shortest: int,
    longest: int,
    alpha: float,
    top: int,
    tokenize: str,
    lowercase: bool,
    form: str,
    output: str | None,
    quiet: bool,
    **files: Any,
) -> None:
    """Show the n-grams that tell two systems apart, by smoothed log-odds.

    \b
    adjudge analyse ngrams -r reference.en rulebased.en neural.en
    adjudge analyse ngrams -r reference.en --kind over --longest 2 rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.cutting import Cutting
    from adjudge.analysis.ngrams import ngram_differences
    from adjudge.report.analyses.ngrams import forms

    _options.check_files(systems, doing="analyse ngrams", **files)
    loaded = _options.load_files(systems, doing="analyse ngrams", **files)
    _outputs.check_not_read(loaded.inputs)
    result = ngram_differences(
        loaded.test_set,
        loaded.outputs,
        kind=kind,  # type: ignore[arg-type]
        shortest=shortest,
        longest=longest,
        alpha=alpha,
        top=top,
        cutting=Cutting(tokenize, lowercase),
    )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
