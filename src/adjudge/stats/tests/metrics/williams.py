"""Williams' test of two dependent correlations: Pearson's r of two metrics with the same scores of people."""

from __future__ import annotations

import numpy as np

from adjudge.stats.metric_swaps import williams_test
from adjudge.stats.tests.metrics.base import Floats, MetricAgreement, MetricTest


class Williams(MetricTest):
    """Student's t of the difference of two correlations, which allows for how the metrics correlate."""

    name = "williams"
    title = "Williams' test"

    def p_values(self, agreement: MetricAgreement) -> tuple[Floats, float]:
        """From all systems or all judged segments."""
        lists = agreement.scores()
        between = np.atleast_2d(np.corrcoef(lists))

        def p(a: int, b: int) -> float:
            first, second = (float(agreement.values[place]) for place in (a, b))
            return williams_test(first, second, float(between[a, b]), lists.shape[1]).p

        return agreement.by_pair(p), 0.0
