"""Wilcoxon's signed-rank test: for systems that were scored on the same segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.stats.distributions import normal_cdf
from adjudge.stats.tests.systems.base import Floats, ShareWords
from adjudge.stats.tests.systems.ranks import RankTest

if TYPE_CHECKING:
    from adjudge.stats.power import Normal
    from adjudge.stats.simulated import Simulated


class SignedRank(RankTest):
    """Whether differences on segments speak for one system, large ones counting more."""

    name = "signed-rank"
    title = "Wilcoxon signed-rank test"
    power_methods = ("shieh", "noether", "simulation")
    share = ShareWords(
        column="ranks",
        claim="{} % of the ranks of differences",
        note="P: the share of the ranks of differences that speak for the first system, which is what the test asks "
        "about; would show: the smallest P that it finds",
    )

    def describe(self, unit: str) -> str:
        """With what is ranked."""
        return f"{self.title} of the segments both were judged on"

    def normal(self, n: int, effect: float, *, other: int, ties: float, method: str) -> Normal:
        """Of differences on the same segments."""
        from adjudge.stats import power  # late: commands that test nothing start faster

        return power.signed_rank(n, effect, method=method)

    def simulated(self, n: int, effect: float, *, other: int, **level: Any) -> Simulated:
        """Of normal differences."""
        from adjudge.stats import simulated

        return simulated.normal_signed_rank(n, effect, **level)

    def pilot(self, a: Floats, b: Floats, n: int, **how: Any) -> Simulated:
        """Of segments that are drawn from those of both systems."""
        from adjudge.stats import simulated

        return simulated.pilot_signed_rank(a, b, n, **how)

    def power_apart(
        self, distance: float, n: int, m: int, alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """The share of ranks is the chance that two differences add up to more than 0, as good as."""
        from adjudge.stats import power

        return power.signed_rank(n, float(normal_cdf(distance / 2))).power(alpha, sides)
