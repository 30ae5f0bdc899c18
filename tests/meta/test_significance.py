"""Which metrics are told apart, and the ranks that follow."""

import numpy as np
import pytest

from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.shared_task_display import task_section
from adjudge.meta.significance import rank_classes
from helpers.meta_tasks import meta_set, pair_of_metrics


def test_equal_metrics_are_seldom_told_apart():
    rng = np.random.default_rng(2)
    result = 0
    for trial in range(200):
        quality = rng.normal(size=(6, 40))
        made = meta_set(
            quality + rng.normal(size=(6, 40)), {n: quality + rng.normal(size=(6, 40)) for n in ("m", "n")}
        )
        (pair,) = run_task(made, Task("da"), RunSettings(interval="none", draws=200, seed=trial)).pairs
        result += pair.significant
    assert result <= 20  # 5 % of 200, within three standard errors


def test_ranks_open_where_one_of_the_present_rank_is_better():
    beats = {("a", "c"), ("b", "d")}
    pairs = [pair_of_metrics(a, b, (a, b) in beats) for a, b in ("ab", "ac", "ad", "bc", "bd", "cd")]
    assert rank_classes("abcd", pairs) == (1, 1, 2, 2)


def many(metrics, systems=6, seed=3):
    """Metrics from good to poor, so many that a correction of a thousand permutations leaves none of them."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 60))
    noises = np.linspace(0.1, 4, metrics)
    return meta_set(
        quality,
        {f"m{place:02}": quality + own * rng.normal(size=quality.shape) for place, own in enumerate(noises)},
    )


@pytest.mark.parametrize(
    "task", [Task("da"), Task("da", "segment", "acc_eq", "item"), Task("da", "segment", "kendall", "item")]
)
def test_many_metrics_are_swapped_as_often_as_their_correction_needs(task):
    """66 pairs: the least p of 1,000 permutations is 0.066 once corrected, and nothing would ever be found."""
    result = run_task(many(12), task, RunSettings(interval="none"))
    assert result.least_p * 66 < 0.05
    best, worst = result.pairs[0].a, result.values[-1].metric
    assert next(pair for pair in result.pairs if (pair.a, pair.b) == (best, worst)).significant
    assert result.ranks[-1] > 1


def test_where_nothing_can_be_found_that_is_said():
    """Six systems are swapped in 64 ways: the least p is 1/32, and more than .05 corrected for three pairs."""
    settings = RunSettings(interval="none")
    result = run_task(many(3), Task("da", "system"), settings)
    assert result.least_p == 1 / 32
    notes = task_section(result, settings).notes
    assert (
        "No pair could be found to differ here: the least p that the test can give is 0.031, and 0.094 corrected for "
        "3 pairs (judge more systems, or fewer metrics)." in notes
    )
    enough = run_task(many(3, systems=8), Task("da", "system"), settings)
    assert not any("No pair could" in note for note in task_section(enough, settings).notes)


@pytest.mark.parametrize("threshold", [0.5, 1.0])
def test_swapping_items_of_darr_is_exact(threshold):
    """Of all ways to swap two metrics item by item, a share of alpha or less has a p of alpha or less."""
    rng = np.random.default_rng(4)
    people, first, second = np.round(rng.normal(size=(3, 5, 6)) * 2)
    task = Task("da", "segment", "darr", "item", threshold=threshold)
    p_values = []
    for mask in range(64):
        swapped = (mask >> np.arange(6)) & 1 == 1
        metrics = {"m": np.where(swapped, second, first), "n": np.where(swapped, first, second)}
        (pair,) = run_task(meta_set(people, metrics), task, RunSettings("none", "permutation")).pairs
        p_values.append(pair.p)
    assert len(set(p_values)) > 5
    for alpha in (0.05, 0.1, 0.25, 0.5):
        assert np.mean(np.array(p_values) <= alpha) <= alpha
