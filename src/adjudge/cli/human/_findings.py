"""What judgements show, of ratings and of rankings: every part that was asked for, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.data.label_names import meant
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.analysis.origins import Translationese
    from adjudge.data.judgements import Judgements
    from adjudge.people.ranking_results import RankingAnalysis
    from adjudge.people.results import RatingAnalysis
    from adjudge.report.html import Drawing
    from adjudge.report.sections import Section

REPEATS = ("exclude", "include")
OF_RATINGS = {"score", "repeats", "drop_failed", "quality_test", "method", "one_sided", "baseline", "trials"}
OF_RATINGS |= {"expect", "rescale"}
OF_RATINGS |= {"weights", "most_errors", "model", "wage", "scratch_speed", "engine_cost"}
"""Options that do nothing to rankings."""
OF_RANKINGS = {"ranking", "regularisation"}
OF_JUDGEMENTS = {
    "expect",
    "method",
    "custom",
    "baseline",
    "one_sided",
    "trials",
    "repeats",
    "drop_failed",
    "model",
}
OF_JUDGEMENTS |= {"unit", "curves", "margin", "most_errors", "wage", "scratch_speed"}
"""Options that do nothing to scores of whole systems."""


class Shown:
    """What was found, ready to be written in any format."""

    def __init__(self, analysis: Any, report: Any) -> None:
        self.analysis, self.report = analysis, report
        self.sections: list[Section] = []
        self.drawings: list[Callable[[], dict[str, Drawing]]] = []
        self.further: dict[str, Any] = {}
        self.warnings: list[str] = list(analysis.warnings)
        self.refused = False


def ratings(judgements: Judgements, options: Mapping[str, Any], decimals: int | None) -> Shown:
    from adjudge.analysis.origins import of_judgements
    from adjudge.human.mqm import read_weights, severities
    from adjudge.people.rankings import CUSTOMS
    from adjudge.people.ratings import analyse_ratings
    from adjudge.people.whole_systems import are_of_whole_systems
    from adjudge.report import human as report

    given = dict(options)
    weights = read_weights(given["weights"], severities(judgements))
    if given["repeats"] not in REPEATS:
        raise unknown_name("choice for repeats", given["repeats"], REPEATS)
    _refuse(OF_RANKINGS, "rankings; these are ratings")
    _refuse_custom(given["custom"], CUSTOMS, "rankings; these are ratings")
    if are_of_whole_systems(judgements):
        _refuse(OF_JUDGEMENTS, "judgements of segments; these are scores of whole systems")
    analysis = analyse_ratings(
        judgements,
        score=given["score"],
        by=given["by"],
        repeats=given["repeats"] == "include",
        unit=given["unit"] or "translation",
        drop_failed=given["drop_failed"],
        scales_of=None if given["rescale"] else given["everything"],
        quality_test=given["quality_test"],
        custom=given["custom"],
        weights=weights,
        most_errors=given["most_errors"],
        method=given["method"],
        alternative="one-sided" if given["one_sided"] else "two-sided",
        expected=_expected(given["expect"]),
        **_tests(given, "baseline", "trials", "margin"),
    )
    shown = Shown(analysis, report)
    shown.sections = report.sections(analysis, decimals=decimals)
    shown.drawings.append(partial(report.drawings, analysis, decimals=decimals))
    if not analysis.facts.whole_systems:
        _translationese(shown, given, partial(of_judgements, analysis))
    _postedits(shown, analysis.judgements, given, decimals)
    _model(shown, analysis, given)
    _curves(shown, analysis.tested, given)
    _checklist(shown, analysis, judgements, given)
    return shown


def rankings(judgements: Judgements, options: Mapping[str, Any], decimals: int | None) -> Shown:
    from adjudge.analysis.origins import of_rankings
    from adjudge.people.rankings import analyse_rankings
    from adjudge.people.ratings import CUSTOMS
    from adjudge.report import rankings as report

    given = dict(options)
    _refuse(OF_RATINGS, "ratings; these are rankings")
    if given["table"] == "errors":
        raise UsageError("--table errors is for ratings; these are rankings")
    _refuse_custom(given["custom"], CUSTOMS, "ratings; these are rankings")
    analysis = analyse_rankings(
        judgements,
        method=given["ranking"] or "expected-wins",
        unit=given["unit"],
        by=given["by"],
        custom=given["custom"],
        **_chosen(given, "regularisation", "margin"),
        **_tests(given),
    )
    shown = Shown(analysis, report)
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


def _expected(text: str | None) -> tuple[str, ...]:
    """Systems in a row; names may have commas where > parts them."""
    if text is None:
        return ()
    return tuple(name.strip() for name in text.split(">" if ">" in text else ","))


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


def _translationese(shown: Shown, given: Mapping[str, Any], found: Callable[..., Translationese]) -> None:
    """Forward beside reverse, where asked for by origin alone."""
    if [meant(name, ["origin"]) for name in given["by"]] != ["origin"]:
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


def _postedits(shown: Shown, judgements: Judgements, given: Mapping[str, Any], decimals: int | None) -> None:
    priced = given["wage"] is not None or given["scratch_speed"] is not None
    if "words" not in judgements.measures and not priced:
        return
    from adjudge.human.postediting import Rates
    from adjudge.people.postediting import post_edits
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


def _model(shown: Shown, analysis: RatingAnalysis, given: Mapping[str, Any]) -> None:
    if not given["model"]:
        return
    from adjudge.people.rater_model import fit_rater_model
    from adjudge.report import modelling

    found = fit_rater_model(
        analysis.judgements, repeats=analysis.facts.repeats, **_chosen(given, "correction", "alpha", "level")
    )
    shown.sections += modelling.sections(found)
    shown.drawings.append(partial(modelling.drawings, found))
    shown.further["model"] = modelling.document(found)


def _curves(shown: Shown, judgements: Judgements, given: Mapping[str, Any]) -> None:
    if not given["curves"]:
        return
    from adjudge.human.curves import without_first, without_least
    from adjudge.report import curves

    first, least = without_first(judgements), without_least(judgements)
    shown.sections += curves.sections(first, least)
    shown.drawings.append(partial(curves.drawings, first, least))
    shown.further |= curves.document(first, least)


def _checklist(
    shown: Shown, analysis: RatingAnalysis | RankingAnalysis, judgements: Judgements, given: Mapping[str, Any]
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
        from adjudge.evaluate.caveats import reverse_warning

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
