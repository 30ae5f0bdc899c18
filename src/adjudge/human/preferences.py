"""Two systems side by side: how often each was preferred, and whether chance would do as much."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements
from adjudge.human.grouping import same
from adjudge.human.pairs import Comparisons, comparisons, units_of
from adjudge.stats.equivalence import clustered_error
from adjudge.stats.moments import sums
from adjudge.stats.signflip import sign_flip

Floats: TypeAlias = NDArray[np.float64]

PUBLISHED = ("pair", "ranking")
"""Units by which every comparison counts as one more item, as published sign tests have it."""


@dataclass(frozen=True)
class Preference:
    """What people said of two systems when they saw both."""

    system: str
    other: str
    wins: int
    ties: int
    losses: int
    mean: float
    """How far the first is preferred, −1 to 1: on each item the share of wins less that of losses, then the mean.

    Of units that take every comparison for an item, the share of all wins less that of all losses.
    """
    error: float
    """Standard error of that mean, units being independent; NaN of a single one."""
    p_value: float
    """Of the two-sided sign-flip test of that mean; 1 where nothing was preferred."""
    units: int
    """How many units were turned by coins."""
    independent: float
    """So many items by themselves would say as much: their number over what clusters add to the variance."""
    items: int
    """n: distinct items on which the two were compared."""
    judgements: int
    """N: how often they were."""

    @property
    def comparisons(self) -> int:
        """How many there are."""
        return self.wins + self.ties + self.losses

    @property
    def shares(self) -> tuple[float, float, float]:
        """Percentages of wins, ties and losses."""
        won, tied, lost = (100 * n / self.comparisons for n in (self.wins, self.ties, self.losses))
        return won, tied, lost


@dataclass(frozen=True, eq=False)
class Differences:
    """What was said of two systems, a number a unit; they add up to the mean times the weight."""

    system: str
    other: str
    answers: NDArray[np.int64]
    """1, 0 or −1 for the first, neither or the second: a row a comparison."""
    values: Floats
    """By unit: the sum of what its comparisons add."""
    item_values: Floats
    """By item."""
    weights: Floats
    """By unit: how many items it holds, those of which others hold a part in parts."""
    parts: int
    """By this number all of them become whole."""


def preferences(judgements: Judgements, *, unit: str = "item") -> tuple[Preference, ...]:
    """Every two systems that were compared, in the order of their first appearance.

    What was said of an item is averaged first, so that an item counts once, however many people judged it; then whole
    units (items, documents) turn by a coin. By `annotator` both what people and what items or documents have in common
    is allowed for: p is the largest of three, where the ones turn, where the others do, and of a t-test clustered both
    ways. By `pair` every comparison is an item of its own, as published sign tests have it: p is too small where
    several people made the same. Where there are many pairs of systems, their p-values are to be adjusted
    (`stats.multiple`).
    """
    if unit == "annotator":
        return _by_people(judgements)
    by_pair = []
    for pair in differences(judgements, unit):
        weight, squares = float(pair.weights.sum()), float((pair.values**2).sum())
        single = float((pair.item_values**2).sum())
        wins, ties, losses = (int((pair.answers == outcome).sum()) for outcome in (1, 0, -1))
        by_pair.append(
            Preference(
                pair.system,
                pair.other,
                wins,
                ties,
                losses,
                float(pair.values.sum()) / weight,
                clustered_error(pair.values, pair.weights),
                sign_flip(pair.values, parts=pair.parts),
                len(pair.values),
                weight * min(1.0, single / squares) if squares else weight,
                len(pair.item_values),
                len(pair.answers),
            )
        )
    return tuple(by_pair)


def _by_people(judgements: Judgements) -> tuple[Preference, ...]:
    """As if both other people and other items had been asked (Cameron, Gelbach and Miller 2011)."""
    from scipy.special import stdtr  # late: commands that need none of it start faster

    natural = natural_unit(judgements)
    by_pair = []
    for items, people, both, of_items in zip(
        differences(judgements, natural),
        differences(judgements, "annotator"),
        differences(judgements, natural, "annotator"),
        preferences(judgements, unit=natural),
        strict=True,
    ):
        item_variance, person_variance, joint_variance = (
            clustered_error(x.values, x.weights) ** 2 for x in (items, people, both)
        )
        error = (
            math.sqrt(max(item_variance + person_variance - joint_variance, item_variance, person_variance))
            if len(people.values) > 1
            else math.nan
        )
        p = sign_flip(people.values, parts=people.parts)
        if error > 0:
            p = max(p, 2 * float(stdtr(len(people.values) - 1, -abs(of_items.mean) / error)))
        independent = (
            of_items.independent * min(1.0, item_variance / error**2) if error > 0 else of_items.independent
        )
        by_pair.append(
            replace(
                of_items,
                error=error,
                p_value=max(p, of_items.p_value),
                units=len(people.values),
                independent=independent,
            )
        )
    return tuple(by_pair)


def differences(judgements: Judgements, *crossed: str) -> list[Differences]:
    """What the units say of every two systems that were compared; of several kinds, all that is of one of each."""
    unit = crossed[0]
    made = comparisons(judgements)
    k = len(made.systems)
    pair, answer = _answers(made)
    item = units_of(judgements, made, "item")
    whole = same(*(units_of(judgements, made, kind) for kind in crossed))
    order = np.argsort(pair, kind="stable")
    begins = np.flatnonzero(np.diff(pair[order], prepend=-1))
    by_pair = []
    for rows in np.split(order, begins[1:]):
        items, units = same(item[rows]), same(whole[rows])
        often = np.bincount(items)
        share: Floats = 1.0 / often[items] if unit not in PUBLISHED else np.ones(len(rows))
        a, b = divmod(int(pair[rows[0]]), k)
        by_pair.append(
            Differences(
                made.systems[a],
                made.systems[b],
                answer[rows],
                sums(share * answer[rows], units, len(np.unique(units))),
                sums(share * answer[rows], items, len(often)),
                sums(share, units, len(np.unique(units))),
                1 if unit in PUBLISHED else math.lcm(*map(int, np.unique(often))),
            )
        )
    return by_pair


def natural_unit(judgements: Judgements) -> str:
    """What to take for one without looking at a score: the document where items are of documents, else the item."""
    column = judgements.labels.get("document")
    if column is None or (column.codes == NONE).all():
        return "item"
    return "document" if len(column.names) < len(judgements.item.names) else "item"


def _answers(made: Comparisons) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of every comparison the two systems, a·k + b with a < b, and 1, 0 or −1 for a, neither or b."""
    k = len(made.systems)
    first, second = np.divmod(made.cells % (k * k), k)
    answer = np.where(made.cells >= k * k, 0, np.where(first < second, 1, -1))
    return np.minimum(first, second) * k + np.maximum(first, second), answer
