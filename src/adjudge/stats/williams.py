"""Williams' test (1959): do two lists of scores correlate differently with a third, which all share their cases?"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class WilliamsTest:
    """Whether the first correlation is another one than the second."""

    t: float
    degrees: int
    p_value: float
    """Two-sided."""


def williams_test(first: float, second: float, between: float, n: int) -> WilliamsTest:
    """The test of two correlations with one target, given that of the two lists with each other, over n cases.

    NaN for fewer than four cases or lists that say the same.
    """
    if n < 4 or any(map(math.isnan, (first, second, between))):
        return WilliamsTest(math.nan, max(0, n - 3), math.nan)
    from scipy.special import stdtr

    rest = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * max(rest, 0.0) * (n - 1) / (n - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    if below <= 0:
        return WilliamsTest(math.nan, n - 3, math.nan)
    t = (first - second) * math.sqrt((n - 1) * (1 + between)) / math.sqrt(below)
    return WilliamsTest(t, n - 3, float(2 * stdtr(n - 3, -abs(t))))
