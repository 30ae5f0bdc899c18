"""Permutations of two metrics' scores in a task, by its measure and what is swapped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.meta.settings import RunSettings
from adjudge.meta.tables import TaskTables
from adjudge.meta.task import CORRELATIONS, Task
from adjudge.stats.item_groups import ItemGroups, rank_scores
from adjudge.stats.item_pairs import ItemPairs, agreeing
from adjudge.stats.metric_swaps import (
    MetricPermutations,
    Swap,
    agreement_permutations,
    pearson_permutations,
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
    pairs = ItemPairs.of(groups)
    verdicts, weights = _verdicts(pairs, gold, metrics, epsilons, task)
    chosen = weights > 0
    units = (pairs.first % gold.shape[1])[chosen] if swap == "items" else None
    share = verdict_permutations(verdicts[:, chosen], weights[chosen], units, draws=draws, seed=seed)
    if task.correlation == "acc_eq":
        return share
    return MetricPermutations(2 * share.values - 1, 2 * share.differences, share.exhaustive)


def swap_of(task: Task, settings: RunSettings) -> Swap:
    """What is swapped: what was asked for, where the measure allows it."""
    usual: Swap = "systems" if task.level == "system" and task.correlation != "spa" else "cells"
    swap: Swap = settings.swap or usual  # type: ignore[assignment]
    if usual == "systems" and swap != "systems":
        raise UsageError(
            f"{task.name}: a system has one score, so that whole systems are swapped, not {swap}"
        )
    if task.correlation in ("acc_eq", "darr") and swap not in ("cells", "items"):
        raise UsageError(
            f"{task.name}: verdicts on pairs are swapped one by one (cells) or item by item (items), not by {swap}"
        )
    return swap


def what_is_swapped(task: Task, settings: RunSettings) -> str:
    """In words."""
    swap = swap_of(task, settings)
    if task.correlation in ("acc_eq", "darr") and swap == "cells":
        return "single verdicts on pairs"
    if task.level == "system" and task.correlation != "spa":
        return "whole systems"
    return {
        "cells": "single scores",
        "systems": "whole systems",
        "items": "whole items",
        "both": "whole systems, then whole items",
    }[swap]


def _verdicts(
    pairs: ItemPairs, gold: Array, metrics: Array, epsilons: Sequence[float], task: Task
) -> tuple[NDArray[np.bool_], Array]:
    """Metrics × pairs: whether each says what people say; and what a pair counts, 0 for those that do not."""
    people = pairs.differences(gold)
    if task.correlation == "acc_eq":
        hits = [
            agreeing(people, pairs.differences(table), epsilon)
            for table, epsilon in zip(metrics, epsilons, strict=True)
        ]
        return np.stack(hits), pairs.weights
    if task.ties != "discordant":
        raise UsageError(
            f"{task.name}: {CORRELATIONS['darr']} can be tested by permutation where ties are discordant; "
            "else by bootstrap"
        )
    # WMT's tau is twice the share of concordant pairs less one.
    chosen = np.abs(people) >= task.threshold
    concordant = [(np.sign(pairs.differences(table)) == np.sign(people)) & (people != 0) for table in metrics]
    return np.stack(concordant), chosen / max(1, int(chosen.sum()))
