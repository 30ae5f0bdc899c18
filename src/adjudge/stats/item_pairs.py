"""Pairs of systems on the same item: does a metric order them as people do, ties included?

acc_eq (Deutsch, Foster & Freitag 2023): the share of pairs for which the metric says what people say, which of the two
is better or that neither is; scores within epsilon are ties, with one epsilon for a whole table. WMT's Kendall-like tau
counts only pairs that people order.

Scores are a table, systems × items, in groups: all of it, one item's or one system's. Gold may be missing (NaN); a cell
without gold counts for nothing. A mean is over groups in which a correlation exists, and says over how many.

Pairs of translations of different items are counted first, compared block by block, and never held all at once: twelve
systems and 500 items make 18 million pairs where all segments are in one list. Verdicts are added up by the two items
of a pair, so that resampling items is a product of matrices. Beyond `MOST_PAIRS`, each item is compared with some
others only (an incomplete U-statistic: Blom 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.stats.correlation import CONSTANT, quotient
from adjudge.stats.draws import sample

Mask: TypeAlias = NDArray[np.bool_]
TieRule: TypeAlias = Literal["discordant", "dropped", "denominator"]


@dataclass(frozen=True, eq=False)
class ItemPairs:
    """All pairs of judged cells within groups."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    """Places in the table."""
    weights: Array
    """One over the pairs of the group and over the number of groups: sums over pairs are means over groups."""
    group: NDArray[np.intp]
    groups: int

    @classmethod
    def of(cls, groups: ItemGroups) -> ItemPairs:
        """The pairs of every group."""
        a, b = np.triu_indices(groups.places.shape[1], 1)
        first, second = groups.places[:, a], groups.places[:, b]
        both = (first >= 0) & (second >= 0)
        number = np.repeat(np.arange(len(groups)), both.sum(1))
        counts = both.sum(1, keepdims=True) * len(groups)
        return cls(first[both], second[both], (1.0 / counts).repeat(both.sum(1)), number, len(groups))

    def differences(self, table: Array) -> Array:
        """First less second of every pair."""
        flat = table.reshape(-1)
        return np.asarray(flat[self.first] - flat[self.second])


def pair_count(groups: ItemGroups) -> int:
    """How many pairs the groups have, without making them."""
    return sum(count * (count - 1) // 2 for count in groups.counts.tolist())


@dataclass(frozen=True)
class TieCalibration:
    """The accuracy with ties at its best epsilon."""

    accuracy: float
    epsilon: float
    """Scores that differ by no more than this are taken as tied; of equally good ones the smallest."""
    uncalibrated: float
    """The accuracy at epsilon 0."""


def agreement_mask(gold: Array, metric: Array, epsilon: float = 0.0) -> Mask:
    """For differences of pairs, whether the metric says what people say, where differences up to epsilon are ties."""
    return np.asarray(np.where(np.abs(metric) <= epsilon, gold == 0, np.sign(metric) == np.sign(gold)))


def calibrate_ties(pairs: ItemPairs, gold: Array, metric: Array) -> TieCalibration:
    """The epsilon with the highest accuracy on these very data, found in one pass over the sorted differences.

    Candidates are 0 and every difference of a pair. As epsilon grows past a pair's difference, the pair becomes a tie:
    that is won where people tie them and lost where the metric had ordered them as people do.
    """
    return calibrate_differences(pairs.differences(gold), pairs.differences(metric), pairs.weights)


def calibrate_differences(people: Array, scores: Array, weights: Array) -> TieCalibration:
    """The best epsilon of pairs, by people's and the metric's differences and the weights of pairs in the accuracy."""
    if not len(people):
        return TieCalibration(float("nan"), float("nan"), float("nan"))
    size = np.abs(scores)
    ordered = (np.sign(scores) == np.sign(people)) & (people != 0)
    start = float(weights[ordered].sum())
    changes = weights * ((people == 0).astype(np.float64) - ordered)
    zero = size == 0
    uncalibrated = start + float(changes[zero].sum())
    moving = ~zero & (changes != 0)
    size, changes = size[moving], changes[moving]
    order = np.argsort(size)
    size = size[order]
    values = uncalibrated + np.cumsum(changes[order])
    last = np.flatnonzero(
        np.append(np.diff(size) > 0, True)[: len(size)]
    )  # where all equal ones have become ties
    best = last[np.argmax(values[last])] if len(last) else None
    if best is None or values[best] <= uncalibrated:
        return TieCalibration(uncalibrated, 0.0, uncalibrated)
    return TieCalibration(float(values[best]), float(size[best]), uncalibrated)


def order_verdicts(people: Array, scores: Array, ties: TieRule = "discordant") -> tuple[Array, Array]:
    """What each pair adds to the numerator (1, 0 or −1) and the denominator (1 or 0) of WMT's tau, (C − D)/(C + D).

    Ties of the metric count against it (`discordant`: WMT12, from WMT17 on), for nothing (`dropped`: WMT13), or in the
    denominator only (`denominator`: WMT14 to 16). Ties of people count against it by the first rule, else for nothing.
    """
    people, scores = np.sign(people), np.sign(scores)
    tied = (scores == 0) & (people != 0)
    above = np.where((people == scores) & (people != 0), 1.0, -1.0)
    below = np.ones_like(above)
    if ties != "discordant":
        above[tied | (people == 0)] = 0.0
        below[people == 0] = 0.0
    if ties == "dropped":
        below[tied] = 0.0
    return above, below


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
    a, b = (_centre(values) for values in (gold, metric))
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


def _centre(values: Array) -> Array:
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


MOST_PAIRS = 25_000_000
"""Pairs above which a sample is compared."""
BLOCK = 1 << 19
"""Pairs that are compared at once."""
Verdict: TypeAlias = Callable[[Array, Array], tuple[NDArray[Any], NDArray[Any]]]
"""From people's and a metric's differences of pairs to what each pair adds to the numerator and the denominator."""


@dataclass(frozen=True, eq=False)
class PairBlock:
    """Judged pairs of the systems `first` and `second`, by the items of both."""

    group: int
    first: int
    second: int
    items: NDArray[np.intp]
    others: NDArray[np.intp]
    places: NDArray[np.intp]
    """Of the pairs in a table shifts × items."""

    def differences(self, table: Array) -> Array:
        """First less second of every pair."""
        return np.asarray(table[self.first, self.items] - table[self.second, self.others])


@dataclass(frozen=True, eq=False)
class CrossItemPairs:
    """The pairs of all cells of a table (`none`) or of the items of one system (`system`)."""

    judged: NDArray[np.bool_]
    """systems × items."""
    by_system: bool
    shifts: NDArray[np.intp]
    """How far from each item those lie that it is compared with, counted round the table; 0 is the item itself."""
    total: int
    """All pairs that there are."""

    @classmethod
    def of(cls, gold: Array, grouping: Grouping, *, seed: int, most: int = MOST_PAIRS) -> CrossItemPairs:
        """The pairs of a table of people's scores; a sample of them where they are more than `most`."""
        judged = ~np.isnan(gold)
        items = judged.shape[1]
        cells = [int(count) for count in judged.sum(1)] if grouping == "system" else [int(judged.sum())]
        total = sum(count * (count - 1) // 2 for count in cells)
        shifts = np.arange(items)
        if total > most and items > 2:
            number = max(1, int((items - 1) * most / total))
            shifts = np.concatenate([[0], 1 + np.sort(sample(items - 1, number, seed))])
        return cls(judged, grouping == "system", shifts, total)

    @property
    def sampled(self) -> bool:
        """Whether only some pairs are compared."""
        return bool(len(self.shifts) < self.judged.shape[1])

    @property
    def share(self) -> float:
        """How many of the pairs of different items are compared."""
        return float((len(self.shifts) - 1) / max(1, self.judged.shape[1] - 1))

    @property
    def groups(self) -> int:
        """How many lists of segments there are."""
        return len(self.judged) if self.by_system else 1

    @property
    def partners(self) -> NDArray[np.intp]:
        """Shifts × items: which item each is compared with."""
        items = self.judged.shape[1]
        return np.asarray((np.arange(items)[None, :] + self.shifts[:, None]) % max(items, 1))

    def blocks(self) -> Iterator[PairBlock]:
        """All pairs, each once, of two systems at a time."""
        systems, items = self.judged.shape
        step = max(1, BLOCK // max(items, 1))
        partners = self.partners
        for start in range(0, len(self.shifts), step):
            others = partners[start : start + step].reshape(-1)
            item = np.tile(np.arange(items), len(others) // max(items, 1))
            places = np.arange(len(item)) + start * items
            for first in range(systems):
                for second in [first] if self.by_system else range(first, systems):
                    pairs = self.judged[first][item] & self.judged[second][others]
                    if first == second:
                        pairs &= others > item
                    group = first if self.by_system else 0
                    yield PairBlock(group, first, second, item[pairs], others[pairs], places[pairs])

    def sums(
        self, gold: Array, metric: Array, verdict: Verdict, *, threshold: float = 0.0, pooled: bool = False
    ) -> PairSums:
        """Verdicts on the pairs that people's scores part by the threshold at least, added up by items.

        With `pooled`, all groups are added up together.
        """
        shape = (1 if pooled else self.groups, len(self.shifts) * self.judged.shape[1])
        tables = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        count = 0
        for block in self.blocks():
            people = block.differences(gold)
            chosen = np.abs(people) >= threshold
            parts = verdict(people[chosen], block.differences(metric)[chosen])
            for table, part in zip(tables, parts, strict=True):
                table[0 if pooled else block.group, block.places[chosen]] += (
                    part  # a block has every place once
                )
            count += int(chosen.sum())
        return PairSums(*tables, self.partners, count)

    def all_differences(self, gold: Array, metric: Array) -> tuple[Array, Array, Array]:
        """People's and the metric's difference of every pair, and its weight in a mean over groups."""
        blocks = [
            (
                block.differences(gold),
                block.differences(metric),
                np.full(len(block.items), block.group, np.int32),
            )
            for block in self.blocks()
        ]
        people, scores, group = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        sizes = np.bincount(group, minlength=self.groups)
        return people, scores, (1.0 / (np.maximum(sizes, 1) * max(1, (sizes > 0).sum())))[group]


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums of verdicts by the two items of a pair, for each group."""

    above: NDArray[np.float32]
    below: NDArray[np.float32]
    """groups × (shifts · items); small whole numbers, which so short a float holds exactly."""
    partners: NDArray[np.intp]
    count: int
    """Pairs that were added up."""

    def ratio(self, counts: Array) -> Array:
        """The mean over groups of the ratio of sums, where `counts` (draws × items) says how often items are drawn."""
        return _mean_ratio(self._draw_sums(self.above, counts), self._draw_sums(self.below, counts))

    def without_each(self) -> Array:
        """The ratio without each item in turn, from sums by item: what the item's own pairs added is taken away."""
        return _mean_ratio(self._left(self.above), self._left(self.below))

    def _left(self, tables: NDArray[np.float32]) -> Array:
        """Groups × items: sums over all pairs to which the item does not belong."""
        items, others = self.partners.shape[1], self.partners[1:].reshape(-1)
        left = []
        for table in tables:
            added = table.reshape(-1, items).astype(np.float64).sum(0)
            joined = np.bincount(others, table[items:].astype(np.float64), minlength=items)
            left.append(added.sum() - added - joined)
        return np.stack(left)

    def _draw_sums(self, tables: NDArray[np.float32], counts: Array) -> Array:
        """Groups × draws: a pair of two items counts as often as both are drawn, a pair within one as often as that.

        A translation makes no pair with its own copy.
        """
        drawn = []
        for table in tables:
            matrix, within = self._matrix(table), table[: counts.shape[1]].astype(np.float64)
            between = np.einsum("di,di->d", np.asarray(counts @ matrix), counts)
            drawn.append(between + counts @ within)
        return np.stack(drawn)

    def _matrix(self, table: NDArray[np.float32]) -> Any:
        """Items × items, without pairs within an item; sparse where only some items are compared."""
        items = self.partners.shape[1]
        item = np.broadcast_to(np.arange(items), self.partners[1:].shape)
        values = table[items:].astype(np.float64)
        if len(self.partners) < items:
            from scipy.sparse import csr_array

            return csr_array(
                (values, (item.reshape(-1), self.partners[1:].reshape(-1))), shape=(items, items)
            )
        matrix = np.zeros((items, items))
        matrix[item.reshape(-1), self.partners[1:].reshape(-1)] = values
        return matrix


def _mean_ratio(above: Array, below: Array) -> Array:
    """The mean over groups (rows) of ratios, without groups that have none."""
    ratios = quotient(above, below)
    known = ~np.isnan(ratios)
    return quotient(np.where(known, ratios, 0.0).sum(0), known.sum(0))
