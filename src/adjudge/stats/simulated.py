"""Power by playing campaigns through: scores are drawn, tested as they would be, and the findings counted.

Scores are drawn from normal distributions, or with replacement from those of a pilot. A pilot's systems may be made to
differ by less than they did: they change places on some segments, by chance, so how much segments vary stays as it
was. To differ by more, the better one gets the same on top wherever they differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.distributions import binomial_cdf, normal_quantile, t_quantile
from adjudge.stats.draws import Generator, block_sizes, generator
from adjudge.stats.resampling import Aggregate, Rows, least_randomised_p, randomisation
from adjudge.stats.significance import significant

Floats = NDArray[np.float64]

CELLS = 2_000_000
"""Numbers that are drawn at a time."""
STEP = 1e-5
"""How far a sum is moved, beside its size, to see how a score depends on it."""


@dataclass(frozen=True)
class Simulated:
    """The share of campaigns that found the difference."""

    power: float
    simulations: int

    @property
    def error(self) -> float:
        """The standard error of the power, from the number of simulations alone."""
        return math.sqrt(self.power * (1 - self.power) / self.simulations)


def normal_rank_sum(
    n: int,
    effect: float,
    *,
    other: int | None = None,
    alpha: float = 0.05,
    sides: int = 2,
    simulations: int = 10_000,
    seed: int,
) -> Simulated:
    """The rank-sum test of normal scores that differ by a shift."""
    m = n if other is None else other
    shift = math.sqrt(2) * abs(float(normal_quantile(effect)))

    def rejections(rng: Generator, count: int) -> int:
        scores = rng.standard_normal((count, n + m))
        scores[:, n:] += shift
        # No score is seen twice, so ranks are places; those of the second system are added up.
        order = np.argsort(scores, axis=1)
        ranks = ((order >= n) * np.arange(1, n + m + 1)).sum(1)
        wins = ranks - m * (m + 1) / 2
        return _significant_wins(wins, n, m, np.zeros(count), alpha, sides)

    return _summarise(rejections, n + m, simulations, seed)


def normal_signed_rank(
    n: int, effect: float, *, alpha: float = 0.05, sides: int = 2, simulations: int = 10_000, seed: int
) -> Simulated:
    """The signed-rank test of normal differences; the effect is that on one segment."""
    shift = abs(float(normal_quantile(effect)))

    def rejections(rng: Generator, count: int) -> int:
        differences = rng.standard_normal((count, n)) + shift
        order = np.argsort(np.abs(differences), axis=1)
        positive = np.take_along_axis(differences > 0, order, axis=1)
        ranks = (positive * np.arange(1, n + 1)).sum(1).astype(np.float64)
        return _significant_ranks(ranks, np.full(count, float(n)), np.zeros(count), alpha, sides)

    return _summarise(rejections, n, simulations, seed)


def pilot_rank_sum(
    a: Floats,
    b: Floats,
    n: int,
    *,
    scale: float = 1.0,
    alpha: float = 0.05,
    sides: int = 2,
    simulations: int = 2_000,
    seed: int,
) -> Simulated:
    """The rank-sum test of n scores of either system, drawn from those of a pilot, each on its own."""
    a, b = _better_last(a, b)
    if scale > 1:
        b = b + (scale - 1) * (b.mean() - a.mean())
    levels, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    chances, other = (
        np.bincount(p, minlength=len(levels)) / len(p) for p in (place[: len(a)], place[len(a) :])
    )
    stay = _staying_chance(scale)
    shares = [stay * chances + (1 - stay) * other, stay * other + (1 - stay) * chances]

    def rejections(rng: Generator, count: int) -> int:
        ours, theirs = (rng.multinomial(n, share, size=count).astype(np.float64) for share in shares)
        below = np.cumsum(ours, axis=1) - ours / 2
        together = ours + theirs
        ties = (together**3 - together).sum(1)
        return _significant_wins((theirs * below).sum(1), n, n, ties, alpha, sides)

    return _summarise(rejections, 4 * len(levels), simulations, seed)


def pilot_signed_rank(
    a: Floats,
    b: Floats,
    n: int,
    *,
    scale: float = 1.0,
    alpha: float = 0.05,
    sides: int = 2,
    simulations: int = 2_000,
    seed: int,
) -> Simulated:
    """The signed-rank test of n segments, drawn from those that both systems have a score for."""
    differences, chances = _scaled_differences(a, b, scale)
    levels, place = np.unique(np.abs(differences), return_inverse=True)
    order = np.argsort(place, kind="stable")
    begins = np.searchsorted(place[order], np.arange(len(levels)))
    positive = (differences > 0)[order]
    nothing = levels[0] == 0  # a segment without a difference has no rank

    def rejections(rng: Generator, count: int) -> int:
        drawn = _draws(rng, chances, n, count)[:, order]
        tied, wins = (np.add.reduceat(kept, begins, axis=1) for kept in (drawn, drawn * positive))
        if nothing:
            tied[:, 0] = 0.0
        ranks = np.cumsum(tied, axis=1) - tied / 2 + 0.5
        ties = (tied**3 - tied).sum(1)
        return _significant_ranks((wins * ranks).sum(1), tied.sum(1), ties, alpha, sides)

    return _summarise(rejections, 4 * len(differences), simulations, seed)


def pilot_sign(
    a: Floats,
    b: Floats,
    n: int,
    *,
    scale: float = 1.0,
    alpha: float = 0.05,
    sides: int = 2,
    simulations: int = 2_000,
    seed: int,
) -> Simulated:
    """The sign test of n segments, drawn from those that both systems have a score for; ties are left out."""
    differences, chances = _scaled_differences(a, b, scale)
    shares = [float(chances[differences > 0].sum()), float(chances[differences < 0].sum())]

    def rejections(rng: Generator, count: int) -> int:
        wins, losses, _ = rng.multinomial(n, [*shares, max(0.0, 1 - sum(shares))], size=count).T
        fewer = np.minimum(wins, losses) if sides == 2 else losses
        untied = wins + losses
        p = np.asarray(sides * binomial_cdf(fewer, np.maximum(untied, 1), 0.5))
        return int(significant(p, alpha)[untied > 0].sum())

    return _summarise(rejections, 3, simulations, seed)


def pilot_rows(
    a: Rows,
    b: Rows,
    aggregate: Aggregate,
    n: int,
    *,
    swapped: bool = True,
    scale: float = 1.0,
    alpha: float = 0.05,
    simulations: int = 2_000,
    seed: int,
    trials: int | None = None,
    threads: int = 0,
) -> Simulated:
    """The paired tests of `compare` (two-sided) on n segments, drawn from a pilot's: units are swapped, or resampled.

    Both tests ask how far a difference may lie from 0 by chance, which for more than a few segments is a normal
    distribution whose deviation needs no trials: a score changes in proportion to the sums of rows it is made of. With
    `trials` the randomisation is done as `compare` does it, which takes a thousand times as long.
    """
    if swapped and not significant(least_randomised_p(n), alpha):
        return Simulated(0.0, simulations)
    a, b, chances = scale_difference(a, b, scale)
    if trials is not None:
        return _randomise(a, b, chances, aggregate, n, alpha, simulations, seed, trials, threads)
    k = a.shape[1]
    both = np.concatenate([a, b], axis=1)
    parts = a - b if swapped else both
    first, second = np.triu_indices(parts.shape[1])
    products = parts[:, first] * parts[:, second] * np.where(first == second, 1.0, 2.0)
    limit = -normal_quantile(alpha / 2) if swapped else -t_quantile(n - 1, alpha / 2) * math.sqrt(n / (n - 1))

    def rejections(rng: Generator, count: int) -> int:
        drawn = _draws(rng, chances, n, count)
        sums = drawn @ both
        ours, theirs = sums[:, :k], sums[:, k:]
        if swapped:
            slopes = _slopes(aggregate, (ours + theirs) / 2)
            mean = 0.0  # what is swapped has none
        else:
            slopes = np.concatenate([_slopes(aggregate, ours), -_slopes(aggregate, theirs)], axis=1)
            mean = (slopes * sums).sum(1) ** 2 / n
        spread = ((drawn @ products) * slopes[:, first] * slopes[:, second]).sum(1) - mean
        delta = aggregate(ours) - aggregate(theirs)
        return int((np.abs(delta) > limit * np.sqrt(np.maximum(spread, 0.0))).sum())

    return _summarise(rejections, len(a) + products.shape[1], simulations, seed)


def scale_difference(a: Rows, b: Rows, scale: float) -> tuple[Rows, Rows, Floats]:
    """Rows to draw from, with their chances, whose mean differs by `scale` times what it did.

    Where rows are the same, they stay so.
    """
    even = np.full(len(a), 1 / len(a))
    if scale == 1:
        return a, b, even
    if scale < 1:
        stay = _staying_chance(scale)
        chances = np.concatenate([stay * even, (1 - stay) * even])
        return np.concatenate([a, b]), np.concatenate([b, a]), chances
    differ = (a != b).any(1)
    share = max(float(differ.mean()), 1 / len(a))
    more = (scale - 1) / share * np.outer(differ, a.mean(0) - b.mean(0))
    return np.asarray(a + more, dtype=np.float64), b, even


def _randomise(
    a: Rows,
    b: Rows,
    chances: Floats,
    aggregate: Aggregate,
    n: int,
    alpha: float,
    simulations: int,
    seed: int,
    trials: int,
    threads: int,
) -> Simulated:
    rng = generator(seed)
    rejections = 0
    for number in range(simulations):
        drawn = rng.choice(len(a), size=n, p=chances)
        test = randomisation(a[drawn], b[drawn], aggregate, trials=trials, seed=number, threads=threads)
        rejections += significant(test.p, alpha)
    return Simulated(rejections / simulations, simulations)


def _slopes(aggregate: Aggregate, sums: Floats) -> Floats:
    """How much a score changes with each of the sums it is made of."""
    slopes = np.empty_like(sums)
    for column in range(sums.shape[1]):
        step = STEP * np.maximum(np.abs(sums[:, column]), 1e-3)
        more, less = sums.copy(), sums.copy()
        more[:, column] += step
        less[:, column] -= step
        slopes[:, column] = (aggregate(more) - aggregate(less)) / (2 * step)
    return np.nan_to_num(slopes)


def _draws(rng: Generator, chances: Floats, n: int, count: int) -> Floats:
    """How often each item is drawn, in so many draws of n with replacement."""
    return rng.multinomial(n, chances, size=count).astype(np.float64)


def _significant_wins(wins: Floats, n: int, m: int, ties: Floats, alpha: float, sides: int) -> int:
    """How many rank-sum tests are significant: normal, corrected for ties and continuity, as the analysis has it."""
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    away = wins - n * m / 2
    away = np.abs(away) - 0.5 if sides == 2 else away - 0.5
    return int((away > -normal_quantile(alpha / sides) * np.sqrt(variance)).sum())


def _significant_ranks(ranks: Floats, n: Floats, ties: Floats, alpha: float, sides: int) -> int:
    """How many signed-rank tests are significant; their n are the segments with a difference."""
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    away = ranks - n * (n + 1) / 4
    away = np.abs(away) if sides == 2 else away
    return int((away > -normal_quantile(alpha / sides) * np.sqrt(variance)).sum())


def _scaled_differences(a: Floats, b: Floats, scale: float) -> tuple[Floats, Floats]:
    worse, better = _better_last(a, b)
    first, second, chances = scale_difference(better[:, None], worse[:, None], scale)
    return (first - second)[:, 0], chances


def _staying_chance(scale: float) -> float:
    """The chance that two systems do not change places on a segment, so that `scale` of their difference is left."""
    return min(1.0, (1 + scale) / 2)


def _better_last(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The better one last: one-sided tests ask whether it is better."""
    return (a, b) if a.mean() <= b.mean() else (b, a)


def _summarise(
    rejections: Callable[[Generator, int], int], cells: int, simulations: int, seed: int
) -> Simulated:
    rng = generator(seed)
    return Simulated(
        sum(rejections(rng, count) for count in block_sizes(simulations, cells, CELLS)) / simulations,
        simulations,
    )
