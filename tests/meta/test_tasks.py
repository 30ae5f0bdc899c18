"""Agreement of metrics with people: mt-metrics-eval's own values on WMT23, and defined answers where there are none."""

import math

import numpy as np
import pytest

from adjudge.io.metric_scores import read_meta_set
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.metric_swapping import permutations
from adjudge.meta.significance import rank_classes
from adjudge.meta.tables import tables_of
from helpers.meta_tasks import SCORES, meta_set, pair_of_metrics

NAMES = {"kendall": "kendall_b"}


QUICK = RunSettings(interval="none", test="none")


@pytest.fixture(scope="module")
def wmt23(shared):
    return read_meta_set(str(shared.data / "03_wmt23_mqm_esa")).meta_set


@pytest.fixture(scope="module")
def golden(shared):
    return shared.json("mtme/ende_correlations.json")["settings"]


@pytest.mark.parametrize(("gold", "setting"), [("mqm", "mqm_refA"), ("da-sqm", "dasqm_refA")])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("correlation", ["pearson", "spearman", "kendall", "kendall_c"])
def test_correlations_of_segments(wmt23, golden, gold, setting, grouping, correlation):
    result = run_task(wmt23, Task(gold, "segment", correlation, grouping), QUICK)
    assert len(result.values) == 7
    for value in result.values:
        short = grouping.replace("system", "sys")
        theirs = golden[setting]["metrics"][value.metric]["segment"][
            f"{NAMES.get(correlation, correlation)}_{short}"
        ]
        assert value.value == pytest.approx(theirs["value"], abs=1e-9)
        if grouping != "none":
            assert value.n == theirs["n_averaged"]


@pytest.mark.parametrize(("gold", "setting"), [("mqm", "mqm_refA"), ("da-sqm", "dasqm_refA")])
def test_accuracy_with_ties(wmt23, golden, gold, setting):
    for value in run_task(wmt23, Task(gold, "segment", "acc_eq", "item"), QUICK).values:
        theirs = golden[setting]["metrics"][value.metric]["segment"]["acc_eq_item"]
        assert value.value == pytest.approx(theirs["value"], abs=1e-9)
        if theirs["n_equal_best"] <= 10:
            assert min(abs(value.epsilon - e) for e in theirs["equal_best_epsilons"]) < 1e-9


@pytest.mark.parametrize(("gold", "setting"), [("mqm", "mqm_refA"), ("da-sqm", "dasqm_refA")])
def test_systems(wmt23, golden, gold, setting):
    measures = {
        "pearson": "pearson",
        "spearman": "spearman",
        "kendall": "kendall_b",
        "kendall_c": "kendall_c",
    }
    for ours, theirs in {**measures, "accuracy": "pairwise_accuracy"}.items():
        for value in run_task(wmt23, Task(gold, "system", ours), QUICK).values:
            assert value.value == pytest.approx(
                golden[setting]["metrics"][value.metric]["system"][theirs], abs=1e-9
            )


def test_soft_accuracy_is_as_near_as_its_draws(wmt23, golden):
    for value in run_task(wmt23, Task("mqm", "system", "spa"), QUICK).values:
        theirs = golden["mqm_refA"]["metrics"][value.metric]["system"]["spa_100000_seed4"]
        assert value.value == pytest.approx(theirs, abs=0.003)


def test_people_as_systems_for_metrics_that_read_no_reference(wmt23, golden):
    result = run_task(wmt23, Task("mqm", "segment", "acc_eq", "item", humans=True), QUICK)
    judged = {value.metric: value for value in result.values}
    assert "refA" in result.systems
    assert "refA" in judged["COMET-refA"].reason
    theirs = golden["mqm_src_with_human"]["metrics"]["CometKiwi-src"]["segment"]["acc_eq_item"]["value"]
    assert judged["CometKiwi-src"].value == pytest.approx(theirs, abs=1e-9)


def test_a_system_left_out(wmt23, golden):
    result = run_task(wmt23, Task("mqm", "system", excluded=("AIRC",)), QUICK)
    for value in result.values:
        theirs = golden["mqm_refA_without_AIRC"]["metrics"][value.metric]["system"]["pearson"]
        assert value.value == pytest.approx(theirs, abs=1e-9)


TASKS = {
    "sys_pearson": Task("mqm", "system"),
    "sys_accuracy": Task("mqm", "system", "accuracy"),
    "seg_pearson_none": Task("mqm", "segment"),
    "seg_acc_eq_item_pairs": Task("mqm", "segment", "acc_eq", "item"),
}


@pytest.mark.parametrize("name", TASKS)
def test_metrics_against_each_other(wmt23, shared, name):
    task = TASKS[name]
    tables = tables_of(wmt23, task)
    result = run_task(wmt23, task, QUICK)
    names = [value.metric for value in result.values]
    epsilons = [v.epsilon or 0.0 for v in result.values]
    swap = None if task.level == "system" else "cells"
    results = permutations(names, epsilons, tables, task, RunSettings(swap=swap, draws=4000, seed=1))
    p_values = results.p_values(two_sided=False)
    place = {n.removesuffix("-refA").replace("-src", "[noref]"): i for i, n in enumerate(names)}
    pairs = shared.json("mtme/ende_significance.json")["tasks"][name]["pairs"]
    assert len(pairs) == 21
    for pair in pairs:
        a, b = place[pair["better"]], place[pair["worse"]]
        assert results.values[a] - results.values[b] == pytest.approx(pair["delta"], abs=1e-9)
        exact = pair.get("p_exact_all_2^12_swaps")
        if exact is not None:
            assert results.exhaustive
            assert p_values[a, b] == pytest.approx(exact, abs=1e-12)
        else:
            p = p_values[a, b]
            error = math.sqrt(max(p * (1 - p), 1 / pair["k_used"]) * (1 / pair["k_used"] + 1 / 4000))
            assert p == pytest.approx(pair["p"], abs=3 * error + 1 / 4000)


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


def test_williams_between_metrics_of_wmt23(wmt23, shared):
    result = run_task(wmt23, Task("mqm", "system"), RunSettings(interval="none", test="williams"))
    ours = {frozenset((pair.a, pair.b)): pair.p for pair in result.pairs}
    for pair in shared.json("mtme/ende_significance.json")["tasks"]["sys_pearson"]["pairs"]:
        names = frozenset(
            next(n for n in wmt23.metrics if n.rpartition("-")[0] == pair[side].removesuffix("[noref]"))
            for side in ("better", "worse")
        )
        assert ours[names] == pytest.approx(2 * pair["williams_p_one_sided"], abs=1e-9)


def test_soft_accuracy_between_metrics_of_wmt23(wmt23, shared):
    task = Task("mqm", "system", "spa")
    names = list(wmt23.metrics)
    permuted = permutations(
        names, [0.0] * 7, tables_of(wmt23, task), task, RunSettings(swap="cells", draws=300, seed=1)
    )
    p_values = permuted.p_values(two_sided=False)
    place = {n.removesuffix("-refA").replace("-src", "[noref]"): i for i, n in enumerate(names)}
    pairs = shared.json("mtme/ende_significance.json")["tasks"]["sys_spa"]["pairs"]
    for pair in pairs:
        a, b = place[pair["better"]], place[pair["worse"]]
        assert permuted.values[a] - permuted.values[b] == pytest.approx(pair["delta"], abs=0.004)
        spread = permuted.differences[:, a, b].std()
        assert spread == pytest.approx(
            pair["null_sd"], rel=3 / math.sqrt(2 * 300) + 3 / math.sqrt(2 * pair["k_used"])
        )
        p = p_values[a, b]
        error = math.sqrt(max(p * (1 - p), 1 / 300) * (1 / pair["k_used"] + 1 / 300))
        assert p == pytest.approx(pair["p"], abs=3 * error + 0.01)
