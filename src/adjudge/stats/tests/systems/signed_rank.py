"""Wilcoxon's signed-rank test: for systems that were scored on the same segments."""

from __future__ import annotations

from adjudge.stats.tests.systems.base import ShareWords
from adjudge.stats.tests.systems.ranks import RankTest


class SignedRank(RankTest):
    """Whether differences on segments speak for one system, large ones counting more."""

    name = "signed-rank"
    title = "Wilcoxon signed-rank test"
    share = ShareWords(
        column="ranks",
        claim="{} % of the ranks of differences",
        note="P: the share of the ranks of differences that speak for the first system, which is what the test asks "
        "about; would show: the smallest P that it finds",
    )

    def describe(self, unit: str) -> str:
        """With what is ranked."""
        return f"{self.title} of the segments both were judged on"
