"""Each annotator beside the panel: what is seen beside a few others is freed of how peculiar these are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.components import components

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
    """The share that `second` has in those beside whom `first` was seen."""
    others: Codes
    """How many different others judged some of the same."""
    part: Codes
    """Connected components of the annotators: nothing tells people of different parts apart."""

    @classmethod
    def of(cls, who: NDArray[Any], what: NDArray[Any], count: int) -> Panel:
        """From one row for each thing that an annotator judged."""
        what, who = np.divmod(np.unique(what.astype(np.int64) * count + who), count)
        times = np.bincount(what)[what]
        blocks = [_pairs(who[rows], what[rows], times[rows], count) for rows in _blocks(what, times)]
        keys, sums = (np.concatenate(part) for part in zip(*blocks, strict=True))
        pairs, place = np.unique(keys, return_inverse=True)
        together = np.bincount(place, sums, len(pairs))
        first, second = np.divmod(pairs, count)
        share = together / np.bincount(first, together, count)[first]
        others = np.bincount(first, minlength=count)
        return cls(first, second, share, others, components(first, second, count))

    def mean_of_others(self, values: Floats) -> Floats:
        """The mean of the values of those beside whom one was seen; 0 beside nobody."""
        return np.bincount(self.first, self.share * values[self.second], len(self.others))

    def freed(self, seen: Floats, known: NDArray[np.bool_], *, sign: float = 1.0) -> Floats:
        """What everyone adds, beside the panel's median, from what was seen beside others.

        What is seen is one's own less the mean of the others' (with a sign of −1: more it); who is not well `known`
        counts for nothing beside others.
        """
        effects = np.zeros(len(seen))
        used = known & np.isfinite(seen)
        for _ in range(STEPS):
            step = np.where(used, (effects + seen + sign * (self.mean_of_others(effects))) / 2, 0.0)
            step = np.where(used, step - self._means(step, used), 0.0) if sign > 0 else step
            if np.allclose(step, effects, rtol=1e-13, atol=1e-15):
                break
            effects = step
        return self.beside_median(seen + sign * (self.mean_of_others(effects)), used)

    def beside_median(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        """What of it is one's own beside the median of those who are `there` and hang together with one."""
        own = values.copy()
        for number in np.unique(self.part):
            mine = self.part == number
            few = known & mine if (known & mine).any() else mine & np.isfinite(values)
            own[mine] -= np.median(own[few]) if few.any() else 0.0
        return own

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
    """Every two people who judged the same thing, as one number, and how much of the first one's company it was."""
    begins = np.searchsorted(what, what)
    first = np.repeat(np.arange(len(what)), times)
    second = np.arange(len(first)) - np.repeat(np.cumsum(times) - times - begins, times)
    first, second = first[first != second], second[first != second]
    keys, place = np.unique(who[first] * count + who[second], return_inverse=True)
    return keys, np.bincount(place, 1.0 / (times[first] - 1), len(keys))
