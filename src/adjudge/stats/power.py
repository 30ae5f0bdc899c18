"""What a test set could have shown."""

from __future__ import annotations

import math

from scipy.special import ndtri

POWER = 0.8


def detectable_difference(deviation: float, alpha: float, power: float = POWER) -> float:
    """The smallest difference that a two-sided test at alpha finds with this power.

    `deviation` is the standard deviation of the difference over resamples of the test set. Normal approximation.
    """
    if not math.isfinite(deviation) or deviation <= 0:
        return math.nan
    return float((ndtri(1 - alpha / 2) + ndtri(power)) * deviation)
