"""People's rankings of every test set of a study, in the mean over sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.joint_systems import expanded
from adjudge.data.judgements import Judgements
from adjudge.evaluate.plan import Plan
from adjudge.evaluate.verdict import Difference, Evidence, Relation
from adjudge.human.grouping import settled, without_tutorials
from adjudge.human.mean_preferences import MeanPreference, mean_preferences, preference_design
from adjudge.human.pairs import comparisons, counted, expected_wins
from adjudge.stats import multiple
from adjudge.stats.design import Design

RANKINGS = "people’s rankings"


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
    others: tuple[str, ...] = ()
    """Systems that were ranked on some sets only."""
    design: Design | None = None
    """What the tests rest on; None in studies that were kept without it."""

    def evidence(self, plan: Plan) -> Evidence:
        """The rankings as evidence for a verdict."""
        differences = (pair.difference for pair in self.pairs)
        order = (*self.scores, *self.others)
        evidence = ranking_evidence(order, differences, plan.alpha, plan.baseline)
        return replace(evidence, design=self.design)


def ranking_evidence(
    order: Sequence[str], differences: Iterable[Difference], alpha: float, baseline: str | None = None
) -> Evidence:
    """Evidence from systems, the best first, and every two of them that were compared."""
    relations = {
        frozenset((own.a, own.b)): Relation((own,), by_people=True, alpha=alpha) for own in differences
    }
    return Evidence(tuple(order), relations, (RANKINGS,), alpha, by_people=True, baseline=baseline)


def ranked_sets(judged: Sequence[Judgements], plan: Plan) -> RankedSets | None:
    """Rankings of every set, corrected over pairs; None where no system was ranked on all of them."""
    each = [_expected_wins(own) for own in judged]
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
    others = tuple(name for name in means if name not in order)
    return RankedSets({name: means[name] for name in order}, pairs, others, preference_design(judged))


def _expected_wins(judgements: Judgements) -> dict[str, float]:
    """The score of every system by the rankings of one test set."""
    made = comparisons(settled(expanded(without_tutorials(judgements))))
    counts = counted(made)
    scores = expected_wins(counts.wins, counts.ties)
    return dict(zip(made.systems, scores.tolist(), strict=True))
