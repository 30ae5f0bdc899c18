"""What a test of metrics is asked, and what it is given."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.metric_swaps import MetricPermutations, Swap
from adjudge.stats.tests import Test, find_test

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MetricAgreement:
    """How well some metrics agree with the same scores of people; what is costly is made when it is asked for."""

    values: Floats
    """The agreement of each metric: a correlation, an accuracy."""
    draws: int
    """Resamples, where they are asked for."""
    permuted: Callable[[], MetricPermutations]
    """What becomes of the agreement when the scores of two metrics are swapped."""
    resampled: Callable[[], list[Floats]]
    """The agreement of each metric on the same resamples."""
    scores: Callable[[], Floats]
    """Metrics × judged translations, where the agreement is Pearson's r in one group; else an error says so."""

    def by_pair(self, p: Callable[[int, int], float]) -> Floats:
        """P of every pair, metrics × metrics, NaN on the diagonal."""
        number = len(self.values)
        p_values = np.full((number, number), math.nan)
        for a, b in combinations(range(number), 2):
            p_values[a, b] = p_values[b, a] = p(a, b)
        return p_values


class MetricTest(Test):
    """A two-sided test of whether one metric agrees with people better than another. A new one writes `p_values`."""

    on_rankings: ClassVar[bool] = False
    """Whether it can be made where people ranked translations."""
    swaps: ClassVar[bool] = False
    """Whether scores of metrics are swapped."""
    studentises: ClassVar[bool] = False
    """Whether differences of correlations over systems, which are few, are taken over their errors."""

    def p_values(self, agreement: MetricAgreement) -> tuple[Floats, float]:
        """P of every pair, metrics × metrics, NaN where there is none, and the smallest that could have come of it."""
        raise NotImplementedError

    def own_swap(self, *, whole_systems: bool) -> Swap | None:
        """What is swapped where the test leaves no choice; where each has one score, only `whole_systems` can be."""
        return None

    def refusal_of_swap(self, swap: str | None) -> str:
        """Why this cannot be swapped; empty where it can, or where nothing was asked for."""
        return ""

    def describe(self, swapped: str, *, over_errors: bool) -> str:
        """The test in words, where permutations swap this, differences perhaps over their errors."""
        return self.title


def metric_test(name: str) -> MetricTest:
    """The test of metrics that has this name."""
    return find_test(MetricTest, name)
