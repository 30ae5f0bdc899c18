"""Bootstrap, paired bootstrap and approximate randomisation, for anything that is a function of sums of rows.

All of it streams over blocks of resamples, so memory does not grow with their number; every resample depends on the
seed and its own number alone, so results do not depend on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import UsageError, unknown_name
from adjudge.stats.distributions import normal_quantile, t_cdf
from adjudge.stats.intervals import quantiles
from adjudge.stats.significance import significant
from adjudge.stats.units import Units, total
from adjudge.wording import pluralise

Rows = NDArray[np.float64]
Aggregate = Callable[[Rows], Rows]
"""From sums of rows to scores: (..., k) -> (...)."""

SAMPLINGS = ("bootstrap", "half")
"""n of n with replacement (Koehn 2004), or half of them without (which has the same variance)."""
INTERVALS = ("percentile", "basic")
DEFINITIONS = ("two-sided", "moses")
"""Of a bootstrap's p: see bootstrap_p."""

NOTHING_LEFT = 1e-9
"""What sums of counts or weights may be and still be of nothing."""
BLOCK = 1024
"""Resamples that are in memory at a time."""
PAIRS = 32
"""Pairs of systems that are scored together in one block of trials."""


@dataclass(frozen=True)
class Estimate:
    """A score and how far it may be off, were the test set another one of its kind."""

    score: float
    low: float
    high: float
    deviation: float
    """Standard deviation over the resamples."""


@dataclass(frozen=True, eq=False)
class PairedTest:
    """One system against another on the same segments."""

    delta: float
    """a − b as scored."""
    p: float
    differences: NDArray[np.float64]
    """a − b in every resample (bootstrap), or as chance alone would have it in every trial (randomisation)."""
    wins: int
    """Resamples in which a is the better one; a win is never also a tie. 0 for a randomisation, as the others."""
    ties: int
    losses: int


def bootstrap(
    rows: Rows,
    aggregate: Aggregate,
    *,
    resamples: int = 1000,
    seed: int,
    units: Units | None = None,
    sampling: str = "bootstrap",
    interval: str = "percentile",
    confidence: float = 0.95,
    threads: int = 0,
) -> Estimate:
    """The score of the rows with a confidence interval (Koehn 2004; with `half`, Neubig's Algorithm 4)."""
    scores = resampled_scores(
        [rows], aggregate, resamples=resamples, seed=seed, units=units, sampling=sampling, threads=threads
    )
    score = float(aggregate(total(rows)))
    count = len(rows) if units is None else units.count
    return estimate(score, scores[:, 0], interval=interval, confidence=confidence, units=count)


def randomisation(
    a: Rows,
    b: Rows,
    aggregate: Aggregate,
    *,
    trials: int = 10_000,
    seed: int,
    units: Units | None = None,
    threads: int = 0,
) -> PairedTest:
    """Paired approximate randomisation (Riezler and Maxwell 2005), two-sided."""
    [test] = randomisations(
        [a, b], [(0, 1)], aggregate, trials=trials, seed=seed, units=units, threads=threads
    )
    return test


def randomisations(
    systems: Sequence[Rows],
    pairs: Sequence[tuple[int, int]],
    aggregate: Aggregate,
    *,
    trials: int = 10_000,
    seed: int,
    units: Units | None = None,
    threads: int = 0,
) -> list[PairedTest]:
    """Randomisation tests of several pairs of systems, which share the swaps; each is as if it were tested alone."""
    units = checked_units(systems, units, trials)
    swap = SwappedPairs([units.sums(rows) for rows in systems], aggregate, pairs, threads)
    blocks = [swap.differences(moved) for _, moved in swap.blocks(units, trials, seed)]
    differences = np.concatenate(blocks)
    scores = [float(aggregate(total(rows))) for rows in systems]
    tests = []
    for place, (a, b) in enumerate(pairs):
        pair_differences = np.ascontiguousarray(differences[:, place])
        delta = scores[a] - scores[b]
        as_extreme = count_as_extreme(delta, pair_differences, tolerance(scores[a], scores[b]))
        tests.append(PairedTest(delta, sampled_p(as_extreme, trials), pair_differences, 0, 0, 0))
    return tests


def resampled_scores(
    systems: Sequence[Rows],
    aggregate: Aggregate,
    *,
    resamples: int,
    seed: int,
    units: Units | None = None,
    sampling: str = "bootstrap",
    threads: int = 0,
) -> NDArray[np.float64]:
    """Scores of all systems on the same resamples of the segments: resamples × systems."""
    if sampling not in SAMPLINGS:
        raise unknown_name("sampling", sampling, SAMPLINGS)
    units = checked_units(systems, units, resamples)
    k = systems[0].shape[1]
    together = [units.sums(rows) for rows in systems]
    scores = np.empty((resamples, len(systems)))
    for start, sums in blocks_of_sums(together, sampling, units, resamples, seed, threads):
        scores[start : start + len(sums)] = aggregate(sums.reshape(len(sums), len(systems), k))
    return scores


class SwappedPairs:
    """Pairs of systems after some units were swapped: each keeps the sums of the rest and has the other one's.

    All pairs share the coins, so each system's sums over them are needed only once.
    """

    def __init__(
        self,
        systems: Sequence[Rows],
        aggregate: Aggregate,
        pairs: Sequence[tuple[int, int]],
        threads: int = 0,
    ) -> None:
        self.systems, self.aggregate, self.threads = systems, aggregate, threads
        self.totals = np.stack([total(rows) for rows in systems])
        self.first, self.second = (np.array([pair[side] for pair in pairs], dtype=np.intp) for side in (0, 1))
        self.workers = threads or cpu_count() or 1

    def blocks(self, units: Units, trials: int, seed: int) -> Iterator[tuple[int, Rows]]:
        """What every system's swapped units add up to, trials × systems × k, with the number of the first trial."""
        for start, sums in blocks_of_sums(self.systems, "coins", units, trials, seed, self.threads):
            yield start, sums.reshape(len(sums), *self.totals.shape)

    def differences(self, moved: Rows) -> NDArray[np.float64]:
        """Trials × pairs, from what every system's swapped units add up to (trials × systems × k)."""

        def some(rows: slice, part: slice) -> NDArray[np.float64]:
            a, b = self.first[part], self.second[part]
            d = moved[rows, b] - moved[rows, a]
            return self.aggregate(self.totals[a] + d) - self.aggregate(self.totals[b] - d)

        parts = [slice(start, start + PAIRS) for start in range(0, len(self.first), PAIRS)]
        jobs = [(rows, part) for rows in _split(len(moved), self.workers) for part in parts]
        block = np.empty((len(moved), len(self.first)))
        from concurrent.futures import ThreadPoolExecutor  # late: it loads logging

        with ThreadPoolExecutor(self.workers) as pool:
            for job, values in zip(jobs, pool.map(lambda job: some(*job), jobs), strict=True):
                block[job] = values
        return block


def estimate(
    score: float,
    scores: NDArray[np.float64],
    *,
    interval: str = "percentile",
    confidence: float = 0.95,
    units: int | None = None,
) -> Estimate:
    """An interval from the scores of resamples; those that have no score are left out.

    There is none where resamples are of so few `units` that it could not hold the score as often as asked for.
    """
    if interval not in INTERVALS:
        raise unknown_name("interval", interval, INTERVALS)
    known = scores[~np.isnan(scores)]
    if not known.size or np.isnan(score):
        return Estimate(score, np.nan, np.nan, np.nan)
    if units is not None and not can_hold(units, confidence):
        return Estimate(score, np.nan, np.nan, deviation(score, scores))
    low, high = quantiles(known, (1 - confidence) / 2, (1 + confidence) / 2)
    if interval == "basic":
        low, high = 2 * score - high, 2 * score - low
    return Estimate(score, low, high, deviation(score, scores))


def can_hold(units: int, confidence: float) -> bool:
    """Whether an interval from resamples of so many units can hold a score so often: of six for 95 %, eight for 99 %.

    No resample leaves the range of the units, and all n of them lie on one side of the truth in 2 of 2^n samples.
    """
    return significant(least_randomised_p(units), 1 - confidence)


def deviation(score: float, scores: NDArray[np.float64]) -> float:
    """The standard deviation over resamples, those left out that have no score; NaN without a score or with too few."""
    known = scores[~np.isnan(scores)]
    return float(known.std(ddof=1)) if known.size > 1 and not np.isnan(score) else np.nan


def bootstrap_p(
    delta: float,
    differences: NDArray[np.float64],
    *,
    definition: str = "two-sided",
    rounding: float = 0.0,
    units: int | None = None,
    one_sided: bool = False,
) -> float:
    """P from the differences in resamples.

    Two-sided: resamples vary about their mean as chance would about none, so p is how often they lie as far from it
    as the systems from each other; `one_sided` asks only how often as far up. Resamples of few `units` vary too
    little; p is made larger by as much as Student's t with n − 1 degrees of freedom differs from the normal deviate of
    a variance with n below the line (Hesterberg 2015). `moses`: how often the size of the difference exceeds its own
    mean by as much, as Moses' script and sacreBLEU have it; nearly one-sided.
    """
    if definition not in DEFINITIONS:
        raise unknown_name("definition of p", definition, DEFINITIONS)
    known = differences[~np.isnan(differences)]
    missing = len(differences) - len(known)
    if not known.size:
        return 1.0
    if definition == "moses":
        apart = np.abs(known)
        # Moses counts those that are equal, sacreBLEU does not: the former gives identical systems 1.
        as_extreme = int((~(apart - apart.mean() < abs(delta) - rounding)).sum())
    else:
        as_extreme = count_as_extreme(delta, known - known.mean(), rounding, up=1.0 if one_sided else None)
    p = sampled_p(as_extreme + missing, len(differences))
    if definition == "moses" or units is None or p == 1:
        return p
    if units < 2:
        return 1.0
    sides = 1 if one_sided else 2
    distance = -normal_quantile(p / sides) * np.sqrt((units - 1) / units)
    return float(sides * t_cdf(units - 1, -distance))


def count_as_extreme(
    delta: float, differences: NDArray[np.float64], rounding: float, *, up: float | None = None
) -> int:
    """How many lie as far from 0 as delta, or with `up` (1 or −1) as far that way; what cannot be had counts as far."""
    if up is not None:
        return int((~(up * differences < up * delta - rounding)).sum())
    return int((~(np.abs(differences) < abs(delta) - rounding)).sum())


def sampled_p(as_extreme: int, trials: int) -> float:
    """A sampled p is never 0: what was seen is one of the outcomes (Phipson and Smyth 2010)."""
    return (as_extreme + 1) / (trials + 1)


def least_randomised_p(units: int, sides: int = 2) -> float:
    """The smallest p that swapping so many units can give: all swapped, or none, of 2^units cases."""
    return sides * 2.0 ** -max(units, 1)


def outcomes(
    differences: NDArray[np.float64], *, higher_is_better: bool = True, rounding: float = 0.0
) -> tuple[int, int, int]:
    """Wins, ties and losses of the first system."""
    better = differences if higher_is_better else -differences
    wins, losses = int((better > rounding).sum()), int((better < -rounding).sum())
    return wins, len(differences) - wins - losses, losses


def quotient(sums: Rows) -> Rows:
    """The first sum over the second: a mean where the second one counts, a rate where it weighs; NaN of nothing."""
    # All that there is less all that was drawn need not be 0 to the last digit.
    below = np.where(np.abs(sums[..., 1]) > NOTHING_LEFT, sums[..., 1], np.nan)
    return np.asarray(sums[..., 0] / below, dtype=np.float64)


def tolerance(*scores: float) -> float:
    """How far two equal scores may lie apart because they were added up in another order."""
    return 1e-11 * max(abs(score) for score in scores)


def blocks_of_sums(
    systems: Sequence[Rows],
    draw: str,
    units: Units,
    resamples: int,
    seed: int,
    threads: int,
    runs: tuple[int, int] = (1, 1),
) -> Iterator[tuple[int, Rows]]:
    """Sums of rows over resamples, a block at a time, each with the number of its first resample."""
    for start in range(0, resamples, BLOCK):
        count = min(BLOCK, resamples - start)
        yield (
            start,
            _native.resampled_sums(
                systems, draw, units.order, units.begins, runs, seed, start, count, threads
            ),
        )


def blocks_of_counts(
    cells: NDArray[np.integer],
    unit: NDArray[np.integer],
    columns: int,
    *,
    resamples: int,
    seed: int,
    threads: int = 0,
) -> Iterator[NDArray[np.float64]]:
    """How often each of so many cells was hit when whole units are drawn anew, a block of resamples at a time.

    `cells` says which one a row hits and `unit` whose row it is: the same as sums of rows that are 1 in one column
    and 0 in all others, without making them.
    """
    if resamples < 1:
        raise UsageError(f"{pluralise(resamples, 'resample')}: at least one is needed")
    numbers, which = np.unique(unit, return_inverse=True)
    if (which[1:] < which[:-1]).any():
        order = np.argsort(which, kind="stable")
        cells, which = cells[order], which[order]
    begins = np.zeros(len(numbers) + 1, dtype=np.uint64)
    np.cumsum(np.bincount(which, minlength=len(numbers)), out=begins[1:])
    hit: NDArray[np.uint32] = np.ascontiguousarray(cells, dtype=np.uint32)
    block = resamples_at_a_time(columns)
    for start in range(0, resamples, block):
        count = min(block, resamples - start)
        yield _native.resampled_counts(hit, begins, columns, seed, start, count, threads)


def resamples_at_a_time(columns: int) -> int:
    """How many resamples of so many counts are held in memory: fewer than usual where tables are large."""
    return max(16, min(BLOCK, (1 << 23) // max(columns, 1)))


def checked_units(systems: Sequence[Rows], units: Units | None, resamples: int) -> Units:
    """The units to draw, once it is sure that these systems can be compared by them."""
    if resamples < 1:
        raise UsageError(f"{pluralise(resamples, 'resample')}: at least one is needed")
    shapes = {rows.shape for rows in systems}
    if len(shapes) != 1:
        raise UsageError(f"rows of different shapes cannot be compared: {sorted(shapes)}")
    segments = shapes.pop()[0]
    if not segments:
        raise UsageError("no segments to draw from")
    units = units or Units.of(segments)
    if units.segments != segments:
        raise UsageError(f"units of {pluralise(units.segments, 'segment')}, but rows of {segments}")
    return units


def _split(count: int, parts: int) -> list[slice]:
    edges = [count * i // parts for i in range(parts + 1)]
    return [slice(a, b) for a, b in pairwise(edges) if a < b]
