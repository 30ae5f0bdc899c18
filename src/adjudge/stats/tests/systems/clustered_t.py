"""A t-test of means whose standard errors are by units of two kinds at once, such as documents and annotators."""

from __future__ import annotations

from dataclasses import replace

from adjudge.stats.intervals import Interval
from adjudge.stats.tests.systems.base import Outcome, SystemRows, SystemTest, TestOptions


class ClusteredT(SystemTest):
    """Student's t of a difference over its standard error, clustered both ways."""

    name = "clustered-t"
    title = "t-test"
    kinds = 2

    def describe(self, unit: str) -> str:
        """With the units that errors are by."""
        return f"{self.title}, standard errors by {' and by '.join(f'{name}s' for name in unit.split(','))}"

    def run(self, rows: SystemRows, options: TestOptions) -> Outcome:
        """From the estimates of all pairs; higher is better there, once they are turned."""
        turned = [replace(estimate, value=rows.direction * estimate.value) for estimate in rows.estimates]
        return Outcome([estimate.p(one_sided=options.sides == 1) for estimate in turned])

    def interval(
        self, rows: SystemRows, outcome: Outcome, number: int, delta: float, error: float
    ) -> Interval:
        """Student's t, longer on the side to which scores are skewed."""
        return rows.estimates[number].limits(error)
