"""What a difference between two systems is worth: how often people agree with one of its size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from adjudge import metrics
from adjudge.data.difference_tables import (
    ANY,
    DifferenceCurve,
    DifferenceTables,
    UsedTestSet,
    family_of,
)
from adjudge.data.system_scores import SystemScores
from adjudge.errors import AdjudgeError, DataError, unknown_name
from adjudge.stats.agreement_curve import SystemPairs, agreement_curve
from adjudge.wording import counted

FEWEST_SETS, FEWEST_PAIRS = 4, 100
"""Test sets and pairs of systems below which there is no curve: intervals would go from 50 to 100 %."""


def fit_differences(
    test_sets: Sequence[SystemScores],
    *,
    name: str,
    lower: Sequence[str] = (),
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 12345,
    made_by: str = "",
) -> DifferenceTables:
    """A curve for every metric, over all test sets and for each family of target languages that has enough of them.

    Metrics of adjudge know which way is better; of others `lower` names those whose low scores are.
    """
    measured = list(dict.fromkeys(metric for own in test_sets for metric in own.metrics))
    for metric in lower:
        if metric not in measured:
            raise unknown_name("metric of which lower is better", metric, measured)
    curves, missing = [], []
    families = [ANY, *dict.fromkeys(family_of(own.language) for own in test_sets)]
    for metric in measured:
        for family in filter(None, families):
            chosen = [own for own in test_sets if family in (ANY, family_of(own.language))]
            better = _higher_is_better(metric, lower)
            pairs, used = _pairs(chosen, metric, better)
            if used < FEWEST_SETS or len(pairs) < FEWEST_PAIRS:
                data = f"{counted(len(pairs), 'pair')} of systems in {counted(used, 'test set')}"
                missing.append(f"{metric}, {family}: {data} are too few")
                continue
            points = agreement_curve(pairs, level=level, resamples=resamples, seed=seed)
            systems = sum(pairs.systems)
            curves.append(DifferenceCurve(metric, family, better, used, systems, len(pairs), points))
    if not curves:
        raise DataError(
            f"too few data to say anything: {missing[0]}; at least {FEWEST_SETS} test sets and {FEWEST_PAIRS} pairs of "
            "systems are needed"
        )
    used_sets = tuple(
        UsedTestSet(o.test_set, o.language, o.protocol, len(o.systems), math.comb(len(o.systems), 2))
        for o in test_sets
    )
    return DifferenceTables(name, level, resamples, seed, used_sets, tuple(curves), tuple(missing), made_by)


def _higher_is_better(metric: str, lower: Sequence[str]) -> bool:
    if metric in lower:
        return False
    try:
        return metrics.metric(metric).direction.higher_is_better is not False
    except AdjudgeError:  # another tool's
        return True


def _pairs(test_sets: Sequence[SystemScores], metric: str, higher_is_better: bool) -> tuple[SystemPairs, int]:
    """All pairs of the systems that have both scores, and in how many test sets."""
    people, scores = [], []
    for own in test_sets:
        values = own.metrics.get(metric, np.full(len(own.systems), np.nan))
        known = ~np.isnan(values) & ~np.isnan(own.people)
        if known.sum() > 1:
            people.append(own.people[known])
            scores.append(values[known] if higher_is_better else -values[known])
    if not people:
        people, scores = [np.zeros(0)], [np.zeros(0)]
    pairs = SystemPairs.of(people, scores)
    return pairs, len(np.unique(pairs.test_set))
