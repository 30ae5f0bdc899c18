"""What people's rankings of every test set of a study come to, in the mean over sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.comparison.plan import Plan
from adjudge.comparison.verdict import Difference, Evidence, Relation
from adjudge.stats.design import Design

RANKINGS = "people’s rankings"


@dataclass(frozen=True)
class MeanPreference:
    """Two systems on all test sets on which people compared them."""

    a: str
    b: str
    mean: float
    """How far a is preferred, −1 to 1: the mean over sets of the preference on each of them."""
    p: float
    """Two-sided test of that mean: documents or items turn by coins within each set, and from three annotators on the
    t-test clustered by these and by annotators counts where its p is larger."""
    sets: int
    ahead_on: int
    """Sets on which a is preferred."""
    behind_on: int
    """Sets on which b is; on the others neither."""


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
        frozenset((difference.a, difference.b)): Relation((difference,), by_people=True, alpha=alpha)
        for difference in differences
    }
    return Evidence(tuple(order), relations, (RANKINGS,), alpha, by_people=True, baseline=baseline)
