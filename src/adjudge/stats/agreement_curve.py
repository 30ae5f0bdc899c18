"""How often people agree with a metric's difference between two systems, as a curve over its size.

A hierarchical model over test sets. For two systems of test set s whose scores differ by d,

    logit P(people prefer the same one) = exp(u_s) (d / scale)^exponent,

so no difference is a coin toss, and a larger one never counts for less. The steepness of a test set varies:

    u_s = level + trend (year_s - last year) / 5 + campaign_year + own_s,

where `campaign` (what all test sets of a year share: protocol, annotators, kind of systems) and `own` are normal. All
unknowns lie on grids, so the posterior is summed exactly and nothing is drawn. What is reported is for a *new* test set
of a new campaign in the last year: the mean of its curve, and the interval that its curve lies in.

Pairs that share a system are not independent. Each test set's log-likelihood is therefore divided by the factor by
which the variance of Kendall's tau exceeds that of as many independent pairs, (2n + 5) / 9 for n systems (Kendall and
Gibbons 1990, chapter 4); adjusting a composite likelihood so is due to Pauli, Racugno and Ventura (2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEEPNESS = np.linspace(-5, 5, 101)
EXPONENTS = np.linspace(0.4, 1.4, 11)
LEVELS = np.linspace(-2.5, 2.5, 41)
TRENDS = np.linspace(-1.5, 1.5, 13)
"""Changes of the steepness in five years."""
SET_DEVIATIONS = np.linspace(0.1, 1.6, 11)
YEAR_DEVIATIONS = np.array([0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0])
SET_PRIOR, YEAR_PRIOR, TREND_PRIOR = 0.75, 0.5, 1.0
"""Scales of the priors: half-normal for the two deviations, normal for the trend.

Of those tried, these predict whole years left out best (docs/differences.md)."""
MOST_PAIRS = 2000
"""Pairs of one test set beyond which neighbours by size are taken together."""
POINTS = 40
"""At which a curve is kept; lines join them."""


@dataclass(frozen=True, eq=False)
class SystemPairs:
    """All pairs of systems within test sets: by how much a metric tells them apart, and whether people agree."""

    test_set: NDArray[np.intp]
    delta: Array
    """How much better the metric scores the one it prefers."""
    agree: Array
    """1 where people prefer the same one, ½ where they do not tell them apart, 0."""
    systems: tuple[int, ...]
    """How many each test set has."""
    years: tuple[int, ...] | None = None
    """Of each test set; None where that of any is unknown."""

    @classmethod
    def of(
        cls, people: Sequence[Array], metric: Sequence[Array], years: Sequence[int | None] = ()
    ) -> SystemPairs:
        """From scores of systems, one list per test set, more being better; pairs that the metric ties are left out."""
        parts = []
        for place, (gold, scores) in enumerate(zip(people, metric, strict=True)):
            a, b = np.triu_indices(len(gold), 1)
            lead, liked = scores[a] - scores[b], gold[a] - gold[b]
            kept = lead != 0
            agree = (1 + np.sign(lead) * np.sign(liked)) / 2
            parts.append((np.full(kept.sum(), place), np.abs(lead[kept]), agree[kept]))
        sets, delta, agree = (np.concatenate(column) for column in zip(*parts, strict=True))
        known = tuple(year for year in years if year is not None)
        return cls(
            sets,
            delta,
            agree,
            tuple(len(gold) for gold in people),
            known if known and len(known) == len(people) else None,
        )

    def __len__(self) -> int:
        return len(self.delta)

    def of_sets(self, chosen: Sequence[int]) -> SystemPairs:
        """Only the pairs of some test sets, in their order."""
        rows = [np.flatnonzero(self.test_set == place) for place in chosen]
        every = np.concatenate(rows)
        return SystemPairs(
            np.repeat(np.arange(len(chosen)), [len(row) for row in rows]),
            self.delta[every],
            self.agree[every],
            tuple(self.systems[place] for place in chosen),
            None if self.years is None else tuple(self.years[place] for place in chosen),
        )


@dataclass(frozen=True, eq=False)
class AgreementCurve:
    """Points of the curve, the first of them no difference and a half."""

    delta: Array
    agreement: Array
    low: Array
    high: Array
    """Ends of the interval that the curve of a new test set lies in."""
    pairs: NDArray[np.intp]
    """Of which this is the nearest point."""

    @classmethod
    def through(cls, places: Array, lines: Sequence[Array], delta: Array) -> AgreementCurve:
        """From points and their agreement, low and high end; `delta` are the differences of the data behind them."""
        nearest = np.searchsorted((places[1:] + places[:-1]) / 2, delta)
        agreement, low, high = lines
        return cls(places, agreement, low, high, np.bincount(nearest, minlength=len(places)))

    def stretched(self, ratio: float, delta: Array) -> AgreementCurve:
        """The curve of a metric whose differences are so many times as large, with the differences behind it."""
        return self.through(self.delta * ratio, (self.agreement, self.low, self.high), delta)

    def at(self, delta: float) -> tuple[float, float, float]:
        """Agreement with a difference, and its interval for a new test set; flat beyond the last point."""
        lines = (self.agreement, self.low, self.high)
        share, low, high = (float(np.interp(abs(delta), self.delta, line)) for line in lines)
        return share, low, high

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


@dataclass(frozen=True, eq=False)
class AgreementModel:
    """The fitted model, as what it says of a new test set: how likely each exponent and steepness are."""

    scale: float
    weights: Array
    """Exponents × steepness, summing to 1."""
    exponent: float
    set_deviation: float
    year_deviation: float
    trend: float
    """Posterior means; the trend is a change of the steepness in five years."""
    posterior: Array
    """Exponents × deviations of sets × deviations of years × levels in the year of the new test set."""

    def agreement(self, delta: Array, confidence: float = 0.95) -> tuple[Array, Array, Array]:
        """The mean of a new test set's curve at some differences, and the ends of its interval."""
        shares = self.shares(delta).reshape(-1, len(delta))
        flat = self.weights.ravel()
        order = np.argsort(shares, axis=0)
        below = np.cumsum(flat[order], axis=0) - flat[order] / 2
        ordered = np.take_along_axis(shares, order, axis=0)
        tail = (1 - confidence) / 2
        ends = [
            [np.interp(q, b, s) for b, s in zip(below.T, ordered.T, strict=True)] for q in (tail, 1 - tail)
        ]
        mean = flat @ shares
        # Where nearly all shares are 1, a few small ones draw the mean below every quantile that is asked for.
        return mean, np.minimum(ends[0], mean), np.maximum(ends[1], mean)

    def shares(self, delta: Array) -> Array:
        """Agreement by every exponent and steepness: exponents × steepness × differences."""
        from scipy.special import expit

        shares: Array = expit(_logits(delta / self.scale))
        return shares

    def curve(self, delta: Array, confidence: float = 0.95) -> AgreementCurve:
        """Points from no difference to the largest of those that the model was fitted to."""
        least = max(float(np.quantile(delta, 0.01)), float(delta.max()) * 1e-6)
        grid = np.geomspace(least, float(delta.max()), POINTS)
        lines = [np.concatenate([[0.5], line]) for line in self.agreement(grid, confidence)]
        return AgreementCurve.through(np.concatenate([[0.0], grid]), lines, delta)


def agreement_curve(pairs: SystemPairs, *, confidence: float = 0.95) -> AgreementCurve:
    """The curve of a new test set, of the last year that is known, with its interval."""
    return fit_agreement(pairs).curve(pairs.delta, confidence)


def fit_agreement(pairs: SystemPairs, *, year: int | None = None) -> AgreementModel:
    """The model fitted to some test sets, for a new one of a year (the last one, unless another is named)."""
    scale = float(np.median(pairs.delta))
    likelihoods = np.stack([_likelihood(pairs, place, scale) for place in range(len(pairs.systems))])
    years = np.zeros(len(pairs.systems)) if pairs.years is None else np.array(pairs.years, np.float64)
    target = float(years.max()) if year is None or pairs.years is None else float(year)
    known = pairs.years is not None
    trends = TRENDS if known else np.zeros(1)
    deviations = YEAR_DEVIATIONS if known else np.zeros(1)
    posterior = _posterior(likelihoods, (years - target) / 5, trends, deviations)
    levels = posterior.sum(4)
    return AgreementModel(
        scale,
        _for_new_set(levels, deviations),
        float(posterior.sum((1, 2, 3, 4)) @ EXPONENTS),
        float(posterior.sum((0, 2, 3, 4)) @ SET_DEVIATIONS),
        float(posterior.sum((0, 1, 3, 4)) @ deviations),
        float(posterior.sum((0, 1, 2, 3)) @ trends),
        levels,
    )


def _logits(relative: Array) -> Array:
    logits: Array = np.exp(STEEPNESS)[None, :, None] * relative[None, None, :] ** EXPONENTS[:, None, None]
    return logits


def _likelihood(pairs: SystemPairs, place: int, scale: float) -> Array:
    """The logarithm of one test set's likelihood by exponent and steepness, as of independent pairs."""
    rows = pairs.test_set == place
    delta, agree = pairs.delta[rows], pairs.agree[rows]
    counts = np.ones(len(delta))
    if len(delta) > MOST_PAIRS:
        order = np.argsort(delta, kind="stable")
        starts = np.arange(MOST_PAIRS) * len(delta) // MOST_PAIRS
        counts, delta, agree = (np.add.reduceat(values[order], starts) for values in (counts, delta, agree))
        delta = delta / counts
    logits = _logits(delta / scale)
    effect = (2 * pairs.systems[place] + 5) / 9
    total: Array = -np.logaddexp(0, -logits) @ agree - np.logaddexp(0, logits) @ (counts - agree)
    return total / effect


def _posterior(likelihoods: Array, since: Array, trends: Array, deviations: Array) -> Array:
    """How likely exponents × deviations of sets × deviations of years × levels × trends are, summing to 1."""
    years, year_of = np.unique(since, return_inverse=True)
    best = likelihoods.max(2, keepdims=True)
    relative = np.exp(likelihoods - best)
    shape = (len(EXPONENTS), len(SET_DEVIATIONS), len(deviations), len(LEVELS), len(trends))
    log_posterior = np.empty(shape)
    for exponent, spread in np.ndindex(shape[:2]):
        sets = _log(relative[:, exponent] @ _normal(STEEPNESS, float(SET_DEVIATIONS[spread])))
        campaigns = np.zeros((len(years), len(STEEPNESS)))
        np.add.at(campaigns, year_of, sets)
        top = campaigns.max(1, keepdims=True)
        for place, deviation in enumerate(deviations):
            means = _log(np.exp(campaigns - top) @ _normal(STEEPNESS, deviation)) + top
            log_posterior[exponent, spread, place] = best[:, exponent].sum() + sum(
                np.interp(LEVELS[:, None] + trends * year, STEEPNESS, mean)
                for year, mean in zip(years, means, strict=True)
            )
    log_posterior -= (SET_DEVIATIONS / SET_PRIOR)[:, None, None, None] ** 2 / 2
    log_posterior -= (deviations / YEAR_PRIOR)[:, None, None] ** 2 / 2
    log_posterior -= (trends / TREND_PRIOR) ** 2 / 2
    likely: Array = np.exp(log_posterior - log_posterior.max())
    likely /= likely.sum()
    return likely


def _for_new_set(posterior: Array, deviations: Array) -> Array:
    """How likely a new test set's exponent and steepness are: its campaign and its own deviation are new, too."""
    weights = np.zeros((len(EXPONENTS), len(STEEPNESS)))
    for spread, own in enumerate(SET_DEVIATIONS):
        for place, deviation in enumerate(deviations):
            weights += posterior[:, spread, place] @ _normal(LEVELS, math.hypot(own, deviation)).T
    return weights


def _normal(means: Array, deviation: float) -> Array:
    """Normal weights on the grid of steepness, one column for each mean."""
    step = float(STEEPNESS[1] - STEEPNESS[0])
    narrowest = step / 5  # all of it at the nearest point
    distance = np.abs(STEEPNESS[:, None] - means)
    weights = np.exp(-((distance / max(deviation, narrowest)) ** 2) / 2)
    normal: Array = weights / weights.sum(0)
    return normal


def _log(values: Array) -> Array:
    logarithms: Array = np.log(np.maximum(values, 1e-300))
    return logarithms
