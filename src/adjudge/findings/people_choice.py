"""Which system people speak for, and how sure that is: on one test set, and in the mean over several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.evaluate import Plan
from adjudge.findings.analysis import Analysis
from adjudge.findings.choice import Choice, choice, choice_of, standing_of
from adjudge.human.mean_preferences import MeanPreference, mean_preferences
from adjudge.people.ranking_results import RankingAnalysis
from adjudge.stats import multiple

RANKINGS = "people’s rankings"


def people_choice(people: Analysis) -> Choice | None:
    """What judgements of one test set come down to; None where nothing was tested."""
    if not isinstance(people.results, RankingAnalysis):
        comparison = people.results.groups[0].comparison
        return None if comparison is None else choice(comparison)
    group = people.results.groups[0]
    order = [system.system for system in group.systems]
    winners = {frozenset((p.a, p.b)): p.better if p.significant else "" for p in group.pairs}
    return _ranked_choice(order, winners, people.results.facts.alpha)


def _ranked_choice(
    order: Sequence[str], winners: Mapping[frozenset[str], str], alpha: float, baseline: str | None = None
) -> Choice:
    """From systems, the best first, and who of every two that were compared is significantly preferred."""
    best = next((name for name in order if name != baseline), order[0])

    def standing(other: str) -> str:
        known = winners.get(frozenset((best, other)))
        return "untested" if known is None else standing_of({known}, best, other)

    rival = next((name for name in (baseline, *order) if name and name != best), "")
    return choice_of(best, order, standing, metrics=[RANKINGS], alpha=alpha, rival=rival)


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


@dataclass(frozen=True)
class RankedSets:
    """Rankings of every test set of a study, in the mean over sets."""

    scores: Mapping[str, float]
    """The mean of expected wins, of those that were ranked on every set, the best first."""
    pairs: tuple[TestedPreference, ...]
    choice: Choice


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
    winners = {frozenset((own.preference.a, own.preference.b)): own.winner for own in pairs}
    others = [name for name in means if name not in order]
    chosen = _ranked_choice([*order, *others], winners, plan.alpha, plan.baseline)
    return RankedSets({name: means[name] for name in order}, pairs, chosen)
