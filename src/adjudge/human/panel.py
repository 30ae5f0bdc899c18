"""Each annotator compared with the panel, corrected for how unusual the few others are who judged the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.components import components
from adjudge.stats.moments import sums

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

PAIRS = 1 << 22
"""Pairs of judgements that are looked at together."""
STEPS = 200
"""Of the iteration, which halves what is left in two steps or three where people share their work."""


@dataclass(frozen=True, eq=False)
class Panel:
    """Who judged the same as whom."""

    first: Codes
    """With `second` and `share`: the pairs of people who judged some of the same, both ways."""
    second: Codes
    share: Floats
    """The share of `second` among those who judged the same as `first`."""
    others: Codes
    """How many different others judged some of the same."""
    part: Codes
    """Connected components of the annotators: nothing tells people of different parts apart."""

    @classmethod
    def of(cls, who: NDArray[Any], what: NDArray[Any], count: int) -> Panel:
        """From one row for each thing that an annotator judged."""
        cells = np.sort(what.astype(np.int64) * count + who)
        what, who = np.divmod(cells[np.diff(cells, prepend=-1) > 0], count)
        times = np.bincount(what)[what]
        several = times > 1
        who, what, times = who[several], what[several], times[several]
        blocks = [_pairs(who[rows], what[rows], times[rows], count) for rows in _blocks(what, times)]
        keys, parts = (np.concatenate(part) for part in zip(*blocks, strict=True))
        pairs, together = _summed(keys, parts, count * count)
        first, second = np.divmod(pairs, count)
        share = together / sums(together, first, count)[first]
        others = np.bincount(first, minlength=count)
        return cls(first, second, share, others, components(first, second, count))

    def mean_of_others(self, values: Floats) -> Floats:
        """For each annotator, the mean of the values of those who judged the same; 0 without any."""
        return sums(self.share * values[self.second], self.first, len(self.others))

    def effects(self, differences: Floats, known: NDArray[np.bool_], *, sign: float = 1.0) -> Floats:
        """Everyone's effect relative to the panel's median, from differences to the others.

        A difference is an annotator's effect less the mean of the others' (with a sign of −1: plus it). Annotators who
        are not well `known` count as 0 among the others.
        """
        effects = np.zeros(len(differences))
        used = known & np.isfinite(differences)
        for _ in range(STEPS):
            step = np.where(used, (effects + differences + sign * self.mean_of_others(effects)) / 2, 0.0)
            step = np.where(used, step - self._means(step, used), 0.0) if sign > 0 else step
            if np.allclose(step, effects, rtol=1e-13, atol=1e-15):
                break
            effects = step
        return self.relative_to_median(differences + sign * self.mean_of_others(effects), used)

    def relative_to_median(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        """Values relative to the median of the `known` annotators of the same component."""
        relative = values.copy()
        for number in np.unique(self.part):
            members = self.part == number
            used = known & members if (known & members).any() else members & np.isfinite(values)
            relative[members] -= np.median(relative[used]) if used.any() else 0.0
        return relative

    def _means(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        number = np.bincount(self.part[known], minlength=len(self.part))
        total = np.bincount(self.part[known], values[known], len(self.part))
        means: Floats = total / np.maximum(number, 1)
        return means[self.part]


def _blocks(what: Codes, times: Codes) -> Iterator[slice]:
    """Rows of whole things, which are sorted, with so many pairs at a time that memory suffices."""
    before = (np.cumsum(times) - times)[np.searchsorted(what, what)] // PAIRS
    edges = [0, *(np.flatnonzero(np.diff(before)) + 1).tolist(), len(what)]
    yield from (slice(*ends) for ends in pairwise(edges))


def _pairs(who: Codes, what: Codes, times: Codes, count: int) -> tuple[Codes, Floats]:
    """Pairs of people who judged the same thing, each as one number, with the second's part in the first one's work."""
    begins = np.searchsorted(what, what)
    first = np.repeat(np.arange(len(what)), times)
    second = np.arange(len(first)) - np.repeat(np.cumsum(times) - times - begins, times)
    first, second = first[first != second], second[first != second]
    return _summed(who[first] * count + who[second], 1.0 / (times[first] - 1), count * count)


def _summed(keys: Codes, values: Floats, size: int) -> tuple[Codes, Floats]:
    """The keys that occur among so many, in order, each with the sum of its positive values."""
    if size <= PAIRS:  # a table of all keys is quicker than sorting them
        table = sums(values, keys, size)
        present = np.flatnonzero(table)
        return present, table[present]
    present, place = np.unique(keys, return_inverse=True)
    return present, sums(values, place, len(present))
