"""Permutations between metrics: the compiled ones give what scipy gives for the very same swaps."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from adjudge.stats.item_pairs import ItemGroups
from adjudge.stats.metric_swaps import agreement_permutations, coins, standardise_metrics
from helpers.swapped import SWAPS, tables


def agreement(kind, people, scores):
    if kind == "accuracy":
        pairs = list(itertools.combinations(range(len(people)), 2))
        alike = [np.sign(people[a] - people[b]) == np.sign(scores[a] - scores[b]) for a, b in pairs]
        return float(np.mean(alike))
    variant = "c" if kind == "kendall_c" else "b"
    if np.ptp(people) == 0 or np.ptp(scores) == 0:
        return math.nan
    return float(stats.kendalltau(people, scores, variant=variant).statistic)


def by_hand(kind, groups, gold, scores):
    """The mean over groups in which there is one."""
    values = []
    for places in groups.places:
        cells = places[places >= 0]
        values.append(agreement(kind, gold.reshape(-1)[cells], scores.reshape(-1)[cells]))
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


@pytest.mark.parametrize("kind", ["kendall", "kendall_c", "accuracy"])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), swap=st.sampled_from(SWAPS), levels=st.sampled_from([2, 4, 50]))
def test_swapped_agreement_is_that_of_the_swapped_scores(kind, grouping, seed, swap, levels):
    gold, metrics = tables(seed, 4, 3, levels, missing=0.2)
    groups = ItemGroups.of(gold, grouping)
    if not len(groups):
        return
    permuted = agreement_permutations(gold, metrics, groups, kind, swap=swap, draws=10, seed=seed)
    faces = np.concatenate(list(coins((4, 3), swap, 10, seed)))
    scaled = standardise_metrics(np.where(np.isnan(gold), 0.0, metrics), ~np.isnan(gold))
    for draw in range(0, len(faces), max(1, len(faces) // 3)):
        mask = faces[draw].reshape(gold.shape) > 0
        for a, b in ((0, 1), (2, 0)):
            ours = by_hand(kind, groups, gold, np.where(mask, scaled[b], scaled[a]))
            theirs = by_hand(kind, groups, gold, np.where(mask, scaled[a], scaled[b]))
            assert permuted.differences[draw, a, b] == pytest.approx(ours - theirs, abs=1e-12, nan_ok=True)
    values = [by_hand(kind, groups, gold, table) for table in metrics]
    assert permuted.values == pytest.approx(values, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", ["kendall", "kendall_c", "accuracy"])
@pytest.mark.parametrize("levels", [3, 10_000])
def test_large_groups_are_sorted_and_say_the_same(kind, levels):
    gold, metrics = tables(5, 4, 40, levels, missing=0.1)
    groups = ItemGroups.of(gold, "none")
    permuted = agreement_permutations(gold, metrics, groups, kind, draws=3, seed=1)
    faces = np.concatenate(list(coins((4, 40), "cells", 3, 1)))
    scaled = standardise_metrics(np.where(np.isnan(gold), 0.0, metrics), ~np.isnan(gold))
    for draw, face in enumerate(faces):
        mask = face.reshape(gold.shape) > 0
        ours, theirs = (
            by_hand(kind, groups, gold, np.where(mask, scaled[b], scaled[a])) for a, b in ((0, 1), (1, 0))
        )
        assert permuted.differences[draw, 0, 1] == pytest.approx(ours - theirs, abs=1e-12)


def test_swaps_are_called_by_what_they_swap():
    rows, columns, both = (
        next(coins((3, 4), swap, 1, 7)).reshape(-1, 3, 4)[-3:] for swap in ("systems", "items", "both")
    )
    assert (rows == rows[:, :, :1]).all()
    assert (columns == columns[:, :1, :]).all()
    assert ((both[:, :1, :] ^ both[:, 1:2, :]).std(2) == 0).all()  # a row is another's, or its contrary
