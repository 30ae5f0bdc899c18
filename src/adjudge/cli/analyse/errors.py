"""Classes of errors: inflection, word order, missing, extra and wrong words."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.analyse._options import read_judgements


@click.command(
    "errors", short_help="Classes of errors: inflection, word order, missing, extra and wrong words."
)
@_options.file_options
@_options.keywords(metric="It tells errors apart, as in 'hjerson(bases=stem)'.")
@_options.trees_option
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    metric: str = "hjerson",
    judgements: tuple[str, ...] = (),
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    threads: int = 0,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Tell the errors of outputs apart: inflection, word order, missing, extra and wrong words.

    Found by words and their base forms as Hjerson does; every class with an interval, and tested against the first
    system's. Trees of all texts tell them by part of speech; errors that people marked stand beside them.

    \b
    adjudge analyse errors -r reference.en rulebased.en neural.en
    adjudge analyse errors -r reference.en -m 'hjerson(bases=stem)' -l de-en neural.en
    adjudge analyse errors -r reference.en --trees trees.conllu rulebased.en neural.en
    adjudge analyse errors -r reference.en --judgements mqm.tsv rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.error_classes import error_classes
    from adjudge.analysis.error_typology import error_typology
    from adjudge.cli._workspace import progress
    from adjudge.report.analyses.error_classes import forms

    _options.check_files(systems, doing="analyse errors", **files)
    marked = read_judgements(judgements) if judgements else None
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse errors", **files)
        inputs = (*loaded.inputs, *(marked.inputs if marked else ()))
        _outputs.check_not_read(inputs)
        result = error_classes(
            loaded.test_set,
            loaded.outputs,
            metric,
            trees=bool(files["trees"]),
            resamples=resamples,
            seed=seed,
            threads=threads,
            unit=unit,
            progress=report_progress,
        )
        typology = (
            error_typology(result, loaded.test_set, loaded.outputs, marked.judgements) if marked else None
        )
    _show.warn((*loaded.notes, *(marked.warnings if marked else ())), quiet=quiet)
    _show.show(forms(result, typology=typology, version=__version__, inputs=inputs), form, output)
