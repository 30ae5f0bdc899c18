"""Commands on lines of versions and on steps between them: draw, regressions, diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _show
from adjudge.cli._command import Part, subcommand
from adjudge.cli._files import metric_specs
from adjudge.cli._options import PAGES, argument, format_option, keywords, option, plan_options
from adjudge.cli._record import place_of
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.history.points import LineQuery
    from adjudge.history.records import History, Record
    from adjudge.history.version_lines import Lines


FAILED = 3
TESTING = ("test", "trials", "seed", "unit", "strata", "correction", "alpha")


LINES: tuple[Part, ...] = (
    option("systems", "Only lines of this one; may be repeated."),
    option("metrics", "By this metric only; may be repeated."),
    option("set_names", "May be repeated."),
    option("last", "Of the versions of each line.", default=30),
    option("since"),
    option("renamed", "Systems.", repeated=True),
    option("base_version", default="previous"),
    option("tolerance", default=0.0),
    *plan_options(*TESTING),
    "place",
)
"""Which lines, how much of them, and how their steps are tested."""


def lines_of(options: dict[str, Any], threads: int) -> Lines:
    """The lines that were asked for."""
    from adjudge.comparison.plan import Plan
    from adjudge.history.lines import lines

    plan = Plan(**{name: options[name] for name in TESTING})
    with open_history(options["place"]) as history:
        return lines(
            history,
            _line_query(options),
            plan,
            base_version=options["base_version"],
            tolerance=options["tolerance"],
            threads=threads,
        )


def _line_query(options: dict[str, Any]) -> LineQuery:
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

    return [metric(spec).spec for spec in metric_specs(given)]


def open_history(place: str | None, *, writes: bool = False) -> History:
    """The history, to be closed again."""
    from adjudge.history.records import History

    return History.open(place_of(place), writes=writes)


def find_records(history: History, names: Sequence[str], *, damaged: bool = False) -> list[Record]:
    """The records of these names, each once; `damaged` ones only where they may be."""
    records = (history.find(name, damaged=damaged) for name in names)
    return list({record.id: record for record in records}.values())


@subcommand(
    "draw",
    "Draw systems over their versions, and mark the steps that are significant.",
    *LINES,
    format_option(PAGES),
    "output threads quiet",
)
def draw_command(run: CommandRun, **options: Any) -> None:
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

    result = lines_of(options, run.threads)
    run.warn(result.warnings)
    shown = renderer_of(result, version=__version__)
    _show.show(replace(shown, html=lambda: page(result, __version__)), run.form, run.output)


@subcommand(
    "regressions",
    "Say which versions became significantly worse: exit 3 where there is one.",
    *LINES,
    format_option(("text", "json", "markdown")),
    "output threads quiet",
)
def regressions_command(run: CommandRun, **options: Any) -> int:
    """Say which versions became significantly worse: exit 3 where there is one.

    The marks are those of `adjudge history` with the same options. `--last 2` asks of the newest version alone;
    `--base-version first` finds what went down in steps that are each too small to be seen.

    \b
    adjudge history regressions
    adjudge history regressions --last 2
    adjudge history regressions --base-version first --tolerance 0.5
    """
    from adjudge.history.version_lines import Regressions

    result = lines_of(options, run.threads)
    run.warn(result.warnings)
    run.show(Regressions(result))
    return FAILED if result.regressions else 0


@subcommand(
    "diff",
    "Show which segments got better or worse between two records.",
    argument("old", metavar="NAME"),
    argument("new", metavar="NAME", default="last"),
    keywords(top="Gains and losses."),
    "threads quiet",
    option("systems", "Only this one; may be repeated."),
    option("metrics", "By this metric only; may be repeated."),
    option("renamed", "Systems.", repeated=True),
    *plan_options(*TESTING),
    format_option(PAGES),
    "output",
)
def diff_command(
    run: CommandRun, *, old: str, new: str, top: int = 3, place: str | None = None, **options: Any
) -> None:
    """Show which segments got better or worse from one record to another, by default to the last one.

    Only what can be compared is: the same test set, to the last character, and the same signatures.

    \b
    adjudge history diff v1.1 v1.2
    adjudge history diff last~1
    adjudge history diff 3f2a91c last -f tsv -o changes.tsv
    """
    from adjudge.comparison.plan import Plan
    from adjudge.history.diff import diff

    with open_history(place) as history:
        result = diff(
            history,
            old,
            new,
            systems=options["systems"],
            metrics=specs_of(options["metrics"]),
            renamed=names_of(options["renamed"]),
            plan=Plan(**{name: options[name] for name in TESTING}),
            threads=run.threads,
        )
    run.warn(result.warnings)
    run.show(replace(result, top=top))
