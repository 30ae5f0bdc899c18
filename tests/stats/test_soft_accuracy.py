"""Soft accuracy of swapped metrics is that of the swapped scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.metric_swaps import EXHAUSTIVE, coins, standardise_metrics
from adjudge.stats.soft_accuracy import pair_p_values, soft_accuracy_permutations
from helpers.swapped import SWAPS, tables


@given(seed=st.integers(0, 10**6), swap=st.sampled_from(SWAPS), trials=st.sampled_from([50, 1000, 1500]))
def test_swapped_soft_accuracy_is_that_of_the_swapped_scores(seed, swap, trials):
    gold, metrics = tables(seed, 4, 6, 4)
    permuted = soft_accuracy_permutations(gold, metrics, swap=swap, trials=trials, draws=5, seed=seed)
    most = EXHAUSTIVE if swap == "systems" else 0  # whole systems cost nothing to swap in all ways
    faces = np.concatenate(list(coins((4, 6), swap, 5, seed + 1, most=most)))
    assert len(faces) == len(permuted.differences) == (16 if swap == "systems" else 5)
    scaled = standardise_metrics(metrics, np.ones_like(gold, bool))
    people = pair_p_values(gold, trials=trials, seed=seed)

    def accuracy(table):
        return 1 - np.abs(people - pair_p_values(table, trials=trials, seed=seed)).mean()

    for draw in range(0, len(faces), max(1, len(faces) // 5)):
        mask = faces[draw].reshape(gold.shape) > 0
        ours, theirs = (accuracy(np.where(mask, scaled[b], scaled[a])) for a, b in ((0, 2), (2, 0)))
        assert permuted.differences[draw, 0, 2] == pytest.approx(ours - theirs, abs=1e-12)
    assert permuted.values == pytest.approx([accuracy(table) for table in metrics], abs=1e-12)


def test_p_values_of_small_tables_are_those_of_all_sign_vectors(shared):
    """A few items have few sign vectors, and mt-metrics-eval's cases say what share of all of them leads."""
    checked = 0
    for name, case in shared.json("mtme/small_cases.json")["cases"].items():
        known = case["results"].get("spa", {})
        if "p_gold_all_sign_vectors" not in known:
            continue
        judged = ~np.isnan(np.array(case["gold"], float)).any(0)
        for side in ("gold", "metric"):
            exact = np.array(known[f"p_{side}_all_sign_vectors"])
            ours = pair_p_values(np.array(case[side], float)[:, judged], trials=40_960, seed=3)
            error = np.sqrt(exact * (1 - exact) / 40_960)
            assert (np.abs(ours - exact) <= 3 * error + 1e-12).all(), (name, side)
            checked += len(exact)
    assert checked > 10
