"""Say what judgements show: scores, clusters, agreement, annotators."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.cli import _options, _outputs, _show, _testing
from adjudge.cli._rates import rate_options
from adjudge.cli.human._analysis_options import analysis_options
from adjudge.cli.human._store import database_option, opened
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.dossiers import Analysis, LanguagePairAnalyses
    from adjudge.io import Input
    from adjudge.io.judgements import LoadedJudgements

TABLES = ("systems", "pairs", "segments", "annotators", "errors")
OF_RATINGS = ("segments", "errors")
"""Tables that rankings do not have."""
OF_FILES = ("input_format", "protocol", "column", "resubmissions")
OF_CAMPAIGN = ("database", "criterion")
CLAIM_REFUSED = 3


@click.command("analyse", short_help="Say what judgements show: scores, clusters, agreement, annotators.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--campaign", metavar="NAME", help="A campaign's own judgements, from its database, without a file."
)
@database_option
@click.option(
    "--criterion", metavar="NAME", default="", help="Of a campaign that asks for several (fluency)."
)
@click.option("--input-format", metavar="NAME", help="The files' format; guessed from what is in them.")
@click.option(
    "--protocol", metavar="NAME", help="How it was asked (da, esa, mqm, hter, …), where files do not say."
)
@click.option("--column", metavar="NAME", help="The column with the scores, where it has another name.")
@click.option(
    "-L",
    "--labels",
    metavar="FILE",
    multiple=True,
    help="Labels of the items: a TSV with a column line or segment; may be given again.",
)
@click.option(
    "--only",
    metavar="NAME=PATTERN",
    multiple=True,
    help="Take judgements with that label (item, system, …) only.",
)
@click.option(
    "--without",
    metavar="NAME=PATTERN",
    multiple=True,
    help="Leave such judgements out: --without 'item=U-*'.",
)
@click.option(
    "-l",
    "--language",
    metavar="PAIR",
    default="",
    help="The language pair (de-en); of judgements of several pairs, this one alone.",
)
@click.option(
    "--pool-languages",
    is_flag=True,
    help="Rank systems by their mean over language pairs, each counting alike; otherwise each pair stands by itself.",
)
@click.option(
    "-s", "--source", metavar="FILE", help="The source, a line a segment: lengths, with --by origin."
)
@click.option("--score", metavar="NAME", help="What is tested: z (annotators on one scale) or raw.")
@click.option(
    "--repeats",
    metavar="NAME",
    default="exclude",
    show_default=True,
    help="Whether repeated items count for a system's score: include or exclude.",
)
@click.option(
    "--unit",
    metavar="NAME",
    help="What is drawn. Default: documents or else items, with annotators where there are three. Or item, document, "
    "annotator, another label's groups, two kinds at once (document,annotator), translation or judgement; of rankings "
    "as published: ranking, pair, none (TrueSkill's runs alone).",
)
@click.option(
    "--rescale",
    is_flag=True,
    help="After --only or --without: z by what is left of an annotator's judgements, not by all of them.",
)
@click.option(
    "--resubmissions",
    metavar="NAME",
    default="last",
    show_default=True,
    help="Of judgements that were sent again, the same or another answer: last (the last one counts) or all.",
)
@click.option("--drop-failed", is_flag=True, help="Leave out annotators who fail the control items.")
@click.option(
    "--quality-test",
    metavar="NAME",
    default="paired-t",
    show_default=True,
    help="How annotators are tested on damaged translations: paired-t or rank-sum.",
)
@click.option(
    "--as", "custom", metavar="NAME", help="As it was done at wmt21, or for rankings wmt09, wmt13, wmt16."
)
@click.option(
    "--test",
    "method",
    metavar="NAME",
    help="clustered-t (units of two kinds), randomisation, bootstrap or signed-rank (paired), rank-sum (not paired). "
    "Default: clustered-t with three annotators or more, else randomisation where systems were judged on the same "
    "items, else rank-sum; for rankings --ranking.",
)
@click.option(
    "--ranking",
    metavar="NAME",
    help="Score of rankings: expected-wins (default), trueskill, bradley-terry, at-least-as-good or better.",
)
@click.option(
    "--regularisation",
    metavar="X",
    type=_options.Real(),
    help="Bradley–Terry's penalty, for systems that won or lost all (0.01). Default: 0.",
)
@click.option(
    "--one-sided",
    is_flag=True,
    help="Test only that others are better than --baseline, or systems than those behind them in --expect.",
)
@click.option(
    "--expect",
    metavar="BEST,…,WORST",
    help="For --one-sided: all systems in the order that was expected before anyone saw scores.",
)
@click.option(
    "--weights", metavar="LIST", default="", help="What errors weigh: major=5,minor=1,punctuation=0.1,…"
)
@click.option(
    "--most-errors", metavar="N", type=_options.Whole(1), help="Count the N heaviest errors of a segment."
)
@rate_options
@click.option(
    "--model",
    is_flag=True,
    help="Also by a mixed model of annotators, documents and items, each also by system.",
)
@click.option(
    "--curves", is_flag=True, help="Agreement as first judgements, or the worst judges, are dropped."
)
@click.option(
    "--checklist", "wanted", is_flag=True, help="The nine points of an evaluation that may be believed."
)
@click.option(
    "--claim", metavar="NAME", help="Demand all nine points for human-parity; exit 3 where it is refused."
)
@click.option(
    "--effect",
    metavar="P",
    type=_options.Real(),
    help="Checklist: the difference that n must be able to show, P(A < B). Default: 0.45.",
)
@click.option("--human", metavar="SYSTEM", help="The system that is a person's translation.")
@click.option(
    "--declare", metavar="FACT=VALUE", multiple=True, help="What files do not tell: context=document, …"
)
@_testing.options(
    "baseline", "by", "correction", "margin", "alpha", "resamples", "trials", "confidence", "seed"
)
@_options.format_option((*_options.FORMATS, "html"))
@click.option(
    "--table",
    metavar="NAME",
    default="systems",
    show_default=True,
    help="What -f tsv writes: systems, pairs, segments, annotators or errors.",
)
@_options.output_option
@_options.width_option
@_options.quiet_option
def command(
    *,
    labels: tuple[str, ...],
    only: tuple[str, ...],
    without: tuple[str, ...],
    form: str,
    table: str,
    output: str | None,
    decimals: int | None,
    quiet: bool,
    wanted: bool,
    **options: Any,
) -> int:
    """Say what judgements show: scores, clusters, agreement, annotators.

    Files hold what people said of translations, as the tools that collect it write them (docs/judgements.md); several
    files are taken together. With --campaign they come from the database in which annotators' answers are kept.

    \b
    adjudge human analyse judgements.csv
    adjudge human analyse judgements.csv --labels documents.tsv --by origin -l de-en
    adjudge human analyse judgements.tsv --as wmt21 --checklist
    adjudge human analyse judgements.csv --checklist -o analysis.html
    adjudge human analyse --campaign news --drop-failed
    """
    from adjudge.dossiers import analyse

    _check_table(table, form)
    loaded = _loaded(options)
    judgements, inputs, remarks = _labelled(loaded, labels, only, without)
    if options["campaign"] is None:
        _outputs.check_not_read(inputs)
    if judgements.is_ranking and table in OF_RATINGS:
        raise UsageError(f"--table {table} is for ratings; these are rankings")
    everything = loaded.judgements if only or without else None
    analysis = analyse(judgements, analysis_options(judgements, everything, options, loaded.planned))
    warnings = [*loaded.warnings, *remarks, *analysis.warnings]
    _show.warn(warnings, quiet=quiet)
    shown = _Shown(analysis, inputs, warnings, with_checklist=wanted, decimals=decimals)
    _write(shown, form, table, output)
    return CLAIM_REFUSED if analysis.claim_refused else 0


def _check_table(table: str, form: str) -> None:
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    if table != "systems" and form != "tsv":
        raise UsageError(f"--table {table} is for -f tsv; the other formats show all")


def _loaded(options: Mapping[str, Any]) -> LoadedJudgements:
    """The judgements of files, or of a campaign."""
    if options["campaign"] is not None:
        return _of_campaign(options)
    _refuse_typed(OF_CAMPAIGN, "the judgements of a campaign: --campaign NAME")
    if not options["files"]:
        raise UsageError("missing argument 'FILE...', or --campaign NAME (adjudge human analyse --help)")
    from adjudge.io.judgements import read

    protocol = options["protocol"]
    return read(
        options["files"],
        input_format=options["input_format"],
        protocol=protocol.lower() if protocol else None,
        column=options["column"],
        resubmissions=options["resubmissions"],
        stdin=_options.stdin_bytes(),
    )


def _of_campaign(options: Mapping[str, Any]) -> LoadedJudgements:
    if options["files"]:
        raise UsageError(f"{options['files'][0]} and --campaign: give files or a campaign, not both")
    _refuse_typed(OF_FILES, "files; --campaign reads answers as they were given")
    from adjudge.campaigns.export import read_campaign_judgements

    with opened(options["database"], writes=False) as store:
        return read_campaign_judgements(store, options["campaign"], criterion=options["criterion"])


def _refuse_typed(names: Collection[str], whose: str) -> None:
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            raise UsageError(f"{parameter.opts[-1]} is for {whose}")


def _labelled(
    loaded: LoadedJudgements, labels: Sequence[str], only: Sequence[str], without: Sequence[str]
) -> tuple[Judgements, Sequence[Input], Sequence[str]]:
    """The judgements that were asked for, with their labels; choosing by what a file says itself comes first."""
    from adjudge.human.selecting import Condition, is_known, selected
    from adjudge.io.judgements import join_labels, read_labels

    wanted, unwanted = [Condition.read(text) for text in only], [Condition.read(text) for text in without]
    judgements, inputs = loaded.judgements, list(loaded.inputs)
    warnings: list[str] = []
    files = [read_labels(path) for path in labels]
    for joined in (False, True):
        if joined and files:
            judgements = join_labels(judgements, files)
            inputs += [file.input for file in files]
        now = [
            [condition for condition in c if joined or is_known(judgements, condition.name)]
            for c in (wanted, unwanted)
        ]
        wanted, unwanted = (
            [condition for condition in c if condition not in n]
            for c, n in zip((wanted, unwanted), now, strict=True)
        )
        left = selected(judgements, only=now[0], without=now[1])
        judgements, warnings = left.judgements, [*warnings, *left.warnings]
    return judgements, inputs, warnings


@dataclass(frozen=True)
class _Shown:
    """An analysis with all that is written of it."""

    analysis: Analysis | LanguagePairAnalyses
    inputs: Sequence[Input]
    warnings: Sequence[str]
    with_checklist: bool
    decimals: int | None


def _write(shown: _Shown, form: str, table: str, output: str | None) -> None:
    from adjudge import __version__
    from adjudge.dossiers import Analysis
    from adjudge.report.human import analysis, language_pairs

    options: dict[str, Any] = {
        "inputs": shown.inputs,
        "warnings": shown.warnings,
        "with_checklist": shown.with_checklist,
        "decimals": shown.decimals,
        "table": table,
    }
    analysed = shown.analysis
    analysis_forms = (
        analysis.forms(analysed, version=__version__, **options)
        if isinstance(analysed, Analysis)
        else language_pairs.forms(analysed, version=__version__, **options)
    )
    _show.show(analysis_forms, form, output)
