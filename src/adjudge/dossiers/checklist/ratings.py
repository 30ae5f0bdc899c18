"""The points that ratings answer in a way of their own."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from adjudge.comparison.results import Pair, TestFacts
from adjudge.dossiers.checklist import points as of
from adjudge.dossiers.checklist.parity import VersusPerson, versus_person
from adjudge.dossiers.checklist.points import FAIL, PASS, UNKNOWN, OwnPoints, Point
from adjudge.errors import UsageError
from adjudge.human import assessment
from adjudge.human.results import RAW_PROTOCOLS, RatingAnalysis
from adjudge.human.units import UNITS, standard_errors
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.stats.power import distance, mean_power, smallest_n
from adjudge.stats.resampling import tolerance
from adjudge.stats.significance import significant
from adjudge.stats.tests.planned import PlannedTest
from adjudge.stats.tests.systems import UNPAIRED
from adjudge.wording import CORRECTIONS, are, join_names, noun_form, pluralise

WHOLE_SYSTEMS = "the files have scores of whole systems, and not what these were made from"


def points(analysis: RatingAnalysis, *, effect: float, reliable: str, planned: str) -> OwnPoints:
    """Judges, size, numbers, statistic and clusters."""
    return OwnPoints(
        _reliability(analysis, reliable),
        _size(analysis, effect, planned),
        _numbers(analysis),
        _statistic(analysis),
        _clusters(analysis),
    )


def against(analysis: RatingAnalysis, person: str) -> Iterator[VersusPerson]:
    """How every other system did beside the person."""
    group = analysis.groups[0]

    def better(pair: Pair) -> str:
        if not math.isnan(pair.share):  # ranks were tested
            return pair.a if pair.share > 0.5 else pair.b
        return pair.a if (pair.delta > 0) == analysis.facts.higher_is_better else pair.b

    return versus_person(person, [s.system for s in group.systems], group.pairs, better)


def _reliability(analysis: RatingAnalysis, declared: str) -> Point:
    gone = analysis.facts.dropped
    kept = [control for control in analysis.controls if control.annotator not in gone]
    tested = [control for control in kept if control.passed is not None]
    failed = sum(control.passed is False for control in tested)
    people = pluralise(len(kept), "annotator")
    if failed:
        verb, still = ("does", "counts") if failed == 1 else ("do", "count")
        doubt = f", although {declared} was declared" if declared else ""
        return of.reliability(
            FAIL,
            f"{failed:,} of {people} {verb} not tell damaged translations from whole ones and still {still}{doubt} "
            "(--drop-failed leaves out who fails)",
        )
    if declared:
        return of.reliability(PASS, f"declared: {declared}")
    left = f"; {len(gone):,} who failed {'was' if len(gone) == 1 else 'were'} left out" if gone else ""
    if not tested:
        verdict, evidence = of.judge_agreement("Krippendorff's alpha", analysis.agreement.inter.alpha)
        return of.reliability(verdict, f"no damaged translations were judged; {evidence}{left}")
    nameless = analysis.facts.judgements - sum(control.judgements for control in kept)
    open_ = []
    if len(tested) < len(kept):
        open_.append(f"{len(kept) - len(tested):,} had too few of them to tell")
    if nameless > 0:
        open_.append(f"{pluralise(nameless, 'judgement')} {are(nameless)} without an annotator")
    evidence = f"{len(tested):,} of {people} tell damaged translations from whole ones"
    return of.reliability(UNKNOWN if open_ else PASS, "; ".join([evidence, *open_]) + left)


def _size(analysis: RatingAnalysis, effect: float, planned: str) -> Point:
    group = analysis.groups[0]
    known = [(s.n_translations, s.system) for s in group.systems if s.n_translations is not None]
    if len(known) < len(group.systems) or analysis.facts.whole_systems:
        return of.unknown_size(WHOLE_SYSTEMS, effect=effect, planned=planned)
    n, system = min(known, key=lambda entry: entry[0])
    design, whom = None, f"{noun_form(n, 'translation')} of {system}"
    if group.comparison is not None:
        test = group.comparison.test
        is_planned = isinstance(test.system_test, PlannedTest)
        design = CampaignPlan(
            test=test.method if is_planned else UNPAIRED,
            systems=max(2, len(group.systems)),
            comparisons=max(1, test.comparisons),
            alpha=test.alpha,
            one_sided=test.alternative != "two-sided",
            correction="none" if test.correction == "none" else "holm",
        )
        if not is_planned:
            return _size_of_means(analysis, test, design, n, whom, effect=effect, planned=planned)
    return of.sample_size(design, n, whom, effect=effect, planned=planned)


def _size_of_means(
    analysis: RatingAnalysis,
    test: TestFacts,
    design: CampaignPlan,
    n: int,
    whom: str,
    *,
    effect: float,
    planned: str,
) -> Point:
    """What the test of means finds that was made, with the standard errors of what it draws."""
    judgements, which, unit = analysis.judgements, analysis.which, analysis.facts.unit
    values = analysis.z if analysis.facts.score == "z" and analysis.z is not None else judgements.score
    errors, units = standard_errors(judgements, values, which, unit)
    error = float(np.nanmax(errors, initial=0.0))
    scores = assessment.translations(judgements, values, which=which).matrix.scores
    deviation = math.sqrt(float(np.nanmean([np.nanvar(s) for s in scores if (~np.isnan(s)).any()])))
    if units < 2 or error <= tolerance(deviation):
        return of.unknown_size("nothing varies between what was drawn", effect=effect, planned=planned)

    difference = distance(effect) * deviation

    def power(translations: float) -> float:
        """Of so many, with as many more units."""
        drawn, larger = units * translations / n, error * math.sqrt(n / translations)
        if not significant(test.system_test.smallest_p(int(drawn), sides=design.sides), design.alpha_each):
            return 0.0  # so few can change places in too few ways
        return mean_power(difference, larger, design.alpha_each, sides=design.sides, units=drawn)

    try:
        planned_n = design.n(of.POWER, effect)
        needed = smallest_n(power, of.POWER, about=n)
    except UsageError as refused:
        return of.unknown_size(str(refused), effect=effect, planned=planned)
    worth = round(2 * (deviation / error) ** 2)
    kinds = "" if unit in UNITS else " and ".join(f"{name}s" for name in unit.split(","))
    whom += f", by what they have in common worth {pluralise(worth, 'translation')} of segments of their own,"
    how = f"{test.method}{f' of {kinds}' if kinds else ''}, {of.level(design)}"
    more = f" translations that have nothing in common (adjudge power), or {needed:,} of such as these"
    more += f", with as many more {kinds}" if kinds and needed > n else ""
    return of.reached_size(power(n), planned_n, n, whom, how, more, effect=effect, planned=planned)


def _numbers(analysis: RatingAnalysis) -> Point:
    systems = analysis.groups[0].systems
    distinct = [s.n_translations for s in systems if s.n_translations is not None]
    judged = [s.n_judgements for s in systems if s.n_judgements is not None]
    if len(distinct) < len(systems) or len(judged) < len(systems):
        return of.numbers(UNKNOWN, WHOLE_SYSTEMS)
    n, total = of.span(distinct), of.span(judged)
    if analysis.facts.whole_systems:
        return of.numbers(UNKNOWN, f"n is {n}, N {total} a system, as the files say; nothing was tested")
    if analysis.facts.unit == "judgement":
        return of.numbers(
            FAIL, f"n is {n}, N {total} a system, but every judgement was tested as one more translation"
        )
    if not analysis.facts.annotators:
        return of.numbers(
            UNKNOWN, f"n is {n} a system; how many judgements are behind each score, the files do not say"
        )
    missing, common = _missing(analysis)
    if missing:
        return of.numbers(common, f"n is {n}, N {total} a system; {missing}")
    return of.numbers(PASS, f"n is {n}, N {total} a system; n was tested")


def _missing(analysis: RatingAnalysis) -> tuple[str, str]:
    """Which systems lack what, in words, and whether that does no harm: pairs were compared on common items."""
    comparison = analysis.groups[0].comparison
    if comparison is None or not comparison.design.missing:
        return "", PASS
    lacking = [
        f"{name} lacks {pluralise(number, 'item')}" for name, number in comparison.design.missing.items()
    ]
    design = comparison.design
    how = "pairs were compared on common items" if design.common else "pairs were compared on different items"
    return (
        f"{join_names(lacking, 3)}; {how}",
        PASS if design.common else FAIL if design.selective else UNKNOWN,
    )


def _statistic(analysis: RatingAnalysis) -> Point:
    facts = analysis.facts
    if facts.whole_systems:
        return of.statistic(UNKNOWN, WHOLE_SYSTEMS)
    if facts.annotators == 1:
        return of.statistic(UNKNOWN, "scores of one annotator: they mean what that person means by them")
    comparison = analysis.groups[0].comparison
    balance = comparison.design.balance if comparison is not None else None
    if facts.score == "adjusted":
        return of.statistic(
            PASS, "mean over translations with annotators in the model: they were spread unevenly"
        )
    if balance is not None and balance.systematic:
        return of.statistic(FAIL, "annotators were not spread evenly over systems, and are not in the model")
    if facts.score == "z":
        return of.statistic(PASS, "mean over translations of ratings on each annotator's own scale (z)")
    if facts.protocol in RAW_PROTOCOLS:
        return of.statistic(PASS, f"mean over translations of {facts.protocol.upper()}, whose unit is fixed")
    return of.statistic(
        UNKNOWN, "raw means: strict and lenient judges weigh as they happened to be assigned (--score z)"
    )


def _clusters(analysis: RatingAnalysis) -> Point:
    group = analysis.groups[0]
    if group.comparison is None:
        alone = WHOLE_SYSTEMS if analysis.facts.whole_systems else "there is one system only"
        return of.clusters(UNKNOWN, alone)
    test = group.comparison.test
    correction = CORRECTIONS.get(test.correction, test.correction)
    sides = (
        test.alternative
        if test.alternative != "better-score"
        else "one-sided, on the side of the better score"
    )
    how = f"{test.method} tests ({sides}, p ≤ {test.alpha:g}, {correction})"
    if test.baseline is not None:
        return of.clusters(FAIL, f"{how} against {test.baseline} only: the others were not compared")
    evidence = f"{pluralise(len({s.cluster for s in group.systems}), 'cluster')} by {how}"
    return of.tested_clusters(group.comparison.design, test.level, evidence)
