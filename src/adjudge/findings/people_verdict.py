"""What people's judgements say of systems: on one test set, and in the mean over several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.evaluate import Plan
from adjudge.evaluate.verdict import Difference, Evidence, Relation, evidence_of
from adjudge.findings.analysis import Analysis
from adjudge.human.mean_preferences import MeanPreference, mean_preferences
from adjudge.people.ranking_results import RankedPair, RankingAnalysis
from adjudge.stats import multiple

RANKINGS = "people’s rankings"


def people_evidence(people: Analysis) -> Evidence | None:
    """What judgements of one test set say; None where nothing was tested."""
    if not isinstance(people.results, RankingAnalysis):
        comparison = people.results.groups[0].comparison
        return None if comparison is None else evidence_of(comparison)
    group = people.results.groups[0]
    order = [system.system for system in group.systems]
    evidence = _ranked_evidence(order, map(_ranked_difference, group.pairs), people.results.facts.alpha)
    return replace(evidence, design=group.design)


def _ranked_difference(pair: RankedPair) -> Difference:
    return Difference(
        metric=RANKINGS,
        label=RANKINGS,
        a=pair.a,
        b=pair.b,
        delta=pair.delta,
        low=math.nan,
        high=math.nan,
        p=pair.p_adjusted,
        ahead=pair.better,
        significant=pair.significant,
        higher_is_better=True,
        decimals=3,
        better_on=pair.effect,
        worse_on=pair.lost,
        units=pair.n_translations,
    )


def _ranked_evidence(
    order: Sequence[str], differences: Iterable[Difference], alpha: float, baseline: str | None = None
) -> Evidence:
    """From systems, the best first, and every two that were compared."""
    relations = {
        frozenset((own.a, own.b)): Relation((own,), by_people=True, alpha=alpha) for own in differences
    }
    return Evidence(tuple(order), relations, (RANKINGS,), alpha, by_people=True, baseline=baseline)


@dataclass(frozen=True)
class TestedPreference:
    """Two systems in the mean over sets, and whether one is significantly preferred."""

    preference: MeanPreference
    p_adjusted: float
    significant: bool

    @property
    def winner(self) -> str:
        """Who is significantly preferred; '' for nobody."""
        own = self.preference
        return "" if not self.significant else own.a if own.mean > 0 else own.b

    @property
    def difference(self) -> Difference:
        """The preference as evidence."""
        own = self.preference
        return Difference(
            metric=RANKINGS,
            label=RANKINGS,
            a=own.a,
            b=own.b,
            delta=own.mean,
            low=math.nan,
            high=math.nan,
            p=self.p_adjusted,
            ahead="" if own.mean == 0 else own.a if own.mean > 0 else own.b,
            significant=self.significant,
            higher_is_better=True,
            decimals=3,
        )


@dataclass(frozen=True)
class RankedSets:
    """Rankings of every test set of a study, in the mean over sets."""

    scores: Mapping[str, float]
    """The mean of expected wins, of those that were ranked on every set, the best first."""
    pairs: tuple[TestedPreference, ...]
    evidence: Evidence


def ranked_sets(judged: Sequence[Judgements], people: Sequence[Analysis], plan: Plan) -> RankedSets | None:
    """Rankings of every set, corrected over pairs; None where nobody was ranked on all of them."""
    each = [{own.system: own.score for own in set_people.groups[0].systems} for set_people in people]
    names = dict.fromkeys(name for scores in each for name in scores)
    means = {name: float(np.mean([scores.get(name, np.nan) for scores in each])) for name in names}
    order = sorted((name for name in means if not np.isnan(means[name])), key=lambda name: -means[name])
    if not [name for name in order if name != plan.baseline]:
        return None
    compared = [
        pair
        for pair in mean_preferences(judged)
        if plan.baseline in (None, pair.a, pair.b) and {pair.a, pair.b} <= {*means}
    ]
    adjusted = multiple.adjusted([pair.p_value for pair in compared], plan.correction)
    pairs = tuple(
        TestedPreference(pair, float(p), bool(p < plan.alpha))
        for pair, p in zip(compared, adjusted, strict=True)
    )
    others = [name for name in means if name not in order]
    differences = (pair.difference for pair in pairs)
    evidence = _ranked_evidence([*order, *others], differences, plan.alpha, plan.baseline)
    return RankedSets({name: means[name] for name in order}, pairs, evidence)
