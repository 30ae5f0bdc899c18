"""How well scores agree with people, and whether one metric's do better than another's."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.item_pairs import ItemGroups
from adjudge.stats.metric_swaps import MetricPermutations, pearson_permutations, verdict_permutations
from adjudge.tuning.learning.batch import TrainingBatch, standardise_values

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

MEASURES = {"tau": "WMT's tau", "pearson": "Pearson's r"}
"""tau is over pairs of a segment's translations that people order; r over all, on one scale in each test set."""


@dataclass(frozen=True)
class LearnedAgreement:
    """Two metrics held against people."""

    first: float
    second: float
    p: float
    """Two-sided, by swapping the two metrics' scores of whole segments."""
    number: int
    """Of pairs, or of translations."""


def measures_of(batch: TrainingBatch) -> tuple[str, ...]:
    """What agreement can be measured by."""
    scored = ~np.isnan(batch.gold)
    possible = {
        "tau": len(batch.pairs) > 0,
        "pearson": bool(scored.sum() > 2)
        and bool(standardise_values(batch.gold[scored], batch.set[scored]).any()),
    }
    return tuple(measure for measure in MEASURES if possible[measure])


def agreements(batch: TrainingBatch, scores: Array, measure: str) -> Array:
    """Of each column of scores (translations × columns) with people."""
    if measure == "tau":
        better, worse = batch.pairs.T
        return np.asarray(2.0 * (scores[better] > scores[worse]).mean(0) - 1.0)
    scored = ~np.isnan(batch.gold)
    people = standardise_values(batch.gold[scored], batch.set[scored])
    columns = standardise_values(scores[scored], batch.set[scored])
    spread = np.sqrt((columns**2).sum(0) * (people**2).sum())
    return np.asarray(
        np.divide(people @ columns, spread, out=np.full(scores.shape[1], -1.0), where=spread > 0)
    )


def compare_with_people(
    batch: TrainingBatch, both: Array, measure: str, *, draws: int, seed: int
) -> LearnedAgreement:
    """Two columns of scores held against people, and against each other."""
    values = agreements(batch, both, measure)
    permuted = _permute(batch, both, measure, draws, seed)
    number = len(batch.pairs) if measure == "tau" else int((~np.isnan(batch.gold)).sum())
    p = float(permuted.p_values()[0, 1])
    return LearnedAgreement(float(values[0]), float(values[1]), p if number else math.nan, number)


def _permute(batch: TrainingBatch, both: Array, measure: str, draws: int, seed: int) -> MetricPermutations:
    """Whole segments are swapped: what is said of one segment's translations hangs together."""
    if measure == "tau":
        better, worse = batch.pairs.T
        right = both[better] > both[worse]
        weights = np.full(len(right), 1.0 / len(right))
        return verdict_permutations(right.T, weights, batch.segment[better], draws=draws, seed=seed)
    scored = ~np.isnan(batch.gold)
    people = standardise_values(batch.gold[scored], batch.set[scored])
    columns = standardise_values(both[scored], batch.set[scored])
    gold, tables = _tables(batch.segment[scored], people, columns)
    return pearson_permutations(
        gold, tables, ItemGroups.of(gold, "none"), swap="items", draws=draws, seed=seed
    )


def _tables(segment: Indices, people: Array, columns: Array) -> tuple[Array, Array]:
    """Tables with one column per segment, its translations one below the other, NaN where there are no more."""
    order = np.argsort(segment, kind="stable")
    _, begins, place = np.unique(segment[order], return_index=True, return_inverse=True)
    turn = np.arange(len(segment)) - begins[place]
    gold = np.full((int(turn.max()) + 1, len(begins)), np.nan)
    gold[turn, place] = people[order]
    tables = np.full((columns.shape[1], *gold.shape), np.nan)
    for table, column in zip(tables, columns.T, strict=True):
        table[turn, place] = column[order]
    return gold, tables
