"""The paired bootstrap of metrics: differences of agreement on resampled systems or items."""

from __future__ import annotations

import math

import numpy as np

from adjudge.stats.tests.metrics.base import Floats, MetricAgreement, MetricTest

FEWEST = 20
"""Resamples that have an agreement at all; with fewer there is no p."""


class MetricBootstrap(MetricTest):
    """P is how often differences on resamples lie as far from their mean as what was seen from 0."""

    name = "bootstrap"
    title = "paired bootstrap"

    def p_values(self, agreement: MetricAgreement) -> tuple[Floats, float]:
        """From the same resamples for all metrics."""
        samples = agreement.resampled()

        def p(a: int, b: int) -> float:
            differences = samples[a] - samples[b]
            differences = differences[~np.isnan(differences)]
            if len(differences) < FEWEST:
                return math.nan
            observed = abs(agreement.values[a] - agreement.values[b])
            far = int((np.abs(differences - differences.mean()) >= observed - 1e-12).sum())
            return (far + 1) / (len(differences) + 1)

        return agreement.by_pair(p), 1 / (agreement.draws + 1)
