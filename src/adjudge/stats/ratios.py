"""Whether two shares differ that were counted on the same segments, of which each system has a number of its own.

Errors in a hundred words: a system that says less has fewer words to err in. To change whole segments over would ask
whether the systems are alike in everything, lengths included. Here the errors that both have in a segment are held
against how many of them would be each one's, had they the same share (Mantel and Haenszel 1959), and these
differences are turned round; a segment without errors says nothing.

`sign_flip` asks whether differences, one a unit, lie about zero, by turning their signs in all ways. Under no
difference each unit's could as well have the other sign (Fisher 1935). Of differences that are all of one size this is
the sign test. Nothing is drawn: the chances of all sums have a Fourier transform that is a product of cosines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.distributions import binomial_cdf
from adjudge.stats.units import Units

Floats = NDArray[np.float64]
Share = tuple[Floats, Floats, Floats, Floats]
"""Counts of a, what they are of, counts of b, what they are of: a number a segment each."""
STEPS = 4096
"""Sums of differences that are told apart."""


@dataclass(frozen=True)
class RatioTest:
    """Two shares, or sums of shares, on the same segments."""

    delta: float
    """The first less the second; NaN where one of them has nothing to be a share of."""
    p: float
    """1 where the segments, each by itself, point the other way than the whole."""


def ratio_test(*shares: Share, units: Units | None = None) -> RatioTest:
    """The difference of two shares, tested by turning signs of units; of several shares, that of their sums.

    Without units every segment is one.
    """
    together = Units.of(len(shares[0][0])) if units is None else units
    if not all(of_a.sum() and of_b.sum() for _, of_a, _, of_b in shares):
        return RatioTest(math.nan, math.nan)
    delta = sum(float(a.sum() / of_a.sum() - b.sum() / of_b.sum()) for a, of_a, b, of_b in shares)
    if len(shares) == 1 and np.array_equal(shares[0][1], shares[0][3]):
        return RatioTest(
            delta, sign_flip(together.sums(shares[0][0] - shares[0][2]))
        )  # whole numbers, and ties are ties
    excess = together.sums(np.sum([_excess(*share) for share in shares], axis=0))
    if delta * excess.sum() <= 0:
        return RatioTest(delta, 1.0)
    return RatioTest(delta, sign_flip(STEPS / np.abs(excess).sum() * excess))


def _excess(a: Floats, of_a: Floats, b: Floats, of_b: Floats) -> Floats:
    """What a has beyond its part of the errors that both have in each segment, as a share."""
    both = of_a + of_b
    part = np.divide(of_a, both, out=np.zeros_like(both), where=both > 0)
    scale = (of_a.sum() + of_b.sum()) / (of_a.sum() * of_b.sum())
    excess: Floats = scale * (a - (a + b) * part)
    return excess


POINTS = 1 << 16
"""Sums that are told apart; where there would be more, differences are rounded, which keeps the test exact."""
LEAST = 1e-12
"""Where rounding of the transform would be mistaken for chance; p stays above it."""


def sign_flip(values: NDArray[np.float64], *, parts: int = 1) -> float:
    """The two-sided p of the sum of the values; `parts` is a number by which all of them become whole."""
    sizes = np.rint(np.abs(values) * _grain(values, parts)).astype(np.int64)
    signed = np.where(values < 0, -sizes, sizes)
    sizes = sizes[sizes > 0]
    seen = abs(int(signed.sum()))
    if not sizes.size or not seen:
        return 1.0
    sizes, seen = sizes // (common := int(np.gcd.reduce(sizes))), seen // common
    total, kinds = int(sizes.sum()), np.unique(sizes, return_counts=True)
    smaller_side = (total - seen) // 2  # the most that the smaller side may add up to
    if len(kinds[0]) == 1:
        return min(1.0, 2 * float(binomial_cdf(smaller_side, len(sizes), 0.5)))
    p = 2 * float(_chances(*kinds, total)[: smaller_side + 1].sum())
    return min(1.0, max(p, LEAST, 2.0 ** (1 - len(sizes))))


def _grain(values: NDArray[np.float64], parts: int) -> float:
    return min(float(parts), POINTS / max(float(np.abs(values).sum()), 1e-300))


def _chances(sizes: NDArray[np.int64], counts: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """How likely each sum from 0 to the total is when each size is taken or not by a coin."""
    length = 1 << math.ceil(math.log2(total + 1))
    circle = np.cos(np.arange(2 * length) * (np.pi / length))
    step = np.arange(length // 2 + 1, dtype=np.int64)
    waves = np.ones(len(step))
    for size, count in zip(sizes, counts, strict=True):
        waves *= circle[step * size % (2 * length)] ** count
    # Every sum lies about half the total: a shift, which is a turn of the wave's phase.
    chances = np.fft.irfft(waves * np.exp(-1j * np.pi * (step * total % (2 * length)) / length), length)
    return np.maximum(chances, 0.0)
