"""How often people agree with a difference between two systems, as a curve over its size.

Differences are put into bins of as many pairs; shares of agreement are made monotone (pool adjacent violators) and
never less than a half; lines join them, from a half at no difference on. Pairs of one test set are no independent
observations: intervals come from resamples of whole test sets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.shares import wilson as wilson_interval

Array = NDArray[np.float64]
SMALLEST_BIN = 25
"""Pairs that a point of the curve rests on, at least."""
MOST_BINS = 12
NEARLY_ALL = 0.93
"""Agreement from which on resamples of few test sets vary too little."""
LEAST_EFFECT = 0.5
"""Shares that were made monotone vary less than those of their own pairs; hardly ever by more than half."""


@dataclass(frozen=True, eq=False)
class SystemPairs:
    """All pairs of systems within test sets: by how much a metric tells them apart, and whether people agree."""

    test_set: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    """Systems, numbered within their test set."""
    delta: Array
    """How much better the metric scores the one it prefers."""
    agree: Array
    """1 where people prefer the same one, ½ where they do not tell them apart, 0."""
    systems: tuple[int, ...]
    """How many each test set has."""

    @classmethod
    def of(cls, people: Sequence[Array], metric: Sequence[Array]) -> SystemPairs:
        """From scores of systems, one list a test set, more being better; pairs that the metric ties are left out."""
        parts = []
        for place, (gold, scores) in enumerate(zip(people, metric, strict=True)):
            a, b = np.triu_indices(len(gold), 1)
            lead, liked = scores[a] - scores[b], gold[a] - gold[b]
            kept = lead != 0
            agree = (1 + np.sign(lead) * np.sign(liked)) / 2
            parts.append((np.full(kept.sum(), place), a[kept], b[kept], np.abs(lead[kept]), agree[kept]))
        sets, first, second, delta, agree = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls(sets, first, second, delta, agree, tuple(len(gold) for gold in people))

    def __len__(self) -> int:
        return len(self.delta)


@dataclass(frozen=True, eq=False)
class AgreementCurve:
    """Points of the curve, the first of them no difference and a half."""

    delta: Array
    agreement: Array
    low: Array
    high: Array
    pairs: NDArray[np.intp]
    """Behind each point."""

    def at(self, delta: float) -> tuple[float, float, float, int]:
        """Agreement with a difference, its interval, and the pairs that it rests on; flat beyond the last point."""
        values = [
            float(np.interp(abs(delta), self.delta, line)) for line in (self.agreement, self.low, self.high)
        ]
        place = int(np.searchsorted(self.delta, abs(delta), "right"))
        pairs = int(self.pairs[max(place - 1, 0) : place + 1].sum())
        return values[0], values[1], values[2], pairs

    def reaches(self, share: float) -> float:
        """The smallest difference with at least that agreement; infinite where there is none."""
        above = np.flatnonzero(self.agreement >= share)
        if not len(above):
            return math.inf
        first = int(above[0])
        if first == 0:
            return float(self.delta[0])
        left, right = self.agreement[first - 1], self.agreement[first]
        part = (share - left) / (right - left)
        return float(self.delta[first - 1] + part * (self.delta[first] - self.delta[first - 1]))


def agreement_curve(
    pairs: SystemPairs, *, level: float = 0.95, resamples: int = 2000, seed: int
) -> AgreementCurve:
    """The curve through all pairs, with an interval at each of its points."""
    bins = max(1, min(MOST_BINS, len(pairs) // SMALLEST_BIN))
    order = np.argsort(pairs.delta, kind="stable")
    bin_of = np.empty(len(pairs), np.intp)
    bin_of[order] = np.arange(len(pairs)) * bins // len(pairs)
    counts = np.bincount(bin_of, minlength=bins)
    centres = np.bincount(bin_of, pairs.delta, bins) / counts
    agreed = np.bincount(bin_of, pairs.agree, bins).astype(np.float64)
    estimate = _monotone(agreed[None], counts[None].astype(np.float64))[0]
    drawn = _resampled(pairs, bin_of, bins, resamples, np.random.default_rng(seed))
    low, high = _ends(estimate, drawn, counts, len(pairs.systems), level)
    return AgreementCurve(
        np.concatenate([[0.0], centres]),
        np.concatenate([[0.5], estimate]),
        np.concatenate([[0.5], low]),
        np.concatenate([[0.5], high]),
        np.concatenate([[0], counts]),
    )


def _monotone(sums: Array, weights: Array) -> Array:
    """Shares that never fall from bin to bin, nor below a half: pool adjacent violators, row by row.

    By the largest of averages to the left and the smallest to the right (Barlow et al. 1972), which needs no loop over
    rows: a share is the max over starts of the min over ends of the mean between them.
    """
    bins = sums.shape[1]
    above = np.concatenate([np.zeros((len(sums), 1)), sums.cumsum(1)], axis=1)
    below = np.concatenate([np.zeros((len(sums), 1)), weights.cumsum(1)], axis=1)
    shares = np.empty_like(sums)
    for at in range(bins):
        total = above[:, None, at + 1 :] - above[:, : at + 1, None]  # rows × starts × ends
        weight = below[:, None, at + 1 :] - below[:, : at + 1, None]
        known = weight > 0
        means = np.divide(total, weight, out=np.full_like(total, np.inf), where=known)
        least = np.where(known.any(2), means.min(2), -np.inf)
        shares[:, at] = least.max(1)
    return np.clip(shares, 0.5, 1.0)


def _resampled(
    pairs: SystemPairs, bin_of: NDArray[np.intp], bins: int, resamples: int, rng: np.random.Generator
) -> Array:
    """The shares on resamples of whole test sets: resamples × bins."""
    number = len(pairs.systems)
    sums, weights = np.zeros((number, bins)), np.zeros((number, bins))
    np.add.at(sums, (pairs.test_set, bin_of), pairs.agree)
    np.add.at(weights, (pairs.test_set, bin_of), 1.0)
    often = rng.multinomial(number, np.full(number, 1 / number), resamples).astype(np.float64)
    return _monotone(often @ sums, often @ weights)


def _ends(
    estimate: Array, drawn: Array, counts: NDArray[np.intp], test_sets: int, level: float
) -> tuple[Array, Array]:
    """Percentiles, drawn out as Student's t is for few test sets.

    Where nearly all pairs of a bin agree, resamples hardly vary, which shows nothing: there intervals are at least as
    wide as Wilson's, of as many pairs as those of the other bins are worth by their variance.
    """
    from scipy.special import ndtri, stdtrit

    tail = (1 - level) / 2
    free = max(1, test_sets - 1)
    z = float(stdtrit(free, 1 - tail))
    wider = z / float(ndtri(1 - tail)) * math.sqrt((free + 1) / free)
    low, high = np.nanquantile(drawn, [tail, 1 - tail], axis=0)
    low, high = estimate - wider * (estimate - low), estimate + wider * (high - estimate)
    effective = counts / _design_effect(estimate, drawn, counts)
    wilson = np.array(
        [wilson_interval(p, n, 2 * tail, free) for p, n in zip(estimate, effective, strict=True)]
    )
    sure = estimate >= NEARLY_ALL
    low = np.where(sure, np.minimum(low, wilson[:, 0]), low)
    high = np.where(sure, np.maximum(high, wilson[:, 1]), high)
    # What holds for a smaller difference holds for a larger one.
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]
    return np.clip(low, 0.5, estimate), np.clip(high, estimate, 1.0)


def _design_effect(estimate: Array, drawn: Array, counts: NDArray[np.intp]) -> float:
    """How many pairs say as much as a single one that stands for itself, over bins where resamples vary."""
    telling = (estimate > 0.55) & (estimate < NEARLY_ALL)
    if not telling.any():
        return 1.0
    variance = np.nanvar(drawn[:, telling], axis=0)
    p = estimate[telling]
    return max(LEAST_EFFECT, float(np.median(variance * counts[telling] / (p * (1 - p)))))
