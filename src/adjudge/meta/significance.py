"""Which metric agrees with people better than which: permutations of two metrics' scores, for all pairs of metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.meta.results import MetricPair, TaskResult
from adjudge.meta.tables import TaskTables
from adjudge.meta.task import Task
from adjudge.stats import multiple
from adjudge.stats.item_groups import BY_GROUP, ItemGroups, rank_scores
from adjudge.stats.item_pairs import ItemPairs, agreeing
from adjudge.stats.metric_swaps import (
    MetricPermutations,
    accuracy_permutations,
    coins,
    is_exhaustive,
    pearson_permutations,
    standardised,
    verdict_permutations,
)
from adjudge.stats.soft_accuracy import soft_accuracy_permutations

Array = NDArray[np.float64]


def compare_metrics(
    result: TaskResult, tables: TaskTables, *, draws: int, alpha: float, seed: int
) -> TaskResult:
    """The result with all pairs of metrics tested, p-values corrected by Holm, and ranks."""
    values = [value for value in result.values if not math.isnan(value.value)]
    names = [value.metric for value in values]
    if len(names) < 2:
        return result
    epsilons = [value.epsilon or 0.0 for value in values]
    permuted = permutations(names, epsilons, tables, result.task, draws=draws, seed=seed)
    if permuted is None:
        note = "metrics are not tested against each other: there is no permutation test for this measure"
        return replace(result, notes=(*result.notes, note))
    p_values = permuted.p_values()
    first, second = np.triu_indices(len(names), 1)
    adjusted = multiple.adjusted(p_values[first, second])
    pairs = tuple(
        MetricPair(
            names[a],
            names[b],
            values[a].value - values[b].value,
            float(p_values[a, b]),
            float(corrected),
            bool(corrected <= alpha),
        )
        for a, b, corrected in zip(first, second, adjusted, strict=True)
    )
    return replace(result, pairs=pairs, ranks=rank_classes(names, pairs))


def permutations(
    names: Sequence[str], epsilons: Sequence[float], tables: TaskTables, task: Task, *, draws: int, seed: int
) -> MetricPermutations | None:
    """The permutations that fit the task's measure; None where there are none."""
    gold, metrics = tables.gold, np.stack([tables.metrics[name] for name in names])
    if task.level == "system":
        return _of_systems(gold, metrics, task, draws, seed)
    groups = ItemGroups.of(gold, task.grouping)
    if task.correlation == "pearson":
        return pearson_permutations(gold, metrics, groups, draws=draws, seed=seed)
    if task.correlation == "spearman":
        ranks = np.stack([rank_scores(groups, table) for table in metrics])
        return pearson_permutations(rank_scores(groups, gold), ranks, groups, draws=draws, seed=seed)
    if task.correlation == "acc_eq":
        pairs = ItemPairs.of(groups)
        people = pairs.differences(gold)
        verdicts = np.stack(
            [agreeing(people, pairs.differences(m), e) for m, e in zip(metrics, epsilons, strict=True)]
        )
        return verdict_permutations(verdicts, pairs.weights, draws=draws, seed=seed)
    if task.correlation == "darr" and task.ties == "discordant":
        return _of_ordered_pairs(ItemPairs.of(groups), gold, metrics, task, draws, seed)
    return None


def rank_classes(names: Sequence[str], pairs: Sequence[MetricPair]) -> tuple[int, ...]:
    """Ranks as WMT gives them: down the list, a metric opens a new one if a metric of the present one beats it."""
    beaten = {(pair.a, pair.b) for pair in pairs if pair.significant}
    ranks: list[int] = []
    present: list[str] = []
    for name in names:
        if any((other, name) in beaten for other in present):
            present = []
            ranks.append(len(ranks) + 1)
        else:
            ranks.append(ranks[-1] if ranks else 1)
        present.append(name)
    return tuple(ranks)


def _of_systems(gold: Array, metrics: Array, task: Task, draws: int, seed: int) -> MetricPermutations:
    if task.correlation == "spa":
        return soft_accuracy_permutations(gold, metrics, draws=draws, seed=seed)
    if task.correlation == "accuracy":
        return accuracy_permutations(gold[:, 0], metrics[:, :, 0], draws=draws, seed=seed)
    if task.correlation == "pearson":
        return pearson_permutations(gold, metrics, ItemGroups.of(gold, "none"), draws=draws, seed=seed)
    measure, shape = BY_GROUP[task.correlation], (len(gold), 1)
    scaled = standardised(metrics[:, :, 0], np.ones(len(gold), bool))
    faces = np.concatenate(list(coins(shape, "systems", draws, seed))) > 0
    people = np.broadcast_to(gold[:, 0], faces.shape)
    hybrid = np.zeros((len(faces), len(metrics), len(metrics)))
    for a, b in np.argwhere(~np.eye(len(metrics), dtype=bool)):
        hybrid[:, a, b] = measure(people, np.where(faces, scaled[b], scaled[a]))
    values = measure(np.broadcast_to(gold[:, 0], metrics.shape[:2]), metrics[:, :, 0])
    return MetricPermutations(
        values, hybrid - hybrid.transpose(0, 2, 1), is_exhaustive(shape, "systems", draws)
    )


def _of_ordered_pairs(
    pairs: ItemPairs, gold: Array, metrics: Array, task: Task, draws: int, seed: int
) -> MetricPermutations:
    """WMT's tau is twice the share of concordant pairs less one, so that verdicts on pairs can be swapped."""
    people = pairs.differences(gold)
    chosen = np.abs(people) >= task.threshold
    people = people[chosen]
    verdicts = np.stack(
        [(np.sign(pairs.differences(m)[chosen]) == np.sign(people)) & (people != 0) for m in metrics]
    )
    weights = np.full(len(people), 1.0 / max(1, len(people)))
    share = verdict_permutations(verdicts, weights, draws=draws, seed=seed)
    return MetricPermutations(2 * share.values - 1, 2 * share.differences, share.exhaustive)
