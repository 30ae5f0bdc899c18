"""Pairs of systems on the same item: does a metric order them as people do, ties included?

acc_eq (Deutsch, Foster & Freitag 2023): the share of pairs for which the metric says what people say, which of the two
is better or that neither is; scores within epsilon are ties, with one epsilon for a whole table. WMT's Kendall-like tau
counts only pairs that people order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.item_groups import Array, ItemGroups

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


def agreeing(gold: Array, metric: Array, epsilon: float = 0.0) -> Mask:
    """For differences of pairs, whether the metric says what people say, where differences up to epsilon are ties."""
    return np.asarray(np.where(np.abs(metric) <= epsilon, gold == 0, np.sign(metric) == np.sign(gold)))


def tie_accuracy(pairs: ItemPairs, gold: Array, metric: Array, epsilon: float = 0.0) -> float:
    """acc_eq of a table of scores at one epsilon; NaN where there is no pair."""
    if not pairs.groups:
        return float("nan")
    hits = agreeing(pairs.differences(gold), pairs.differences(metric), epsilon)
    return float(pairs.weights[hits].sum())


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


@dataclass(frozen=True)
class OrderedPairs:
    """Pairs that people order by a threshold or more, by what the metric says of them."""

    concordant: int
    discordant: int
    ties: int
    """Pairs to which the metric gives the same score."""
    human_ties: int
    """Pairs that people do not order, which only a threshold of 0 lets in; mt-metrics-eval has them as discordant."""

    def tau(self, ties: TieRule = "discordant") -> float:
        """(C − D)/(C + D), with metric ties against the metric (WMT12, from WMT17 on), dropped (WMT13) or in the
        denominator only (WMT14 to 16); NaN without pairs.

        Ties of people count against the metric as its own ties do, and for nothing by the other two rules.
        """
        against = self.discordant + (self.ties + self.human_ties if ties == "discordant" else 0)
        below = self.concordant + against + (self.ties if ties == "denominator" else 0)
        return (self.concordant - against) / below if below else float("nan")


def order_verdicts(people: Array, scores: Array, ties: TieRule = "discordant") -> tuple[Array, Array]:
    """For differences of pairs what each adds to tau above the line and below it: 1, 0 or −1, and 1 or 0."""
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


def ordered_pairs(pairs: ItemPairs, gold: Array, metric: Array, threshold: float = 25.0) -> OrderedPairs:
    """How the metric orders pairs whose gold differs by the threshold at least (25 for raw Direct Assessment)."""
    people, scores = pairs.differences(gold), pairs.differences(metric)
    chosen = np.abs(people) >= threshold
    people, scores = np.sign(people[chosen]), np.sign(scores[chosen])
    unordered = people == 0
    tied = (scores == 0) & ~unordered
    concordant = (people == scores) & ~unordered
    discordant = ~(unordered | tied | concordant)
    return OrderedPairs(*(int(kind.sum()) for kind in (concordant, discordant, tied, unordered)))


def pairwise_accuracy(gold: Array, metric: Array) -> float:
    """The share of pairs of systems that two lists of scores order alike (Kocmi et al. 2021); NaN without a pair."""
    a, b = np.triu_indices(len(gold), 1)
    if not len(a):
        return float("nan")
    return float((np.sign(gold[a] - gold[b]) == np.sign(metric[a] - metric[b])).mean())
