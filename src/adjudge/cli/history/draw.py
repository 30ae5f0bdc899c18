"""Draw systems over their versions, and mark the steps that are significant."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _show
from adjudge.cli.history._options import line_options, lines_of


@click.command(
    "draw", short_help="Draw systems over their versions, and mark the steps that are significant."
)
@line_options
@_options.format_option(_options.PAGES)
@_options.results_option
@_options.keywords()
def command(*, form: str, output: str | None, threads: int = 0, quiet: bool = False, **options: Any) -> None:
    """Draw systems over their versions, and mark the steps that are significant.

    A line for each system, metric and test set: every version's score with its interval, held against the version
    before it that it can be compared with. Where the test set or the signature changed, the line breaks and says why.
    All steps that are shown are corrected together.

    \b
    adjudge history
    adjudge history --system neural -m bleu --last 50
    adjudge history -o history.html
    """
    from adjudge import __version__
    from adjudge.report.results.history import forms

    result = lines_of(options, threads)
    _show.warn(result.warnings, quiet=quiet)
    _show.show(forms(result, version=__version__), form, output)
