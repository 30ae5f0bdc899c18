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
