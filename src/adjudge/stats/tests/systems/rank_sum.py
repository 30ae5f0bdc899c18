"""Wilcoxon's rank-sum test, also known as Mann and Whitney's: for systems that were scored on different segments."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from adjudge.stats.ranktests import PairTests
from adjudge.stats.tests.systems.base import Floats, ShareWords
from adjudge.stats.tests.systems.ranks import RankTest

if TYPE_CHECKING:
    from adjudge.stats.power import Normal
    from adjudge.stats.simulated import Simulated


class RankSum(RankTest):
    """Whether translations of one system are scored better than those of the other."""

    name = "rank-sum"
    title = "Wilcoxon rank-sum test"
    paired = False
    power_methods = ("shieh", "noether", "simulation")
    share = ShareWords(
        column="pairs",
        claim="{} of 100 pairs of translations, one of each",
        note="P: of pairs of translations, one of each system, the share in which the first one's is scored better "
        "(ties half), which is what the test asks about; would show: the smallest P that it finds",
    )

    def describe(self, unit: str) -> str:
        """With what is ranked."""
        return f"{self.title} of translations"

    def detectable_share(
        self, ranks: PairTests, pair: tuple[int, int], alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """Unknown where systems share their segments: it finds more or less then, by how much these have in common."""
        from adjudge.stats.design import MOST_SHARED

        fewer = min(ranks.counts[pair], ranks.counts[pair[::-1]])
        if ranks.segments[pair] > MOST_SHARED * fewer:
            return math.nan
        return super().detectable_share(ranks, pair, alpha, sides=sides, levels=levels)

    def normal(self, n: int, effect: float, *, other: int, ties: float, method: str) -> Normal:
        """Of two samples, which need not be of one size."""
        from adjudge.stats import power

        return power.rank_sum(n, effect, other=other, method=method)

    def simulated(self, n: int, effect: float, *, other: int, **level: Any) -> Simulated:
        """Of two samples of normal scores."""
        from adjudge.stats import simulated

        return simulated.normal_rank_sum(n, effect, other=other, **level)

    def pilot(self, a: Floats, b: Floats, n: int, **how: Any) -> Simulated:
        """Of scores that are drawn from each system's."""
        from adjudge.stats import simulated

        return simulated.pilot_rank_sum(a, b, n, **how)

    def power_apart(
        self, distance: float, n: int, m: int, alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """Where many scores tie, with the levels that they have."""
        from adjudge.stats import power

        if levels is not None:
            return power.tied_rank_sum(n, m, levels, distance)[1].power(alpha, sides)
        return power.rank_sum(n, power.share_above(distance), other=m).power(alpha, sides)

    def share_apart(self, distance: float, n: int, m: int, levels: Floats | None) -> float:
        """Of pairs of scores, ties half."""
        from adjudge.stats import power

        if levels is not None:
            return power.tied_rank_sum(n, m, levels, distance)[0]
        return power.share_above(distance)
