"""Faults that need no judge: numbers lost, words untranslated, text in circles."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.analyse._options import drawing_options


@click.command(
    "faults", short_help="Faults that need no judge: numbers lost, words untranslated, text in circles."
)
@_options.file_options
@drawing_options
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    resamples: int,
    seed: int,
    form: str,
    output: str | None,
    quiet: bool,
    **files: Any,
) -> None:
    """Count faults that can be seen beside the source.

    Numbers, addresses, tags and placeholders that are lost, numbers that are new, words left untranslated, phrases
    again and again, the same text for different sources; and what the reference has of each.

    \b
    adjudge analyse faults -s source.pt -r reference.en rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.faults import faults
    from adjudge.report.faults import forms

    _options.check_files(systems, doing="analyse faults", **files)
    loaded = _options.load_files(systems, doing="analyse faults", **files)
    _outputs.check_not_read(loaded.inputs)
    result = faults(loaded.test_set, loaded.outputs, resamples=resamples, seed=seed)
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
