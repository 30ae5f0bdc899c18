"""N-grams that one of two systems gets right, adds or leaves out more often."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show


@click.command(
    "ngrams", short_help="N-grams that one of two systems gets right, adds or leaves out more often."
)
@_options.file_options
@_options.keywords(top="N-grams of each system.")
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    kind: str = "match",
    shortest: int = 1,
    longest: int = 4,
    smoothing: float = 1.0,
    top: int = 10,
    tokenize: str = "",
    lowercase: bool = False,
    form: str,
    output: str | None,
    quiet: bool = False,
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
        smoothing=smoothing,
        top=top,
        cutting=Cutting(tokenize, lowercase),
    )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
