"""How rich the words of outputs are beside the reference's."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show


@click.command("diversity", short_help="How rich the words of outputs are beside the reference's.")
@_options.file_options
@_options.keywords()
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    tokenize: str = "",
    window: int = 100,
    form: str,
    output: str | None,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show how rich the words of outputs are beside the reference's: TTR, MATTR, MTLD, Yule's K.

    \b
    adjudge analyse diversity -r reference.en rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.cutting import Cutting
    from adjudge.analysis.diversity import diversity
    from adjudge.report.analyses.diversity import forms

    _options.check_files(systems, doing="analyse diversity", **files)
    loaded = _options.load_files(systems, doing="analyse diversity", **files)
    _outputs.check_not_read(loaded.inputs)
    result = diversity(
        loaded.test_set, loaded.outputs, cutting=Cutting(tokenize, lowercase=True), window=window
    )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
