"""Which metrics are told apart, and the ranks that follow."""

import numpy as np

from adjudge.meta import RunSettings, Task, run_task
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
