"""Score and compare all systems of a study on all its test sets."""

from __future__ import annotations

from typing import Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import metric_specs
from adjudge.cli._options import FIELDS, PAGES, argument, format_option, option, plan_options
from adjudge.cli._run import CommandRun
from adjudge.cli._studies import given_options, show_study

TESTING = tuple(name for name in FIELDS if name not in ("interval", "by"))


@subcommand(
    "run",
    "Score and compare all systems of a study on all its test sets.",
    argument("file", metavar="STUDY-FILE"),
    option("metrics", "May be repeated. Default: those of the study."),
    "threads cache quiet",
    *plan_options(*TESTING),
    format_option(PAGES),
    "output save recording allow_programs models",
)
def command(run: CommandRun, *, file: str, metrics: tuple[str, ...], **testing: Any) -> None:
    """Score and compare all systems of a study on all its test sets.

    A table of test sets and systems, the mean over sets with an interval, and who is better in it; by language pair
    and domain where there are several. What is typed here comes before what the study's [plan] says.

    \b
    adjudge study run study.toml
    adjudge study run study.toml -m chrf --baseline production -o study.html
    adjudge study run study.toml --save spring.json
    """
    show_study(run, file, metric_specs(metrics), given_options(tuple(testing)))
