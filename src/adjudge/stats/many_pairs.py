"""Randomisation of very many pairs at once: signs by blocks, slopes to tell which trials need a closer look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.stats.resampling import Aggregate, Rows, tolerance
from adjudge.stats.stopping import SIGNS, Stopping, looks
from adjudge.stats.units import total

LEARNT = 256
"""From so many trials comes how far a slope may be off, ..."""
SURE = 6
"""... and so many times that is allowed for: among a million trials, the cube of a normal deviate is not larger."""
FEW_HALVES = 2 * SIGNS
"""The coins of intervals where pairs are many."""
TOGETHER = 32
"""Pairs whose slopes are learnt at once."""
ROWS = 4096
"""Trials that are looked at closely at once."""
MOST_BLOCKS = 64
"""Blocks of trials that are screened at once, ..."""
MOST_DOUBTFUL = 2**24
"""... fewer where more sums of trials than these would have to be looked at closely."""

EXACT = 2**24
"""Whole numbers up to this one are exact as 32-bit floats."""
MOST_COPIED = 2**27
"""Numbers of which a copy is made."""

UNKNOWN = (-np.inf, np.inf)
"""Limits between which every trial lies."""

Tick = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class SignedSet:
    """The rows of all systems on one test set, how they are scored, and the seed of their signs."""

    systems: Sequence[Rows]
    """Of each system, the rows of all training runs of a unit after each other."""
    aggregate: Aggregate
    seed: int
    runs: int = 1

    @property
    def columns(self) -> int:
        """How many numbers a row has."""
        return int(self.systems[0].shape[1])

    def sums(self, block: int, threads: int) -> Rows:
        """Signed sums of a block: systems × columns × trials."""
        sums = _native.signed_sums(self.systems, self.runs, self.seed, block, threads)
        return sums.reshape(len(self.systems), -1, SIGNS)


class ManyPairs:
    """Pairs of systems that are swapped by signs that they share, on one test set or several side by side.

    With M the mean of both systems' sums and e half the sum of their signed differences, a trial's difference is
    f(M + e) − f(M − e): odd in e, so that it differs from its slope by the cube of what is small. One slope for all
    pairs is cheaper, since it turns a system's sums into one number, and tells enough of most trials.
    """

    def __init__(
        self,
        sets: Sequence[SignedSet],
        pairs: Sequence[tuple[int, int]],
        *,
        up: float | None = None,
        threads: int,
    ) -> None:
        """A system's score is its mean over the sets; `up`: 1 or −1 for one-sided tests."""
        self.sets, self.up, self.threads = sets, up, threads
        ends = np.cumsum([one_set.columns for one_set in sets])
        self.places = [slice(end - one_set.columns, end) for one_set, end in zip(sets, ends, strict=True)]
        self.narrow = narrow_rows([rows for one_set in sets for rows in one_set.systems])
        totals = np.concatenate(
            [np.stack([total(rows) for rows in one_set.systems]) for one_set in sets], axis=1
        )
        self.systems, self.k = totals.shape
        self.pairs = np.array(pairs, dtype=np.intp)
        scores = self._scores(totals)
        first, second = scores[self.pairs[:, 0]], scores[self.pairs[:, 1]]
        tolerances = np.array([tolerance(a, b) for a, b in zip(first, second, strict=True)])
        self.seen = self._far(first - second) - tolerances
        self.totals = totals
        self.middle = (totals[self.pairs[:, 0]] + totals[self.pairs[:, 1]]) / 2
        self.blocks = np.empty((0, len(pairs)), dtype=np.int64)
        self.weights: Rows = np.empty(0)
        self.slopes, self.limits = np.empty(0), np.empty(0)
        self.at_once = 1

    def run(self, stopping: Stopping, numbers: NDArray[np.intp], trials: int, tick: Tick) -> None:
        """All blocks of trials, or as many as it takes until every pair is decided.

        `numbers` are those of the pairs in `stopping`.
        """
        for last in stretches(trials):
            if not stopping.open[numbers].any():
                break
            self.advance(last, stopping, numbers, trials, tick)

    def advance(
        self, last: int, stopping: Stopping, numbers: NDArray[np.intp], trials: int, tick: Tick
    ) -> None:
        """All blocks before `last`, and a look at the pairs where one is due."""
        active = np.flatnonzero(stopping.open[numbers])
        if not active.size:
            return
        if not self.limits.size:
            self._learn(min(trials, LEARNT))
        while (first := len(self.blocks)) < last:
            tick(first * SIGNS, trials)
            as_extreme = self._as_extreme(first, min(last - first, self.at_once), trials, active)
            self.blocks = np.concatenate([self.blocks, as_extreme])
            stopping.as_extreme[numbers] += as_extreme.sum(0)
        stopping.tried[numbers[active]] = min(last * SIGNS, trials)
        if last in set(looks(trials)):
            stopping.look(numbers[active], self.blocks[:, active])

    def _far(self, differences: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far differences lie from 0, or how far up."""
        return np.abs(differences) if self.up is None else self.up * differences

    def _learn(self, count: int) -> None:
        """From the first trials, the slope of every pair, and where slopes do not tell how far a trial is."""
        signed = np.concatenate(
            [one_set.sums(0, self.threads)[:, :, :count] for one_set in self.sets], axis=1
        )
        largest = np.abs(signed).max((0, 2))  # by column
        deviation = signed.std((0, 2))
        shared = self._slopes(self.totals.mean(0)[None], deviation[None])[0]
        self.weights = np.where(np.isfinite(shared).all(), (self.up or 1.0) * shared, 0.0)
        projected = np.tensordot(shared, signed, (0, 1))  # systems × trials

        def learn(part: slice) -> tuple[Rows, Rows]:
            a, b = self.pairs[part, 0], self.pairs[part, 1]
            e = (signed[b] - signed[a]).transpose(2, 0, 1) / 2  # trials × pairs × k
            slope = self._slopes(self.middle[part], e.std(0))
            differences = self._differences(e, self.middle[part])
            off = np.abs(differences - 2 * (e * slope).sum(-1)).max(0)
            # Sums are rounded to 24 bits where slopes are taken.
            rounding = 2.0**-22 * (np.abs(slope) * largest).sum(-1)
            near, far = self._limits(part, SURE * (off + rounding))
            rough = (projected[b] - projected[a]).T  # trials × pairs
            with np.errstate(invalid="ignore", divide="ignore"):
                share = (differences * rough).sum(0) / (rough * rough).sum(0)
                off = np.abs(differences - share * rough).max(0)
                margin = np.where(share > 0, SURE * (off + rounding), np.nan)
                roughly = [limit / share for limit in self._limits(part, margin)]
            roughly = [
                np.where(np.isnan(estimate), bound, estimate)
                for estimate, bound in zip(roughly, UNKNOWN, strict=True)
            ]
            slope = np.where(np.isfinite(near)[:, None], (self.up or 1.0) * slope, 0.0)
            return slope, np.stack([a, b, *roughly, near, far], axis=1)

        parts = [slice(i, i + TOGETHER) for i in range(0, len(self.pairs), TOGETHER)]
        with ThreadPoolExecutor(self.threads or cpu_count()) as pool:
            slopes, limits = zip(*pool.map(learn, parts), strict=True)
        self.slopes, self.limits = np.concatenate(slopes), np.concatenate(limits)

    def _limits(self, part: slice, margin: Rows) -> tuple[Rows, Rows]:
        """Below the first a trial is surely not as far as what was seen, above the second it surely is."""
        known = np.isfinite(margin)
        lowest, highest = UNKNOWN
        seen = self.seen[part]
        return np.where(known, seen - margin, lowest), np.where(known, seen + margin, highest)

    def _slopes(self, middle: Rows, step: Rows) -> Rows:
        """How the score changes with each sum, over one standard deviation up and down."""
        slope = np.zeros_like(middle)
        for one_set, place in zip(self.sets, self.places, strict=True):
            for c in range(place.start, place.stop):
                moving = step[:, c] > 0
                moved = np.zeros((len(middle), one_set.columns))
                moved[:, c - place.start] = step[:, c]
                change = one_set.aggregate(middle[:, place] + moved) - one_set.aggregate(
                    middle[:, place] - moved
                )
                slope[moving, c] = change[moving] / (2 * len(self.sets) * step[moving, c])
        return slope

    def _as_extreme(
        self, first: int, blocks: int, trials: int, active: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """How many trials of each block and pair are as far: by slopes, and closely where these leave it open."""
        surely, doubtful, differences = _native.screened_blocks(
            self._rows(),
            self.limits[active],
            self.slopes[active],
            self.weights.tolist(),
            first,
            blocks,
            trials,
            self.up is not None,
            self.threads,
        )
        as_extreme = np.zeros((blocks, len(self.pairs)), dtype=np.int64)
        as_extreme[:, active] = surely
        self.at_once = max(1, min(MOST_BLOCKS, MOST_DOUBTFUL * blocks // max(differences.size, 1)))
        if len(doubtful):
            block, pair = doubtful[:, 0].astype(np.intp), active[doubtful[:, 1].astype(np.intp)]
            parts = [slice(i, i + ROWS) for i in range(0, len(pair), ROWS)]
            with ThreadPoolExecutor(self.threads or cpu_count()) as pool:
                far = np.concatenate(
                    list(pool.map(lambda part: self._is_far(differences[part], pair[part]), parts))
                )
            np.add.at(as_extreme, (block[far], pair[far]), 1)
        return as_extreme

    def _is_far(self, differences: Rows, pair: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether trials of these pairs are as far as what was seen, from all sums of second − first."""
        apart = self._far(self._differences(differences / 2, self.middle[pair]))
        return np.asarray(~(apart < self.seen[pair]))

    def _rows(self) -> list[tuple[Sequence[NDArray[np.floating]], int, int]]:
        """The rows of every set as the core reads them."""
        count = self.systems
        return [
            (self.narrow[i * count : (i + 1) * count], one_set.runs, one_set.seed)
            for i, one_set in enumerate(self.sets)
        ]

    def _differences(self, e: Rows, middle: Rows) -> NDArray[np.float64]:
        return self._scores(middle + e) - self._scores(middle - e)

    def _scores(self, sums: Rows) -> NDArray[np.float64]:
        """From sums on all sets side by side to the mean of the scores."""
        scores = [
            one_set.aggregate(sums[..., place]) for one_set, place in zip(self.sets, self.places, strict=True)
        ]
        return np.asarray(np.mean(scores, axis=0), dtype=np.float64)


def stretches(trials: int) -> Iterator[int]:
    """The numbers of blocks at which pairs may stop, and that of all blocks."""
    yield from looks(trials)
    yield -(-trials // SIGNS)


def halves(
    systems: Sequence[Rows], aggregate: Aggregate, trials: int, seed: int, threads: int
) -> NDArray[np.float64]:
    """Scores on both halves that the first signs make of the units: 2 × trials × systems."""
    totals = np.stack([total(rows) for rows in systems])
    scores = []
    for block, start in enumerate(range(0, min(trials, FEW_HALVES), SIGNS)):
        signed = (
            SignedSet(systems, aggregate, seed)
            .sums(block, threads)[:, :, : trials - start]
            .transpose(2, 0, 1)
        )
        scores += [aggregate((totals + sign * signed) / 2) for sign in (1, -1)]
    return np.concatenate(scores)


def narrow_rows(systems: Sequence[Rows]) -> Sequence[NDArray[np.floating]]:
    """Rows as 32-bit floats, where all signed sums of them are exact as such; else as they are.

    Counts are whole numbers: their sums come out the same, from half of the memory.
    """
    if sum(rows.size for rows in systems) > MOST_COPIED:
        return systems
    if all((np.abs(rows).sum(0) < EXACT).all() and (rows == np.rint(rows)).all() for rows in systems):
        return [rows.astype(np.float32) for rows in systems]
    return systems
