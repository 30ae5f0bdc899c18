"""Make one page of an evaluation: who wins, may I believe it, where and why, and every segment to look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs, _show
from adjudge.cli._command import subcommand
from adjudge.cli._files import study_of
from adjudge.cli._options import FIELDS, TESTED_FILES, option, output_option, plan_options
from adjudge.cli._rates import RATES
from adjudge.cli._run import CommandRun
from adjudge.cli._studies import given_options
from adjudge.cli._vocabulary import Name
from adjudge.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from adjudge.cli._run import Workers
    from adjudge.comparison import Plan
    from adjudge.dossiers.study_dossier import StudyDossier

AUDIENCES = ("researcher", "manager")
PLAN = tuple(name for name in FIELDS if name != "by")


@subcommand(
    "report",
    "Make one page of an evaluation: who wins, may I believe it, where and why, and every segment.",
    "files",
    option("set_name", "Of a study.", default=""),
    "realign structure",
    option("metrics", "May be repeated. Default: bleu, chrf and ter, or those of the study."),
    option("judgements", "May be repeated.", repeated=True),
    "protocol",
    option("qe", repeated=True),
    option("training", "What of the test set stands in it?", repeated=True),
    *plan_options(*PLAN),
    option("by", "Default: length, and every label with 2 to 12 values.", repeated=True),
    output_option("output", "The page.", holds=("html",), metavar="FILE.html"),
    output_option("pdf", holds=("pdf",)),
    "cost_per_word",
    option("audience", default="researcher", type=Name("audience", AUDIENCES)),
    *RATES,
    "serve decimals",
    option("charts", default=True),
    option("port", "Of --serve.", default=8081),
    "threads cache allow_programs models quiet",
)
def command(run: CommandRun, **options: Any) -> None:
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
    from adjudge.io.pdf import browser_program, print_page
    from adjudge.report.pages.report.page import evaluation_page

    if options["serve"] is not None:
        _serve(run, options)
        return
    if run.output is None and options["pdf"] is None:
        raise UsageError("where should the page go? -o report.html")
    program = browser_program() if options["pdf"] is not None else ""
    with run.working() as work:
        dossier, notes = _looked_through(options, work)
    run.warn(notes)
    how = {name: options[name] for name in ("audience", "charts", "decimals")}
    page = evaluation_page(dossier, __version__, **how)
    if run.output is not None:
        run.write(page)
    if options["pdf"] is not None:
        _outputs.write(options["pdf"], print_page(page, program))


def _looked_through(options: Mapping[str, Any], work: Workers) -> tuple[StudyDossier, tuple[str, ...]]:
    """What the page is of: files, a test set of a study, or all of its sets; and what is to be said beside it."""
    from adjudge import workspace

    study = study_of(options["systems"], {name: options[name] for name in TESTED_FILES if name != "level"})
    by_study = study is not None and not options["metrics"]
    with workspace.use(workspace.with_settings(named_by_file=by_study)):
        return _looked_at(study, options, work)


def _looked_at(
    study: str | None, options: Mapping[str, Any], work: Workers
) -> tuple[StudyDossier, tuple[str, ...]]:
    from adjudge.cli._report_material import dossier_of_input, input_of_files, input_of_study

    if study is None and options["set_name"]:
        raise UsageError("--set is for a study, which has test sets of their own names")
    if study is not None and (options["judgements"] or options["qe"]):
        raise UsageError(f"{study} names judgements and scores itself: leave out -j and --qe")
    given = input_of_files(options) if study is None else input_of_study(study, options, work)
    plan = _plan(options, given.plan)  # what was typed goes before what a study says
    dossier = dossier_of_input(given, options, given_options(PLAN), plan, work)
    several = len(dossier.sets) > 1
    warned = [
        f"{set_dossier.name}: {warning}" if several else warning
        for set_dossier in dossier.sets
        for warning in set_dossier.dossier.comparison.warnings
    ]
    return dossier, (*given.notes, *warned)


def _plan(options: Mapping[str, Any], told: Mapping[str, Any]) -> Plan:
    """The plan of the tests: what was typed, then what the study says, then the usual."""
    from adjudge.comparison import Plan

    usual = {name: options[name] for name in PLAN if name not in told}
    of_study = {name: value for name, value in told.items() if name != "by"}
    return Plan(**of_study | usual | given_options(PLAN))


def _serve(run: CommandRun, options: Mapping[str, Any]) -> None:
    """Show results in a browser on this machine."""
    from pathlib import Path

    from adjudge.cli._listening import HOST, address_of, listening_socket

    if options["systems"] or run.output or options["pdf"]:
        raise UsageError("--serve shows what lies in its folder: give no files and no outputs beside it")
    folder = Path(options["serve"])
    if not folder.is_dir():
        raise UsageError(f"--serve {folder}: there is no such folder")
    try:
        from adjudge.server.reports import ResultFolder, serve_reports
        from adjudge.server.settings import ServerSettings
    except ImportError:
        raise MissingExtraError("a server", "campaign") from None
    with listening_socket(HOST, options["port"]) as listening:
        address = address_of(listening, HOST)
        _show.say(f"results of {folder} are at {address} (Ctrl-C ends it)")
        serve_reports(ResultFolder(folder, options["charts"]), ServerSettings(base_url=address), listening)
