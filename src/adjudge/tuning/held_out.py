"""Fitted parameters beside the defaults, on judgements they were not fitted to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.correlation import CORRELATIONS, dot, kendall, pearson, williams
from adjudge.stats.draws import unit_counts
from adjudge.stats.resampling import bootstrap_p, estimate, tolerance
from adjudge.tuning.items import Items

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

REPORTED = 20
"""Resamples after which someone who waits is told how far it is."""


@dataclass(frozen=True)
class HeldOut:
    """How parameters correlate with judgements they were not fitted to, beside the defaults on the same ones."""

    measure: str
    tuned: float
    default: float
    delta: float
    """tuned − default."""
    low: float = math.nan
    high: float = math.nan
    """95 % interval of delta over resamples of units."""
    p: float = math.nan
    """Two-sided, paired bootstrap over units; of the measure that was fitted, and of tau."""
    p_williams: float = math.nan
    """Two-sided, by Williams' test, which takes items for independent; Pearson's only."""
    pairs: int = 0
    """That tau is over."""


def held_out(
    items: Items,
    fold: Indices,
    points: Sequence[Parameters],
    default: Parameters,
    measure: str,
    *,
    seed: int,
    resamples: int,
    threads: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> tuple[HeldOut, ...]:
    """By the measure that was fitted, tested, and by the others that there are for such items.

    Of these tau is tested too: a fit over all segments must not pay with the order within them.
    """
    both = np.stack([held_out_scores(items, fold, points), items.scores(default)])

    def tested(which: str) -> HeldOut:
        differences = resampled_differences(
            items, both, which, seed=seed, resamples=resamples, threads=threads, report=report
        )
        return _test(items, both, which, differences, threads)

    results = [tested(measure)]
    if np.ptp(items.human) > 0:  # ranks say nothing but who is better
        for other in CORRELATIONS:
            if other != measure:
                tuned, before = map(float, items.correlation(both, other, threads=threads))
                results.append(HeldOut(other, tuned, before, tuned - before))
    if measure != "tau" and items.pairs is not None and len(items.pairs):
        results.append(tested("tau"))
    return tuple(results)


def held_out_scores(items: Items, fold: Indices, points: Sequence[Parameters]) -> Array:
    """The score of each item by the parameters that were fitted without its fold.

    Scores by different parameters have different scales, so each set is standardised over all items: that needs
    outputs and references, but no judgement.
    """
    scores = np.empty(len(items))
    for number, point in enumerate(points):
        scores_here = items.scores(point)
        spread = scores_here.std()
        # In this order, equal scores stay equal.
        standard = (scores_here - scores_here.mean()) / (spread if spread > 0 else 1.0)
        scores[fold == number] = standard[fold == number]
    return scores


def _test(items: Items, both: Array, measure: str, differences: Array, threads: int) -> HeldOut:
    tuned, default = map(float, items.correlation(both, measure, threads=threads))
    delta = tuned - default
    p = bootstrap_p(delta, differences, rounding=tolerance(tuned, default), units=items.units)
    interval = estimate(delta, differences)
    p_williams = math.nan
    if measure == "pearson":
        between = float(pearson(both[:1], both[1])[0])
        one_sided = williams(tuned, default, between, len(items))
        p_williams = 2 * min(one_sided, 1 - one_sided)
    pairs = len(items.pairs) if measure == "tau" and items.pairs is not None else 0
    return HeldOut(measure, tuned, default, delta, interval.low, interval.high, p, p_williams, pairs)


def resampled_differences(
    items: Items,
    both: Array,
    measure: str,
    *,
    seed: int,
    resamples: int,
    threads: int = 0,
    report: Callable[[int, int], None] | None = None,
) -> Array:
    """The first list's correlation less the second's, when units are drawn anew, each as often as chance has it."""
    makers = {"pearson": _pearson, "tau": _tau, "spearman": _spearman, "kendall": _kendall}
    difference = makers[measure](items, both)

    def drawn(number: int) -> float:
        (counts,) = unit_counts(items.units, 1, [seed, 2, number])
        return difference(counts.astype(np.intp))

    differences = np.empty(resamples)
    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        for number, drawn_difference in enumerate(pool.map(drawn, range(resamples))):
            differences[number] = drawn_difference
            if report and number % REPORTED == 0:
                report(number, resamples)
    return differences


Difference = Callable[[Indices], float]
"""Of two correlations, given how often each unit counts."""


def _pearson(items: Items, both: Array) -> Difference:
    """From sums by unit."""
    lists = [values - values.mean() for values in (*both, items.human)]
    columns = [
        np.ones(len(items)),
        *lists,
        *(values * values for values in lists),
        lists[0] * lists[2],
        lists[1] * lists[2],
    ]
    sums = np.stack([np.bincount(items.unit, column, items.units) for column in columns])

    def difference(times: Indices) -> float:
        n, a, b, h, aa, bb, hh, ah, bh = map(float, np.einsum("ku,u->k", sums, times))
        spread = _spread(h, hh, n)
        return _ratio(ah - a * h / n, _spread(a, aa, n) * spread) - _ratio(
            bh - b * h / n, _spread(b, bb, n) * spread
        )

    return difference


def _spread(plain: float, squares: float, n: float) -> float:
    """The sum of squares about the mean; 0 where it is rounding and nothing else."""
    spread = squares - plain * plain / n
    return spread if spread > 1e-12 * squares else 0.0


def _ratio(above: float, below: float) -> float:
    return above / math.sqrt(below) if below > 0 else math.nan


def _tau(items: Items, both: Array) -> Difference:
    assert items.pairs is not None
    better, worse = items.pairs.T
    unit = items.unit[better]
    right = [np.bincount(unit, scores[better] > scores[worse], items.units) for scores in both]
    count = np.bincount(unit, minlength=items.units)

    def difference(times: Indices) -> float:
        all_pairs = dot(times, count)
        return 2 * dot(times, right[0] - right[1]) / all_pairs if all_pairs else math.nan

    return difference


def _spearman(items: Items, both: Array) -> Difference:
    """Ranks within the resample, from how many come before: nothing is sorted again."""
    dense = [np.unique(values, return_inverse=True)[1] for values in (*both, items.human)]

    def difference(times: Indices) -> float:
        weight = times[items.unit].astype(np.float64)
        n = weight.sum()
        centred = []
        for places in dense:
            equal = np.bincount(places, weight)
            centred.append((np.cumsum(equal) - (equal - 1) / 2 - (n + 1) / 2)[places])
        a, b, h = centred
        heavy = weight * h
        spread = dot(heavy, h)
        return _ratio(dot(heavy, a), dot(weight, a * a) * spread) - _ratio(
            dot(heavy, b), dot(weight, b * b) * spread
        )

    return difference


def _kendall(items: Items, both: Array) -> Difference:
    """By the kernel, which finds the judgements and all that they tie in order already."""
    laid = []
    for scores in both:
        order = np.lexsort((scores, items.human))
        laid.append((items.unit[order], scores[order], items.human[order]))

    def difference(times: Indices) -> float:
        values = []
        for unit, scores, human in laid:
            weight = times[unit]
            values.append(
                float(kendall(np.repeat(scores, weight)[None], np.repeat(human, weight), threads=1)[0])
            )
        return values[0] - values[1]

    return difference
