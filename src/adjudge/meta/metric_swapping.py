"""Permutations of two metrics' scores in a task, by its measure and what is swapped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adjudge.errors import UsageError
from adjudge.meta.settings import RunSettings
from adjudge.meta.statistic import SIGN_VECTORS, Agreement
from adjudge.meta.task import OF_PAIRS, Task
from adjudge.stats.item_pairs import ItemGroups, ItemPairs, agreeing, order_verdicts, pair_count, rank_scores
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
from adjudge.stats.soft_accuracy import soft_accuracy_permutations

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
    gold, metrics = agreements[0].gold, np.stack([own.scores for own in agreements])
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
        hits = [agreeing(people, pairs.differences(own.scores), own.epsilon or 0.0) for own in agreements]
        return verdict_permutations(np.stack(hits), pairs.weights, units, draws=draws, seed=settings.seed)
    chosen = np.abs(people) >= task.threshold
    verdicts = [
        order_verdicts(people[chosen], pairs.differences(own.scores)[chosen], task.ties) for own in agreements
    ]
    above, below = (np.stack(part) for part in zip(*verdicts, strict=True))
    return ratio_permutations(above, below, units[chosen], draws=draws, seed=settings.seed)


def _by_influence(agreements: Sequence[Agreement], draws: int, seed: int) -> MetricPermutations:
    """What each item adds to two metrics' agreement, swapped: pairs that join two items belong to both of them.

    What an item adds is its jackknife pseudo-value, n times the statistic less n − 1 times that without the item. Their
    mean is the statistic without its bias, and they are as good as independent.
    """
    items = agreements[0].units
    added = np.stack([items * own.value - (items - 1) * own.without_each() for own in agreements])
    return influence_permutations(
        np.array([own.value for own in agreements]), np.nan_to_num(added), draws=draws, seed=seed
    )
