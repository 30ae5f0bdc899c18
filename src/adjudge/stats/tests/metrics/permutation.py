"""Permutations: metrics change places on systems, items or single scores, whose agreement is computed anew."""

from __future__ import annotations

from adjudge.stats.tests.metrics.base import Floats, MetricAgreement, MetricTest


class Permutation(MetricTest):
    """P is how often swapped metrics lie as far apart as was seen."""

    name = "permutation"
    title = "permutation"
    on_rankings = True
    swaps = True
    studentises = True

    def p_values(self, agreement: MetricAgreement) -> tuple[Floats, float]:
        """From the permutations that the agreement allows."""
        permuted = agreement.permuted()
        return permuted.p_values(), permuted.least_p

    def describe(self, swapped: str, *, over_errors: bool) -> str:
        """With what is swapped."""
        return f"permutation of {swapped}" + (" by Williams' t" if over_errors else "")
