"""An interval for Matthews' correlation of choices of which next to none is wrong.

Resamples of them are all right, and an interval by their spread is a point. What is known then is a least value: that
of the table of choices with a half more in each of its cells, by the error that a correlation of two yes-or-no
variables has (Bishop, Fienberg & Holland 1975), on Fisher's scale.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

FEW_WRONG = 3
"""With fewer units that have a wrong choice, resamples say too little (`docs/qe.md`)."""


def few_wrong_interval(
    good: NDArray[np.bool_], chosen: NDArray[np.bool_], unit: NDArray[np.intp], *, alpha: float = 0.05
) -> tuple[float, float] | None:
    """From the least value to 1, a unit counting once; None where enough choices are wrong, or all are alike."""
    from scipy.special import stdtrit  # late: commands that need none of it start faster

    units = len(np.unique(unit))
    wrong = len(np.unique(unit[good != chosen]))
    if wrong >= FEW_WRONG or units < 2 or good.all() or chosen.all() or not (good.any() and chosen.any()):
        return None
    table = np.array([[(good & chosen).sum(), (good & ~chosen).sum()], [(~good & chosen).sum(), 0]], float)
    table[1, 1] = len(good) - table.sum()
    value, error = _correlation(table * units / len(good) + 0.5)
    least = math.atanh(value) - float(stdtrit(units - 1, 1 - alpha / 2)) * error / (1 - value**2)
    return math.tanh(least), 1.0


def _correlation(table: NDArray[np.float64]) -> tuple[float, float]:
    """Of rows and columns of a table of counts, and its standard error."""
    shares = table / table.sum()
    rows, columns = shares.sum(1), shares.sum(0)
    below = math.sqrt(rows.prod() * columns.prod())
    value = float(shares[0, 0] * shares[1, 1] - shares[0, 1] * shares[1, 0]) / below
    uneven = float(rows[0] - rows[1]), float(columns[0] - columns[1])
    squared = uneven[0] ** 2 / rows.prod() + uneven[1] ** 2 / columns.prod()
    variance = 1 - value**2 + value * (1 + value**2 / 2) * uneven[0] * uneven[1] / below
    return value, math.sqrt(max(0.0, variance - 0.75 * value**2 * float(squared)) / float(table.sum()))
