"""Classes of errors: inflection, word order, missing, extra and wrong words."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.analyse._options import drawing_options


@click.command(
    "errors", short_help="Classes of errors: inflection, word order, missing, extra and wrong words."
)
@_options.file_options
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    default="hjerson",
    help="How errors are told apart, as in 'hjerson(bases=stem)'. Default: hjerson.",
)
@drawing_options
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.threads_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    metric: str,
    resamples: int,
    seed: int,
    form: str,
    output: str | None,
    threads: int,
    quiet: bool,
    **files: Any,
) -> None:
    """Tell the errors of outputs apart: inflection, word order, missing, extra and wrong words.

    Found by words and their base forms as Hjerson does; every class with an interval, and tested against the first
    system's.

    \b
    adjudge analyse errors -r reference.en rulebased.en neural.en
    adjudge analyse errors -r reference.en -m 'hjerson(bases=stem)' -l de-en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.error_classes import error_classes
    from adjudge.cli._progress import progress
    from adjudge.report.error_classes import forms

    _options.check_files(systems, doing="analyse errors", **files)
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse errors", **files)
        _outputs.check_not_read(loaded.inputs)
        result = error_classes(
            loaded.test_set,
            loaded.outputs,
            metric,
            resamples=resamples,
            seed=seed,
            threads=threads,
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
