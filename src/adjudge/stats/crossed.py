"""Means and their differences by units of one kind, such as documents, or of two at once: documents and annotators.

Of one kind, the error is that of a weighted mean whose units are as unequal as they are: each squared residual counts
1 / (1 - its share of all weight) times (MacKinnon and White 1985, HC2; of clusters Bell and McCaffrey 2002, CR2).

Of two kinds, the variances by either are joined (`joint_variance`). Student's t has as many degrees of freedom as the
rarer kind has units, less one. Where some units hold more than others, they count for as many as units
of one size would be worth (Carter, Schnepel and Steigerwald 2017). Where swaps of the rarer units doubt a difference,
p is theirs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.design import FEWEST
from adjudge.stats.distributions import t_cdf
from adjudge.stats.draws import generator
from adjudge.stats.intervals import NOTHING, Interval, skewed_t_interval
from adjudge.stats.units import Codes, Units

Floats = NDArray[np.float64]


CAUTION = 1 / 3
"""How far the variance by two kinds of units moves from the estimate without bias to the larger one by a single kind.

The estimate without bias is a difference, so few units make it noisy: with 0, equal systems differ in up to 7.6 %. With
1, independent judgements find half of what they could. Degrees of freedom by component (Satterthwaite) hold 5 % as
well, and find less (docs/statistics.md has the simulations)."""
SKEWNESS_UNITS = 20
"""With fewer units of a kind, the skewness that they show is noise."""
SWAPPED_UNITS = range(6, 21)
"""Numbers of units whose signs are also swapped. Student's t takes a few units of two opinions for normal ones: where
each annotator favours one of two equal systems, it tells these apart in 6 to 9 %. Swaps of fewer units allow no p below
0.05."""
SWAPS_DOUBT = 0.05
"""Swaps overrule Student's t only above this p: they cannot give the small p that a correction asks for."""
DIVIDED = 2.0
"""Swaps are asked where the variance by the rarer units is so many times that by what is of one unit of each kind: only
where these units are of different minds does Student's t need them. Elsewhere they would find half of what it finds
(docs/statistics.md has the simulations)."""
EXACT_SWAPS = 12
SWAPS = 4096
"""Swaps that are drawn where there are more units than can be swapped in all ways."""


@dataclass(frozen=True)
class Clustered:
    """A mean, or a difference of two, with its standard error by units of one kind or of two."""

    value: float
    error: float
    """Standard error; NaN where there are too few units to tell."""
    units: float
    """Degrees of freedom + 1: so many units of one size."""
    skewness: float = 0.0
    """Of the estimate itself, not of single units: it falls with the root of their number."""
    least_p: float = 0.0
    """The p of swaps of whole units where it is not small: what Student's t calls significant has this p instead."""

    @property
    def deviation(self) -> float:
        """As resamples of so many units would vary: a little less than the error says."""
        return self.error * math.sqrt((self.units - 1) / self.units) if self.units > 1 else math.nan

    def p(self, *, one_sided: bool = False) -> float:
        """Of no difference, or with one side of one that is not above 0; 1 where nothing can be told."""
        if not self.units > 1 or not self.error > 0:
            return 1.0
        if one_sided:
            p = float(t_cdf(self.units - 1, -self.value / self.error))
            return p if p > SWAPS_DOUBT else max(p, self.least_p / 2)
        p = 2 * float(t_cdf(self.units - 1, -abs(self.value) / self.error))
        return p if p > SWAPS_DOUBT else max(p, self.least_p)

    def limits(self, error: float) -> Interval:
        """The interval that misses the truth so often."""
        if not self.units > 1 or math.isnan(self.error):
            return NOTHING
        return skewed_t_interval(self.value, self.error, self.units - 1, self.skewness, error)


def mean_of(sums: Floats) -> Clustered:
    """The mean where whole units are drawn, from each unit's sums of (weight × score, weight)."""
    return _Additions.to_mean(sums).estimate


def difference_of(a: Floats, b: Floats) -> Clustered:
    """The difference of two systems' means, from their sums over the same units."""
    return _Additions.to_difference(a, b).estimate


@dataclass(frozen=True, eq=False)
class _Additions:
    """What each unit adds to an estimate."""

    value: float
    shares: Floats
    """To the distance of the estimate from the true value."""
    weights: Floats
    scaled: Floats
    """Shares scaled for how far each unit draws the estimate towards itself, so that their squares have no bias."""

    @classmethod
    def to_mean(cls, sums: Floats) -> _Additions:
        """From each unit's sums of (weight × score, weight)."""
        shares, weights = _share(sums), _weights(sums)
        with np.errstate(divide="ignore", invalid="ignore"):  # NaN where no other unit has a weight
            return cls(_quotient(sums), shares, weights, shares / np.sqrt(1 - weights))

    @classmethod
    def to_difference(cls, a: Floats, b: Floats) -> _Additions:
        """From the sums of two systems over the same units."""
        first, second = cls.to_mean(a), cls.to_mean(b)
        return cls(
            first.value - second.value,
            first.shares - second.shares,
            (first.weights + second.weights) / 2,
            first.scaled - second.scaled,
        )

    @cached_property
    def count(self) -> int:
        """Units that have a weight."""
        return int((self.weights > 0).sum())

    @cached_property
    def third(self) -> float:
        """The third cumulant of the estimate, without bias."""
        if self.count < 3:
            return 0.0
        cubes = float((self.shares * self.shares * self.shares).sum())
        return cubes * self.count**2 / ((self.count - 1) * (self.count - 2))

    @property
    def estimate(self) -> Clustered:
        """With the error that these units show."""
        units = 1.0 / float((self.weights**2).sum())
        if self.count < 2 or not math.isfinite(self.value):
            return Clustered(self.value, math.nan, units)
        scaled = self.scaled if self.count == len(self.scaled) else self.scaled[self.weights > 0]
        error = math.sqrt(float((scaled**2).sum()))
        variance = float((self.shares**2).sum()) * self.count / (self.count - 1)
        return Clustered(self.value, error, units, self.third / variance**1.5 if variance > 0 else 0.0)


@dataclass(frozen=True, eq=False)
class Crossed:
    """To which unit of either kind every row belongs."""

    kinds: tuple[Units, Units]
    cells: Units
    """What is of one unit of each kind."""

    @classmethod
    def of(cls, first: Sequence[str], second: Sequence[str]) -> Crossed:
        """From two labels of every row."""
        return cls._make(*(Units.of(len(labels), labels) for labels in (first, second)))

    @classmethod
    def coded(cls, first: Codes, second: Codes) -> Crossed:
        """From two whole numbers of every row."""
        return cls._make(_number_units(first), _number_units(second))

    @classmethod
    def _make(cls, first: Units, second: Units) -> Crossed:
        assert first.unit is not None
        assert second.unit is not None
        cells = _number_units(first.unit.astype(np.int64) * max(second.count, 1) + second.unit)
        if cells.count == cells.segments:
            cells = Units(cells.segments, None, cells.count)
        return cls((first, second), cells)

    def among(self, rows: NDArray[np.intp]) -> Crossed:
        """The same units, of which only some rows are seen."""

        def seen(units: Units) -> Units:
            return replace(units, segments=len(rows), unit=None if units.unit is None else units.unit[rows])

        return Crossed((seen(self.kinds[0]), seen(self.kinds[1])), seen(self.cells))

    @property
    def fewest(self) -> int:
        """Units of the rarer kind."""
        return min(kind.count for kind in self.kinds)

    @property
    def rarer(self) -> int:
        """Which kind has fewer units: 0 or 1."""
        return int(self.kinds[1].count < self.kinds[0].count)

    @property
    def enough(self) -> bool:
        """Whether there are as many of either kind as the test needs."""
        return self.fewest >= FEWEST

    def mean(self, rows: Floats) -> Clustered:
        """The mean of rows of (weight × score, weight)."""
        return self._clustered([_Additions.to_mean(kind.sums(rows)) for kind in (*self.kinds, self.cells)])

    def difference(self, a: Floats, b: Floats) -> Clustered:
        """The difference of two systems' means."""
        kinds = (*self.kinds, self.cells)
        return self._clustered([_Additions.to_difference(kind.sums(a), kind.sums(b)) for kind in kinds])

    def _clustered(self, by_kind: Sequence[_Additions]) -> Clustered:
        """The estimate by both kinds, from those by one, by the other and by what is of one of each."""
        estimates = [estimate.estimate for estimate in by_kind]
        variance = float(joint_variance(*(estimate.error**2 for estimate in estimates)))
        units = min(estimate.units for estimate in estimates[:2])
        error = math.sqrt(variance) if self.enough and units > 1 else math.nan
        skewness = self._third(by_kind) / variance**1.5 if variance > 0 else 0.0
        rarer, value = by_kind[self.rarer], by_kind[0].value
        divided = estimates[self.rarer].error ** 2 > DIVIDED * estimates[2].error ** 2
        doubt = swaps_p(rarer.shares + rarer.weights * value) if divided else 0.0
        return Clustered(value, error, units, skewness, doubt if doubt > SWAPS_DOUBT else 0.0)

    def _third(self, by_kind: Sequence[_Additions]) -> float:
        """The third cumulant of an estimate, from the kinds that have enough units to show one."""
        if self.fewest >= SKEWNESS_UNITS:
            return by_kind[0].third + by_kind[1].third - by_kind[2].third
        most = max((0, 1), key=lambda kind: self.kinds[kind].count)
        return by_kind[most].third if self.kinds[most].count >= SKEWNESS_UNITS else 0.0

    def drawn(self, systems: Sequence[Floats], resamples: int, seed: int) -> Floats:
        """Scores as they would vary: normal ones with the covariances that the units show (resamples × systems)."""
        shares = np.stack([_share(rows) for rows in systems], axis=1)
        first, other, both = (_covariances(kind, shares) for kind in (*self.kinds, self.cells))
        return _normal(np.array([_quotient(rows) for rows in systems]), first + other - both, resamples, seed)


def joint_variance(
    first: float | Floats, other: float | Floats, both: float | Floats, caution: float = CAUTION
) -> Floats:
    """The variance of an estimate from those by units of one kind, of the other, and by what is of one of each.

    First plus other less both counts what either kind has in common once (Cameron, Gelbach and Miller 2011), but may
    fall short by chance. So it is at least the smaller of the first two, and moves towards the larger one where that
    exceeds it.
    """
    with np.errstate(invalid="ignore"):  # infinite where all that was judged of a system is one unit's
        joint = np.maximum(np.subtract(np.add(first, other), both), np.minimum(first, other))
        larger = np.maximum(joint, np.maximum(first, other))
        variance: Floats = joint + caution * (larger - joint)
    return variance


def swaps_p(parts: Floats) -> float:
    """How often a sum is as far from 0 where each of its parts keeps or changes its sign by a coin.

    0 where there are too few parts to tell, or so many that Student's t holds.
    """
    count = len(parts)
    if count not in SWAPPED_UNITS or not np.isfinite(parts).all():
        return 0.0
    sums = _signs(count) @ parts
    near = 1e-9 * float(np.abs(parts).sum())
    far = int((np.abs(sums) >= abs(float(parts.sum())) - near).sum())
    return far / len(sums) if count <= EXACT_SWAPS else (far + 1) / (len(sums) + 1)


@cache
def _signs(count: int) -> Floats:
    """All ways to swap so many units, or many of them, drawn once."""
    if count > EXACT_SWAPS:
        return generator(count).choice([-1.0, 1.0], size=(SWAPS, count))
    bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    return np.where(bits, -1.0, 1.0)


def drawn_by_both(
    scores: Floats, resampled: Sequence[Floats], units: Sequence[int], resamples: int, seed: int
) -> Floats:
    """Scores of any kind as they would vary, from resamples by units of one kind, of the other, and of one of each.

    Each block holds resamples × systems; `units` says how many units were drawn.
    """
    known = ~np.isnan(scores)
    first, other, both = (
        _products(np.where(np.isnan(own), scores, own)[:, known]) * (number / max(number - 1, 1))
        for own, number in zip(resampled, units, strict=True)
    )
    joint = first + other - both
    joint[np.diag_indices_from(joint)] = joint_variance(np.diag(first), np.diag(other), np.diag(both))
    draws = np.full((resamples, len(scores)), np.nan)
    draws[:, known] = _normal(scores[known], joint, resamples, seed)
    return draws


def _products(draws: Floats) -> Floats:
    """Covariances of columns; of a single row nothing varies."""
    off = draws - draws.mean(0)
    products: Floats = off.T @ off / max(len(draws) - 1, 1)
    return products


def _normal(center: Floats, covariances: Floats, resamples: int, seed: int) -> Floats:
    values, vectors = np.linalg.eigh(covariances)
    spread = vectors * np.sqrt(np.maximum(values, 0.0))
    normal = generator(seed).normal(size=(resamples, len(center)))
    draws: Floats = center + normal @ spread.T
    return draws


def _number_units(codes: Codes) -> Units:
    """Units from whole numbers, in the order of these."""
    known, numbers = np.unique(codes, return_inverse=True)
    return Units(len(codes), numbers, len(known))


def _quotient(rows: Floats) -> float:
    return float(rows[:, 0].sum() / rows[:, 1].sum())


def _share(rows: Floats) -> Floats:
    """What each row adds to the distance of the mean from the true one."""
    shares: Floats = (rows[:, 0] - _quotient(rows) * rows[:, 1]) / rows[:, 1].sum()
    return shares


def _weights(rows: Floats) -> Floats:
    weights: Floats = rows[:, 1] / rows[:, 1].sum()
    return weights


def _covariances(units: Units, shares: Floats) -> Floats:
    sums = units.sums(shares)
    covariances: Floats = sums.T @ sums * (units.count / max(units.count - 1, 1))
    return covariances
