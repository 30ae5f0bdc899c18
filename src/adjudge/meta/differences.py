"""What a difference between two systems is worth: how often people agree with one of its size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from adjudge import metrics
from adjudge.data.difference_tables import ANY, DifferenceCurve, DifferenceTables, UsedTestSet
from adjudge.data.score_tables import SystemScores
from adjudge.errors import AdjudgeError, DataError, UsageError, unknown_name
from adjudge.stats.agreement_curve import SystemPairs, agreement_curve
from adjudge.wording import are, pluralise

FEWEST_SETS, FEWEST_PAIRS = 4, 100
"""Test sets and pairs of systems below which there is no curve: intervals would go from 50 to 100 %."""
ANCHOR = 0.75
"""Agreement at which differences of two metrics are set equal."""


def fit_differences(
    test_sets: Sequence[SystemScores],
    *,
    data_name: str,
    lower_metrics: Sequence[str] = (),
    like: Mapping[str, str] | None = None,
    confidence: float = 0.95,
    made_by: str = "",
) -> DifferenceTables:
    """A curve for every metric that has enough test sets.

    Metrics of adjudge know which way is better; of others, `lower_metrics` names those whose low scores are. `like`
    names for some metrics another one that has more test sets: on those that both have, differences that people agree
    with equally often are set equal, and the other's curve is taken in that proportion.
    """
    measured = list(dict.fromkeys(metric for test_set in test_sets for metric in test_set.metrics))
    borrowed = dict(like or {})
    for metric in (*lower_metrics, *borrowed, *borrowed.values()):
        if metric not in measured:
            raise unknown_name("metric", metric, measured)
    curves, missing = {}, []
    for metric in measured:
        higher = higher_is_better_of(metric, lower_metrics)
        pairs = system_pairs(test_sets, metric, higher)
        if pairs is None or len(pairs.systems) < FEWEST_SETS or len(pairs) < FEWEST_PAIRS:
            missing.append(_too_few(metric, pairs))
            continue
        points = agreement_curve(pairs, confidence=confidence)
        years = None if pairs.years is None else (min(pairs.years), max(pairs.years))
        sizes = (len(pairs.systems), sum(pairs.systems), len(pairs))
        curves[metric] = DifferenceCurve(metric, ANY, higher, *sizes, points, years)
    if not curves:
        raise DataError(
            f"too few data to say anything: {missing[0]}; at least {FEWEST_SETS} test sets and {FEWEST_PAIRS} pairs of "
            "systems are needed"
        )
    for metric, other in borrowed.items():
        if metric in curves and other in curves:
            curves[metric] = _in_proportion(test_sets, curves[metric], curves[other])
    return DifferenceTables(
        data_name,
        confidence,
        tuple(map(_used_test_set, test_sets)),
        tuple(curves.values()),
        tuple(missing),
        made_by,
    )


def _in_proportion(
    test_sets: Sequence[SystemScores], difference_curve: DifferenceCurve, other: DifferenceCurve
) -> DifferenceCurve:
    """The other metric's curve, stretched so that both reach the anchor together on the test sets they share."""
    shared = [
        tested
        for tested in test_sets
        if _has_scores(tested, difference_curve.metric) and _has_scores(tested, other.metric)
    ]
    pairs = [
        system_pairs(shared, curve.metric, curve.higher_is_better) for curve in (difference_curve, other)
    ]
    reached = [math.inf if part is None else agreement_curve(part).reaches(ANCHOR) for part in pairs]
    if len(shared) < FEWEST_SETS or math.inf in reached or pairs[0] is None:
        raise UsageError(
            f"{difference_curve.metric} cannot be like {other.metric}: {pluralise(len(shared), 'test set')} with both "
            f"{are(len(shared))} too few"
        )
    points = other.points.stretched(reached[0] / reached[1], pairs[0].delta)
    return replace(difference_curve, points=points, years=other.years, like=other.metric)


def _used_test_set(system_scores: SystemScores) -> UsedTestSet:
    systems = len(system_scores.systems)
    return UsedTestSet(
        system_scores.test_set,
        system_scores.language,
        system_scores.protocol,
        systems,
        math.comb(systems, 2),
        system_scores.year,
    )


def _too_few(metric: str, pairs: SystemPairs | None) -> str:
    pairs_found, sets = (0, 0) if pairs is None else (len(pairs), len(pairs.systems))
    pairs_named = f"{pluralise(pairs_found, 'pair')} of systems in {pluralise(sets, 'test set')}"
    return f"{metric}: {pairs_named} {are(pairs_found)} too few"


def higher_is_better_of(metric: str, lower_metrics: Sequence[str]) -> bool:
    """Whether high scores of a metric are good: adjudge knows its own; `lower_metrics` are exceptions among others."""
    if metric in lower_metrics:
        return False
    try:
        return metrics.metric(metric).direction.higher_is_better is not False
    except AdjudgeError:  # another tool's
        return True


def _has_scores(system_scores: SystemScores, metric: str) -> bool:
    return metric in system_scores.metrics and bool((~np.isnan(system_scores.metrics[metric])).any())


def system_pairs(
    test_sets: Sequence[SystemScores], metric: str, higher_is_better: bool
) -> SystemPairs | None:
    """All pairs of the systems that have both scores, in test sets where the metric tells some apart; None without."""
    people, scores, years = [], [], []
    for test_set in test_sets:
        values = test_set.metrics.get(metric, np.full(len(test_set.systems), np.nan))
        known = ~np.isnan(values) & ~np.isnan(test_set.people)
        if len(np.unique(values[known])) > 1:
            people.append(test_set.people[known])
            scores.append(values[known] if higher_is_better else -values[known])
            years.append(test_set.year)
    return SystemPairs.of(people, scores, years) if people else None
