"""The sign-flip test: whether differences, one a unit, lie about zero, by turning their signs in all ways.

Under no difference each unit's could as well have the other sign (Fisher 1935). Of differences that are all of one size
this is the sign test. Nothing is drawn: the chances of all sums have a Fourier transform that is a product of cosines.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.distributions import binomial_cdf

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
    turned = (total - seen) // 2  # the most that the smaller side may add up to
    if len(kinds[0]) == 1:
        return min(1.0, 2 * float(binomial_cdf(turned, len(sizes), 0.5)))
    p = 2 * float(_chances(*kinds, total)[: turned + 1].sum())
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
