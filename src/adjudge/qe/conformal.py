"""Intervals that hold: how far scores lay from predictions on segments that were held out (Vovk et al. 2005).

If segments to come are like those held out, an interval of 90 % holds the score in at least 90 % of them, whatever the
model is worth; a poor one has wide intervals. Errors upwards and downwards are counted apart, for scores with an end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def conformal_reach(errors: Array, level: float) -> tuple[float, float]:
    """What is to be added to a prediction for both ends; infinite where too few were held out for the level."""
    share = (1 - level) / 2
    ordered = np.sort(errors)
    count = len(ordered)
    # The smallest k with k / (n + 1) at least 1 - share (Lei et al. 2018, on each side).
    place = math.ceil((count + 1) * (1 - share))
    if place > count:
        return -math.inf, math.inf
    return float(ordered[count - place]), float(ordered[place - 1])


def coverage(low: Array, high: Array, scores: Array) -> float:
    """The share of scores that lie in their intervals."""
    return float(((low <= scores) & (scores <= high)).mean())
