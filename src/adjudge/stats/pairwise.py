"""Approximate randomisation of many pairs of systems at once, which share their coins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.resampling import (
    Aggregate,
    Rows,
    SwappedPairs,
    blocks_of_sums,
    checked_units,
    count_as_far,
    sampled_p,
    tolerance,
)
from adjudge.stats.units import Units

HALVES = 10_000
"""From so many coins, at most, come the halves of the units that intervals are made of."""


@dataclass(frozen=True, eq=False)
class Randomised:
    """What the trials showed."""

    as_far: NDArray[np.int64]
    """For each pair, in how many trials the difference was at least as large as the one seen."""
    trials: NDArray[np.int64]
    """For each pair, of how many."""
    halves: NDArray[np.float64]
    """Scores of all systems on both halves that each coin made of the units: 2 × trials × systems."""

    @property
    def p_values(self) -> list[float]:
        """One a pair, never 0."""
        return [sampled_p(int(c), int(n)) for c, n in zip(self.as_far, self.trials, strict=True)]


def randomised(
    systems: Sequence[Rows],
    aggregate: Aggregate,
    pairs: Sequence[tuple[int, int]],
    *,
    trials: int,
    seed: int,
    units: Units | None = None,
    threads: int = 0,
    higher_is_better: bool | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> Randomised:
    """Swap units by coins, count for every pair, and keep the scores on the halves that the coins make.

    Where it is said whether `higher_is_better`, tests are one-sided: whether the first of a pair is the better one.
    """
    units = checked_units(systems, units, trials)
    k = systems[0].shape[1]
    totals = np.stack([rows.sum(0) for rows in systems])
    scores = aggregate(totals)
    swap = SwappedPairs(totals, aggregate, pairs, threads)
    as_far = np.zeros(len(pairs), dtype=np.int64)
    up = -1.0 if higher_is_better is False else 1.0
    halves = []
    together = [units.sums(rows) for rows in systems]
    for start, sums in blocks_of_sums(together, "coins", units, trials, seed, threads):
        if tick:
            tick(start, trials)
        moved = sums.reshape(len(sums), len(systems), k)
        if start < HALVES:
            halves += [aggregate(moved), aggregate(totals - moved)]
        if pairs:
            block = swap.differences(moved)
            for i, (a, b) in enumerate(pairs):
                slack = tolerance(scores[a], scores[b])
                one_sided = higher_is_better is not None
                as_far[i] += count_as_far(
                    up * (scores[a] - scores[b]), up * block[:, i], slack, one_sided=one_sided
                )
    return Randomised(as_far, np.full(len(pairs), trials), np.concatenate(halves))
