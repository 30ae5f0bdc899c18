"""Agreement of metrics with people: mt-metrics-eval's own values on WMT23, and defined answers where there are none."""

import math

import numpy as np
import pytest

from adjudge.io.metric_folders import read_meta_set
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.significance import rank_classes
from helpers.meta_tasks import SCORES, meta_set, pair_of_metrics

QUICK = RunSettings(interval="none", test="none")


@pytest.fixture(scope="module")
def wmt23(shared):
    return read_meta_set(str(shared.data / "03_wmt23_mqm_esa")).meta_set


@pytest.fixture(scope="module")
def golden(shared):
    return shared.json("mtme/ende_correlations.json")["settings"]


def test_people_as_systems_for_metrics_that_read_no_reference(wmt23, golden):
    result = run_task(wmt23, Task("mqm", "segment", "acc_eq", "item", humans=True), QUICK)
    judged = {value.metric: value for value in result.values}
    assert "refA" in result.systems
    assert "refA" in judged["COMET-refA"].reason
    theirs = golden["mqm_src_with_human"]["metrics"]["CometKiwi-src"]["segment"]["acc_eq_item"]["value"]
    assert judged["CometKiwi-src"].value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("correlation", ["pearson", "spearman", "kendall", "kendall_c"])
def test_what_says_the_same_of_everything_agrees_with_nobody(correlation):
    made = meta_set(SCORES, {"constant": np.ones((3, 3)), "good": SCORES})
    for task in (Task("da", "segment", correlation), Task("da", "system", correlation)):
        good, constant = run_task(made, task).values
        assert good.value > 0.98  # tau-c of itself is below 1 where there are ties
        assert math.isnan(constant.value)
        assert "the metric gives everything the same score" in constant.reason


def test_rank_clusters_of_mt_metrics_eval(shared):
    for case in shared.json("mtme/small_cases.json")["rank_clusters"]["cases"].values():
        p_upper = case["p_upper"]
        names = "abcdefgh"[: len(p_upper)]
        pairs = [
            pair_of_metrics(names[i], names[j], p_upper[i][j] <= case["pval"])
            for i in range(len(names))
            for j in range(i + 1, len(names))
        ]
        assert rank_classes(names, pairs) == tuple(case["ranks"])


def test_outliers_by_the_median():
    scores = [70.0, 71, 72, 69, 70.5, 20]
    made = meta_set([[score] * 2 for score in scores], {"m": [[score] * 2 for score in scores]})
    whole, without = (
        run_task(made, Task("da", "system", outliers=outliers), QUICK) for outliers in (True, False)
    )
    assert whole.systems == tuple("abcdef")
    assert without.systems == tuple("abcde")
    assert without.outliers == ("f",)


@pytest.mark.parametrize(
    "task",
    [
        Task("da", "system", "accuracy"),
        Task("da", "segment", "acc_eq", "item"),
        Task("da", "segment", "darr", "item", threshold=1),
    ],
)
def test_a_value_that_ties_alone_make_has_a_reason(task):
    made = meta_set(SCORES, {"constant": np.ones((3, 3)), "good": SCORES})
    values = {value.metric: value for value in run_task(made, task).values}
    assert values["constant"].reason == "the metric gives everything the same score"
    assert values["good"].reason == ""
    made = meta_set(np.ones((3, 3)), {"good": SCORES})
    (value,) = run_task(made, task).values
    assert value.reason in ("people gave everything the same score", "no pair differs by 1 or more")


def test_a_handful_of_systems_has_no_interval():
    few, more = ([[float(q)] * 2 for q in range(n)] for n in (4, 5))
    for rows, known in ((few, False), (more, True)):
        noisy = [[cell + (place == 1) for cell in row] for place, row in enumerate(rows)]
        (value,) = run_task(meta_set(rows, {"m": noisy}), Task("da", "system")).values
        assert math.isnan(value.low) != known
