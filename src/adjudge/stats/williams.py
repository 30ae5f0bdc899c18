"""Williams' test (1959): do two lists of scores correlate differently with a third, which all share their cases?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.distributions import t_cdf

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WilliamsTest:
    """Whether the first correlation is another one than the second."""

    t: float
    degrees: int
    p: float
    """Two-sided."""


def williams_test(first: float, second: float, between: float, n: int) -> WilliamsTest:
    """The test of two correlations with one target, given that of the two lists with each other, over n cases.

    NaN for fewer than four cases or lists that say the same.
    """
    if n < 4 or any(map(math.isnan, (first, second, between))):
        return WilliamsTest(math.nan, max(0, n - 3), math.nan)
    t = float(williams_t(np.asarray(first), np.asarray(second), np.asarray(between), n))
    return WilliamsTest(t, n - 3, float(2 * t_cdf(n - 3, -abs(t))))


def williams_t(first: Array, second: Array, between: Array, n: int) -> Array:
    """The difference of two correlations over its error, for any number of them; NaN where there is no error."""
    rest = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * np.maximum(rest, 0.0) * (n - 1) / (n - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    above = (first - second) * np.sqrt((n - 1) * np.maximum(1 + between, 0.0))
    return np.asarray(np.divide(above, np.sqrt(below), out=np.full(np.shape(below), np.nan), where=below > 0))
