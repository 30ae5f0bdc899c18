"""What the commands of a history share: where it is, which lines, which records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.cli import _options
from adjudge.cli._plan_options import plan_options
from adjudge.cli._record import place_of
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.history.lines import Lines
    from adjudge.history.points import Wanted
    from adjudge.history.records import History, Record

TESTING = ("method", "trials", "seed", "unit", "strata", "correction", "alpha")


line_options = _options.joined(
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


def _wanted(options: dict[str, Any]) -> Wanted:
    from adjudge.history.points import Wanted

    return Wanted(
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
