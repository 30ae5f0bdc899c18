"""Make one page of an evaluation: who wins, may I believe it, where and why, and every segment to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _outputs, _rows, _show, _testing
from adjudge.cli._workspace import model_options
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.evaluate import Plan
    from adjudge.findings.dossier import Dossier

AUDIENCES = ("researcher", "manager")
TESTING = tuple(name for name in _testing.NAMES if name not in ("margin", "by"))
PLAN = {"margin" if name == "margins" else name for name in TESTING}


def _audience(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value not in AUDIENCES:
        raise unknown_name("audience", value, AUDIENCES)
    return value


@click.command("report", short_help="Make one page of an evaluation, for a browser.")
@_options.file_options
@_options.realign_option
@_options.structure_options
@_options.metric_option("bleu, chrf and ter")
@_testing.options(*TESTING)
@_outputs.output_option("-o", "--output", metavar="FILE.html", holds=("html",), help="The page.")
@click.option(
    "--audience",
    metavar="NAME",
    default="researcher",
    show_default=True,
    callback=_audience,
    help="Who reads it: researcher, or manager (one page: which engine, how sure, what it costs).",
)
@click.option("--charts/--no-charts", default=True, help="Draw charts (default); they need adjudge[report].")
@_options.width_option
@_options.threads_option
@_cache.cache_option
@model_options
@_options.quiet_option
def command(*, threads: int, caching: bool, **options: Any) -> None:
    """Make one page of an evaluation, for a browser: one file that needs nothing else.

    It says in words who wins and whether that may be believed, shows the comparison, where and why systems differ, and
    every segment: each number leads to its own. Files are given as to `adjudge compare`.

    \b
    adjudge report -r reference.en -s source.pt systems/*.en -o report.html
    adjudge report -r reference.en -L labels.tsv --baseline old old.en new.en -o report.html
    adjudge report -r reference.en --audience manager old.en new.en -o decision.html
    """
    from adjudge.cli._progress import progress
    from adjudge.evaluate import Plan

    display = _options.group_of(_Display, options)
    if display.output is None:
        raise UsageError("where should the page go? -o report.html")
    plan = Plan(**{name: value for name, value in options.items() if name in PLAN})
    with progress(quiet=display.quiet) as report_progress:
        rows = _rows.RowSource(threads, _cache.row_cache(caching), report_progress)
        dossier = _dossier(options, plan, rows)
    _show.warn(dossier.comparison.warnings, quiet=display.quiet)
    _write(dossier, display)


@dataclass(frozen=True)
class _Display:
    """How a dossier is shown."""

    output: str | None
    audience: str
    charts: bool
    decimals: int | None
    quiet: bool


def _dossier(options: dict[str, Any], plan: Plan, rows: _rows.RowSource) -> Dossier:
    from adjudge.findings.dossier import Beside, dossier

    files = {name: options[name] for name in (*_options.FILES, "realign", *_options.STRUCTURE)}
    specs = _options.metric_specs(options["metrics"])
    metrics, loaded = _rows.outputs_to_compare(options["systems"], specs, files)
    _outputs.check_not_read(loaded.inputs)
    return dossier(
        loaded.test_set,
        loaded.outputs,
        metrics,
        plan,
        Beside(inputs=loaded.inputs),
        threads=rows.threads,
        cache=rows.cache,
        progress=rows.progress,
    )


def _write(dossier: Dossier, display: _Display) -> None:
    from adjudge import __version__
    from adjudge.report.dossier import DossierPage

    page = DossierPage(dossier, __version__, charts=display.charts, decimals=display.decimals)
    _show.show_text(page.html(), display.output)
