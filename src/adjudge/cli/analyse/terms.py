"""Terms of a glossary: how often they are kept, and always alike."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.errors import UsageError


@click.command("terms", short_help="Terms of a glossary: how often they are kept, and always alike.")
@_options.file_options
@_options.keywords()
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    glossary: str | None = None,
    match: str = "exact",
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show how often terms of the source are translated as a glossary wants it.

    \b
    adjudge analyse terms --glossary terms.tsv -s source.pt -r reference.en rulebased.en neural.en
    adjudge analyse terms --glossary terms.tbx --match stem -l pt-en -s source.pt -r reference.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.terms import terms
    from adjudge.io.glossaries import read_glossary
    from adjudge.report.analyses.terms import forms

    if glossary is None:
        raise UsageError("no glossary: --glossary FILE")
    _options.check_files(systems, doing="analyse terms", **files)
    loaded = _options.load_files(systems, doing="analyse terms", **files)
    _outputs.check_not_read(loaded.inputs)
    entries = read_glossary(glossary, loaded.test_set.language)
    result = terms(
        loaded.test_set, loaded.outputs, entries, match=match, resamples=resamples, seed=seed, unit=unit
    )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
