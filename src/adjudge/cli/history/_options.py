"""What the commands of a history share: where it is, which lines, which records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.cli import _options, _testing
from adjudge.cli._record import place_of
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.history.lines import Lines
    from adjudge.history.points import Wanted
    from adjudge.history.records import History, Record

Command = TypeVar("Command", bound=Callable[..., Any])
TESTING = ("method", "trials", "seed", "unit", "strata", "correction", "alpha")


def history_option(command: Command) -> Command:
    """--history, for all of them alike."""
    return click.option(
        "--history",
        "place",
        metavar="FILE|URL",
        help="A file of SQLite, or postgresql://USER@HOST/NAME. Default: $ADJUDGE_HISTORY, or the project's "
        ".adjudge/history.db.",
    )(command)


def line_options(command: Command) -> Command:
    """Which lines, how much of them, and how their steps are tested."""
    options: list[Callable[[Command], Command]] = [
        click.option("--system", "systems", metavar="NAME", multiple=True, help="Lines of this system only."),
        click.option(
            "-m", "--metric", "metrics", metavar="METRIC", multiple=True, help="By this metric only."
        ),
        click.option("--test-set", "test_sets", metavar="NAME", multiple=True, help="On this test set only."),
        click.option(
            "--last",
            metavar="N",
            type=_options.Whole(1, 1_000_000),
            default=30,
            show_default=True,
            help="Versions of each line.",
        ),
        click.option(
            "--since",
            metavar="NAME",
            help="Begin with this record: a release say. The count of looks begins there too.",
        ),
        click.option(
            "--renamed",
            metavar="OLD=NEW",
            multiple=True,
            help="A system was called OLD once; may be repeated.",
        ),
        click.option(
            "--against",
            metavar="WHICH",
            default="previous",
            show_default=True,
            help="What each version is held against: previous, or first.",
        ),
        click.option(
            "--margin",
            metavar="X",
            type=_options.Real(),
            default=0.0,
            help="A smaller drop than this is none.",
        ),
        _testing.options(*TESTING),
        history_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


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
            against=options["against"],
            margin=options["margin"],
            threads=threads,
        )


def _wanted(options: dict[str, Any]) -> Wanted:
    from adjudge.history.points import Wanted

    return Wanted(
        systems=options["systems"],
        metrics=specs_of(options["metrics"]),
        test_sets=options["test_sets"],
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
