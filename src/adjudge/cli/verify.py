"""Compute a result file again, and say what no longer holds."""

from __future__ import annotations

import click

from adjudge.cli import BAD_DATA, _options, _outputs, _show, _workspace
from adjudge.cli._workspace import allow_programs_option, model_options


@click.command("verify", short_help="Compute a result file again, and say what no longer holds.")
@click.argument("result", metavar="RESULT.json")
@_options.format_option(("text", "json"))
@_options.results_option
@_options.keywords()
@allow_programs_option
@model_options
def command(
    *,
    result: str,
    form: str,
    output: str | None,
    threads: int = 0,
    quiet: bool = False,
) -> int:
    """Compute a result file again, and say what no longer holds.

    RESULT.json is what score, compare or study run printed with -f json, or wrote with --save. Files are looked for
    from the working directory and from the folder of the result. Exit 0: everything holds; 1: something does not.
    Programs, models and services that the file names are used again only with --allow-programs.

    \b
    adjudge verify baseline.json
    """
    from adjudge import __version__
    from adjudge.cli._workspace import progress
    from adjudge.history.reload import found_inputs
    from adjudge.history.stored import read
    from adjudge.history.verify import verify
    from adjudge.report.render.formats import renderer_of

    stored = read(result)
    _outputs.check_not_read(found_inputs(stored))
    _workspace.keep_tables()
    with progress(quiet=quiet) as report_progress:
        verification = verify(stored, threads=threads, progress=report_progress)
    _show.show(renderer_of(verification, version=__version__), form, output)
    return 0 if verification.holds else BAD_DATA
