"""Randomisation of very many pairs at once: signs by blocks, slopes to tell which trials need a closer look."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.stats.resampling import Aggregate, Rows, tolerance
from adjudge.stats.stopping import SIGNS, Stopping, looks
from adjudge.stats.sums import total

LEARNT = 256
"""From so many trials comes how far a slope may be off, ..."""
SURE = 6
"""... and so many times that is allowed for: among a million trials, the cube of a normal deviate is not larger."""
FEW_HALVES = 2 * SIGNS
"""The coins of intervals where pairs are many."""

EXACT = 2**24
"""Whole numbers up to this one are exact as 32-bit floats."""
MOST_COPIED = 2**27
"""Numbers of which a copy is made."""

Tick = Callable[[int, int], None]


class ManyPairs:
    """Pairs of systems that are swapped by signs that they share.

    With M the mean of both systems' sums and e half the sum of their signed differences, a trial's difference is
    f(M + e) − f(M − e): odd in e, so that it differs from its slope by the cube of what is small.
    """

    def __init__(
        self,
        totals: Rows,
        aggregate: Aggregate,
        pairs: Sequence[tuple[int, int]],
        *,
        up: float | None = None,
        threads: int,
    ) -> None:
        """`totals`: sums of each system (systems × k); `up`: 1 or −1 for one-sided tests."""
        self.aggregate, self.up, self.threads = aggregate, up, threads
        self.systems, self.k = totals.shape
        self.pairs = np.array(pairs, dtype=np.intp)
        scores = aggregate(totals)
        first, second = scores[self.pairs[:, 0]], scores[self.pairs[:, 1]]
        slack = np.array([tolerance(a, b) for a, b in zip(first, second, strict=True)])
        self.seen = self._far(first - second) - slack
        self.middle = (totals[self.pairs[:, 0]] + totals[self.pairs[:, 1]]) / 2
        self.blocks: list[NDArray[np.int64]] = []
        self.slopes, self.limits = np.empty(0), np.empty(0)

    def run(
        self,
        draw: Callable[[int], Rows],
        stopping: Stopping,
        numbers: NDArray[np.intp],
        trials: int,
        tick: Tick,
    ) -> None:
        """All blocks of signed sums, or as many as it takes until every pair is decided.

        `draw` makes the sums of a block; `numbers` are those of the pairs in `stopping`.
        """
        for block, start in enumerate(range(0, trials, SIGNS)):
            if not stopping.open[numbers].any():
                break
            tick(start, trials)
            self.step(draw(block), stopping, numbers, trials)

    def step(self, sums: Rows, stopping: Stopping, numbers: NDArray[np.intp], trials: int) -> None:
        """One more block of signed sums: systems × k × signs."""
        active = np.flatnonzero(stopping.open[numbers])
        if not active.size:
            return
        count = min(SIGNS, trials - len(self.blocks) * SIGNS)
        if not self.blocks:
            self.slopes, self.limits = self._learn(sums, min(count, LEARNT))
        self.blocks.append(self._as_far(sums, count, active, self.slopes, self.limits))
        stopping.as_far[numbers] += self.blocks[-1]
        stopping.tried[numbers[active]] += count
        if len(self.blocks) in set(looks(trials)):
            stopping.look(numbers[active], np.stack(self.blocks)[:, active])

    def _far(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far differences lie from 0, or how far up."""
        return np.abs(differences) if self.up is None else self.up * differences

    def _learn(self, sums: Rows, count: int) -> tuple[Rows, Rows]:
        """From the first trials, the slope of every pair, and where it does not tell how far a trial is."""
        signed = sums.reshape(self.systems, self.k, SIGNS)[:, :, :count]
        slopes = np.empty((len(self.pairs), self.k))
        limits = np.empty((len(self.pairs), 4))
        largest = np.abs(signed).max((0, 2))  # by column
        for part in (slice(i, i + 32) for i in range(0, len(self.pairs), 32)):
            a, b = self.pairs[part, 0], self.pairs[part, 1]
            e = (signed[b] - signed[a]).transpose(2, 0, 1) / 2  # trials × pairs × k
            slope = self._slopes(self.middle[part], e.std(0))
            off = np.abs(self._differences(e, self.middle[part]) - 2 * (e * slope).sum(-1)).max(0)
            # Sums are rounded to 24 bits where slopes are taken.
            margin = SURE * (off + 2.0**-22 * (np.abs(slope) * largest).sum(-1))
            known = np.isfinite(margin)
            near = np.where(known, self.seen[part] - margin, -np.inf)
            far = np.where(known, self.seen[part] + margin, np.inf)
            slopes[part] = np.where(known[:, None], (self.up or 1.0) * slope, 0.0)
            limits[part] = np.stack([a, b, near, far], axis=1)
        return slopes, limits

    def _slopes(self, middle: Rows, step: Rows) -> Rows:
        """How the score changes with each sum, over one standard deviation up and down."""
        slope = np.zeros_like(middle)
        for c in range(self.k):
            moving = step[:, c] > 0
            moved = np.zeros_like(middle)
            moved[:, c] = step[:, c]
            change = self.aggregate(middle + moved) - self.aggregate(middle - moved)
            slope[moving, c] = change[moving] / (2 * step[moving, c])
        return slope

    def _as_far(
        self, sums: Rows, count: int, active: NDArray[np.intp], slopes: Rows, limits: Rows
    ) -> NDArray[np.int64]:
        """How many trials of each pair are as far: counted by slopes, and closely where these leave it open."""
        surely, doubtful = _native.screened_trials(
            sums, limits[active], slopes[active], count, self.up is not None, self.threads
        )
        as_far = np.zeros(len(self.pairs), dtype=np.int64)
        as_far[active] = surely[:, 0].astype(np.int64)
        pair, trial = active[doubtful[:, 0].astype(np.intp)], doubtful[:, 1].astype(np.intp)
        if pair.size:
            signed = sums.reshape(self.systems, self.k, SIGNS)
            a, b = self.pairs[pair, 0], self.pairs[pair, 1]
            e = (signed[b, :, trial] - signed[a, :, trial]) / 2
            far = ~(self._far(self._differences(e, self.middle[pair])) < self.seen[pair])
            as_far += np.bincount(pair[far], minlength=len(self.pairs))
        return as_far

    def _differences(self, e: Rows, middle: Rows) -> NDArray[np.float64]:
        return self.aggregate(middle + e) - self.aggregate(middle - e)


def halves(
    systems: Sequence[Rows], aggregate: Aggregate, trials: int, seed: int, threads: int
) -> NDArray[np.float64]:
    """Scores on both halves that the first signs make of the units: 2 × trials × systems."""
    totals = np.stack([total(rows) for rows in systems])
    scores = []
    for block, start in enumerate(range(0, min(trials, FEW_HALVES), SIGNS)):
        sums = _native.signed_sums(systems, 1, seed, block, threads)
        signed = sums.reshape(len(systems), -1, SIGNS)[:, :, : trials - start].transpose(2, 0, 1)
        scores += [aggregate((totals + sign * signed) / 2) for sign in (1, -1)]
    return np.concatenate(scores)


def narrow_rows(systems: Sequence[Rows]) -> Sequence[Rows] | Sequence[NDArray[np.float32]]:
    """Rows as 32-bit floats, where all signed sums of them are exact as such; else as they are.

    Counts are whole numbers: their sums come out the same, from half of the memory.
    """
    if sum(rows.size for rows in systems) > MOST_COPIED:
        return systems
    if all((np.abs(rows).sum(0) < EXACT).all() and (rows == np.rint(rows)).all() for rows in systems):
        return [rows.astype(np.float32) for rows in systems]
    return systems
