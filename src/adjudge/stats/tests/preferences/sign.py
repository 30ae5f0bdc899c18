"""The sign test of comparisons, as rankings were published: every comparison is an item of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.stats.tests.planned import PlannedTest
from adjudge.stats.tests.preferences.base import Floats, PreferenceTest

if TYPE_CHECKING:
    from adjudge.stats.power import Normal
    from adjudge.stats.simulated import Simulated

PUBLISHED = ("pair", "ranking")
"""What is drawn there."""


class Sign(PreferenceTest, PlannedTest):
    """P is too small where several people compared the same."""

    name = "sign"
    title = "sign test"
    every_comparison = True
    power_methods = ("exact", "noether")
    leaves_out_ties = True

    def takes(self, unit: str) -> bool:
        """Single comparisons, or rankings as wholes."""
        return unit in PUBLISHED

    def describe(self, unit: str) -> str:
        """With what it says of ties."""
        return f"{self.title} of comparisons, to which ties say nothing"

    def normal(self, n: int, effect: float, *, other: int, ties: float, method: str) -> Normal:
        """As far as wins are normal."""
        from adjudge.stats import power  # late: commands that test nothing start faster

        return power.sign(n, effect, ties=ties, method=method)

    def pilot(self, a: Floats, b: Floats, n: int, **how: Any) -> Simulated:
        """Of segments that are drawn from those of both systems."""
        from adjudge.stats import simulated

        return simulated.pilot_sign(a, b, n, **how)

    def power_apart(
        self, distance: float, n: int, m: int, alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """Exact."""
        from adjudge.stats import power

        return power.sign_power(n, power.share_above(distance), alpha=alpha, sides=sides)
