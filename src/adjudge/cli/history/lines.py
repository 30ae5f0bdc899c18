"""Commands on lines of versions and on steps between them: draw, regressions, diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _show
from adjudge.cli._options import plan_options
from adjudge.cli._record import place_of
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.history.points import LineQuery
    from adjudge.history.records import History, Record
    from adjudge.history.version_lines import Lines


FAILED = 3
TESTING = ("test", "trials", "seed", "unit", "strata", "correction", "alpha")


line_options = _options.options(
    _options.option("systems", "Only lines of this one; may be repeated."),
    _options.option("metrics", "By this metric only; may be repeated."),
    _options.option("set_names", "May be repeated."),
    _options.option("last", "Of the versions of each line.", default=30),
    _options.option("since"),
    _options.option("renamed", "Systems.", repeated=True),
    _options.options(base_version="previous", tolerance=0.0),
    plan_options(*TESTING),
    _options.options("place"),
)
"""Which lines, how much of them, and how their steps are tested."""


def lines_of(options: dict[str, Any], threads: int) -> Lines:
    """The lines that were asked for."""
    from adjudge.comparison.plan import Plan
    from adjudge.history.lines import lines

    plan = Plan(**{name: options[name] for name in TESTING})
    with opened(options["place"]) as history:
        return lines(
            history,
            _wanted(options),
            plan,
            base_version=options["base_version"],
            tolerance=options["tolerance"],
            threads=threads,
        )


def _wanted(options: dict[str, Any]) -> LineQuery:
    from adjudge.history.points import LineQuery

    return LineQuery(
        systems=options["systems"],
        metrics=specs_of(options["metrics"]),
        test_sets=options["set_names"],
        last=options["last"],
        renamed=names_of(options["renamed"]),
        since=options["since"],
    )


def names_of(given: Sequence[str]) -> dict[str, str]:
    """Names that systems had, and those that they have now."""
    renamed = {}
    for text in given:
        old, equals, new = text.partition("=")
        if not (old and equals and new):
            raise UsageError(f"--renamed {text}: OLD=NEW was expected, the name then and the name now")
        renamed[old] = new
    return renamed


def specs_of(given: Sequence[str]) -> list[str]:
    """Metrics as records name them."""
    from adjudge.metrics import metric

    return [metric(spec).spec for spec in _options.metric_specs(given)]


def opened(place: str | None, *, writes: bool = False) -> History:
    """The history, to be closed again."""
    from adjudge.history.records import History

    return History.open(place_of(place), writes=writes)


def found(history: History, names: Sequence[str], *, damaged: bool = False) -> list[Record]:
    """The records of these names, each once; `damaged` ones only where they may be."""
    records = (history.find(name, damaged=damaged) for name in names)
    return list({record.id: record for record in records}.values())


@click.command(
    "draw", short_help="Draw systems over their versions, and mark the steps that are significant."
)
@line_options
@_options.format_option(_options.PAGES)
@_options.results_option
@_options.keywords()
def draw_command(
    *, form: str, output: str | None, threads: int = 0, quiet: bool = False, **options: Any
) -> None:
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
    from adjudge.report.pages.history_page import page
    from adjudge.report.render.formats import renderer_of

    result = lines_of(options, threads)
    _show.warn(result.warnings, quiet=quiet)
    shown = renderer_of(result, version=__version__)
    _show.show(replace(shown, html=lambda: page(result, __version__)), form, output)


@click.command(
    "regressions", short_help="Say which versions became significantly worse: exit 3 where there is one."
)
@line_options
@_options.format_option(("text", "json", "markdown"))
@_options.results_option
@_options.keywords()
def regressions_command(
    *, form: str, output: str | None, threads: int = 0, quiet: bool = False, **options: Any
) -> int:
    """Say which versions became significantly worse: exit 3 where there is one.

    The marks are those of `adjudge history` with the same options. `--last 2` asks of the newest version alone;
    `--base-version first` finds what went down in steps that are each too small to be seen.

    \b
    adjudge history regressions
    adjudge history regressions --last 2
    adjudge history regressions --base-version first --tolerance 0.5
    """
    from adjudge import __version__
    from adjudge.history.version_lines import Regressions
    from adjudge.report.render.formats import renderer_of

    result = lines_of(options, threads)
    _show.warn(result.warnings, quiet=quiet)
    _show.show(renderer_of(Regressions(result), version=__version__), form, output)
    return FAILED if result.regressions else 0


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
def diff_command(
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
    from adjudge.report.render.formats import renderer_of

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
    _show.show(renderer_of(replace(result, top=top), version=__version__), form, output)
