"""Intervals that hold: how far scores lay from predictions on segments that were held out (Vovk et al. 2005).

If segments to come are like those held out, an interval of 90 % holds the score in at least 90 % of them, whatever the
model is worth; a poor one has wide intervals. Errors upwards and downwards are counted apart, for scores with an end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def conformal_reach(errors: Array, confidence: float) -> tuple[float, float]:
    """What is to be added to a prediction for both ends; infinite where too few were held out for the level."""
    share = (1 - confidence) / 2
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
    spread: float = math.nan
    """The standard deviation of the scores of those segments."""


@dataclass(frozen=True)
class Coverage:
    """How many scores intervals hold, beside what chance leaves to intervals that keep their promise."""

    share: float
    low: float
    high: float
    """95 % of samples of so many segments hold between these shares, if they are like those of the calibration."""
    spread: float = math.nan
    """The standard deviation of the scores that were held or not."""
    calibration_spread: float = math.nan
    """That of the scores that calibrated the intervals."""

    @property
    def promised(self) -> bool:
        """Whether the share is one that chance explains."""
        return self.low <= self.share <= self.high

    @property
    def verdict(self) -> Literal["unknown", "kept", "more", "fewer"]:
        """Whether intervals keep their promise: a share that chance explains, more, fewer, or too few to say."""
        if (self.low, self.high) == (0, 1):
            return "unknown"
        if self.promised:
            return "kept"
        return "more" if self.share > self.high else "fewer"


def coverage_of(
    intervals: Intervals, scores: Array, confidence: float, unit: NDArray[np.intp] | None = None
) -> Coverage:
    """The share that intervals hold, and those that chance explains.

    Given its calibration, what an interval covers has a beta distribution (Vovk 2012), and what a sample shows of it a
    beta-binomial one. Segments of one unit (a document) that are held or missed together count as fewer, those of the
    calibration too.
    """
    from scipy.stats import betabinom

    covered = (intervals.low <= scores) & (scores <= intervals.high)
    share, effect = float(covered.mean()), 1.0 if unit is None else design_effect(covered, unit)
    count, known = (max(1, round(number / effect)) for number in (len(scores), intervals.calibrated_on))
    outside = 2 * math.floor((known + 1) * (1 - confidence) / 2)
    if outside < 2:
        return Coverage(share, 0.0, 1.0)
    low, high = betabinom.ppf([0.025, 0.975], count, known + 1 - outside, outside)
    spreads = float(scores.std()), intervals.spread
    return Coverage(share, float(low) / count, float(high) / count, *spreads)


def design_effect(covered: NDArray[np.bool_], unit: NDArray[np.intp]) -> float:
    """How many times as much a share is spread as that of as many independent segments (Kish 1965); 1 at least."""
    share, units = float(covered.mean()), int(unit.max()) + 1
    alone = share * (1 - share) / len(covered)
    if units in (1, len(covered)) or alone == 0:
        return 1.0
    sums = np.bincount(unit, covered - share)
    together = float((sums**2).sum()) / len(covered) ** 2 * units / (units - 1)
    return max(1.0, together / alone)


def coverage(low: Array, high: Array, scores: Array) -> float:
    """The share of scores that lie in their intervals."""
    return float(((low <= scores) & (scores <= high)).mean())
