"""Tests that ask only which score is higher: Wilcoxon's rank-sum and signed-rank tests and the sign test.

Higher is better throughout; negate scores where it is not. p-values are those of `scipy.stats` (mannwhitneyu, wilcoxon,
binomtest), except where that has none: where nothing can be told apart because all scores are equal, p is 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.stats.distributions import binomial_cdf, normal_cdf

Floats: TypeAlias = NDArray[np.float64]

ALTERNATIVES = ("two-sided", "greater", "less")
METHODS = ("asymptotic", "exact")
ZEROS = ("wilcox", "pratt")
"""Pairs without a difference: left out before ranking (Wilcoxon 1945), or after it (Pratt 1959)."""
TESTS = ("rank-sum", "signed-rank", "sign")
EXACT = 200
"""So many scores can be dealt out in all ways in a moment."""
BLOCK = 1 << 20
"""Scores of pairs of systems that are ranked at a time."""


@dataclass(frozen=True)
class RankSumResult:
    """Whether the scores in one list tend to be higher than those in another; lists need not be of one length."""

    statistic: float
    """Mann and Whitney's U: in how many pairs (one of a, one of b) a's is the higher one; equals count half."""
    p: float
    counts: tuple[int, int]
    superiority: float
    """U as a share of all pairs: the probability that a score of a is higher than one of b, equals half."""


@dataclass(frozen=True)
class SignedRankResult:
    """Whether one list is higher than another, number by number, large differences counting more."""

    positive: float
    """Sum of the ranks of differences in favour of a."""
    negative: float
    p: float
    counted: int
    """Pairs that differ."""


@dataclass(frozen=True)
class SignTest:
    """Whether one list is higher than another, number by number, whatever the size of the differences."""

    wins: int
    ties: int
    losses: int
    p: float


@dataclass(frozen=True, eq=False)
class PairTests:
    """All pairs of systems, row against column; NaN where two were never scored on the same segment."""

    p: Floats
    beats: Floats
    """Share of common segments on which the row's score is the higher one; ties are for neither."""
    segments: NDArray[np.int64]
    """Common segments."""
    share: Floats
    """What was tested, as the share that speaks for the row (0.5: for neither): of pairs of scores, one of each system,
    in a rank-sum test (superiority), of ranks in a signed-rank test, of segments that differ in a sign test.
    """
    counts: Floats
    """What of the row was tested: its scores in a rank-sum test; otherwise the segments of both that differ."""
    ties: Floats
    """By how much ties make the variance of a rank-sum smaller: 0 without any, 1 where all scores are equal."""


def rank_sum(
    a: Floats,
    b: Floats,
    *,
    alternative: str = "two-sided",
    continuity: bool = True,
    method: str = "asymptotic",
) -> RankSumResult:
    """Wilcoxon's rank-sum test, also known as Mann and Whitney's.

    The normal approximation corrected for ties is good for some ten scores a side; for fewer `exact` deals the scores
    to the two sides in all ways, which is right with ties too.
    """
    _check(alternative, method)
    a, b = _scores(a, "a"), _scores(b, "b")
    ranks = _native.average_ranks(np.concatenate([a, b])[None], 1)[0]
    above, n, m = float(ranks[: len(a)].sum()), len(a), len(b)
    u = above - n * (n + 1) / 2
    if method == "exact":
        p = _tails(_dealt(ranks, n), 2 * above, alternative)
    else:
        squares = np.array([(ranks**2).sum()])
        counts = np.array([float(n)]), np.array([float(m)])
        p = float(_rank_sum_p(np.array([u]), *counts, squares, alternative, continuity)[0])
    return RankSumResult(u, p, (n, m), u / (n * m))


def signed_rank(
    a: Floats,
    b: Floats,
    *,
    alternative: str = "two-sided",
    zeros: str = "wilcox",
    continuity: bool = False,
    method: str = "asymptotic",
) -> SignedRankResult:
    """Wilcoxon's signed-rank test of scores in pairs.

    The normal approximation is good for some twenty pairs that differ; for fewer `exact` turns the differences' signs
    in all ways, which is right with ties too.
    """
    _check(alternative, method)
    if zeros not in ZEROS:
        raise unknown_name("treatment of zeros", zeros, ZEROS)
    difference = _paired_differences(a, b)
    if zeros == "wilcox":
        difference = difference[difference != 0]
    ranks = _native.average_ranks(np.abs(difference)[None], 1)[0] if len(difference) else difference
    ranks = np.where(difference != 0, ranks, 0.0)
    positive, negative = float(ranks[difference > 0].sum()), float(ranks[difference < 0].sum())
    if method == "exact":
        p = _tails(_sign_distribution(ranks[ranks > 0]), 2 * positive, alternative)
    else:
        ahead, behind, squares = np.array([positive]), np.array([negative]), np.array([(ranks**2).sum()])
        p = float(_signed_rank_p(ahead, behind, squares, alternative, continuity)[0])
    return SignedRankResult(positive, negative, p, int((difference != 0).sum()))


def sign_test(a: Floats, b: Floats, *, alternative: str = "two-sided") -> SignTest:
    """The sign test of scores in pairs; ties say nothing and are left out (exact)."""
    _check(alternative)
    difference = _paired_differences(a, b)
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    p = float(_sign_p(np.array([wins]), np.array([losses]), alternative)[0])
    return SignTest(wins, len(difference) - wins - losses, losses, p)


def all_pairs(
    scores: Floats,
    test: str = "rank-sum",
    *,
    alternative: str = "two-sided",
    common: bool = True,
    continuity: bool | None = None,
    zeros: str = "wilcox",
    rounding: float = 0.0,
    threads: int = 0,
) -> PairTests:
    """A test of every pair of systems (rows) on their segments (columns); NaN is a score that is not there.

    The rank-sum test takes the segments that both systems of a pair have, or with `common=False` all that each has, as
    WMT21 did; paired tests take the common ones in any case. All are asymptotic but the sign test. Continuity is
    corrected for as scipy does by default: in the rank-sum test, not in the signed-rank test. Scores and differences
    that lie no further apart than `rounding` tie: means that are equal may differ in the last digit, by the order in
    which they were added up, and no rank may depend on that.
    """
    _check(alternative)
    if test not in TESTS:
        raise unknown_name("test", test, TESTS)
    if zeros not in ZEROS:
        raise unknown_name("treatment of zeros", zeros, ZEROS)
    if scores.ndim != 2:
        raise UsageError(f"scores of systems on segments have two axes, not {scores.ndim}")
    if np.isinf(scores).any():
        raise DataError("infinite scores cannot be ranked")
    continuity = test == "rank-sum" if continuity is None else continuity
    scores = _level_ties(scores, rounding)
    segments, beats = _beats(scores)
    p = np.full(segments.shape, math.nan)
    pairs = np.triu_indices(len(scores), 1)
    back = pairs[::-1]
    share, counts, tied = (np.full(segments.shape, math.nan) for _ in range(3))
    with np.errstate(invalid="ignore", divide="ignore"):
        if test == "rank-sum":
            u, n, m, squares = _rank_sums(scores, pairs, common, threads)
            p[pairs] = _rank_sum_p(u, n, m, squares, alternative, continuity)
            p[back] = _rank_sum_p(n * m - u, m, n, squares, alternative, continuity)
            share[pairs], counts[pairs], counts[back] = u / (n * m), n, m
            tied[pairs] = tied[back] = _tie_correction(n + m, squares)
        elif test == "signed-rank":
            positive, negative, squares, differ = _signed_ranks(scores, pairs, zeros, rounding, threads)
            p[pairs] = _signed_rank_p(positive, negative, squares, alternative, continuity)
            p[back] = _signed_rank_p(negative, positive, squares, alternative, continuity)
            share[pairs] = positive / (positive + negative)
            counts[pairs] = counts[back] = differ
        else:
            wins = np.rint(np.nan_to_num(beats) * segments).astype(np.int64)
            p[pairs] = _sign_p(wins[pairs], wins[back], alternative)
            p[back] = _sign_p(wins[back], wins[pairs], alternative)
            share[pairs] = wins[pairs] / (wins[pairs] + wins[back])
            counts[pairs] = counts[back] = wins[pairs] + wins[back]
    share[back] = 1 - share[pairs]
    if test != "rank-sum":
        p[segments == 0] = math.nan
    return PairTests(p, beats, segments, share, counts, tied)


def _level_ties(values: Floats, rounding: float) -> Floats:
    """Values in which neighbours that differ by at most `rounding` are made equal."""
    if not rounding:
        return values
    known = ~np.isnan(values)
    levels, place = np.unique(values[known], return_inverse=True)
    apart = np.diff(levels, prepend=-math.inf) > rounding
    levelled = values.copy()
    levelled[known] = levels[apart][np.cumsum(apart) - 1][place]
    return levelled


def _beats(scores: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Common segments of every two systems, and on which share of them the row is the better one."""
    present = ~np.isnan(scores)
    known = present.astype(np.float64)
    segments = np.rint(known @ known.T).astype(np.int64)
    # NaN is higher than nothing, so only common segments can be won.
    wins = np.array([(score > scores).sum(1) for score in scores]).reshape(segments.shape)
    with np.errstate(invalid="ignore"):
        beats = wins / segments
    np.fill_diagonal(beats, math.nan)
    return segments, beats


def _rank_sums(
    scores: Floats, pairs: tuple[NDArray[np.intp], NDArray[np.intp]], common: bool, threads: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """For each pair U of the first system, both numbers of scores, and the sum of squared ranks."""
    given = ~np.isnan(scores)
    # Places among all scores stand for them: as small whole numbers they are sorted faster.
    places = np.full(scores.shape, math.inf)
    places[given] = np.unique(scores[given], return_inverse=True)[1]
    width = scores.shape[1]
    u, n, m, squares = (np.empty(len(pairs[0])) for _ in range(4))
    for block in _blocks(len(pairs[0]), 2 * width):
        first, second = pairs[0][block], pairs[1][block]
        both = np.concatenate([places[first], places[second]], axis=1)
        if common:
            lacking = ~(given[first] & given[second])
            both[np.concatenate([lacking, lacking], axis=1)] = math.inf
        # What is not there is ranked behind all others and so changes none of their ranks.
        ranks = _native.average_ranks(both, threads)
        present = np.isfinite(both)
        ranks[~present] = 0.0
        n[block], m[block] = present[:, :width].sum(1), present[:, width:].sum(1)
        u[block] = ranks[:, :width].sum(1) - n[block] * (n[block] + 1) / 2
        squares[block] = np.einsum("ij,ij->i", ranks, ranks)
    return u, n, m, squares


def _signed_ranks(
    scores: Floats,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    zeros: str,
    rounding: float,
    threads: int,
) -> tuple[Floats, Floats, Floats, Floats]:
    """For each pair the sums of ranks for either system, of all ranks squared, and how many segments differ."""
    positive, negative, squares, differ = (np.empty(len(pairs[0])) for _ in range(4))
    for block in _blocks(len(pairs[0]), scores.shape[1]):
        difference = scores[pairs[0][block]] - scores[pairs[1][block]]
        apart = _level_ties(np.abs(difference), rounding)
        differs = apart > rounding
        ranked = differs if zeros == "wilcox" else ~np.isnan(difference)
        ranks = _native.average_ranks(np.where(ranked, apart, math.inf), threads)
        ranks[~differs] = 0.0
        positive[block] = np.where(difference > 0, ranks, 0.0).sum(1)
        negative[block] = ranks.sum(1) - positive[block]
        squares[block] = np.einsum("ij,ij->i", ranks, ranks)
        differ[block] = differs.sum(1)
    return positive, negative, squares, differ


def _blocks(count: int, width: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(width, 1))
    for begin in range(0, count, step):
        yield slice(begin, min(begin + step, count))


def _rank_sum_p(
    u: Floats, n: Floats, m: Floats, squares: Floats, alternative: str, continuity: bool
) -> Floats:
    total = n + m
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (total + 1) * (1 - _tie_correction(total, squares))
        # One score that differs from all others leaves 3; less is nothing but rounding.
        deviation = np.sqrt(n * m / 12 * np.where(spread > 1, spread, 0.0))
        above = u - n * m / 2
        ahead = {"two-sided": np.abs(above), "greater": above, "less": -above}[alternative]
        p = normal_cdf(-(ahead - 0.5 * continuity) / deviation)
    p = np.minimum(1.0, 2 * p) if alternative == "two-sided" else p
    p = np.where(deviation > 0, p, 1.0)
    return np.where(n * m > 0, p, math.nan)


def _tie_correction(total: Floats, squares: Floats) -> Floats:
    """By how much ties make the variance of a rank-sum smaller, from how many scores and their squared ranks."""
    # Ranks without ties have squares that add up to total (total + 1) (2 total + 1) / 6; a tie of t takes
    # (t³ − t) / 12 from that.
    ties = 2 * total * (total + 1) * (2 * total + 1) - 12 * squares
    return np.asarray(ties / (total**3 - total), dtype=np.float64)


def _signed_rank_p(
    positive: Floats, negative: Floats, squares: Floats, alternative: str, continuity: bool
) -> Floats:
    # Under no difference each rank falls to either side by a coin.
    deviation, above = np.sqrt(squares / 4), (positive - negative) / 2
    ahead = {"two-sided": np.abs(above), "greater": above, "less": -above}[alternative]
    if continuity:
        ahead = ahead - 0.5 * (np.sign(ahead) if alternative == "two-sided" else 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = normal_cdf(-(np.abs(ahead) if alternative == "two-sided" else ahead) / deviation)
    return np.where(deviation > 0, np.minimum(1.0, 2 * p) if alternative == "two-sided" else p, 1.0)


def _sign_p(wins: NDArray[np.int64], losses: NDArray[np.int64], alternative: str) -> Floats:
    ahead = {"two-sided": np.maximum(wins, losses), "greater": wins, "less": losses}[alternative]
    # As many wins or more are as likely as so few losses or less.
    p = np.asarray(
        binomial_cdf((wins + losses - ahead).astype(np.float64), wins + losses, 0.5), dtype=np.float64
    )
    if alternative == "two-sided":
        p = np.minimum(1.0, 2 * p)
    return p


def _dealt(ranks: Floats, chosen: int) -> Floats:
    """How likely each sum of doubled ranks is when so many of them are dealt to one side."""
    if len(ranks) > EXACT:
        raise UsageError(
            f"{len(ranks)} scores are too many for the exact test ({EXACT} at most): use asymptotic"
        )
    whole = np.rint(2 * ranks).astype(int)  # ties have halves
    ways = np.zeros((chosen + 1, int(whole.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in whole:
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    chance: Floats = ways[chosen] / ways[chosen].sum()
    return chance


def _sign_distribution(ranks: Floats) -> Floats:
    """How likely each sum of doubled ranks is when each rank falls to either side by a coin."""
    if len(ranks) > EXACT:
        raise UsageError(
            f"{len(ranks)} pairs are too many for the exact test ({EXACT} at most): use asymptotic"
        )
    whole = np.rint(2 * ranks).astype(int)
    chance = np.zeros(int(whole.sum()) + 1)
    chance[0] = 1.0
    for rank in whole:
        chance[rank:] += chance[: len(chance) - rank].copy()
        chance /= 2
    return chance


def _tails(chance: Floats, doubled: float, alternative: str) -> float:
    at = round(doubled)
    lower, upper = float(chance[: at + 1].sum()), float(chance[at:].sum())
    return min(1.0, {"two-sided": 2 * min(lower, upper), "greater": upper, "less": lower}[alternative])


def _check(alternative: str, method: str = METHODS[0]) -> None:
    if alternative not in ALTERNATIVES:
        raise unknown_name("alternative", alternative, ALTERNATIVES)
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)


def _scores(values: Floats, name: str) -> Floats:
    values = np.asarray(values, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise UsageError(f"{name} is not a list of scores")
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        raise DataError(
            f"score {place + 1} of {name} is {values[place]}: leave out what is missing before ranking"
        )
    return values


def _paired_differences(a: Floats, b: Floats) -> Floats:
    a, b = _scores(a, "a"), _scores(b, "b")
    if len(a) != len(b):
        raise UsageError(f"scores in pairs, but {len(a)} of a and {len(b)} of b")
    return a - b
