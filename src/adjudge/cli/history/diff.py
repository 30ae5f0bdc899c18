"""Show which segments got better or worse between two records."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _show
from adjudge.cli._plan_options import plan_options
from adjudge.cli.history._options import TESTING, names_of, opened, specs_of


@click.command("diff", short_help="Show which segments got better or worse between two records.")
@click.argument("old", metavar="NAME")
@click.argument("new", metavar="NAME", default="last")
@_options.keywords(top="Gains and losses.")
@_options.option("systems", "Only this one; may be repeated.")
@_options.option("metrics", "By this metric only; may be repeated.")
@_options.option("renamed", "Systems.", repeated=True)
@plan_options(*TESTING)
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    old: str,
    new: str,
    top: int = 3,
    place: str | None = None,
    form: str,
    output: str | None,
    threads: int = 0,
    quiet: bool = False,
    **options: Any,
) -> None:
    """Show which segments got better or worse from one record to another, by default to the last one.

    Only what can be compared is: the same test set, to the last character, and the same signatures.

    \b
    adjudge history diff v1.1 v1.2
    adjudge history diff last~1
    adjudge history diff 3f2a91c last -f tsv -o changes.tsv
    """
    from adjudge import __version__
    from adjudge.comparison.plan import Plan
    from adjudge.history.diff import diff
    from adjudge.report.results.history_diff import forms

    with opened(place) as history:
        result = diff(
            history,
            old,
            new,
            systems=options["systems"],
            metrics=specs_of(options["metrics"]),
            renamed=names_of(options["renamed"]),
            plan=Plan(**{name: options[name] for name in TESTING}),
            threads=threads,
        )
    _show.warn(result.warnings, quiet=quiet)
    _show.show(forms(result, top=top, version=__version__), form, output)
