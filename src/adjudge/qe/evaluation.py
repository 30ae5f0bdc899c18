"""Estimates held against people: measures with intervals, and which estimator is better."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.qe import measures
from adjudge.qe.conformal import Intervals, coverage_of
from adjudge.qe.measures import Array
from adjudge.qe.results import ERRORS, CalibrationBin, EstimatorEvaluation, EstimatorPair, MeasureValue
from adjudge.qe.uncertainty import (
    LONG_TAIL,
    Statistic,
    UnitsOfDraw,
    auc_interval,
    few_wrong_interval,
    interval,
    mean_interval,
    skewness,
    swapped_p,
)
from adjudge.stats.multiple import adjust_p_values
from adjudge.stats.significance import significant
from adjudge.wording import number, pluralise

BINS = 10
SCALED = frozenset({"pearson", "spearman", "kendall", "auc", "delta_avg"})
"""Measures that do not ask for the scale of predictions, which are put on one before two are swapped."""


@dataclass(frozen=True)
class EvaluationOptions:
    """How estimates are held against scores."""

    good: float | None = None
    """The score from which on a segment is good; the median where it is not said."""
    higher_is_better: bool = True
    draws: int = 1000
    alpha: float = 0.05
    seed: int = 12345


def evaluate(
    scores: Array,
    predictions: Mapping[str, Array],
    options: EvaluationOptions | None = None,
    intervals: Mapping[str, Intervals] | None = None,
    confidence: float = 0.9,
    units: Sequence[str] | None = None,
) -> EstimatorEvaluation:
    """Every measure of every estimator, and all pairs of estimators.

    `units` says what segments belong together, as a document's do, where single ones are not independent.
    """
    options = options or EvaluationOptions()
    _check(scores, predictions)
    good = float(np.median(scores)) if options.good is None else options.good
    standard = _Standard(good, options.higher_is_better)
    statistics = _statistics(standard)
    drawn = UnitsOfDraw.of(units, len(scores))
    values = tuple(
        _value(name, statistic, scores, (estimator, predicted), drawn, options, standard)
        for name, statistic in statistics.items()
        for estimator, predicted in predictions.items()
    )
    couples = list(combinations(predictions, 2))
    # So many swaps that the least p, corrected for all pairs, is half of alpha: with fewer nothing could be found.
    swaps = replace(options, draws=max(options.draws, math.ceil(2 * len(couples) / options.alpha)))
    pairs = [
        _pair(name, statistic, scores, (a, predictions[a]), (b, predictions[b]), drawn, swaps)
        for name, statistic in statistics.items()
        for a, b in couples
    ]
    known = intervals or {}
    return EstimatorEvaluation(
        len(scores),
        good,
        options.higher_is_better,
        values,
        _correct(pairs, options.alpha),
        {estimator: calibration_bins(scores, predicted) for estimator, predicted in predictions.items()},
        {
            estimator: coverage_of(entry, scores, confidence, drawn.of_segment)
            for estimator, entry in known.items()
        },
        confidence,
        options.draws,
        options.seed,
        drawn.count,
        (*_one_unit(drawn.count), *_remarks(scores, predictions, standard)),
    )


@dataclass(frozen=True)
class _Standard:
    """What is good, and which way scores go."""

    good: float
    higher_is_better: bool

    def orient(self, values: Array) -> Array:
        """Values of which more is better."""
        return values if self.higher_is_better else -values

    def passes(self, values: Array) -> NDArray[np.bool_]:
        """Which are good."""
        return np.asarray(values >= self.good if self.higher_is_better else values <= self.good)


def _one_unit(units: int) -> tuple[str, ...]:
    """Why there are no intervals and no tests, where all segments belong together."""
    if units > 1:
        return ()
    return ("All segments are of one document or source: nothing tells how far other texts would differ.",)


def _remarks(scores: Array, predictions: Mapping[str, Array], standard: _Standard) -> tuple[str, ...]:
    """What cannot be measured, or not as well as its interval says, and why."""
    if np.ptp(scores) == 0:
        return (
            f"All segments have the score {scores[0]:g}: nothing can go along with it, and none is better.",
        )
    passing = standard.passes(scores)
    remarks = [
        f"{name} says {predicted[0]:g} of all segments: nothing can go along with it."
        for name, predicted in predictions.items()
        if np.ptp(predicted) == 0
    ]
    if passing.all() or not passing.any():
        remarks.append(
            f"{'All' if passing.all() else 'None'} of the segments are good at {standard.good:g}, and MCC and AUC ask "
            f"for both kinds: --good between {scores.min():g} and {scores.max():g}."
        )
    return tuple(remarks + _long_tails(scores, predictions))


def _long_tails(scores: Array, predictions: Mapping[str, Array]) -> list[str]:
    """Where a few segments decide the RMSE, even a lopsided interval holds it less often than it says."""
    errors = [scores - predicted for predicted in predictions.values()]
    skewed = max((skewness(values) for values in (scores, *errors)), key=abs)
    if abs(skewed) <= LONG_TAIL:
        return []
    return [
        f"Scores or errors have a long tail (skewness {number(skewed, 1)}): a few segments decide the RMSE, and a "
        "sample may lack them. Its interval held the truth in 81 to 93 % of such simulations, not in 95 %: rather "
        "believe MAE."
    ]


def calibration_bins(scores: Array, predicted: Array, bins: int = BINS) -> tuple[CalibrationBin, ...]:
    """Segments in the order of their predictions, in bins of equal size, with 95 % intervals of the mean score."""
    parts = np.array_split(np.argsort(predicted, kind="stable"), min(bins, len(scores)))
    return tuple(_bin(scores[part], predicted[part]) for part in parts if len(part))


def _bin(scores: Array, predicted: Array) -> CalibrationBin:
    mean, count = float(scores.mean()), len(scores)
    reach = 1.96 * float(scores.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf
    low, high = (mean - reach, mean + reach) if math.isfinite(reach) else (math.nan, math.nan)
    return CalibrationBin(float(predicted.mean()), mean, low, high, count)


def _statistics(standard: _Standard) -> dict[str, Statistic]:
    """Measures of scores and predictions as they are."""
    passes, orient = standard.passes, standard.orient
    return {
        "pearson": measures.pearson,
        "spearman": measures.spearman,
        "kendall": measures.kendall,
        "mae": measures.mean_absolute_error,
        "rmse": measures.root_mean_square_error,
        "mcc": lambda scores, predicted: measures.matthews_rows(passes(scores), passes(predicted)),
        "auc": lambda scores, predicted: measures.area_under_curve(passes(scores), orient(predicted)),
        "delta_avg": lambda scores, predicted: measures.delta_average(orient(scores), orient(predicted)),
    }


def _check(scores: Array, predictions: Mapping[str, Array]) -> None:
    if len(scores) < 10:
        raise DataError(
            f"{len(scores)} judged segments are too few to hold an estimator against: 10 at least"
        )
    for estimator, predicted in predictions.items():
        if len(predicted) != len(scores):
            raise DataError(
                f"{estimator}: {pluralise(len(predicted), 'estimate')} for {pluralise(len(scores), 'score')}"
            )
        if not np.isfinite(predicted).all():
            row = int(np.argmin(np.isfinite(predicted)))
            raise DataError(
                f"{estimator}: the estimate of segment {row + 1} is no number; leave the segment out"
            )
    if not np.isfinite(scores).all():
        raise DataError(f"segment {int(np.argmin(np.isfinite(scores))) + 1} has no score; leave it out")


def _value(
    name: str,
    statistic: Statistic,
    scores: Array,
    estimator: tuple[str, Array],
    units: UnitsOfDraw,
    options: EvaluationOptions,
    standard: _Standard,
) -> MeasureValue:
    ends = _ends(name, statistic, scores, estimator[1], units, options, standard)
    return MeasureValue(name, estimator[0], float(statistic(scores, estimator[1])), *ends)


def _ends(
    name: str,
    statistic: Statistic,
    scores: Array,
    predicted: Array,
    units: UnitsOfDraw,
    options: EvaluationOptions,
    standard: _Standard,
) -> tuple[float, float]:
    """The interval of a measure, by what is known to hold for it."""
    alpha, unit = options.alpha, units.of_segment
    good = standard.passes(scores)
    if name == "auc":
        return auc_interval(good, standard.orient(predicted), unit, alpha=alpha)
    if name in ERRORS:
        power = 2 if name == "rmse" else 1
        error = np.abs(scores - predicted) ** power
        low, high = mean_interval(error, units, draws=options.draws, alpha=alpha, seed=options.seed)
        return low ** (1 / power), high ** (1 / power)
    if name == "mcc" and (known := few_wrong_interval(good, standard.passes(predicted), unit, alpha=alpha)):
        return known
    return interval(
        name, statistic, scores, predicted, units, draws=options.draws, alpha=alpha, seed=options.seed
    )


def _pair(
    name: str,
    statistic: Statistic,
    scores: Array,
    a: tuple[str, Array],
    b: tuple[str, Array],
    units: UnitsOfDraw,
    options: EvaluationOptions,
) -> EstimatorPair:
    """The difference, and how often one as large comes about when estimates are swapped at random."""
    delta = float(statistic(scores, a[1]) - statistic(scores, b[1]))
    first, second = (_standardise(p) if name in SCALED else p for p in (a[1], b[1]))
    p = swapped_p(statistic, scores, (first, second), delta, units, draws=options.draws, seed=options.seed)
    return EstimatorPair(name, a[0], b[0], delta, p, math.nan, False)


def _standardise(values: Array) -> Array:
    deviation = float(values.std())
    return np.asarray((values - values.mean()) / (deviation if deviation > 0 else 1.0))


def _correct(pairs: list[EstimatorPair], alpha: float) -> tuple[EstimatorPair, ...]:
    """All pairs of a measure are corrected together, by Holm."""
    results = []
    for measure in dict.fromkeys(pair.measure for pair in pairs):
        compared = [pair for pair in pairs if pair.measure == measure]
        known = [pair for pair in compared if not math.isnan(pair.p)]
        corrected = dict(zip(map(id, known), adjust_p_values([pair.p for pair in known]), strict=True))
        for pair in compared:
            p = float(corrected.get(id(pair), math.nan))
            results.append(
                EstimatorPair(measure, pair.a, pair.b, pair.delta, pair.p, p, significant(float(p), alpha))
            )
    return tuple(results)
