"""Terms of a glossary: how often they are kept, and always alike."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.analyse._options import drawing_options
from adjudge.errors import UsageError


@click.command("terms", short_help="Terms of a glossary: how often they are kept, and always alike.")
@_options.file_options
@click.option(
    "--glossary",
    metavar="FILE",
    help="Terms and their translations: TSV (several translations: a | b), CSV or TBX.",
)
@click.option(
    "--match",
    metavar="HOW",
    default="exact",
    help="exact but for case (default), or stem: endings do not count.",
)
@drawing_options
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    glossary: str | None,
    match: str,
    unit: str,
    resamples: int,
    seed: int,
    form: str,
    output: str | None,
    quiet: bool,
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
