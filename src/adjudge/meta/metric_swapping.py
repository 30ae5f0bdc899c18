"""Permutations of two metrics' scores in a task, by its measure and what is swapped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.meta.settings import RunSettings
from adjudge.meta.tables import TaskTables
from adjudge.meta.task import OF_PAIRS, Task
from adjudge.stats.item_groups import ItemGroups, rank_scores
from adjudge.stats.item_pairs import ItemPairs, agreeing, order_verdicts
from adjudge.stats.metric_swaps import (
    MetricPermutations,
    Swap,
    agreement_permutations,
    pearson_permutations,
    ratio_permutations,
    verdict_permutations,
)
from adjudge.stats.soft_accuracy import soft_accuracy_permutations

Array = NDArray[np.float64]
OF_CELLS = ("kendall", "kendall_c", "accuracy")


def permutations(
    names: Sequence[str], epsilons: Sequence[float], tables: TaskTables, task: Task, settings: RunSettings
) -> MetricPermutations:
    """The permutations that fit the task's measure."""
    gold, metrics = tables.gold, np.stack([tables.metrics[name] for name in names])
    task = task.measured
    groups = ItemGroups.of(gold, task.grouping)
    swap, draws, seed = swap_of(task, settings), settings.draws, settings.seed
    if task.correlation == "pearson":
        return pearson_permutations(gold, metrics, groups, swap=swap, draws=draws, seed=seed)
    if task.correlation == "spearman":
        ranks = np.stack([rank_scores(groups, table) for table in metrics])
        return pearson_permutations(
            rank_scores(groups, gold), ranks, groups, swap=swap, draws=draws, seed=seed
        )
    if task.correlation in OF_CELLS:
        return agreement_permutations(
            gold, metrics, groups, task.correlation, swap=swap, draws=draws, seed=seed
        )
    if task.correlation == "spa":
        return soft_accuracy_permutations(gold, metrics, swap=swap, draws=draws, seed=seed)
    return _of_pairs(gold, metrics, ItemPairs.of(groups), epsilons, task, settings)


def swap_of(task: Task, settings: RunSettings) -> Swap:
    """What is swapped: what was asked for, where the measure allows it."""
    swap: Swap = settings.swap or usual_swap(task)  # type: ignore[assignment]
    if task.level == "system" and task.correlation != "spa" and swap != "systems":
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
    gold: Array,
    metrics: Array,
    pairs: ItemPairs,
    epsilons: Sequence[float],
    task: Task,
    settings: RunSettings,
) -> MetricPermutations:
    """Verdicts on pairs swapped one by one, or all of an item together."""
    people = pairs.differences(gold)
    by_item = swap_of(task, settings) == "items"
    units = pairs.first % gold.shape[1] if by_item else np.arange(len(people))
    if task.correlation == "acc_eq":
        hits = [
            agreeing(people, pairs.differences(table), epsilon)
            for table, epsilon in zip(metrics, epsilons, strict=True)
        ]
        return verdict_permutations(
            np.stack(hits), pairs.weights, units, draws=settings.draws, seed=settings.seed
        )
    chosen = np.abs(people) >= task.threshold
    verdicts = [
        order_verdicts(people[chosen], pairs.differences(table)[chosen], task.ties) for table in metrics
    ]
    above, below = (np.stack(part) for part in zip(*verdicts, strict=True))
    return ratio_permutations(above, below, units[chosen], draws=settings.draws, seed=settings.seed)
