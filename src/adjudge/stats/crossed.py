"""Units of two kinds at once, such as documents and annotators: what either has in common adds to the variance.

The variance of a difference of means is that by the units of one kind, plus that by those of the other, less that by
what is of one of each (Cameron, Gelbach and Miller 2011), and never less than either alone. Student's t has as many
degrees of freedom as the rarer kind has units, less one; where some units hold more than others, they count for as many
as units of one size would be worth (Carter, Schnepel and Steigerwald 2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.units import Units

Floats = NDArray[np.float64]

LEAST = 6
"""With fewer units of either kind the test is not offered (docs/statistics.md has the simulations)."""


@dataclass(frozen=True)
class Clustered:
    """A mean, or a difference of two, whose parts hang together in two ways."""

    value: float
    error: float
    """Standard error; NaN where there are too few units to tell."""
    units: float
    """Degrees of freedom + 1: so many units of one size."""

    @property
    def deviation(self) -> float:
        """As resamples of so many units would vary: a little less than the error says."""
        return self.error * math.sqrt((self.units - 1) / self.units) if self.units > 1 else math.nan

    def p_value(self, *, one_sided: bool = False) -> float:
        """Of no difference, or with one side of one that is not above 0; 1 where nothing can be told."""
        from scipy.special import stdtr  # late: commands that need none of it start faster

        if not self.units > 1 or not self.error > 0:
            return 1.0
        if one_sided:
            return float(stdtr(self.units - 1, -self.value / self.error))
        return 2 * float(stdtr(self.units - 1, -abs(self.value) / self.error))

    def reach(self, error: float) -> float:
        """How far an interval reaches to both sides that misses so often."""
        from scipy.special import stdtrit

        if not self.units > 1 or not self.error > 0:
            return math.nan
        return float(stdtrit(self.units - 1, 1 - error / 2)) * self.error


@dataclass(frozen=True, eq=False)
class Crossed:
    """To which unit of either kind every row belongs."""

    kinds: tuple[Units, Units]
    cells: Units
    """What is of one unit of each kind."""

    @classmethod
    def of(cls, first: Sequence[str], second: Sequence[str]) -> Crossed:
        """From two labels of every row."""
        both = [f"{a}\0{b}" for a, b in zip(first, second, strict=True)]
        kinds = Units.of(len(first), first), Units.of(len(second), second)
        return cls(kinds, Units.of(len(both), both))

    @property
    def fewest(self) -> int:
        """Units of the rarer kind."""
        return min(kind.count for kind in self.kinds)

    @property
    def enough(self) -> bool:
        """Whether there are as many of either kind as the test needs."""
        return self.fewest >= LEAST

    def mean(self, rows: Floats) -> Clustered:
        """The mean of rows of (weight × score, weight)."""
        return self._clustered(_share(rows), rows[:, 1] / rows[:, 1].sum(), _quotient(rows))

    def difference(self, a: Floats, b: Floats) -> Clustered:
        """The difference of two systems' means."""
        weight = (a[:, 1] / a[:, 1].sum() + b[:, 1] / b[:, 1].sum()) / 2
        return self._clustered(_share(a) - _share(b), weight, _quotient(a) - _quotient(b))

    def _clustered(self, shares: Floats, weight: Floats, value: float) -> Clustered:
        first, other = (_variance(kind, shares, weight) for kind in self.kinds)
        both = _variance(self.cells, shares, weight)
        variance = max(first + other - both, first, other)
        units = min(_of_one_size(kind, weight) for kind in self.kinds)
        return Clustered(value, math.sqrt(variance) if self.enough and units > 1 else math.nan, units)

    def drawn(self, systems: Sequence[Floats], resamples: int, seed: int) -> Floats:
        """Scores as they would vary: normal ones with the covariances that the units show (resamples × systems)."""
        shares = np.stack([_share(rows) for rows in systems], axis=1)
        first, other, both = (_covariances(kind, shares) for kind in (*self.kinds, self.cells))
        values, vectors = np.linalg.eigh(first + other - both)
        spread = vectors * np.sqrt(np.maximum(values, 0.0))
        normal = np.random.default_rng(seed).normal(size=(resamples, len(systems)))
        draws: Floats = np.array([_quotient(rows) for rows in systems]) + normal @ spread.T
        return draws


def _quotient(rows: Floats) -> float:
    return float(rows[:, 0].sum() / rows[:, 1].sum())


def _share(rows: Floats) -> Floats:
    """What each row adds to the distance of the mean from the true one."""
    shares: Floats = (rows[:, 0] - _quotient(rows) * rows[:, 1]) / rows[:, 1].sum()
    return shares


def _variance(units: Units, shares: Floats, weight: Floats) -> float:
    used = int((units.sums(weight) > 0).sum())
    return float((units.sums(shares) ** 2).sum()) * used / (used - 1) if used > 1 else math.nan


def _covariances(units: Units, shares: Floats) -> Floats:
    sums = units.sums(shares)
    covariances: Floats = sums.T @ sums * (units.count / max(units.count - 1, 1))
    return covariances


def _of_one_size(units: Units, weight: Floats) -> float:
    return 1.0 / float((units.sums(weight) ** 2).sum())
