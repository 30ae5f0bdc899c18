"""Segments on which systems differ most, and those on which all fare badly or well."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace


@click.command(
    "examples", short_help="Segments on which systems differ most, and those on which all fare badly or well."
)
@_options.file_options
@_options.keywords(metric="Segments are sorted by it.", top="Segments of each kind.")
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    metric: str = "chrf",
    top: int = 3,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show the segments on which a system is furthest ahead of the first or behind it, and where all are low or high.

    \b
    adjudge analyse examples -r reference.en rulebased.en neural.en
    adjudge analyse examples -s source.pt -r reference.en -m ter --top 10 -o examples.html rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.analysis.examples import examples
    from adjudge.cli._workspace import progress
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
            cache=_workspace.row_cache(cache),
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)
