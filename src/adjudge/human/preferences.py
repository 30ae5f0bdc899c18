"""Two systems side by side: how often each was preferred, and whether chance would do as much."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements
from adjudge.errors import unknown_name
from adjudge.human.grouping import same
from adjudge.human.pairs import Comparisons, comparisons, units_of
from adjudge.stats.ranktests import sign_test

UNITS = ("judgement", "item")
"""What counts as one: every comparison, or every item, by what most people said of it."""


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
    items: int
    """n: distinct items on which the two were compared."""
    judgements: int
    """N: how often they were."""

    @property
    def comparisons(self) -> int:
        """How many were tested: all judgements, or all items."""
        return self.wins + self.ties + self.losses

    @property
    def shares(self) -> tuple[float, float, float]:
        """Percentages of wins, ties and losses."""
        won, tied, lost = (100 * n / self.comparisons for n in (self.wins, self.ties, self.losses))
        return won, tied, lost


def preferences(judgements: Judgements, *, unit: str = "judgement") -> tuple[Preference, ...]:
    """Every two systems that were compared, in the order of their first appearance.

    By `judgement` a comparison counts as one, also where several people made the same; by `item` only what most of
    them preferred counts, and a draw among them is a tie. Where there are many pairs of systems, their p-values are to
    be adjusted (`stats.multiple`).
    """
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS)
    made = comparisons(judgements)
    k = len(made.systems)
    pair, answer = _answers(made)
    question = same(pair, units_of(judgements, made, "item"))
    pair_of = np.zeros(int(question.max()) + 1, dtype=np.int64)
    pair_of[question] = pair
    items, judged = np.bincount(pair_of, minlength=k * k), np.bincount(pair, minlength=k * k)
    if unit == "item":
        pair, answer = pair_of, np.sign(np.bincount(question, answer)).astype(np.int64)
    tables = [np.bincount(pair[answer == outcome], minlength=k * k) for outcome in (1, 0, -1)]
    found = []
    for a, b in combinations(range(k), 2):
        cell = a * k + b
        wins, ties, losses = (int(table[cell]) for table in tables)
        if wins + ties + losses:
            answers = np.repeat([1.0, 0.0, -1.0], [wins, ties, losses])
            p = sign_test(answers, np.zeros_like(answers)).p_value
            counts = int(items[cell]), int(judged[cell])
            found.append(Preference(made.systems[a], made.systems[b], wins, ties, losses, p, *counts))
    return tuple(found)


def _answers(made: Comparisons) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of every comparison the two systems, a·k + b with a < b, and 1, 0 or −1 for a, neither or b."""
    k = len(made.systems)
    first, second = np.divmod(made.cells % (k * k), k)
    answer = np.where(made.cells >= k * k, 0, np.where(first < second, 1, -1))
    return np.minimum(first, second) * k + np.maximum(first, second), answer
