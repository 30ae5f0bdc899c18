"""Means and deviations of many groups at once, such as the judgements of every annotator."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """Of every group; NaN where there are too few."""

    count: NDArray[np.int64]
    mean: Floats
    deviation: Floats
    """The sample's (n − 1 below the line); exactly 0 where all are equal, whatever the mean was rounded to."""

    @property
    def variance(self) -> Floats:
        """Mean squared distance from the mean (n below the line); 0 for a single one."""
        with np.errstate(invalid="ignore", divide="ignore"):
            variance: Floats = self.deviation**2 * (self.count - 1) / self.count
        return np.where(self.count == 1, 0.0, variance)


def moments(values: Floats, group: NDArray[Any], groups: int) -> Moments:
    """Of the values of each of so many groups; those of group −1 count nowhere."""
    if (group < 0).any():
        values, group = values[group >= 0], group[group >= 0]
    count = np.bincount(group, minlength=groups)
    least, most = np.full(groups, math.inf), np.full(groups, -math.inf)
    np.minimum.at(least, group, values)
    np.maximum.at(most, group, values)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums(values, group, groups) / count
        deviation = np.sqrt(sums((values - mean[group]) ** 2, group, groups) / (count - 1))
    several = count > 1
    deviation = np.where(several & (least == most), 0.0, np.where(several, deviation, math.nan))
    return Moments(count, mean, deviation)


def kurtosis(values: Floats) -> float:
    """Excess kurtosis of a sample, without bias where it is normal; NaN of fewer than four values, or of equal ones."""
    n, squares = len(values), (values - values.mean()) ** 2
    variance = float(squares.mean())
    if n < 4 or not variance > 0:
        return math.nan
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (float((squares**2).mean()) / variance**2 - 3) + 6)


def sums(values: Floats, group: NDArray[Any], groups: int) -> Floats:
    """The sum of every group's values."""
    return np.bincount(group, values, groups).astype(np.float64)


def places(group: NDArray[Any], groups: int) -> list[NDArray[np.intp]]:
    """Where the members of every group stand, in their order; those of group −1 are left out."""
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], np.arange(groups + 1))
    return [order[begin:end] for begin, end in pairwise(bounds)]
