"""Pairs of translations of different items: counted first, compared block by block, never held all at once.

Twelve systems and 500 items make 18 million pairs where all segments are in one list. Verdicts are added up by the
two items of a pair, so that resampling items is a product of matrices. Beyond `MOST_PAIRS`, each item is compared with
some others only (an incomplete U-statistic: Blom 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.correlation import quotient
from adjudge.stats.item_groups import Array, Grouping

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
            kept = max(1, int((items - 1) * most / total))
            drawn = np.random.default_rng(seed).choice(np.arange(1, items), kept, replace=False)
            shifts = np.concatenate([[0], np.sort(drawn)])
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
            own = np.tile(np.arange(items), len(others) // max(items, 1))
            places = np.arange(len(own)) + start * items
            for first in range(systems):
                for second in [first] if self.by_system else range(first, systems):
                    pairs = self.judged[first][own] & self.judged[second][others]
                    if first == second:
                        pairs &= others > own
                    group = first if self.by_system else 0
                    yield PairBlock(group, first, second, own[pairs], others[pairs], places[pairs])

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
        ratios = quotient(self._drawn(self.above, counts), self._drawn(self.below, counts))
        known = ~np.isnan(ratios)
        return quotient(np.where(known, ratios, 0.0).sum(0), known.sum(0))

    def _drawn(self, tables: NDArray[np.float32], counts: Array) -> Array:
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
        own = np.broadcast_to(np.arange(items), self.partners[1:].shape)
        values = table[items:].astype(np.float64)
        if len(self.partners) < items:
            from scipy.sparse import csr_array

            return csr_array((values, (own.reshape(-1), self.partners[1:].reshape(-1))), shape=(items, items))
        matrix = np.zeros((items, items))
        matrix[own.reshape(-1), self.partners[1:].reshape(-1)] = values
        return matrix
