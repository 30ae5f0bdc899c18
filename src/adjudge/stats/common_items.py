"""Two systems on the items that both have, and with the worst score on what one of them lacks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Weights = NDArray[np.float64]


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
    def rows(self, weights: Mapping[int, Weights], imputed: Mapping[int, Weights]) -> dict[int, Rows]:
        """Rows of (weight × score, weight) of some systems, whose items have these weights.

        On items that are `imputed`, a system has the worst of all scores with these weights.
        """

    def comparable(self, weights: Mapping[int, Weights]) -> bool:
        """Whether the design connects two systems by items of these weights."""
        return all(own.any() for own in weights.values())


@dataclass(frozen=True, eq=False)
class ItemColumns(ItemScores):
    """Scores whose every row is of one item."""

    items: NDArray[np.intp]
    """The item of every row."""
    systems: tuple[Rows, ...]
    worst: float

    @classmethod
    def of(
        cls, items: NDArray[np.intp], scores: NDArray[np.float64], weights: Weights | None, *, higher: bool
    ) -> ItemColumns:
        """From systems × rows of scores, NaN where one is missing, with their weights (1)."""
        known = ~np.isnan(scores)
        weights = known * (1.0 if weights is None else weights)
        rows = np.stack([np.where(weights > 0, scores, 0.0) * weights, weights], axis=-1)
        counted = scores[weights > 0]
        return cls(items, tuple(rows), float(counted.min() if higher else counted.max()))

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Systems × items: which system has a score on which item."""
        number = int(self.items.max(initial=-1)) + 1
        return np.array([np.bincount(self.items, own[:, 1], number) for own in self.systems]) > 0

    def rows(self, weights: Mapping[int, Weights], imputed: Mapping[int, Weights]) -> dict[int, Rows]:
        """Every row with its item's weight; what is imputed weighs as in the rows of the system that has it."""
        rows = {s: self.systems[s] * own[self.items][:, None] for s, own in weights.items()}
        for s, own in imputed.items():
            (other,) = (self.systems[b] for b in weights if b != s)
            weight = other[:, 1] * own[self.items]
            rows[s] = rows[s] + np.stack([weight * self.worst, weight], axis=1)
        return rows


def lacks_more(scores: ItemScores, a: int, b: int) -> int:
    """How many items the first of two systems lacks more than the second; negative where the second lacks more."""
    first, second = scores.present[[a, b]]
    return int((~first & second).sum()) - int((first & ~second).sum())


def common_rows(scores: ItemScores, a: int, b: int) -> dict[int, Rows] | None:
    """The rows of two systems on the items that both have; None where these do not connect them."""
    weights = _common_weights(scores, a, b)
    return scores.rows(weights, {}) if scores.comparable(weights) else None


def worst_case_rows(scores: ItemScores, a: int, b: int) -> dict[int, Rows]:
    """The rows of two systems, of which one lacks more items, with the worst of all scores on what it lacks.

    Items that only the other one has weigh as much as the first lacks more.
    """
    more = lacks_more(scores, a, b)
    lacking, other = (a, b) if more > 0 else (b, a)
    only = scores.present[other] & ~scores.present[lacking]
    extra = only * abs(more) / only.sum()
    weights = _common_weights(scores, a, b)
    return scores.rows(weights | {other: weights[other] + extra}, {lacking: extra})


def _common_weights(scores: ItemScores, a: int, b: int) -> dict[int, Weights]:
    both: Weights = (scores.present[a] & scores.present[b]).astype(np.float64)
    return {a: both, b: both}
