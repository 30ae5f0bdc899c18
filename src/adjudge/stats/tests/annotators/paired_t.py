"""Student's t of the differences between whole and damaged translations, as Graham and others have it."""

from __future__ import annotations

import math

import numpy as np

from adjudge.stats.distributions import t_cdf
from adjudge.stats.tests.annotators.base import AnnotatorTest, Floats


class PairedT(AnnotatorTest):
    """Of each damaged translation beside the output it was made from."""

    name = "paired-t"
    title = "paired t-test"

    def p(self, whole: Floats, damaged: Floats) -> float:
        """0 or 1 where all differences are the same."""
        lower = whole - damaged
        if np.ptp(lower) == 0:
            return 0.0 if lower[0] > 0 else 1.0
        error = float(lower.std(ddof=1)) / math.sqrt(len(lower))
        return float(t_cdf(len(lower) - 1, -lower.mean() / error))
