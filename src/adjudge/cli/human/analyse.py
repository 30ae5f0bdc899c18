"""Say what judgements show: scores, clusters, agreement, annotators."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._options import plan_options
from adjudge.cli._rates import rate_options, rates_of
from adjudge.cli.human._store import DEFAULT_DATABASE, opened
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.dossiers import AnalysisOptions
    from adjudge.io import Input
    from adjudge.io.judgements import LoadedJudgements


SAME = (
    *(
        "by",
        "unit",
        "preset",
        "language",
        "score",
        "drop_failed",
        "quality_test",
        "most_errors",
        "one_sided",
        "test",
    ),
    *("baseline", "trials", "mixed_model", "ranking", "regularisation", "curves", "effect", "claim", "human"),
    *("correction", "alpha", "resamples", "confidence", "seed", "margin", "pool_languages", "repeats"),
)
"""Options of the command that are fields of the plan."""
NAMES = {"rescale": "scales_of", "wage": "rates", "scratch_speed": "rates", "engine_cost": "rates"}
"""And those that a field is made of."""


def analysis_options(
    judgements: Judgements, everything: Judgements | None, options: Mapping[str, Any], planned: str = ""
) -> AnalysisOptions:
    """What was asked for; an error for the first option that these judgements have no use for.

    `everything` is all that annotators judged, where only some of it is analysed; `planned` is what the record of a
    campaign says of it, unless something else is declared.
    """
    from adjudge.dossiers.options import AnalysisOptions, refuse_options
    from adjudge.human.mqm import read_weights, severities

    refuse_options(judgements, _typed(), options["preset"], "--preset")
    if isinstance(options["margin"], Mapping):
        raise UsageError("--margin: a number was expected, for judgements have one score")
    is_rating = not judgements.is_ranking
    return AnalysisOptions(
        **{name: options[name] for name in SAME},
        sources=_lines(options["source"]),
        scales_of=everything if is_rating and not options["rescale"] else None,
        error_weights=read_weights(options["error_weights"], severities(judgements)) if is_rating else None,
        expected=_systems(options["expected"]),
        rates=rates_of(options),
        declare=({"planned": planned} if planned else {}) | _declared(options["declare"]),
    )


def _typed() -> dict[str, str]:
    """The options that stand on the command line, by the library's names, each as it is spelled."""
    context = click.get_current_context()
    typed: dict[str, str] = {}
    for parameter in context.command.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            typed.setdefault(NAMES.get(name, name), parameter.opts[0])
    return typed


def _lines(path: str | None) -> Sequence[str]:
    from adjudge.io.files import read_lines

    return read_lines(path) if path else ()


def _systems(text: str | None) -> tuple[str, ...]:
    """Systems in a row; names may have commas where > parts them."""
    if text is None:
        return ()
    return tuple(name.strip() for name in text.split(">" if ">" in text else ","))


def _declared(pairs: Sequence[str]) -> dict[str, str]:
    facts = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not value.strip():
            raise UsageError(f"--declare {pair}: write FACT=VALUE, as in context=document")
        facts[name.strip()] = value.strip()
    return facts


TABLES = ("systems", "pairs", "segments", "annotators", "errors")
OF_RATINGS = ("segments", "errors")
"""Tables that rankings do not have."""
OF_FILES = ("input_format", "protocol", "column", "resubmissions")
OF_CAMPAIGN = ("database", "criterion")
CLAIM_REFUSED = 3
PLAN = "adjudge.dossiers.options:AnalysisOptions"
OPTIONS = (
    *(
        "pool_languages",
        "score",
        "repeats",
        "unit",
        "drop_failed",
        "quality_test",
        "preset",
        "test",
        "ranking",
    ),
    *("regularisation", "one_sided", "most_errors", "mixed_model", "curves", "claim", "effect", "human"),
)
"""Options that are fields of the plan, with its defaults."""
REMARKS = {
    "unit": "Default: documents or else items, with annotators where there are three. Or item, document, annotator, "
    "another label's groups, two kinds at once (document,annotator), translation or judgement; of rankings as "
    "published: ranking, pair, none (TrueSkill's runs alone).",
    "test": "clustered-t (units of two kinds), randomisation, bootstrap or signed-rank (paired), rank-sum (not "
    "paired). Default: clustered-t with three annotators or more, else randomisation where systems were judged on "
    "the same items, else rank-sum; for rankings --ranking.",
    "one_sided": "That others are better than --baseline, or systems than those behind them in --expected.",
    "effect": "The difference that n must be able to show, for the checklist. Default: 0.45.",
}


@click.command("analyse", short_help="Say what judgements show: scores, clusters, agreement, annotators.")
@click.argument("files", nargs=-1, metavar="FILE...")
@_options.option("campaign", "Its own judgements, without a file.")
@_options.options("input_format", "protocol", "column", criterion="", database=DEFAULT_DATABASE)
@_options.keywords(
    labels="A TSV with a column line or segment; may be repeated.",
    table="One of systems, pairs, segments, annotators and errors.",
)
@_options.option("language", "Of judgements of several pairs, this one alone.", default="")
@_options.option("source", "For lengths, with --by origin.")
@_options.options("rescale", error_weights="", resubmissions="last")
@_options.option("expected")
@_options.option("declare", repeated=True)
@rate_options
@_options.fields_of(PLAN, *OPTIONS, remarks=REMARKS)
@plan_options("baseline", "by", "correction", "margin", "alpha", "resamples", "trials", "confidence", "seed")
@_options.format_option(_options.PAGES)
@_options.results_option
def analyse_command(
    *,
    labels: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    form: str,
    table: str = "systems",
    output: str | None,
    decimals: int | None = None,
    quiet: bool = False,
    checklist: bool = False,
    **options: Any,
) -> int:
    """Say what judgements show: scores, clusters, agreement, annotators.

    Files hold what people said of translations, as the tools that collect it write them (docs/judgements.md); several
    files are taken together. With --campaign they come from the database in which annotators' answers are kept.

    \b
    adjudge human analyse judgements.csv
    adjudge human analyse judgements.csv --labels documents.tsv --by origin -l de-en
    adjudge human analyse judgements.tsv --preset wmt21 --checklist
    adjudge human analyse judgements.csv --checklist -o analysis.html
    adjudge human analyse --campaign news --drop-failed
    """
    from adjudge import __version__
    from adjudge.dossiers import analyse
    from adjudge.dossiers.analysis_display import AnalysisDisplay
    from adjudge.report.render.formats import renderer_of

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
    shown = AnalysisDisplay(analysis, tuple(warnings), checklist, decimals, table)
    _show.show(renderer_of(shown, version=__version__, inputs=inputs), form, output)
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
