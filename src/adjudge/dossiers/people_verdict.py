"""What people's judgements of one test set say of systems."""

from __future__ import annotations

import math
from dataclasses import replace

from adjudge.comparison.ranked_sets import RANKINGS, ranking_evidence
from adjudge.comparison.verdict import Difference, Evidence, evidence_of
from adjudge.dossiers.analysis import Analysis
from adjudge.human.ranking_results import RankedPair, RankingAnalysis


def people_evidence(people: Analysis) -> Evidence | None:
    """What judgements of one test set say; None where nothing was tested."""
    if not isinstance(people.results, RankingAnalysis):
        comparison = people.results.groups[0].comparison
        return None if comparison is None else evidence_of(comparison)
    group = people.results.groups[0]
    order = [system.system for system in group.systems]
    evidence = ranking_evidence(order, map(_ranked_difference, group.pairs), people.results.facts.alpha)
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
