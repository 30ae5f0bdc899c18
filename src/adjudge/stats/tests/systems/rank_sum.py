"""Wilcoxon's rank-sum test, also known as Mann and Whitney's: for systems that were scored on different segments."""

from __future__ import annotations

import math

from adjudge.stats.ranktests import PairTests
from adjudge.stats.tests.systems.base import Floats, ShareWords
from adjudge.stats.tests.systems.ranks import RankTest


class RankSum(RankTest):
    """Whether translations of one system are scored better than those of the other."""

    name = "rank-sum"
    title = "Wilcoxon rank-sum test"
    paired = False
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
        from adjudge.stats.power import MOST_SHARED  # late: it loads scipy

        fewer = min(ranks.counts[pair], ranks.counts[pair[::-1]])
        if ranks.segments[pair] > MOST_SHARED * fewer:
            return math.nan
        return super().detectable_share(ranks, pair, alpha, sides=sides, levels=levels)
