"""Say what judgements show: scores, clusters, agreement, annotators."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import stdin_bytes
from adjudge.cli._options import PAGES, argument, fields_of, format_option, keywords, option, plan_options
from adjudge.cli._rates import RATES, rates_of
from adjudge.cli._run import CommandRun
from adjudge.cli.human._store import DEFAULT_DATABASE, open_store
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.dossiers import AnalysisOptions
    from adjudge.io.judgements import LoadedJudgements


NAMES = {"rescale": "scales_of", "wage": "rates", "scratch_speed": "rates", "engine_cost": "rates"}
"""Options that another field of the plan is made of."""


def analysis_options(
    judgements: Judgements, everything: Judgements | None, options: Mapping[str, Any], planned: str = ""
) -> AnalysisOptions:
    """What was asked for; an error for the first option that these judgements have no use for.

    `everything` is all that annotators judged, where only some of it is analysed; `planned` is what the record of a
    campaign says of it, unless something else is declared.
    """
    from adjudge.dossiers.options import AnalysisOptions, refuse_options
    from adjudge.human.mqm import read_weights, severities

    refuse_options(judgements, _given_options(), options["preset"], "--preset")
    if isinstance(options["margin"], Mapping):
        raise UsageError("--margin: a number was expected, for judgements have one score")
    is_rating = not judgements.is_ranking
    made = {
        "sources": _lines(options["source"]),
        "scales_of": everything if is_rating and not options["rescale"] else None,
        "error_weights": read_weights(options["error_weights"], severities(judgements))
        if is_rating
        else None,
        "expected": _systems(options["expected"]),
        "rates": rates_of(options),
        "declare": ({"planned": planned} if planned else {}) | _parse_pairs(options["declare"]),
    }
    asked = {field.name: options[field.name] for field in fields(AnalysisOptions) if field.name in options}
    return AnalysisOptions(**asked | made)


def _given_options() -> dict[str, str]:
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


def _parse_pairs(pairs: Sequence[str]) -> dict[str, str]:
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
    "pool_languages score repeats unit drop_failed quality_test preset test ranking regularisation "
    "one_sided most_errors mixed_model curves claim effect human"
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


@subcommand(
    "analyse",
    "Say what judgements show: scores, clusters, agreement, annotators.",
    argument("files", nargs=-1, metavar="FILE..."),
    option("campaign", "Its own judgements, without a file."),
    "input_format protocol column",
    option("criterion", default=""),
    option("database", default=DEFAULT_DATABASE),
    keywords(
        labels="A TSV with a column line or segment; may be repeated.",
        table="One of systems, pairs, segments, annotators and errors.",
    ),
    "quiet checklist",
    option("language", "Of judgements of several pairs, this one alone.", default=""),
    option("source", "For lengths, with --by origin."),
    "rescale",
    option("error_weights", default=""),
    option("resubmissions", default="last"),
    option("expected"),
    option("declare", repeated=True),
    *RATES,
    *fields_of(PLAN, OPTIONS, remarks=REMARKS),
    *plan_options(
        "baseline", "by", "correction", "margin", "alpha", "resamples", "trials", "confidence", "seed"
    ),
    format_option(PAGES),
    "output",
)
def analyse_command(
    run: CommandRun,
    *,
    labels: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    table: str = "systems",
    decimals: int | None = None,
    checklist: bool,
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
    from adjudge.human.conditions import labelled_and_selected
    from adjudge.io.judgements import read_labels
    from adjudge.report.render.formats import renderer_of

    _check_table(table, run.form)
    loaded = _load(options)
    label_files = [read_labels(path) for path in labels]
    chosen = labelled_and_selected(loaded.judgements, label_files, only=only, without=without)
    judgements, inputs = chosen.judgements, [*loaded.inputs, *(file.input for file in label_files)]
    if options["campaign"] is None:
        _outputs.check_not_read(inputs)
    if judgements.is_ranking and table in OF_RATINGS:
        raise UsageError(f"--table {table} is for ratings; these are rankings")
    everything = loaded.judgements if only or without else None
    analysis = analyse(judgements, analysis_options(judgements, everything, options, loaded.planned))
    warnings = [*loaded.warnings, *chosen.warnings, *analysis.warnings]
    run.warn(warnings)
    shown = AnalysisDisplay(analysis, tuple(warnings), checklist, decimals, table)
    run.show(renderer_of(shown, version=__version__, inputs=inputs))
    return CLAIM_REFUSED if analysis.claim_refused else 0


def _check_table(table: str, form: str) -> None:
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    if table != "systems" and form != "tsv":
        raise UsageError(f"--table {table} is for -f tsv; the other formats show all")


def _load(options: Mapping[str, Any]) -> LoadedJudgements:
    """The judgements of files, or of a campaign."""
    if options["campaign"] is not None:
        return _of_campaign(options)
    _refuse_options(OF_CAMPAIGN, "the judgements of a campaign: --campaign NAME")
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
        stdin=stdin_bytes(),
    )


def _of_campaign(options: Mapping[str, Any]) -> LoadedJudgements:
    if options["files"]:
        raise UsageError(f"{options['files'][0]} and --campaign: give files or a campaign, not both")
    _refuse_options(OF_FILES, "files; --campaign reads answers as they were given")
    from adjudge.campaigns.export import read_campaign_judgements

    with open_store(options["database"], writes=False) as store:
        return read_campaign_judgements(store, options["campaign"], criterion=options["criterion"])


def _refuse_options(names: Collection[str], whose: str) -> None:
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            raise UsageError(f"{parameter.opts[-1]} is for {whose}")
