"""Every value of mt-metrics-eval that lies beside the project: 23 metrics of WMT23, people who rated parts, WMT17."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.io.metric_scores import _Scores
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.shared_task import run_shared_task, usual_tasks
from conftest import benchmark_module

QUICK = RunSettings(interval="none", test="none")
GROUPINGS = {"none": "none", "item": "item", "sys": "system"}
MEASURES = {"pearson": "pearson", "spearman": "spearman", "kendall_b": "kendall", "kendall_c": "kendall_c"}


@pytest.fixture(scope="module")
def wmt23(shared):
    """All 23 metrics whose scores lie there."""
    return benchmark_module("meta").wmt23(shared.data.parent)


@pytest.fixture(scope="module")
def golden(shared):
    return shared.json("mtme/ende_correlations.json")["settings"]


def check_segments(meta_set, gold, metrics):
    """Every correlation of segments that golden has; how many were held against each other."""
    checked = 0
    for theirs, ours in MEASURES.items():
        for short, grouping in GROUPINGS.items():
            for value in run_task(meta_set, Task(gold, "segment", ours, grouping), QUICK).values:
                known = metrics.get(value.metric, {}).get("segment", {}).get(f"{theirs}_{short}")
                if known is not None and known["value"] is not None:
                    assert value.value == pytest.approx(known["value"], abs=1e-9), (
                        value.metric,
                        theirs,
                        short,
                    )
                    checked += 1
    for value in run_task(meta_set, Task(gold, "segment", "acc_eq", "item"), QUICK).values:
        known = metrics.get(value.metric, {}).get("segment", {}).get("acc_eq_item")
        if known is not None:
            assert value.value == pytest.approx(known["value"], abs=1e-9), value.metric
            checked += 1
    return checked


def test_23_metrics_segment_by_segment(wmt23, golden):
    assert check_segments(wmt23, "mqm", golden["mqm_refA"]["metrics"]) == 23 * 13


def test_23_metrics_system_by_system(wmt23, golden):
    for theirs, ours in {**MEASURES, "pairwise_accuracy": "accuracy"}.items():
        values = run_task(wmt23, Task("mqm", "system", ours), QUICK).values
        assert len(values) == 23
        for value in values:
            known = golden["mqm_refA"]["metrics"][value.metric]["system"][theirs]
            assert value.value == pytest.approx(known, abs=1e-9), (value.metric, theirs)
    for value in run_task(wmt23, Task("mqm", "system", "spa"), QUICK).values:
        known = golden["mqm_refA"]["metrics"][value.metric]["system"]["spa_100000_seed4"]
        assert value.value == pytest.approx(known, abs=0.003)


@pytest.mark.parametrize("campaign", ["MQM-IAA", "ESA-IAA", "ESA-1"])
def test_people_who_rated_other_lines_of_each_system(wmt23, golden, shared, campaign):
    path = shared.data / "03_wmt23_mqm_esa" / "en-de" / "esa_campaign" / f"en-de.{campaign}"
    table = _Scores.read(str(path)).table(campaign, wmt23.systems, wmt23.segments)
    rated = replace(wmt23, gold={campaign: ScoreTable.of_segments(campaign, table.segments)})
    few = replace(
        rated, metrics={name: rated.metrics[name] for name in golden[f"campaign_{campaign}"]["metrics"]}
    )
    assert check_segments(few, campaign, golden[f"campaign_{campaign}"]["metrics"]) > 60


def test_the_tasks_of_wmt23_and_their_average(wmt23, shared):
    result = run_shared_task(wmt23, usual_tasks("mqm"), QUICK)
    rows = shared.json("mtme/wmt23_tasks_ende.json")["WMT23"]["rows"]
    averages = {average.metric: average.value for average in result.averages}
    checked = 0
    for name, average in averages.items():
        known = rows.get(name.removesuffix("-refA").replace("-src", "[noref]"))
        if known is None:
            continue
        assert average == pytest.approx(known["average"], abs=1e-9)
        for task_result, theirs in zip(result.results, known["tasks"], strict=True):
            (value,) = [v.value for v in task_result.values if v.metric == name]
            assert value == pytest.approx(theirs, abs=1e-9)
        checked += 1
    assert checked >= 15


@pytest.mark.parametrize("pair", ["de-en", "zh-en"])
def test_wmt17_direct_assessment(shared, pair):
    golden = shared.json("mtme/wmt17_da_seg_deen_zhen.json")["pairs"][pair]
    count = golden["n_items"]

    def table(name, scores):
        return ScoreTable.of_segments(name, np.array(scores, float).reshape(2, -1))

    # All outputs are in one list: which of two systems they are of does not matter.
    tables = {name: table(name, scores) for name, scores in golden["scores"].items()}
    made = MetaSet("wmt17", pair, ("a", "b"), {"da": table("da", golden["gold"])}, tables).turned(["TER"])
    for theirs, ours in MEASURES.items():
        for value in run_task(made, Task("da", "segment", ours), QUICK).values:
            assert value.value == pytest.approx(golden["results"][value.metric][theirs], abs=1e-9)
            assert value.n == count
    rules = {
        "discordant": "canonical",
        "dropped": "tau_ties_dropped",
        "denominator": "tau_ties_in_denominator_only",
    }
    for rule, theirs in rules.items():
        for threshold in ("0.0", "0.5"):
            task = Task("da", "segment", "darr", threshold=float(threshold), ties=rule)
            for value in run_task(made, task, QUICK).values:
                known = golden["results"][value.metric]["kendall_like_all_pairs"][threshold]
                assert value.value == pytest.approx(known[theirs], abs=1e-9), (value.metric, rule, threshold)
