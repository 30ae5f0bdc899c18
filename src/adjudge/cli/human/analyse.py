"""Say what judgements show: scores, clusters, agreement, annotators."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.cli import _options, _show, _testing
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.evaluate.judged import Analysis
    from adjudge.evaluate.ranking import RankedAnalysis
    from adjudge.evaluate.translationese import Translationese
    from adjudge.io import Input
    from adjudge.io.judgements import Loaded
    from adjudge.report.html import Drawing
    from adjudge.report.sections import Section

TABLES = ("systems", "pairs", "segments", "annotators", "errors")
OF_RATED = ("segments", "errors")
"""Tables that rankings do not have."""
REPEATS = ("exclude", "include")
CLAIM_REFUSED = 3
OF_RATINGS = {"score", "repeats", "drop_failed", "quality_test", "method", "one_sided", "baseline", "trials"}
OF_RATINGS |= {"weights", "most_errors", "model", "wage", "scratch_speed", "engine_cost"}
"""Options that do nothing to rankings."""
OF_RANKINGS = {"ranking", "regularisation"}
OF_JUDGEMENTS = {"method", "custom", "baseline", "one_sided", "trials", "repeats", "drop_failed", "model"}
OF_JUDGEMENTS |= {"unit", "curves", "most_errors", "wage", "scratch_speed"}
"""Options that do nothing to scores of whole systems."""


@click.command("analyse", short_help="Say what judgements show: scores, clusters, agreement, annotators.")
@click.argument("files", nargs=-1, metavar="FILE...", required=True)
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
@click.option("-l", "--language", metavar="PAIR", default="", help="The language pair (de-en).")
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
    help="What counts as one: translation (default) or judgement; of rankings: ranking (default), pair or item.",
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
    help="rank-sum (default), signed-rank (paired), randomisation or bootstrap; for rankings --ranking.",
)
@click.option(
    "--ranking",
    metavar="NAME",
    help="Score of rankings: expected-wins (default), trueskill, bradley-terry, at-least-as-good or better.",
)
@click.option(
    "--regularisation",
    metavar="X",
    type=float,
    help="Bradley–Terry's penalty, for systems that won or lost all (0.01). Default: 0.",
)
@click.option("--one-sided", is_flag=True, help="Test only that the better score is better, as WMT does.")
@click.option(
    "--weights", metavar="LIST", default="", help="What errors weigh: major=5,minor=1,punctuation=0.1,…"
)
@click.option(
    "--most-errors", metavar="N", type=_options.Whole(1), help="Count the N heaviest errors of a segment."
)
@click.option(
    "--wage", metavar="X", type=float, help="What an hour of post-editing costs; with --scratch-speed."
)
@click.option("--scratch-speed", metavar="N", type=float, help="Words an hour when translating from scratch.")
@click.option("--engine-cost", metavar="X", type=float, default=0.0, help="What 1,000 words of MT cost.")
@click.option("--model", is_flag=True, help="Also by a mixed model of annotators and items, instead of z.")
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
    type=float,
    help="Checklist: the difference that n must be able to show, P(A < B). Default: 0.45.",
)
@click.option("--human", metavar="SYSTEM", help="The system that is a person's translation.")
@click.option(
    "--declare", metavar="FACT=VALUE", multiple=True, help="What files do not tell: context=document, …"
)
@_testing.options("baseline", "by", "correction", "alpha", "resamples", "trials", "level", "seed")
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
    files: tuple[str, ...],
    input_format: str | None,
    protocol: str | None,
    column: str | None,
    labels: tuple[str, ...],
    only: tuple[str, ...],
    without: tuple[str, ...],
    form: str,
    table: str,
    output: str | None,
    decimals: int | None,
    quiet: bool,
    **options: Any,
) -> int:
    """Say what judgements show: scores, clusters, agreement, annotators.

    Files hold what people said of translations, as the tools that collect it write them (docs/judgements.md); several
    files are taken together.

    \b
    adjudge human analyse judgements.csv
    adjudge human analyse judgements.csv --labels documents.tsv --by origin -l de-en
    adjudge human analyse judgements.tsv --as wmt21 --checklist
    adjudge human analyse judgements.csv --checklist -o analysis.html
    """
    from adjudge.io.judgements import read

    _show.check_writable(output)
    form = _options.format_by_name(form, output, "html")
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    if table != "systems" and form != "tsv":
        raise UsageError(f"--table {table} is for -f tsv; the other formats show all")
    protocol = protocol.lower() if protocol else None
    loaded = read(
        files, input_format=input_format, protocol=protocol, column=column, stdin=_options.stdin_bytes()
    )
    judgements, inputs, said = _labelled(loaded, labels, only, without)
    _show.check_not_read(inputs, output)
    pairs = judgements.labels.get("languages")
    if not options["language"] and pairs is not None and len(pairs.names) == 1:
        options["language"] = pairs.names[0]
    if judgements.is_ranking and table in OF_RATED:
        raise UsageError(f"--table {table} is for ratings; these are rankings")
    analysed = _rankings if judgements.is_ranking else _ratings
    shown = analysed(judgements, {**options, "table": table}, decimals)
    warnings = [*loaded.warnings, *_unknown_protocol(protocol), *said, *shown.warnings]
    _show.warn(warnings, quiet=quiet)
    shown.further["warnings"] = warnings
    _write(shown, inputs, form, table, output)
    return CLAIM_REFUSED if shown.refused else 0


def _unknown_protocol(name: str | None) -> list[str]:
    """What to say of a way to ask that is nobody's but the user's."""
    from adjudge.human.protocols import PROTOCOLS

    known = sorted({*PROTOCOLS, "da", "sqm", "esa", "mqm", "adequacy", "fluency", "hter", "rank", "pairwise"})
    if name is None or name in known:
        return []
    return [
        f"the protocol {name!r} is not known ({', '.join(known)}): scores are taken for ratings, higher is better"
    ]


def _labelled(
    loaded: Loaded, labels: Sequence[str], only: Sequence[str], without: Sequence[str]
) -> tuple[Judgements, Sequence[Input], Sequence[str]]:
    """The judgements that were asked for, with their labels; choosing by what a file says itself comes first."""
    from adjudge.human.selecting import Condition, is_known, selected
    from adjudge.io.judgements import join_labels, read_labels

    wanted, unwanted = [Condition.read(one) for one in only], [Condition.read(one) for one in without]
    judgements, inputs = loaded.judgements, list(loaded.inputs)
    warnings: list[str] = []
    files = [read_labels(path) for path in labels]
    for joined in (False, True):
        if joined and files:
            judgements = join_labels(judgements, files)
            inputs += [file.input for file in files]
        now = [[one for one in c if joined or is_known(judgements, one.name)] for c in (wanted, unwanted)]
        wanted, unwanted = (
            [one for one in c if one not in n] for c, n in zip((wanted, unwanted), now, strict=True)
        )
        left = selected(judgements, only=now[0], without=now[1])
        judgements, warnings = left.judgements, [*warnings, *left.warnings]
    return judgements, inputs, warnings


class _Shown:
    """What was found, ready to be written in any format."""

    def __init__(self, analysis: Any, report: Any) -> None:
        self.analysis, self.report = analysis, report
        self.sections: list[Section] = []
        self.drawings: list[Callable[[], dict[str, Drawing]]] = []
        self.further: dict[str, Any] = {}
        self.warnings: list[str] = list(analysis.warnings)
        self.refused = False


def _ratings(judgements: Judgements, options: Mapping[str, Any], decimals: int | None) -> _Shown:
    from adjudge.evaluate.judging import analyse
    from adjudge.evaluate.ranking import CUSTOMS
    from adjudge.evaluate.translationese import of_judgements
    from adjudge.evaluate.whole_systems import are_of_whole_systems
    from adjudge.human.mqm import read_weights
    from adjudge.report import human as report

    given = dict(options)
    weights = read_weights(given["weights"])
    if given["repeats"] not in REPEATS:
        raise unknown_name("choice for repeats", given["repeats"], REPEATS)
    _refuse(OF_RANKINGS, "rankings; these are ratings")
    _refuse_custom(given["custom"], CUSTOMS, "rankings; these are ratings")
    if are_of_whole_systems(judgements):
        _refuse(OF_JUDGEMENTS, "judgements of segments; these are scores of whole systems")
    analysis = analyse(
        judgements,
        score=given["score"],
        by=given["by"],
        repeats=given["repeats"] == "include",
        unit=given["unit"] or "translation",
        drop_failed=given["drop_failed"],
        quality_test=given["quality_test"],
        custom=given["custom"],
        weights=weights,
        most_errors=given["most_errors"],
        method=given["method"] or "rank-sum",
        alternative="one-sided" if given["one_sided"] else "two-sided",
        **_tests(given, "baseline", "trials"),
    )
    shown = _Shown(analysis, report)
    shown.sections = report.sections(analysis, decimals=decimals)
    shown.drawings.append(partial(report.drawings, analysis, decimals=decimals))
    if not analysis.facts.whole_systems:
        _translationese(shown, given, partial(of_judgements, analysis))
    _postedits(shown, analysis.judgements, given, decimals)
    _model(shown, analysis, given)
    _curves(shown, analysis.tested, given)
    _checklist(shown, analysis, judgements, given)
    return shown


def _rankings(judgements: Judgements, options: Mapping[str, Any], decimals: int | None) -> _Shown:
    from adjudge.evaluate.judging import CUSTOMS
    from adjudge.evaluate.ranking import rank
    from adjudge.evaluate.translationese import of_rankings
    from adjudge.report import rankings as report

    given = dict(options)
    _refuse(OF_RATINGS, "ratings; these are rankings")
    if given["table"] == "errors":
        raise UsageError("--table errors is for ratings; these are rankings")
    _refuse_custom(given["custom"], CUSTOMS, "ratings; these are rankings")
    analysis = rank(
        judgements,
        method=given["ranking"] or "expected-wins",
        unit=given["unit"],
        by=given["by"],
        custom=given["custom"],
        **_chosen(given, "regularisation"),
        **_tests(given),
    )
    shown = _Shown(analysis, report)
    shown.sections = report.sections(analysis, decimals=decimals)
    shown.drawings.append(partial(report.drawings, analysis, decimals=decimals))
    ranking = analysis.groups[0].ranking
    drawn: dict[str, Any] = {
        "method": ranking.method,
        "unit": ranking.unit,
        "resamples": ranking.resamples,
        "seed": ranking.seed,
    }
    _translationese(
        shown, given, partial(of_rankings, judgements, **drawn, **_chosen(given, "regularisation"))
    )
    _curves(shown, judgements, given)
    _checklist(shown, analysis, judgements, given)
    return shown


def _refuse_custom(name: str | None, others: Collection[str], meant: str) -> None:
    if name in others:
        raise UsageError(f"--as {name} is for {meant}")


def _refuse(names: Collection[str], meant: str) -> None:
    """An error for the first option that was given although these judgements have no use for it."""
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            raise UsageError(f"{parameter.opts[0]} is for {meant}")


def _tests(given: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """Options of the tests, those that were given."""
    return _chosen(given, "correction", "alpha", "resamples", "level", "seed", *more)


def _chosen(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: given[name] for name in names if given[name] is not None}


def _translationese(shown: _Shown, given: Mapping[str, Any], found: Callable[..., Translationese]) -> None:
    """Forward beside reverse, where asked for by origin alone."""
    if given["by"] != ("origin",):
        if given["source"]:
            raise UsageError("--source is for lengths by origin: --by origin")
        return
    if len(shown.analysis.groups) < 2:  # nobody knows the origin of anything
        return
    from adjudge.io.files import lines, read_bytes
    from adjudge.report import translationese

    source = given["source"]
    sources = lines(source, read_bytes(source)[0]) if source else ()
    try:
        halves = found(language=given["language"], sources=sources)
    except UsageError as error:
        shown.warnings.append(f"forward and reverse are not set beside each other: {error}")
        return
    shown.sections += translationese.sections(halves)
    shown.drawings.append(partial(translationese.drawings, halves))
    shown.further["translationese"] = translationese.document(halves)


def _postedits(shown: _Shown, judgements: Judgements, given: Mapping[str, Any], decimals: int | None) -> None:
    priced = given["wage"] is not None or given["scratch_speed"] is not None
    if "words" not in judgements.measures and not priced:
        return
    from adjudge.evaluate.postediting import post_edits
    from adjudge.human.postediting import Rates
    from adjudge.report import postediting

    rates = None
    if priced:
        if given["wage"] is None or given["scratch_speed"] is None:
            raise UsageError("what post-editing costs follows from both --wage and --scratch-speed")
        rates = Rates(given["wage"], given["scratch_speed"], given["engine_cost"])
    found = post_edits(judgements, rates=rates, **_tests(given, "baseline", "trials"))
    shown.warnings += found.warnings
    shown.sections += postediting.sections(found, decimals=decimals)
    shown.drawings.append(partial(postediting.drawings, found))
    shown.further |= postediting.document(found)


def _model(shown: _Shown, analysis: Analysis, given: Mapping[str, Any]) -> None:
    if not given["model"]:
        return
    from adjudge.evaluate.modelling import modelled
    from adjudge.report import modelling

    found = modelled(
        analysis.judgements, repeats=analysis.facts.repeats, **_chosen(given, "correction", "alpha", "level")
    )
    shown.sections += modelling.sections(found)
    shown.drawings.append(partial(modelling.drawings, found))
    shown.further["model"] = modelling.document(found)


def _curves(shown: _Shown, judgements: Judgements, given: Mapping[str, Any]) -> None:
    if not given["curves"]:
        return
    from adjudge.human.curves import without_first, without_least
    from adjudge.report import curves

    first, least = without_first(judgements), without_least(judgements)
    shown.sections += curves.sections(first, least)
    shown.drawings.append(partial(curves.drawings, first, least))
    shown.further |= curves.document(first, least)


def _checklist(
    shown: _Shown, analysis: Analysis | RankedAnalysis, judgements: Judgements, given: Mapping[str, Any]
) -> None:
    from adjudge.checklist import Material, checklist
    from adjudge.report import checklist as report

    material = Material.of(judgements)
    found = checklist(
        analysis,
        material,
        language=given["language"],
        declared=_declared(given["declare"]),
        claim=given["claim"],
        human=given["human"],
        **_chosen(given, "effect"),
    )
    if material.origins:
        from adjudge.evaluate.translationese import reverse_warning

        warning = reverse_warning(material.origins, given["language"])
        shown.warnings = [warning, *shown.warnings] if warning else shown.warnings
    shown.further["checklist"] = report.document(found)
    if given["wanted"] or given["claim"]:
        shown.sections += report.sections(found)
    shown.refused = found.claim is not None and not found.claim.granted


def _declared(pairs: Sequence[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not value.strip():
            raise UsageError(f"--declare {pair}: write FACT=VALUE, as in context=document")
        found[name.strip()] = value.strip()
    return found


def _page(shown: _Shown, inputs: Sequence[Input], version: str) -> str:
    from adjudge.report.human_page import analysis_page

    facts = getattr(shown.analysis, "facts", shown.analysis)  # rankings have theirs beside the rest
    drawings: dict[str, Drawing] = {}
    for draw in shown.drawings:
        drawings |= draw()
    return analysis_page(
        shown.sections,
        drawings,
        systems=facts.systems,
        annotators=facts.annotators,
        version=version,
        inputs=inputs,
        warnings=shown.further["warnings"],
    )


def _write(shown: _Shown, inputs: Sequence[Input], form: str, table: str, output: str | None) -> None:
    from adjudge import __version__
    from adjudge.report.sections import latex_of, markdown_of, text_of

    if form == "text":
        _show.show_lines(lambda width, rule: text_of(shown.sections, width=width, rule=rule), output)
    elif form == "json":
        text = shown.report.as_json(shown.analysis, version=__version__, inputs=inputs, further=shown.further)
        _show.show_text(text, output)
    elif form == "html":
        _show.show_text(_page(shown, inputs, __version__), output)
    elif form == "tsv":
        _show.show_text(shown.report.as_tsv(shown.analysis, table=table), output)
    else:
        render = {"markdown": markdown_of, "latex": latex_of}[form]
        _show.show_text(render(shown.sections), output)
