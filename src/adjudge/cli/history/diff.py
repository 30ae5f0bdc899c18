"""Show which segments got better or worse between two records."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _show, _testing
from adjudge.cli.history._options import TESTING, history_option, names_of, opened, specs_of


@click.command("diff", short_help="Show which segments got better or worse between two records.")
@click.argument("old", metavar="NAME")
@click.argument("new", metavar="NAME", default="last")
@click.option("--system", "systems", metavar="NAME", multiple=True, help="This system only.")
@click.option("-m", "--metric", "metrics", metavar="METRIC", multiple=True, help="By this metric only.")
@click.option(
    "--renamed", metavar="OLD=NEW", multiple=True, help="A system was called OLD once; may be repeated."
)
@click.option(
    "--top",
    metavar="K",
    type=_options.Whole(1, 100_000),
    default=3,
    help="Gains and losses to show; 3 by default.",
)
@_testing.options(*TESTING)
@history_option
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@_options.threads_option
@_options.quiet_option
def command(
    *,
    old: str,
    new: str,
    top: int,
    place: str | None,
    form: str,
    output: str | None,
    threads: int,
    quiet: bool,
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
