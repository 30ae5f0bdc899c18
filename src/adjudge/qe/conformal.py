"""Intervals that hold: how far scores lay from predictions on segments that were held out (Vovk et al. 2005).

If segments to come are like those held out, an interval of 90 % holds the score in at least 90 % of them, whatever the
model is worth; a poor one has wide intervals. Errors upwards and downwards are counted apart, for scores with an end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class Intervals:
    """An interval a segment, and how many judged segments say how wide they are."""

    low: Array
    high: Array
    calibrated_on: int


@dataclass(frozen=True)
class Coverage:
    """How many scores intervals hold, beside what chance leaves to intervals that keep their promise."""

    share: float
    low: float
    high: float
    """95 % of samples of so many segments hold between these shares, if they are like those of the calibration."""

    @property
    def promised(self) -> bool:
        """Whether the share is one that chance explains."""
        return self.low <= self.share <= self.high


def coverage_of(intervals: Intervals, scores: Array, level: float) -> Coverage:
    """The share that intervals hold, and those that chance explains.

    Given its calibration, what an interval covers has a beta distribution (Vovk 2012), and what a sample shows of it a
    beta-binomial one.
    """
    from scipy.stats import betabinom

    count, known = len(scores), intervals.calibrated_on
    share = coverage(intervals.low, intervals.high, scores)
    outside = 2 * math.floor((known + 1) * (1 - level) / 2)
    if outside < 2:
        return Coverage(share, 0.0, 1.0)
    low, high = betabinom.ppf([0.025, 0.975], count, known + 1 - outside, outside)
    return Coverage(share, float(low) / count, float(high) / count)


def coverage(low: Array, high: Array, scores: Array) -> float:
    """The share of scores that lie in their intervals."""
    return float(((low <= scores) & (scores <= high)).mean())
