"""Segments that got better or worse from one version to the next."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace


@click.command("changes", short_help="Segments that got better or worse from one version to the next.")
@_options.file_options
@_options.keywords(metrics="May be repeated. Default: chrf and ter.", top="Gains and losses.")
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    top: int = 3,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show which segments got better or worse between two versions, the first being the old one.

    A segment is better or worse where all metrics agree. With training runs of both (name.run1.en, name.run2.en),
    gains that would come again are told from luck.

    \b
    adjudge analyse changes -r reference.en old.en new.en
    adjudge analyse changes -r reference.en -f tsv -o changes.tsv old.en new.en
    """
    from adjudge import __version__
    from adjudge.analysis.changes import changes
    from adjudge.cli._workspace import progress
    from adjudge.report.analyses.changes import forms

    specs = _options.metric_specs(metrics) or ["chrf", "ter"]
    _options.check_files(systems, doing="analyse changes", **files)
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="analyse changes", **files)
        _outputs.check_not_read(loaded.inputs)
        result = changes(
            loaded.test_set,
            loaded.outputs,
            specs,
            threads=threads,
            cache=_workspace.row_cache(cache),
            progress=report_progress,
        )
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(result, top=top, version=__version__, inputs=loaded.inputs), form, output)
