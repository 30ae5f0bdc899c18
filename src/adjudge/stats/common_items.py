"""Two systems on the items that both have, and with the worst score on what one of them lacks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Weights = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ItemWeights:
    """What the items of some systems weigh, by the number of the system."""

    weights: Mapping[int, Weights]
    imputed: Mapping[int, Weights] = field(default_factory=dict)
    """Of items that a system lacks, and for which it has the worst of all scores."""


@dataclass(frozen=True, eq=False)
class SeenRows:
    """Rows of some systems in which one of them at least has a weight."""

    rows: Mapping[int, Rows]
    places: NDArray[np.intp]
    """Where they stand among all rows."""

    @classmethod
    def of(cls, rows: Mapping[int, Rows]) -> SeenRows:
        """From all rows of these systems."""
        places = np.flatnonzero(np.logical_or.reduce([row[:, 1] > 0 for row in rows.values()]))
        return cls({s: row.take(places, axis=0) for s, row in rows.items()}, places)


class ItemScores(ABC):
    """Scores of systems on items, some of which systems lack; systems are numbers."""

    @cached_property
    @abstractmethod
    def present(self) -> NDArray[np.bool_]:
        """Systems × items: which system has a score on which item."""

    @property
    def incomplete(self) -> bool:
        """Whether some system lacks an item that another one has."""
        return bool((self.present.any(0) & ~self.present.all(0)).any())

    @abstractmethod
    def rows(self, chosen: ItemWeights) -> dict[int, Rows]:
        """Rows of (weight × score, weight) of some systems, whose items have these weights."""

    def seen_rows(self, chosen: ItemWeights) -> SeenRows:
        """The rows of some systems, without those in which none of them has a weight."""
        return SeenRows.of(self.rows(chosen))

    def comparable(self, weights: Mapping[int, Weights]) -> bool:
        """Whether the design connects two systems by items of these weights."""
        return all(weight.any() for weight in weights.values())


@dataclass(frozen=True, eq=False)
class ItemColumns(ItemScores):
    """Scores whose every row is of one item; only rows in which a system has a weight are stored."""

    items: NDArray[np.intp]
    """The item of every row."""
    places: tuple[NDArray[np.intp], ...]
    """Which rows each system has."""
    systems: tuple[Rows, ...]
    """These rows."""
    worst: float

    @classmethod
    def of(
        cls, items: NDArray[np.intp], scores: NDArray[np.float64], weights: Weights | None, *, higher: bool
    ) -> ItemColumns:
        """From systems × rows of scores, NaN where one is missing, with their weights (1)."""
        places, systems, extremes = [], [], []
        for number, score in enumerate(scores):
            known = ~np.isnan(score)
            own_places = np.flatnonzero(known if weights is None else known & (weights[number] > 0))
            values, weight = (
                score[own_places],
                np.ones(len(own_places)) if weights is None else weights[number][own_places],
            )
            places.append(own_places)
            systems.append(np.stack([values * weight, weight], axis=1))
            if len(values):
                extremes.append(float(values.min() if higher else values.max()))
        return cls(items, tuple(places), tuple(systems), min(extremes) if higher else max(extremes))

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Systems × items: which system has a score on which item."""
        number = int(self.items.max(initial=-1)) + 1
        return (
            np.array([np.bincount(self.items[own_places], minlength=number) for own_places in self.places])
            > 0
        )

    def rows(self, chosen: ItemWeights) -> dict[int, Rows]:
        """Every row with its item's weight; what is imputed weighs as in the rows of the system that has it."""
        return self._placed(chosen, {s: self.places[s] for s in chosen.weights}, len(self.items))

    def seen_rows(self, chosen: ItemWeights) -> SeenRows:
        """The rows in which one of the systems has a weight, every_place without looking at all others."""
        places = [self.places[s] for s in chosen.weights]
        every_place, number = _merged(places)
        rows = self._placed(chosen, dict(zip(chosen.weights, number, strict=True)), len(every_place))
        weighed = np.flatnonzero(np.logical_or.reduce([row[:, 1] > 0 for row in rows.values()]))
        if len(weighed) == len(every_place):
            return SeenRows(rows, every_place)
        return SeenRows({s: row.take(weighed, axis=0) for s, row in rows.items()}, every_place[weighed])

    def _placed(
        self, chosen: ItemWeights, number: Mapping[int, NDArray[np.intp]], size: int
    ) -> dict[int, Rows]:
        """So many rows, of which those with these numbers are the systems' own, each with its item's weight."""
        rows = {}
        for s, own in chosen.weights.items():
            rows[s] = np.zeros((size, 2))
            rows[s][number[s]] = self.systems[s] * own[self.items[self.places[s]]][:, None]
        for s, own in chosen.imputed.items():
            (other,) = (b for b in chosen.weights if b != s)
            weight = self.systems[other][:, 1] * own[self.items[self.places[other]]]
            rows[s][number[other]] += np.stack([weight * self.worst, weight], axis=1)
        return rows


def _merged(places: Sequence[NDArray[np.intp]]) -> tuple[NDArray[np.intp], list[NDArray[np.intp]]]:
    """All places in order, each once, and where those of each list are among them; the lists are in order already."""
    every = np.concatenate(places)
    order = np.argsort(every, kind="stable")  # which merges what is sorted
    ordered = every[order]
    is_new = np.diff(ordered, prepend=-1) > 0
    number = np.empty(len(every), np.intp)
    number[order] = np.cumsum(is_new) - 1
    return ordered[is_new], np.split(number, np.cumsum([len(place) for place in places])[:-1])


def lacks_more(scores: ItemScores, a: int, b: int) -> int:
    """How many items the first of two systems lacks more than the second; negative where the second lacks more."""
    first, second = scores.present[[a, b]]
    return int((~first & second).sum()) - int((first & ~second).sum())


def common_weights(scores: ItemScores, a: int, b: int) -> ItemWeights | None:
    """The items that two systems both have; None where these do not connect them."""
    both: Weights = (scores.present[a] & scores.present[b]).astype(np.float64)
    weights = {a: both, b: both}
    return ItemWeights(weights) if scores.comparable(weights) else None


def worst_case_weights(scores: ItemScores, a: int, b: int) -> ItemWeights:
    """The items of two systems, of which one lacks more, with the worst of all scores on what it lacks.

    Items that only the other one has weigh as much as the first lacks more.
    """
    more = lacks_more(scores, a, b)
    lacking, other = (a, b) if more > 0 else (b, a)
    both: Weights = (scores.present[a] & scores.present[b]).astype(np.float64)
    only = scores.present[other] & ~scores.present[lacking]
    extra = only * abs(more) / only.sum()
    return ItemWeights({lacking: both, other: both + extra}, {lacking: extra})
