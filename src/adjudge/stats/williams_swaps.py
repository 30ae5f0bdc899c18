"""Does one metric correlate better with people over systems than another? Swaps of whole systems, by Williams' t.

Metrics are put on one scale by their own scores before these are swapped, and with a dozen systems that scale is itself
chance: by the bare difference of correlations the test finds too much. A difference over its error depends far less on
it (`docs/meta.md` has how much), and nothing is asked of how scores are spread.
"""

from __future__ import annotations

import numpy as np

from adjudge.stats.item_groups import Array
from adjudge.stats.metric_swaps import (
    NUMBERS,
    ROUNDING,
    Coins,
    MetricPermutations,
    coins,
    is_exhaustive,
    standardised,
)
from adjudge.stats.williams import williams_t

FEWEST = 4
"""Systems for which a difference has an error."""


def williams_permutations(gold: Array, metrics: Array, *, draws: int = 1000, seed: int) -> MetricPermutations:
    """Permutations of Williams' t of every two metrics; `gold` has a score a system, `metrics` metrics × systems."""
    scaled = standardised(metrics, np.ones(len(gold), bool))
    people = gold - gold.mean()
    shape = (len(gold), 1)
    held = max(len(gold), NUMBERS // len(scaled) ** 2 * len(gold))
    parts = [_swapped(people, scaled, faces) for faces in coins(shape, "systems", draws, seed, held=held)]
    untouched = np.zeros((1, len(gold)), np.uint8)
    first = _swapped(people, scaled, untouched)[0]
    return MetricPermutations(
        _correlations(people, scaled),
        np.concatenate(parts),
        is_exhaustive(shape, "systems", draws),
        observed=first,
    )


def _correlations(people: Array, scaled: Array) -> Array:
    """Each metric's r with people; NaN for one that is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((scaled @ people) / np.sqrt((scaled**2).sum(1) * (people**2).sum()))


def _swapped(people: Array, scaled: Array, faces: Coins) -> Array:
    """Draws × metrics × metrics: t of two metrics whose scores of some systems are swapped."""
    count = len(people)
    totals = [scaled, scaled**2, scaled * people]
    first, square, product = (_hybrid(part, faces) for part in totals)
    variance = np.maximum(square - first**2 / count, 0.0)
    variance[variance < ROUNDING * count] = np.nan
    along = product / np.sqrt(variance * (people**2).sum())
    other = np.swapaxes(along, 1, 2)
    # What both say of a system is multiplied the same whoever said it: only means change.
    between = scaled @ scaled.T - first * np.swapaxes(first, 1, 2) / count
    between = np.clip(between / np.sqrt(variance * np.swapaxes(variance, 1, 2)), -1, 1)
    t = williams_t(along, other, between, count)
    # Two that say the same differ by nothing; two that leave no error by more than any.
    without = np.isnan(t) & ~np.isnan(along) & ~np.isnan(other)
    difference = along - other
    t[without] = np.where(np.abs(difference) > ROUNDING, np.copysign(np.inf, difference), 0.0)[without]
    return t


def _hybrid(part: Array, faces: Coins) -> Array:
    """Draws × metrics × metrics: sums over systems of the first metric's scores, swapped ones being the second's."""
    moved = faces @ part.T
    return np.asarray((part.sum(1) - moved)[:, :, None] + moved[:, None, :])
