"""Which items to judge where not all can be: those that metrics say most of, or a sample that is fair to all.

Scores of metrics are metrics × systems × items, more being better; each metric is put on one scale first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.draws import Generator

Array = NDArray[np.float64]


def scale_metrics(scores: Array) -> Array:
    """Each metric with mean 0 and standard deviation 1 over all its scores; constant ones are 0."""
    mean = scores.mean((1, 2), keepdims=True)
    deviation = scores.std((1, 2), keepdims=True)
    return np.asarray((scores - mean) / np.where(deviation > 0, deviation, 1.0))


def variance(scores: Array) -> Array:
    """How far systems lie apart on each item, on average over metrics."""
    return np.asarray(scale_metrics(scores).var(1).mean(0))


def difficulty(scores: Array) -> Array:
    """How low systems score on each item."""
    return np.asarray(-scale_metrics(scores).mean((0, 1)))


def disagreement(scores: Array) -> Array:
    """How differently metrics see the systems on each item: the variance between metrics, on average over systems."""
    return np.asarray(scale_metrics(scores).var(0).mean(0))


def consistency(scores: Array) -> Array:
    """How well each item orders the systems as all items together do: Kendall's tau, on average over metrics."""
    first, second = np.triu_indices(scores.shape[1], 1)
    whole = np.sign(scores.mean(2)[:, first] - scores.mean(2)[:, second])
    signs = np.sign(scores[:, first] - scores[:, second])
    return np.asarray((signs * whole[:, :, None]).mean((0, 1)))


def highest(utility: Array, count: int) -> NDArray[np.intp]:
    """The items of the highest utility, in their order; of equal ones the first."""
    return np.sort(np.argsort(-utility, kind="stable")[:count])


def systematic(order: Array, count: int, rng: Generator) -> NDArray[np.intp]:
    """A sample spread evenly over the items as `order` sorts them: each has the same chance, count by items.

    One item is drawn from every stretch of items / count (Madow & Madow 1944), so that none of them is left out and
    means are those of a random sample, but vary less.
    """
    items = len(order)
    # Equal items in random order, so that their place in the file does not decide.
    places = np.lexsort((rng.random(items), order))
    step = items / count
    drawn = np.floor(rng.random() * step + step * np.arange(count)).astype(np.intp)
    return np.sort(places[np.minimum(drawn, items - 1)])
