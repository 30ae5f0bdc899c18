"""Permutations as mt-metrics-eval has them, to compare with what was published."""

from __future__ import annotations

from adjudge.stats.metric_swaps import Swap
from adjudge.stats.tests.metrics.permutation import Permutation


class Mtme(Permutation):
    """Single scores are swapped, and nothing is taken over its error."""

    name = "mtme"
    on_rankings = False
    studentises = False

    def own_swap(self, *, whole_systems: bool) -> Swap:
        """Single scores, of which a system may have one."""
        return "systems" if whole_systems else "cells"

    def refusal_of_swap(self, swap: str | None) -> str:
        """Whatever is none of them."""
        if swap in (None, "cells"):
            return ""
        return f"mt-metrics-eval swaps single scores (cells), not {swap}: --test permutation"
