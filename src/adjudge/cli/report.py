"""Make one page of an evaluation: who wins, may I believe it, where and why, and every segment to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _outputs, _rows, _show, _testing
from adjudge.cli._rates import rate_options
from adjudge.cli._studies import given_options, study_of
from adjudge.cli._workspace import allow_programs_option, model_options
from adjudge.errors import MissingExtraError, UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.cli._report_material import ReportMaterial
    from adjudge.comparison import Plan
    from adjudge.dossiers.evaluation_dossier import Dossier
    from adjudge.dossiers.study_dossier import StudyDossier
    from adjudge.report.render.markup import Html

AUDIENCES = ("researcher", "manager")
TESTING = tuple(name for name in _testing.NAMES if name not in ("margin", "by"))
FILES = (*_options.FILES, "realign", *_options.STRUCTURE)
PLAN = {"margin" if name == "margins" else name for name in TESTING}


def _audience(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value not in AUDIENCES:
        raise unknown_name("audience", value, AUDIENCES)
    return value


@click.command("report", short_help="Make one page of an evaluation, for a browser.")
@_options.file_options
@click.option("--set", "set_name", metavar="NAME", default="", help="Of a study: this test set only.")
@_options.realign_option
@_options.structure_options
@_options.metric_option("bleu, chrf and ter, or those of the study")
@click.option(
    "-j",
    "--judgements",
    metavar="FILE",
    multiple=True,
    help="What people said of these outputs; may be repeated.",
)
@click.option(
    "--protocol", metavar="NAME", help="How people were asked, where the files do not tell (da, mqm, …)."
)
@click.option(
    "--qe",
    metavar="FILE",
    multiple=True,
    help="Scores of segments from elsewhere, by quality estimation say: system, segment, score.",
)
@_options.training_option
@_testing.options(*TESTING)
@click.option(
    "--by",
    metavar="LABEL",
    multiple=True,
    help="Scores by groups of segments. Default: length, and every label with 2 to 12 values.",
)
@_outputs.output_option("-o", "--output", metavar="FILE.html", holds=("html",), help="The page.")
@_outputs.output_option("--pdf", metavar="FILE.pdf", holds=("pdf",), help="The page printed by Chromium.")
@click.option(
    "--audience",
    metavar="NAME",
    default="researcher",
    show_default=True,
    callback=_audience,
    help="Who reads it: researcher, or manager (one page: which engine, how sure, what it costs).",
)
@click.option(
    "--cost-per-word",
    "price",
    metavar="X",
    type=_options.Real(),
    help="What changing one word costs, to estimate.",
)
@rate_options
@click.option("--charts/--no-charts", default=True, help="Draw charts (default); they need adjudge[report].")
@click.option(
    "--serve",
    metavar="FOLDER",
    help="Show the results that --save kept in a folder, on this machine alone, until Ctrl-C.",
)
@click.option(
    "--port", metavar="N", type=_options.Whole(0, 65535), default=8081, help="Of --serve; 0: any free one."
)
@_options.width_option
@_options.threads_option
@_cache.cache_option
@allow_programs_option
@model_options
@_options.quiet_option
def command(*, threads: int, caching: bool, **options: Any) -> None:
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
    from adjudge.cli._progress import progress
    from adjudge.io.pdf import browser_program, print_page
    from adjudge.report.charts.vega import begin_early

    display = _options.group_of(_Display, options)
    if display.serve is not None:
        _serve(display, options["systems"])
        return
    if display.output is None and display.pdf is None:
        raise UsageError("where should the page go? -o report.html")
    program = browser_program() if display.pdf is not None else ""
    with progress(quiet=display.quiet) as report_progress:
        rows = _rows.RowSource(threads, _cache.row_cache(caching), report_progress)
        dossier, notes = _looked_through(options, rows, begin_early if display.has_charts else _nothing)
    _show.warn(notes, quiet=display.quiet)
    page = _page(dossier, display)
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

    @property
    def has_charts(self) -> bool:
        """Whether the page has any."""
        return self.charts and self.audience != "manager"


def _nothing() -> None:
    """Nothing is to be begun."""


def _looked_through(
    options: Mapping[str, Any], rows: _rows.RowSource, begin: Callable[[], None]
) -> tuple[Dossier | StudyDossier, tuple[str, ...]]:
    """What the page is of: files, a test set of a study, or all of its sets; and what is to be said beside it.

    `begin` is called once the files are read.
    """
    from adjudge import workspace

    study = study_of(options["systems"], {name: options[name] for name in FILES})
    by_study = study is not None and not options["metrics"]
    with workspace.use(workspace.changed(named_by_file=by_study)):
        return _looked_at(study, options, rows, begin)


def _looked_at(
    study: str | None, options: Mapping[str, Any], rows: _rows.RowSource, begin: Callable[[], None]
) -> tuple[Dossier | StudyDossier, tuple[str, ...]]:
    from adjudge.cli._report_material import dossier_of_study, material_of_files, material_of_set, study_input

    if study is None:
        if options["set_name"]:
            raise UsageError("--set is for a study, which has test sets of their own names")
        material = material_of_files(options)
    else:
        if options["judgements"] or options["qe"]:
            raise UsageError(f"{study} names judgements and scores itself: leave out -j and --qe")
        given = study_input(study, options, rows)
        if len(given.sets) > 1:
            plan = _plan(options, given.plan)
            begin()
            whole = dossier_of_study(given, options, given_options(tuple(PLAN)), plan, rows)
            warned = [f"{own.name}: {w}" for own in whole.sets for w in own.dossier.comparison.warnings]
            return whole, (*given.loaded.notes, *warned)
        material = material_of_set(given, options)
    plan = _plan(options, material.plan)  # what was typed goes before what a study says
    begin()
    dossier = _dossier(material, plan, rows)
    return dossier, (*material.notes, *dossier.comparison.warnings)


def _plan(options: Mapping[str, Any], told: Mapping[str, Any]) -> Plan:
    """The plan of the tests: what was typed, then what the study says, then the usual."""
    from adjudge.comparison import Plan

    usual = {name: options[name] for name in PLAN if name not in told}
    of_study = {name: value for name, value in told.items() if name != "by"}
    return Plan(**of_study | usual | given_options(tuple(PLAN)))


def _dossier(material: ReportMaterial, plan: Plan, rows: _rows.RowSource) -> Dossier:
    from adjudge.dossiers.evaluation_dossier import dossier

    return dossier(
        material.test_set,
        material.outputs,
        material.metrics,
        plan,
        material.beside,
        threads=rows.threads,
        cache=rows.cache,
        progress=rows.progress,
    )


def _page(dossier: Dossier | StudyDossier, display: _Display) -> Html:
    from adjudge import __version__
    from adjudge.dossiers.study_dossier import StudyDossier
    from adjudge.report.pages.dossier import DossierPage
    from adjudge.report.pages.manager import manager_page
    from adjudge.report.pages.manager_study import manager_study_page
    from adjudge.report.pages.study_dossier import StudyPage

    if isinstance(dossier, StudyDossier):
        if display.audience == "manager":
            return manager_study_page(dossier, __version__)
        return StudyPage(dossier, __version__, charts=display.charts, decimals=display.decimals).html()

    if display.audience == "manager":
        return manager_page(dossier, __version__)
    return DossierPage(dossier, __version__, charts=display.charts, decimals=display.decimals).html()


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
