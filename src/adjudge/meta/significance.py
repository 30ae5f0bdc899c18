"""Whether one metric agrees with people better than another: permutations of their scores, and the tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.meta.intervals import resamples
from adjudge.meta.results import MetricPair, MetricValue, TaskResult
from adjudge.meta.statistic import SIGN_VECTORS, Agreement
from adjudge.meta.task import OF_PAIRS, RunSettings, Task
from adjudge.stats import multiple
from adjudge.stats.clusters import placements
from adjudge.stats.item_pairs import (
    ItemGroups,
    ItemPairs,
    agreement_mask,
    order_verdicts,
    pair_count,
    rank_scores,
)
from adjudge.stats.metric_swaps import (
    FEWEST,
    MetricPermutations,
    Swap,
    agreement_permutations,
    influence_permutations,
    pearson_permutations,
    ratio_permutations,
    verdict_permutations,
    williams_permutations,
)
from adjudge.stats.multiple import enough_trials
from adjudge.stats.significance import significant
from adjudge.stats.soft_accuracy import soft_accuracy_permutations
from adjudge.stats.tests.metrics import NO_TEST
from adjudge.stats.tests.metrics.base import MetricAgreement

CORRELATIONS = ("pearson", "spearman")
OF_CELLS = ("kendall", "kendall_c", "accuracy")
COSTLY = 250_000
"""Permutations, at most, of all pairs of metrics together where each is computed anew."""
FEW_SIGN_VECTORS = 1000
"""Behind the p-values of soft pairwise accuracy where each swap computes them from scratch."""
MOST_SINGLE_PAIRS = 5_000_000
"""Pairs, at most, whose verdicts are swapped one by one."""
NUMBERS_HELD = 6_000_000
"""Differences, at most, of all pairs of metrics together."""


def permutations(agreements: Sequence[Agreement], task: Task, settings: RunSettings) -> MetricPermutations:
    """What becomes of the agreement of some metrics, which share people's scores, when their scores are swapped."""
    gold, metrics = agreements[0].gold, np.stack([agreement.scores for agreement in agreements])
    task = task.measured
    swap, draws, seed = swap_of(task, settings), draws_of(len(agreements), task, settings), settings.seed
    if task.correlation in OF_PAIRS:
        return _of_pairs(agreements, task, settings, draws)
    groups = ItemGroups.of(gold, task.grouping)
    if task.correlation in CORRELATIONS:
        if task.correlation == "spearman":
            metrics = np.stack([rank_scores(groups, table) for table in metrics])
            gold = rank_scores(groups, gold)
        if by_williams_t(len(gold), task, settings):
            return williams_permutations(gold[:, 0], metrics[:, :, 0], draws=draws, seed=seed)
        return pearson_permutations(gold, metrics, groups, swap=swap, draws=draws, seed=seed)
    if task.correlation in OF_CELLS:
        return agreement_permutations(
            gold, metrics, groups, task.correlation, swap=swap, draws=draws, seed=seed
        )
    # Single scores are costly to swap: fewer sign vectors must do.
    trials = SIGN_VECTORS if swap == "systems" else FEW_SIGN_VECTORS
    return soft_accuracy_permutations(gold, metrics, swap=swap, trials=trials, draws=draws, seed=seed)


def draws_of(metrics: int, task: Task, settings: RunSettings) -> int:
    """As many draws as were asked for, or as the correction of all pairs needs to find any, if they can be afforded."""
    pairs = max(1, metrics * (metrics - 1) // 2)
    costly = task.correlation in OF_CELLS or (
        task.correlation == "spa" and swap_of(task, settings) != "systems"
    )
    most = COSTLY // pairs if costly else NUMBERS_HELD // metrics**2
    return max(settings.draws, min(most, enough_trials(pairs, settings.alpha, settings.correction)))


def by_williams_t(systems: int, task: Task, settings: RunSettings) -> bool:
    """Whether differences are taken over their errors: those of correlations over systems, which are few."""
    return (
        settings.metric_test.studentises
        and task.level == "system"
        and task.correlation in CORRELATIONS
        and systems >= FEWEST
    )


def swap_of(task: Task, settings: RunSettings) -> Swap:
    """What is swapped: what was asked for, where the measure allows it."""
    whole_systems = task.level == "system" and task.correlation != "spa"
    if own := settings.metric_test.own_swap(whole_systems=whole_systems):
        return own
    swap: Swap = settings.swap or usual_swap(task)  # type: ignore[assignment]
    if whole_systems and swap != "systems":
        raise UsageError(
            f"{task.name}: a system has one score, so that whole systems are swapped, not {swap}"
        )
    if task.correlation in OF_PAIRS and swap not in ("cells", "items"):
        raise UsageError(
            f"{task.name}: verdicts on pairs are swapped one by one (cells) or item by item (items), not by {swap}"
        )
    return swap


def usual_swap(task: Task) -> Swap:
    """What keeps false alarms at what they should be: whole systems where these are compared, else what is
    independent. Verdicts on pairs of one item are not, for each system is in several of them.
    """
    if task.level == "system":
        return "systems"
    return "items" if task.correlation in OF_PAIRS else "cells"


def what_is_swapped(task: Task, settings: RunSettings) -> str:
    """In words."""
    swap = swap_of(task, settings)
    if task.correlation in OF_PAIRS and swap == "cells":
        return "single verdicts on pairs"
    if task.level == "system" and task.correlation != "spa":
        return "whole systems"
    return {
        "cells": "single scores",
        "systems": "whole systems",
        "items": "whole items",
        "both": "whole systems, then whole items",
    }[swap]


def _of_pairs(
    agreements: Sequence[Agreement], task: Task, settings: RunSettings, draws: int
) -> MetricPermutations:
    """Verdicts on pairs swapped one by one, or item by item."""
    gold, by_item = agreements[0].gold, swap_of(task, settings) == "items"
    if by_item and task.grouping != "item":
        return _by_influence(agreements, draws, settings.seed)
    groups = ItemGroups.of(gold, task.grouping)
    if (count := pair_count(groups)) > MOST_SINGLE_PAIRS:
        raise UsageError(
            f"{task.name}: {count:,} pairs are too many to swap one by one; swap items: --test permutation, no --swap"
        )
    pairs = ItemPairs.of(groups)
    people = pairs.differences(gold)
    units = pairs.first % gold.shape[1] if by_item else np.arange(len(people))
    if task.correlation == "acc_eq":
        hits = [
            agreement_mask(people, pairs.differences(agreement.scores), agreement.epsilon or 0.0)
            for agreement in agreements
        ]
        return verdict_permutations(np.stack(hits), pairs.weights, units, draws=draws, seed=settings.seed)
    chosen = np.abs(people) >= task.threshold
    verdicts = [
        order_verdicts(people[chosen], pairs.differences(agreement.scores)[chosen], task.ties)
        for agreement in agreements
    ]
    above, below = (np.stack(part) for part in zip(*verdicts, strict=True))
    return ratio_permutations(above, below, units[chosen], draws=draws, seed=settings.seed)


def _by_influence(agreements: Sequence[Agreement], draws: int, seed: int) -> MetricPermutations:
    """What each item adds to two metrics' agreement, swapped: pairs that join two items belong to both of them.

    What an item adds is its jackknife pseudo-value, n times the statistic less n − 1 times that without the item. Their
    mean is the statistic without its bias, and they are as good as independent.
    """
    items = agreements[0].units
    added = np.stack(
        [items * agreement.value - (items - 1) * agreement.without_each() for agreement in agreements]
    )
    return influence_permutations(
        np.array([agreement.value for agreement in agreements]), np.nan_to_num(added), draws=draws, seed=seed
    )


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
    adjusted = _adjust(p_values, values, result.sentinels, settings.correction)
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


def _adjust(
    p_values: Array, values: Sequence[MetricValue], sentinels: Sequence[str], correction: str
) -> Array:
    """P-values corrected over all pairs of metrics; those with a sentinel, a check of each metric, stay as they are."""
    is_metric = np.array([value.metric not in sentinels for value in values])
    among = np.triu(np.outer(is_metric, is_metric), 1) & ~np.isnan(p_values)
    adjusted = p_values.copy()
    adjusted[among] = multiple.adjust_p_values(p_values[among], correction)
    return adjusted


def _p_values(agreements: Sequence[Agreement], task: Task, settings: RunSettings) -> tuple[Array, float]:
    """Two-sided p of every pair of metrics, NaN where there is none, and the least that could have come of it."""

    def scores() -> Array:
        if task.correlation != "pearson" or task.grouping != "none":
            raise UsageError(f"{task.name}: Williams' test is of Pearson's r in one group")
        judged = ~np.isnan(agreements[0].gold)
        return np.stack([agreement.scores[judged] for agreement in agreements])

    return settings.metric_test.p_values(
        MetricAgreement(
            np.array([agreement.value for agreement in agreements]),
            settings.draws,
            permuted=lambda: permutations(agreements, task, settings),
            resampled=lambda: [resamples(agreement, settings) for agreement in agreements],
            scores=scores,
        )
    )
