"""Approximate randomisation of many pairs of systems at once, which share their coins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
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
MANY = 50
"""Beyond so many pairs trials are looked at closely only where a slope does not tell, and decided pairs stop."""
ENOUGH = 100
"""No pair stops before so many trials were as far as what was seen: p is known to a tenth of itself."""
RISK = 0.001
"""The chance, over all pairs together, that one which stops early would have been decided otherwise in the end."""
BASE = 10_000
"""Nor before so many trials."""
LEARNT = 256
"""From so many trials comes how far a slope may be off, ..."""
SURE = 6
"""... and so many times that is allowed for: among a million trials, the cube of a normal deviate is not larger."""
SIGNS = 1024
"""Trials that are drawn together where pairs are many."""
FEW_HALVES = 2 * SIGNS
"""The coins of intervals where pairs are many."""
LOOK = 16
"""After so many blocks of them it is asked which pairs are decided."""

Decided = Callable[[NDArray[np.float64]], NDArray[np.bool_]]
"""From p-values that the true ones do not fall below: which pairs cannot be significant."""


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
    decided: Decided | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> Randomised:
    """Swap units by coins, count for every pair, and keep the scores on the halves that the coins make.

    Where it is said whether `higher_is_better`, tests are one-sided: whether the first of a pair is the better one.
    Of many pairs those stop early that are `decided` whatever the rest of the trials would show.
    """
    units = checked_units(systems, units, trials)
    together = [units.sums(rows) for rows in systems]
    if len(pairs) > MANY and higher_is_better is None:
        return _Many(together, aggregate, pairs, trials, seed, threads, decided).run(tick)
    k = systems[0].shape[1]
    totals = np.stack([rows.sum(0) for rows in together])
    scores = aggregate(totals)
    swap = SwappedPairs(totals, aggregate, pairs, threads)
    as_far = np.zeros(len(pairs), dtype=np.int64)
    up = -1.0 if higher_is_better is False else 1.0
    halves = []
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


class _Many:
    """Very many pairs: signs by blocks, slopes to tell which trials need a closer look, pairs that stop.

    With M the mean of both systems' sums and e half the sum of their signed differences, a trial's difference is
    f(M + e) − f(M − e): odd in e, so that it differs from its slope by the cube of what is small.
    """

    def __init__(
        self,
        together: Sequence[Rows],
        aggregate: Aggregate,
        pairs: Sequence[tuple[int, int]],
        trials: int,
        seed: int,
        threads: int,
        decided: Decided | None,
    ) -> None:
        self.together, self.aggregate, self.decided = together, aggregate, decided
        self.trials, self.seed, self.threads = trials, seed, threads
        self.k = together[0].shape[1]
        self.totals = np.stack([rows.sum(0) for rows in together])
        self.pairs = np.array(pairs, dtype=np.intp)
        scores = aggregate(self.totals)
        first, second = scores[self.pairs[:, 0]], scores[self.pairs[:, 1]]
        slack = np.array([tolerance(a, b) for a, b in zip(first, second, strict=True)])
        self.seen = np.abs(first - second) - slack
        self.middle = (self.totals[self.pairs[:, 0]] + self.totals[self.pairs[:, 1]]) / 2
        self.as_far = np.zeros(len(pairs), dtype=np.int64)
        self.tried = np.zeros(len(pairs), dtype=np.int64)
        self.lower = np.zeros(len(pairs))
        self.active = np.arange(len(pairs))

    def run(self, tick: Callable[[int, int], None] | None) -> Randomised:
        """All blocks, or as many as it takes until every pair is decided."""
        halves = []
        slopes, limits = np.empty(0), np.empty(0)
        for block, start in enumerate(range(0, self.trials, SIGNS)):
            if tick:
                tick(start, self.trials)
            count = min(SIGNS, self.trials - start)
            sums = _native.signed_sums(self.together, self.seed, block, self.threads)
            if start < FEW_HALVES:
                signed = sums.reshape(len(self.together), self.k, SIGNS)[:, :, :count].transpose(2, 0, 1)
                halves += [self.aggregate((self.totals + sign * signed) / 2) for sign in (1, -1)]
            if block == 0:
                slopes, limits = self._learn(sums, min(count, LEARNT))
            self._look_where_open(sums, count, slopes, limits)
            self.tried[self.active] += count
            if start + count >= BASE and block % LOOK == BASE // SIGNS % LOOK:
                self._stop()
                if not self.active.size:
                    break
        return Randomised(self.as_far, self.tried, np.concatenate(halves))

    def _learn(self, sums: Rows, count: int) -> tuple[Rows, Rows]:
        """From the first trials, the slope of every pair, and where it does not tell how far a trial is."""
        signed = sums.reshape(len(self.together), self.k, SIGNS)[:, :, :count]
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
            near = np.where(known, self.seen[part] - margin, -1.0)
            far = np.where(known, self.seen[part] + margin, np.inf)
            slopes[part] = np.where(known[:, None], slope, 0.0)
            limits[part] = np.stack([a, b, near, far], axis=1)
        return slopes, limits

    def _slopes(self, middle: Rows, step: Rows) -> Rows:
        """How the score changes with each sum, over one standard deviation up and down."""
        slope = np.zeros_like(middle)
        for c in range(self.k):
            there = step[:, c] > 0
            moved = np.zeros_like(middle)
            moved[:, c] = step[:, c]
            change = self.aggregate(middle + moved) - self.aggregate(middle - moved)
            slope[there, c] = change[there] / (2 * step[there, c])
        return slope

    def _look_where_open(self, sums: Rows, count: int, slopes: Rows, limits: Rows) -> None:
        """Count by slopes, and closely the trials that these leave open."""
        chosen = np.ascontiguousarray(limits[self.active])
        far, found = _native.screened_trials(
            sums, chosen, np.ascontiguousarray(slopes[self.active]), count, self.threads
        )
        self.as_far[self.active] += far[:, 0].astype(np.int64)
        pair, trial = self.active[found[:, 0].astype(np.intp)], found[:, 1].astype(np.intp)
        if not pair.size:
            return
        signed = sums.reshape(len(self.together), self.k, SIGNS)
        a, b = self.pairs[pair, 0], self.pairs[pair, 1]
        e = (signed[b, :, trial] - signed[a, :, trial]) / 2
        as_far = ~(np.abs(self._differences(e, self.middle[pair])) < self.seen[pair])
        self.as_far += np.bincount(pair[as_far], minlength=len(self.pairs))

    def _differences(self, e: Rows, middle: Rows) -> NDArray[np.float64]:
        return self.aggregate(middle + e) - self.aggregate(middle - e)

    def _stop(self) -> None:
        if self.decided is None:
            return
        left = self.active
        self.lower[left] = lowest_p(self.as_far[left], self.tried[left], RISK / len(self.pairs))
        done = self.decided(self.lower) & (self.as_far >= ENOUGH)
        self.active = self.active[~done[self.active]]


def lowest_p(as_far: NDArray[np.int64], trials: NDArray[np.int64], risk: float) -> NDArray[np.float64]:
    """The p that the true one falls below, at any number of trials, with a chance of `risk` at most (Robbins 1970).

    It is the smaller solution of (n + 1) · binomial(n, p)(c) = risk; independent trials are taken for granted.
    """
    from scipy.special import gammaln, xlog1py, xlogy  # late: commands that need none of it start faster

    n, c = trials.astype(np.float64), as_far.astype(np.float64)
    ways = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1) + np.log(n + 1) - np.log(risk)
    low, high = np.full(len(n), -745.0), np.log(np.maximum(c, 1e-300) / n)  # logarithms of p
    for _ in range(48):
        p = np.exp((low + high) / 2)
        below = ways + xlogy(c, p) + xlog1py(n - c, -p) < 0
        low, high = np.where(below, (low + high) / 2, low), np.where(below, high, (low + high) / 2)
    return np.where(c > 0, np.exp(low), 0.0)
