"""Two systems side by side: how often each was preferred, and whether chance would do as much."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.human.pairs import pair_counts
from adjudge.stats.ranktests import sign_test


@dataclass(frozen=True)
class Preference:
    """What people said of two systems when they saw both."""

    system: str
    other: str
    wins: int
    ties: int
    losses: int
    p_value: float
    """Of the two-sided sign test, to which ties say nothing; 1 where all are ties."""

    @property
    def comparisons(self) -> int:
        """How often the two were set side by side."""
        return self.wins + self.ties + self.losses

    @property
    def shares(self) -> tuple[float, float, float]:
        """Percentages of wins, ties and losses."""
        won, tied, lost = (100 * n / self.comparisons for n in (self.wins, self.ties, self.losses))
        return won, tied, lost


def preferences(judgements: Judgements) -> tuple[Preference, ...]:
    """Every two systems that were compared, in the order of their first appearance.

    A comparison counts as one, also where several people made the same. Where there are many pairs of systems, their
    p-values are to be adjusted (`stats.multiple`).
    """
    counts = pair_counts(judgements)
    found = []
    for a, b in combinations(range(len(counts.systems)), 2):
        wins, ties, losses = (int(n) for n in (counts.wins[a, b], counts.ties[a, b], counts.wins[b, a]))
        if wins + ties + losses:
            answers = np.repeat([1.0, 0.0, -1.0], [wins, ties, losses])
            p = sign_test(answers, np.zeros_like(answers)).p_value
            found.append(Preference(counts.systems[a], counts.systems[b], wins, ties, losses, p))
    return tuple(found)
