"""Say which versions became significantly worse: exit 3 where there is one."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import line_options, lines_of

FAILED = 3


@click.command(
    "regressions", short_help="Say which versions became significantly worse: exit 3 where there is one."
)
@line_options
@_options.format_option(("text", "json", "markdown"))
@_options.results_option
@_options.keywords()
def command(*, form: str, output: str | None, threads: int = 0, quiet: bool = False, **options: Any) -> int:
    """Say which versions became significantly worse: exit 3 where there is one.

    The marks are those of `adjudge history` with the same options. `--last 2` asks of the newest version alone;
    `--base-version first` finds what went down in steps that are each too small to be seen.

    \b
    adjudge history regressions
    adjudge history regressions --last 2
    adjudge history regressions --base-version first --tolerance 0.5
    """
    from adjudge import __version__
    from adjudge.report.results.history import regression_forms

    result = lines_of(options, threads)
    _show.warn(result.warnings, quiet=quiet)
    _show.show(regression_forms(result, version=__version__), form, output)
    return FAILED if result.regressions else 0
