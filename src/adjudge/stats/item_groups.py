"""Scores in a table, systems × items, in groups: all of it, one item's or one system's; correlations within groups.

Gold may be missing (NaN); a cell without gold counts for nothing. The mean is over groups in which a correlation
exists, and says over how many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.stats.correlation import CONSTANT, quotient

Array: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]
Grouping: TypeAlias = Literal["none", "item", "system"]


@dataclass(frozen=True, eq=False)
class ItemGroups:
    """Where the judged cells of a table stand, a row a group; -1 fills rows of groups that are smaller."""

    places: Places

    @classmethod
    def of(cls, gold: Array, grouping: Grouping) -> ItemGroups:
        """The groups that hold two judged cells at least."""
        places: Places = np.arange(gold.size).reshape(gold.shape)
        if grouping == "item":
            places, gold = places.T, gold.T
        elif grouping == "none":
            places, gold = places.reshape(1, -1), gold.reshape(1, -1)
        judged = ~np.isnan(gold)
        counts = judged.sum(1)
        width = int(counts.max(initial=0))
        # Judged cells first, each row in its own order.
        order = np.argsort(~judged, axis=1, kind="stable")[:, :width]
        kept = np.where(np.take_along_axis(judged, order, 1), np.take_along_axis(places, order, 1), -1)
        return cls(kept[counts >= 2])

    def __len__(self) -> int:
        return len(self.places)

    @property
    def counts(self) -> NDArray[np.intp]:
        """How many judged cells each group has."""
        return np.asarray((self.places >= 0).sum(1))

    def values(self, table: Array) -> Array:
        """The scores of a table, group by group; NaN beyond a group's end."""
        return np.where(self.places >= 0, table.reshape(-1)[self.places], np.nan)


@dataclass(frozen=True)
class GroupMean:
    """A correlation, averaged over the groups that have one."""

    value: float
    """NaN where no group has one."""
    groups: int
    """Over how many it was averaged."""
    undefined: int
    """Groups without one, because all their gold or all their scores are the same."""


def mean_correlation(groups: ItemGroups, gold: Array, metric: Array, kind: str) -> GroupMean:
    """The mean over groups of a correlation by its name in `BY_GROUP`."""
    values = BY_GROUP[kind](groups.values(gold), groups.values(metric))
    defined = ~np.isnan(values)
    mean = float(values[defined].mean()) if defined.any() else float("nan")
    return GroupMean(mean, int(defined.sum()), int((~defined).sum()))


def pearson_by_group(gold: Array, metric: Array) -> Array:
    """Pearson's r of every row, NaN where one side is constant."""
    a, b = (_centred(values) for values in (gold, metric))
    above = np.einsum("ij,ij->i", a, b)
    return quotient(above, _lengths(a, gold) * _lengths(b, metric))


def spearman_by_group(gold: Array, metric: Array) -> Array:
    """Pearson's r of the ranks within every row."""
    return pearson_by_group(_ranks(gold), _ranks(metric))


def kendall_by_group(gold: Array, metric: Array) -> Array:
    """Kendall's tau-b of every row, NaN where one side is constant."""
    counts = _concordance(gold, metric)
    return quotient(counts[:, 0], np.sqrt(counts[:, 1] * counts[:, 2]))


def kendall_c_by_group(gold: Array, metric: Array) -> Array:
    """Stuart's tau-c of every row: (C − D) · 2 m / (n² (m − 1)), m the fewer of both sides' distinct values."""
    counts = _concordance(gold, metric)
    n = (~np.isnan(gold)).sum(1)
    classes = np.minimum(_distinct(gold), _distinct(metric))
    return quotient(2.0 * classes * counts[:, 0], n * n * (classes - 1.0))


def rank_scores(groups: ItemGroups, table: Array) -> Array:
    """A table with ranks within groups in the place of scores; NaN for cells in no group."""
    ranks = np.full(table.size, np.nan)
    used = groups.places >= 0
    ranks[groups.places[used]] = _ranks(groups.values(table))[used]
    return ranks.reshape(table.shape)


BY_GROUP: dict[str, Callable[[Array, Array], Array]] = {
    "pearson": pearson_by_group,
    "spearman": spearman_by_group,
    "kendall": kendall_by_group,
    "kendall_c": kendall_c_by_group,
}


def _centred(values: Array) -> Array:
    """Rows about their means, 0 where nothing stands."""
    count = np.maximum((~np.isnan(values)).sum(1), 1)
    filled = np.nan_to_num(values)
    return np.where(np.isnan(values), 0.0, filled - (filled.sum(1) / count)[:, None])


def _lengths(centred: Array, values: Array) -> Array:
    """Euclidean lengths of rows about their means; 0 where a row is as good as constant."""
    lengths = np.sqrt(np.einsum("ij,ij->i", centred, centred))
    largest = np.nanmax(np.abs(values), axis=1, initial=0.0)
    count = (~np.isnan(values)).sum(1)
    return np.where(lengths > CONSTANT * np.sqrt(count) * largest, lengths, 0.0)


def _ranks(values: Array) -> Array:
    """Ranks within rows, of equals the mean of their places; what is missing ranks last and stays missing."""
    missing = np.isnan(values)
    ranks = _native.average_ranks(np.ascontiguousarray(np.where(missing, np.inf, values)), 1)
    return np.where(missing, np.nan, ranks)


def _concordance(gold: Array, metric: Array) -> Array:
    """Of every row: concordant less discordant pairs, pairs that gold orders, pairs that the metric orders."""
    counts = np.empty((len(gold), 3))
    for row, (people, scores) in enumerate(zip(gold, metric, strict=True)):
        judged = ~np.isnan(people)
        counts[row] = _native.concordance(scores[judged][None], people[judged], 1)[0, :3]
    return counts


def _distinct(values: Array) -> NDArray[np.intp]:
    """How many different values each row has."""
    ordered = np.sort(values, axis=1)
    return np.asarray(1 + (np.diff(ordered, axis=1) > 0).sum(1))
