"""Which metric agrees with people better than which: all pairs of metrics tested, corrected and ranked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.meta.intervals import resamples
from adjudge.meta.metric_swapping import permutations
from adjudge.meta.results import MetricPair, MetricValue, TaskResult
from adjudge.meta.settings import RunSettings
from adjudge.meta.statistic import Agreement
from adjudge.meta.task import Task
from adjudge.stats import multiple
from adjudge.stats.clusters import placements
from adjudge.stats.significance import significant
from adjudge.stats.tests.metrics import NO_TEST
from adjudge.stats.tests.metrics.base import MetricAgreement

Array = NDArray[np.float64]


def compare_metrics(
    result: TaskResult, agreements: Mapping[str, Agreement], settings: RunSettings
) -> TaskResult:
    """The result with all pairs of metrics tested, p-values corrected, ranks and clusters."""
    values = [value for value in result.values if not math.isnan(value.value)]
    if len(values) < 2 or settings.test == NO_TEST:
        return result
    p_values, least = _p_values([agreements[value.metric] for value in values], result.task, settings)
    return replace(with_pairs(result, values, p_values, settings), least_p=least)


def with_pairs(
    result: TaskResult, values: Sequence[MetricValue], p_values: Array, settings: RunSettings
) -> TaskResult:
    """The result with all pairs of these metrics, the best first, p-values corrected, ranks and clusters."""
    first, second = np.triu_indices(len(values), 1)
    adjusted = _adjusted(p_values, values, result.sentinels, settings.correction)
    pairs = tuple(
        MetricPair(
            values[a].metric,
            values[b].metric,
            values[a].value - values[b].value,
            float(p_values[a, b]),
            float(corrected),
            significant(float(corrected), settings.alpha),
        )
        for a, b, corrected in zip(first.tolist(), second.tolist(), adjusted[first, second], strict=True)
    )
    names = [value.metric for value in values]
    beats = np.zeros((len(names), len(names)), bool)
    beats[first, second] = [pair.significant and pair.delta > 0 for pair in pairs]
    places = placements(np.array([value.value for value in values]), beats)
    return replace(result, pairs=pairs, ranks=rank_classes(names, pairs), placements=tuple(places))


def rank_classes(names: Sequence[str], pairs: Sequence[MetricPair]) -> tuple[int, ...]:
    """Ranks as WMT gives them: down the list, a metric opens a new one if a metric of the present one beats it."""
    beaten = {(pair.a, pair.b) for pair in pairs if pair.significant}
    ranks: list[int] = []
    present: list[str] = []
    for name in names:
        if any((other, name) in beaten for other in present):
            present = []
            ranks.append(ranks[-1] + 1)
        else:
            ranks.append(ranks[-1] if ranks else 1)
        present.append(name)
    return tuple(ranks)


def _adjusted(
    p_values: Array, values: Sequence[MetricValue], sentinels: Sequence[str], correction: str
) -> Array:
    """P-values corrected over all pairs of metrics; those with a sentinel, a check of each metric, stay as they are."""
    is_metric = np.array([value.metric not in sentinels for value in values])
    among = np.triu(np.outer(is_metric, is_metric), 1) & ~np.isnan(p_values)
    adjusted = p_values.copy()
    adjusted[among] = multiple.adjusted(p_values[among], correction)
    return adjusted


def _p_values(agreements: Sequence[Agreement], task: Task, settings: RunSettings) -> tuple[Array, float]:
    """Two-sided p of every pair of metrics, NaN where there is none, and the least that could have come of it."""

    def scores() -> Array:
        if task.correlation != "pearson" or task.grouping != "none":
            raise UsageError(f"{task.name}: Williams' test is of Pearson's r in one group")
        judged = ~np.isnan(agreements[0].gold)
        return np.stack([own.scores[judged] for own in agreements])

    return settings.metric_test.p_values(
        MetricAgreement(
            np.array([own.value for own in agreements]),
            settings.draws,
            permuted=lambda: permutations(agreements, task, settings),
            resampled=lambda: [resamples(own, settings) for own in agreements],
            scores=scores,
        )
    )
