"""Wilcoxon's rank-sum test of the two lists, as Appraise has it."""

from __future__ import annotations

from adjudge.stats.ranktests import rank_sum
from adjudge.stats.tests.annotators.base import AnnotatorTest, Floats


class AnnotatorRankSum(AnnotatorTest):
    """Of all whole translations beside all damaged ones."""

    name = "rank-sum"
    title = "Wilcoxon rank-sum test"

    def p(self, whole: Floats, damaged: Floats) -> float:
        """By the normal approximation."""
        return rank_sum(whole, damaged, alternative="greater").p
