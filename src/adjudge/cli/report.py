"""Make one page of an evaluation: who wins, may I believe it, where and why, and every segment to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _rows, _show, _workspace
from adjudge.cli._options import FIELDS, plan_options, study_of
from adjudge.cli._rates import rate_options
from adjudge.cli._studies import given_options
from adjudge.cli._vocabulary import Name
from adjudge.cli._workspace import allow_programs_option, model_options
from adjudge.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from adjudge.comparison import Plan
    from adjudge.dossiers.study_dossier import StudyDossier

AUDIENCES = ("researcher", "manager")
FILES = (*_options.FILES, "realign", *_options.STRUCTURE)
PLAN = tuple(name for name in FIELDS if name != "by")


@click.command(
    "report",
    short_help="Make one page of an evaluation: who wins, may I believe it, where and why, and every segment.",
)
@_options.file_options
@_options.option("set_name", "Of a study.", default="")
@_options.options("realign")
@_options.structure_options
@_options.option("metrics", "May be repeated. Default: bleu, chrf and ter, or those of the study.")
@_options.option("judgements", "May be repeated.", repeated=True)
@_options.options("protocol")
@_options.option("qe", repeated=True)
@_options.option("training", "What of the test set stands in it?", repeated=True)
@plan_options(*PLAN)
@_options.option("by", "Default: length, and every label with 2 to 12 values.", repeated=True)
@_options.output_option("output", "The page.", holds=("html",), metavar="FILE.html")
@_options.output_option("pdf", holds=("pdf",))
@_options.options("cost_per_word")
@_options.option("audience", default="researcher", type=Name("audience", AUDIENCES))
@rate_options
@_options.options("serve", "decimals", charts=True)
@_options.option("port", "Of --serve.", default=8081)
@_options.keywords()
@allow_programs_option
@model_options
@_options.options("quiet")
def command(*, threads: int = 0, cache: bool = True, **options: Any) -> None:
    """Make one page of an evaluation, for a browser: one file that needs nothing else.

    It says in words who wins and whether that may be believed, shows the comparison, where and why systems differ, and
    every segment: each number leads to its own. Files are given as to `adjudge compare`, or a study in their place.

    \b
    adjudge report -r reference.en -s source.pt systems/*.en -o report.html
    adjudge report -r reference.en -L labels.tsv --baseline old old.en new.en -o report.html
    adjudge report -r reference.en -j judgements.tsv systems/*.en -o report.html --pdf report.pdf
    adjudge report -r reference.en --audience manager old.en new.en -o decision.html
    adjudge report study.toml -o report.html
    adjudge report --serve results
    """
    from adjudge import __version__
    from adjudge.cli._workspace import progress
    from adjudge.io.pdf import browser_program, print_page
    from adjudge.report.pages.report.page import evaluation_page

    display = _options.group_of(_Display, options)
    if display.serve is not None:
        _serve(display, options["systems"])
        return
    if display.output is None and display.pdf is None:
        raise UsageError("where should the page go? -o report.html")
    program = browser_program() if display.pdf is not None else ""
    with progress(quiet=display.quiet) as report_progress:
        rows = _rows.RowSource(threads, _workspace.row_cache(cache), report_progress)
        dossier, notes = _looked_through(options, rows)
    _show.warn(notes, quiet=display.quiet)
    page = evaluation_page(
        dossier, __version__, audience=display.audience, charts=display.charts, decimals=display.decimals
    )
    if display.output is not None:
        _show.show_text(page, display.output)
    if display.pdf is not None:
        _outputs.write(display.pdf, print_page(page, program))


@dataclass(frozen=True)
class _Display:
    """How a dossier is shown."""

    output: str | None
    pdf: str | None
    audience: str
    charts: bool
    decimals: int | None
    serve: str | None
    port: int
    quiet: bool


def _looked_through(
    options: Mapping[str, Any], rows: _rows.RowSource
) -> tuple[StudyDossier, tuple[str, ...]]:
    """What the page is of: files, a test set of a study, or all of its sets; and what is to be said beside it."""
    from adjudge import workspace

    study = study_of(options["systems"], {name: options[name] for name in FILES})
    by_study = study is not None and not options["metrics"]
    with workspace.use(workspace.changed(named_by_file=by_study)):
        return _looked_at(study, options, rows)


def _looked_at(
    study: str | None, options: Mapping[str, Any], rows: _rows.RowSource
) -> tuple[StudyDossier, tuple[str, ...]]:
    from adjudge.cli._report_material import dossier_of_input, input_of_files, input_of_study

    if study is None and options["set_name"]:
        raise UsageError("--set is for a study, which has test sets of their own names")
    if study is not None and (options["judgements"] or options["qe"]):
        raise UsageError(f"{study} names judgements and scores itself: leave out -j and --qe")
    given = input_of_files(options) if study is None else input_of_study(study, options, rows)
    plan = _plan(options, given.plan)  # what was typed goes before what a study says
    dossier = dossier_of_input(given, options, given_options(tuple(PLAN)), plan, rows)
    several = len(dossier.sets) > 1
    warned = [
        f"{own.name}: {warning}" if several else warning
        for own in dossier.sets
        for warning in own.dossier.comparison.warnings
    ]
    return dossier, (*given.notes, *warned)


def _plan(options: Mapping[str, Any], told: Mapping[str, Any]) -> Plan:
    """The plan of the tests: what was typed, then what the study says, then the usual."""
    from adjudge.comparison import Plan

    usual = {name: options[name] for name in PLAN if name not in told}
    of_study = {name: value for name, value in told.items() if name != "by"}
    return Plan(**of_study | usual | given_options(PLAN))


def _serve(display: _Display, systems: tuple[str, ...]) -> None:
    """Show results in a browser on this machine."""
    from pathlib import Path

    from adjudge.cli._listening import HOST, address_of, listening_socket

    if systems or display.output or display.pdf:
        raise UsageError("--serve shows what lies in its folder: give no files and no outputs beside it")
    folder = Path(display.serve or "")
    if not folder.is_dir():
        raise UsageError(f"--serve {folder}: there is no such folder")
    try:
        from adjudge.server.reports import ResultFolder, serve_reports
        from adjudge.server.settings import ServerSettings
    except ImportError:
        raise MissingExtraError("a server", "campaign") from None
    with listening_socket(HOST, display.port) as listening:
        address = address_of(listening, HOST)
        _show.say(f"results of {folder} are at {address} (Ctrl-C ends it)")
        serve_reports(ResultFolder(folder, display.charts), ServerSettings(base_url=address), listening)
