"""Pairs of systems on two halves of a test set: whose order changes, as far as the segments can tell.

Which differences are sure is decided for all pairs and both halves together (Holm), so that with a chance of 1 − alpha
no sure difference points the wrong way. Then at least as many pairs change their order as surely do, and at least as
many keep it as surely do: that bounds the share of pairs that change it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats import multiple
from adjudge.stats.correlation import CORRELATIONS
from adjudge.stats.distributions import normal_quantile, t_cdf
from adjudge.stats.equivalence import LEAST_P, resampled_error
from adjudge.stats.significance import significant

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bounded:
    """A number and the interval that holds it; NaN where nothing is known."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class HalfDraws:
    """All systems on one half: their scores, and the same on resamples of its segments."""

    scores: Floats
    resampled: Floats
    """Resamples × systems."""
    units: int


def difference_p_values(half: HalfDraws, pairs: Sequence[tuple[int, int]]) -> Floats:
    """Two-sided p of every difference, by Student's t with the standard error over resamples."""
    values = []
    for a, b in pairs:
        delta = float(half.scores[a] - half.scores[b])
        apart = half.resampled[:, a] - half.resampled[:, b]
        known = apart[~np.isnan(apart)]
        error = resampled_error(float(known.std(ddof=1)), half.units) if len(known) > 1 else math.nan
        if math.isnan(error) or math.isnan(delta) or error <= 0:
            values.append(1.0)
        else:
            values.append(max(LEAST_P, float(2 * t_cdf(half.units - 1, -abs(delta) / error))))
    return np.array(values)


@dataclass(frozen=True, eq=False)
class Flips:
    """Of every pair whether its order is another one on the other half, and how sure that is."""

    flips: NDArray[np.bool_]
    sure_flips: NDArray[np.bool_]
    """Both differences are significant, and they point in opposite ways."""
    sure_same: NDArray[np.bool_]
    p_forward: Floats
    """Corrected over all pairs and both halves."""
    p_reverse: Floats

    def share(self, which: NDArray[np.bool_] | None = None) -> Bounded:
        """The share of (these) pairs that change their order, between what is sure and what cannot be ruled out."""
        chosen = np.ones(len(self.flips), dtype=bool) if which is None else which
        count = int(chosen.sum())
        if not count:
            return Bounded(math.nan, math.nan, math.nan)
        low = float(self.sure_flips[chosen].mean())
        high = 1 - float(self.sure_same[chosen].mean())
        return Bounded(float(self.flips[chosen].mean()), low, high)


def flips(
    forward: Floats, reverse: Floats, p_forward: Floats, p_reverse: Floats, *, alpha: float = 0.05
) -> Flips:
    """Differences of all pairs on both halves with their uncorrected p; corrected together (Holm)."""
    joint = multiple.adjust_p_values(np.concatenate([p_forward, p_reverse]), "holm")
    first, second = joint[: len(p_forward)], joint[len(p_forward) :]
    both = significant(first, alpha) & significant(second, alpha)
    opposite = forward * reverse < 0
    return Flips(opposite, both & opposite, both & (forward * reverse > 0), first, second)


SPREAD: dict[str, Callable[[float, int], float]] = {
    "pearson": lambda r, n: 1 / (n - 3),
    "spearman": lambda r, n: (1 + r**2 / 2) / (n - 3),
    "kendall": lambda r, n: 0.437 / (n - 4),
}
"""The variance of a correlation over n systems on Fisher's scale (Bonett and Wright 2000; Fieller et al. 1957)."""
FEWEST = 5
"""Systems below which nothing is said of how far a correlation may be off."""


def bounded_correlation(name: str, first: Floats, second: Floats, *, confidence: float = 0.95) -> Bounded:
    """Pearson's, Spearman's or Kendall's correlation of two lists of systems' scores, for other systems of their kind.

    Segments that were drawn anew would not tell: correlations on resamples are lower than the one seen, which is itself
    lower than that of scores without error.
    """
    systems = len(first)
    if systems < 3:
        return Bounded(math.nan, math.nan, math.nan)
    value = float(CORRELATIONS[name](first[None], second)[0])
    if math.isnan(value) or systems < FEWEST:
        return Bounded(value, math.nan, math.nan)
    if abs(value) > 1 - 1e-12:
        return Bounded(value, math.nan, math.nan)  # no room to say how far it may be off
    reach = float(normal_quantile((1 + confidence) / 2)) * math.sqrt(SPREAD[name](value, systems))
    middle = math.atanh(value)
    return Bounded(value, math.tanh(middle - reach), math.tanh(middle + reach))
