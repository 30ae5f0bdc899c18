"""Segments on which systems differ most, and those on which all fare badly or well."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _cache, _options, _outputs, _show


@click.command(
    "examples", short_help="Segments on which systems differ most, and those on which all fare badly or well."
)
@_options.file_options
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    default="chrf",
    help="By which segments are sorted, as in 'bleu+1' (adjudge score --list). Default: chrf.",
)
@click.option(
    "--top",
    metavar="K",
    type=_options.Whole(1, 100_000),
    default=3,
    help="Segments of each kind; 3 by default.",
)
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.threads_option
@_cache.cache_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    metric: str,
    top: int,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
    **files: Any,
) -> None:
    """Show the segments on which a system is furthest ahead of the first or behind it, and where all are low or high.

    \b
    adjudge analyse examples -r reference.en rulebased.en neural.en
    adjudge analyse examples -s source.pt -r reference.en -m ter --top 10 -o examples.html rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.examples import examples
    from adjudge.cli._progress import progress
    from adjudge.report.analyses.examples import forms

    _options.check_files(systems, doing="analyse examples", **files)
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse examples", **files)
        _outputs.check_not_read(loaded.inputs)
        result = examples(
            loaded.test_set,
            loaded.outputs,
            metric,
            top=top,
            threads=threads,
            cache=_cache.row_cache(caching),
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
