"""The points that rankings, and comparisons side by side, answer in a way of their own."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.dossiers.checklist import points as of
from adjudge.dossiers.checklist.parity import VersusPerson, versus_person
from adjudge.dossiers.checklist.points import FAIL, PASS, UNKNOWN, OwnPoints, Point
from adjudge.human.ranking_results import RankingAnalysis
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.stats.design import units_of
from adjudge.stats.tests.preferences.base import preference_test
from adjudge.wording import CORRECTIONS, join_names, noun_form, percent, pluralise

SHARES = {
    "expected-wins": "the chance to be preferred to one of the others",
    "at-least-as-good": "the share of comparisons not lost",
    "better": "the share of wins where one was preferred",
}


def points(analysis: RankingAnalysis, *, effect: float, reliable: str, planned: str) -> OwnPoints:
    """Judges, size, numbers, statistic and clusters."""
    return OwnPoints(
        _reliability(analysis, reliable),
        _size(analysis, effect, planned),
        _numbers(analysis),
        _statistic(analysis),
        _clusters(analysis),
    )


def against(analysis: RankingAnalysis, person: str) -> Iterator[VersusPerson]:
    """How every other system did beside the person."""
    group = analysis.groups[0]
    systems = [s.system for s in group.systems]
    return versus_person(person, systems, group.pairs, lambda pair: pair.better)


def _reliability(analysis: RankingAnalysis, declared: str) -> Point:
    verdict, evidence = of.judge_agreement("kappa", analysis.agreement.inter.empirical)
    missed = [
        control.annotator for control in analysis.controls if control.damaged + control.ties >= control.whole
    ]
    if missed:
        doubt = f", although {declared} was declared" if declared else ""
        return of.reliability(
            FAIL,
            f"{join_names(missed, 3)} did not prefer whole outputs to damaged ones in most cases and still "
            f"{'counts' if len(missed) == 1 else 'count'}{doubt}; {evidence}",
        )
    if declared:
        doubt = f", but {evidence}" if verdict == FAIL else f"; {evidence}"
        return of.reliability(FAIL if verdict == FAIL else PASS, f"declared: {declared}{doubt}")
    return of.reliability(verdict, evidence)


def _size(analysis: RankingAnalysis, effect: float, planned: str) -> Point:
    group = analysis.groups[0]
    if not group.pairs:
        return of.sample_size(None, 0, "", effect=effect, planned=planned)
    least = min(group.pairs, key=lambda pair: min(pair.n_translations, pair.independent))
    n = int(min(least.n_translations, least.independent))
    design = CampaignPlan(
        test="sign",
        tie_share=min(least.ties / (least.wins + least.ties + least.losses), 0.999),
        systems=len(group.systems),
        comparisons=len(group.pairs),
        alpha=analysis.facts.alpha,
        correction="none" if analysis.facts.correction == "none" else "holm",
    )
    whom = f"{noun_form(n, 'item')} on which {least.a} and {least.b} were compared"
    if n < least.n_translations:
        of_one = f"one {' or one '.join(analysis.facts.unit.split(','))}"
        whom += f" ({least.n_translations:,}, which say as much as {n:,}, for those of {of_one} resemble each other)"
    return of.sample_size(design, n, whom, effect=effect, planned=planned)


def _numbers(analysis: RankingAnalysis) -> Point:
    pairs = analysis.groups[0].pairs
    if not pairs:
        return of.numbers(UNKNOWN, "no two systems were compared")
    n, total = ([getattr(p, name) for p in pairs] for name in ("n_translations", "n_judgements"))
    evidence = f"n is {of.span(n)} items, N {of.span(total)} comparisons a pair of systems"
    if not preference_test(analysis.facts.unit).every_comparison:
        return of.numbers(PASS, f"{evidence}; {units_of(analysis.facts.unit)} were tested")
    if n == total:
        return of.numbers(PASS, f"{evidence}: each was made once")
    return of.numbers(
        FAIL, f"{evidence}, and every comparison was tested as one more item (leave --unit out)"
    )


def _statistic(analysis: RankingAnalysis) -> Point:
    ranking = analysis.groups[0].ranking
    if ranking.method == "bradley-terry":
        return of.statistic(
            PASS, "Bradley–Terry: a difference is the log-odds of being preferred, whoever else takes part"
        )
    if ranking.method == "trueskill":
        return of.statistic(
            FAIL, "TrueSkill: its scale depends on how many comparisons there are (--ranking bradley-terry)"
        )
    meaning = SHARES[ranking.method]
    if len(ranking.systems) == 2:
        return of.statistic(PASS, f"of two systems, {meaning}")
    return of.statistic(
        FAIL,
        f"{meaning}, which changes with the {len(ranking.systems)} systems that took part "
        "(--ranking bradley-terry)",
    )


def _clusters(analysis: RankingAnalysis) -> Point:
    ranking = analysis.groups[0].ranking
    placed = [s for s in ranking.systems if s.cluster is not None]
    if len(placed) < 2:
        return of.clusters(UNKNOWN, "fewer than two systems have a score")
    if len(placed) < len(ranking.systems):
        without = [s.system for s in ranking.systems if s.cluster is None]
        return of.clusters(
            FAIL, f"{join_names(without, 3)} {'has' if len(without) == 1 else 'have'} no score and no rank"
        )
    if ranking.groups > 1:
        return of.clusters(
            FAIL,
            f"the systems fall into {pluralise(ranking.groups, 'group')} that were never compared with each other",
        )
    count = pluralise(len({s.cluster for s in placed}), "cluster")
    if analysis.facts.by_tests:
        kind = preference_test(analysis.facts.unit).short_title
        how = f"{kind} of {units_of(analysis.facts.unit)} (p ≤ {analysis.facts.alpha:g}, "
        evidence = f"{count} by {how}{CORRECTIONS.get(analysis.facts.correction, analysis.facts.correction)})"
        return of.tested_clusters(analysis.groups[0].design, analysis.facts.alpha, evidence)
    what = {"pair": "comparison", "none": "comparison"}.get(ranking.unit, ranking.unit)
    return of.clusters(
        PASS,
        f"{count} by {percent(ranking.confidence)} ranges of ranks ({pluralise(ranking.resamples, 'resample')} of "
        f"{pluralise(ranking.units, what)})",
    )
