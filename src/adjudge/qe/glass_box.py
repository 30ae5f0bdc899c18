"""What the MT system itself thought of its output: logarithms of the probabilities of its tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adjudge.qe.means import Array

NAMES = ("log_prob_mean", "log_prob_sum", "log_prob_min", "log_prob_deviation", "log_prob_low", "prob_mean")
LOW = -1.0
"""A token less likely than 1 in e was a close decision."""
LogProbabilities = Sequence[float] | None
"""Of one output's tokens; a single one is their mean, None is not known."""


def glass_box_features(given: Sequence[LogProbabilities]) -> Array:
    """Segments × 6, NaN where nothing is known; of a mean, only the first."""
    rows = np.full((len(given), len(NAMES)), np.nan)
    for row, values in zip(rows, given, strict=True):
        if values is None or not len(values):
            continue
        own = np.asarray(values, np.float64)
        row[0] = own.mean()
        if len(own) > 1:
            row[1:] = own.sum(), own.min(), own.std(), (own < LOW).mean(), np.exp(own).mean()
    return rows
