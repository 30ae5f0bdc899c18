"""Every value of mt-metrics-eval that lies beside the project: WMT23 by 23 metrics, rated whole or in part, 17, 21."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.shared_task import run_shared_task, usual_tasks
from adjudge.meta.tables import tables_of
from adjudge.stats.item_pairs import ItemGroups, ItemPairs, calibrate_ties
from adjudge.stats.soft_accuracy import pair_p_values
from helpers.golden_sets import GROUPINGS, SETTINGS, all_of_wmt23, wmt21
from helpers.meta_tasks import names_of_golden
from oracles.item_pairs import ordered_pairs, tie_accuracy

QUICK = RunSettings(interval="none", test="none")
MEASURES = {"pearson": "pearson", "spearman": "spearman", "kendall_b": "kendall", "kendall_c": "kendall_c"}
RULES = {
    "discordant": "canonical",
    "dropped": "tau_ties_dropped",
    "denominator": "tau_ties_in_denominator_only",
}
IN_ONE_LIST = ("acc_eq", "acc_eq_uncalibrated", "tau_23_uncalibrated", "tau_23")
SOFT_ERROR = 0.0009 * math.sqrt(1000 / 10_240 + 1000 / 100_000)
"""Of soft accuracy from 10,240 draws against 100,000; 1,000 draws spread by .0009 over seeds at most."""


@pytest.fixture(scope="module")
def wmt23(shared):
    return all_of_wmt23(shared)


@pytest.fixture(scope="module")
def golden(shared):
    return shared.json("mtme/ende_correlations.json")["settings"]


def values_of(meta_set, task):
    return {value.metric: value for value in run_task(meta_set, task, QUICK).values}


def check_correlations(meta_set, task, metrics, seen):
    """Pearson, Spearman, Kendall in all groupings, and of differences between systems."""
    for theirs, ours in MEASURES.items():
        for short, grouping in GROUPINGS.items():
            values = values_of(meta_set, replace(task, correlation=ours, grouping=grouping))
            for name, known in metrics.items():
                value, key = values[name], f"{theirs}_{short}"
                seen.add(key)
                assert value.value == pytest.approx(known[key]["value"], abs=1e-9), (name, key)
                if grouping == "none":
                    continue
                assert value.n == known[key]["n_averaged"], (name, key)
                if "n_with_nan" in known[key]:  # groups without a value as 0
                    as_zero = value.value * value.n / known[key]["n_with_nan"]
                    assert as_zero == pytest.approx(known[key]["value_nan_as_zero"], abs=1e-9), (name, key)
    differences = values_of(meta_set, replace(task, correlation="pdp", grouping="item"))
    for name, known in metrics.items():
        key = "pearson_pairwise_differences_pdp"
        seen.add(key)
        assert differences[name].value == pytest.approx(known[key]["value"], abs=1e-9), name


def check_ties(meta_set, task, metrics, short, seen):
    """Accuracy with ties as it is and, where that lies there, at its best epsilon; tau 23 is twice that less one."""
    tables = tables_of(meta_set, task)
    pairs = ItemPairs.of(ItemGroups.of(tables.gold, GROUPINGS[short]))
    for name, known in metrics.items():
        gold, scores = tables.gold, tables.metrics[name]
        own = {f"acc_eq_uncalibrated_{short}": tie_accuracy(pairs, gold, scores, 0.0)}
        calibrated = known.get(f"acc_eq_{short}")
        if calibrated:
            best = calibrate_ties(pairs, gold, scores)
            own[f"acc_eq_{short}"] = best.accuracy
            assert best.uncalibrated == pytest.approx(calibrated["value_at_eps0"], abs=1e-9), name
            if calibrated["n_equal_best"] <= 10:
                assert min(abs(best.epsilon - e) for e in calibrated["equal_best_epsilons"]) < 1e-9, name
        for key, value in own.items():
            assert value == pytest.approx(known[key]["value"], abs=1e-9), (name, key)
            tau = key.replace("acc_eq", "tau_23")
            seen |= {key, tau}
            if tau in known:
                assert 2 * value - 1 == pytest.approx(known[tau]["value"], abs=1e-9), (name, tau)


@pytest.mark.parametrize("setting", SETTINGS)
def test_segments(wmt23, golden, setting):
    metrics = {name: known["segment"] for name, known in golden[setting]["metrics"].items()}
    seen = {f"{key}_none" for key in IN_ONE_LIST}
    check_correlations(wmt23, SETTINGS[setting], metrics, seen)
    for short in ("item", "sys"):
        check_ties(wmt23, SETTINGS[setting], metrics, short, seen)
    assert {
        key for known in metrics.values() for key in known
    } <= seen  # nothing that lies there is passed over


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_pairs_of_all_segments_in_one_list(wmt23, golden, setting):
    """Fifteen million pairs a metric."""
    metrics = {name: known["segment"] for name, known in golden[setting]["metrics"].items()}
    seen = set()
    check_ties(wmt23, SETTINGS[setting], metrics, "none", seen)
    assert {f"{key}_none" for key in IN_ONE_LIST} >= seen


def check_systems(meta_set, task, known_of):
    """Every measure of systems that lies there, of every metric."""
    for theirs, ours in {**MEASURES, "pairwise_accuracy": "accuracy"}.items():
        values = values_of(meta_set, replace(task, level="system", correlation=ours))
        for name, known in known_of.items():
            if theirs in known:
                assert values[name].value == pytest.approx(known[theirs], abs=1e-9), (name, theirs)


@pytest.mark.parametrize("setting", [name for name in SETTINGS if not name.endswith("-IAA")])
def test_systems(wmt23, golden, setting):
    task = SETTINGS[setting]
    known_of = {name: known["system"] for name, known in golden[setting]["metrics"].items()}
    check_systems(wmt23, task, known_of)
    soft = values_of(wmt23, replace(task, level="system", correlation="spa"))
    tables = tables_of(wmt23, replace(task, level="system"))
    whole = ItemPairs.of(ItemGroups.of(tables.gold, "none"))
    for name, known in known_of.items():
        assert soft[name].value == pytest.approx(known["spa_100000_seed4"], abs=3 * SOFT_ERROR), name
        if "agreeing_pairs" in known:
            assert known["pairwise_accuracy"] * known["pairs"] == pytest.approx(known["agreeing_pairs"])
            counts = ordered_pairs(whole, tables.gold, tables.metrics[name], 0.0)
            assert counts.tau() == pytest.approx(known["kendall_like_thresh0"], abs=1e-9), name
            assert counts.concordant == known["agreeing_pairs"] or counts.human_ties


@pytest.mark.parametrize("setting", [name for name in SETTINGS if not name.endswith("-IAA")])
def test_systems_by_the_means_of_their_rated_segments(wmt23, golden, setting):
    task = SETTINGS[setting]
    rated = ~np.isnan(wmt23.gold[task.gold].segments)
    tables = {
        name: replace(
            ScoreTable.of_segments(name, np.where(rated, table.segments, math.nan)), reference=table.reference
        )
        for name, table in wmt23.metrics.items()
    }
    key = "system_from_mean_of_rated_segments"
    check_systems(
        replace(wmt23, metrics=tables),
        task,
        {name: known[key] for name, known in golden[setting]["metrics"].items() if key in known},
    )


def test_p_values_behind_soft_accuracy(wmt23, shared):
    """Shares of sign vectors: within three binomial errors but for chance, and never five."""
    golden = shared.json("mtme/ende_spa.json")
    tables = tables_of(wmt23, Task("mqm", "system", "spa"))
    assert list(tables.systems) == golden["systems"]
    far = []
    for name, known in golden["scorers"].items():
        scores = tables.gold if name.startswith("gold") else tables.metrics[name]
        assert_allclose(scores.sum(1), known["sum_over_rated_segments"], rtol=1e-12)
        theirs = np.array(known["p_100000_seed4"])
        ours = pair_p_values(scores, trials=20_480, seed=7)
        error = np.sqrt(np.maximum(theirs * (1 - theirs), 1e-5) * (1 / 100_000 + 1 / 20_480))
        far.append(np.abs(ours - theirs) / error)
    distances = np.concatenate(far)
    assert distances.max() < 5
    assert (distances > 3).mean() < 0.01


@pytest.mark.parametrize("tasks", ["WMT23", "WMT24OnWMT23"])
def test_task_sets_and_their_averages(wmt23, shared, tasks):
    golden = shared.json("mtme/wmt23_tasks_ende.json")[tasks]
    chosen = usual_tasks("mqm")
    if tasks == "WMT24OnWMT23":
        chosen = (Task("mqm", "system", "spa"), chosen[3])
    chosen = [replace(task, weight=weight) for task, weight in zip(chosen, golden["weights"], strict=True)]
    assert sum(golden["weights"]) == 1
    result = run_shared_task(wmt23, chosen, QUICK)
    averages = {average.metric: average.value for average in result.averages}
    names = names_of_golden(wmt23.metrics)
    known = {names[name]: row for name, row in golden["rows"].items() if name in names}
    assert len(known) >= 20
    # These soft accuracies come from 1,000 draws.
    error = 3 * 0.0009 * math.sqrt(1 + 1000 / 10_240) if tasks == "WMT24OnWMT23" else 0.0
    for name, row in known.items():
        assert averages[name] == pytest.approx(row["average"], abs=1e-9 + error / 2), name
        for task_result, theirs in zip(result.results, row["tasks"], strict=True):
            (value,) = [v.value for v in task_result.values if v.metric == name]
            slack = error if task_result.task.correlation == "spa" else 0.0
            assert value == pytest.approx(theirs, abs=1e-9 + slack), (name, task_result.task.name)


@pytest.mark.parametrize("pair", ["de-en", "zh-en"])
def test_wmt17_direct_assessment(shared, pair):
    golden = shared.json("mtme/wmt17_da_seg_deen_zhen.json")["pairs"][pair]
    count = golden["n_items"]

    def table(name, scores):
        return ScoreTable.of_segments(name, np.array(scores, float).reshape(2, -1))

    # All outputs are in one list: which of two systems they are of does not matter.
    tables = {name: table(name, scores) for name, scores in golden["scores"].items()}
    made = MetaSet("wmt17", pair, ("a", "b"), {"da": table("da", golden["gold"])}, tables).with_signs_changed(
        ["TER"]
    )
    for theirs, ours in MEASURES.items():
        for value in run_task(made, Task("da", "segment", ours), QUICK).values:
            assert value.value == pytest.approx(golden["results"][value.metric][theirs], abs=1e-9)
            assert value.n == count
    for rule, theirs in RULES.items():
        for threshold in ("0.0", "0.5"):
            task = Task("da", "segment", "darr", "none", threshold=float(threshold), ties=rule)
            for value in run_task(made, task, QUICK).values:
                known = golden["results"][value.metric]["kendall_like_all_pairs"][threshold]
                assert value.value == pytest.approx(known[theirs], abs=1e-9), (value.metric, rule, threshold)


@pytest.mark.parametrize("pair", ["cs-en", "is-en"])
def test_wmt21_direct_assessment(shared, pair):
    """From the files of the news task alone: counts of pairs, tau by every rule, correlations, accuracy with ties."""
    golden = shared.json("mtme/darr.json")["sets"][f"wmt21 {pair}"]
    made = wmt21(shared.data / "01_wmt21_da_toen" / pair)
    assert list(made.systems) == golden["_about"]["systems"]
    assert int((~np.isnan(made.gold["da"].segments)).sum()) == golden["_about"]["judged_cells"]
    names = {"chrf-refA": golden["chrF2"], "bleu-refA": golden["sentBLEU"]}
    for threshold in (25, 1, 0):
        for rule, theirs in RULES.items():
            task = Task("da", "segment", "darr", "item", threshold=threshold, ties=rule)
            for name, value in values_of(made, task).items():
                known = names[name][str(threshold)]
                assert value.value == pytest.approx(known[theirs], abs=1e-9), (name, threshold, rule)
                assert value.n == known["pairs"]
    for key in golden["chrF2"]["correlations"]:
        theirs, short = key.rsplit("_", 1)
        task = Task("da", "segment", MEASURES[theirs], GROUPINGS[short])
        for name, value in values_of(made, task).items():
            assert value.value == pytest.approx(names[name]["correlations"][key]["value"], abs=1e-9), (
                name,
                key,
            )
            if short != "none":
                assert value.n == names[name]["correlations"][key]["n_averaged"]
    for name, value in values_of(made, Task("da", "segment", "acc_eq", "item")).items():
        assert value.value == pytest.approx(names[name]["acc_eq_item"]["value"], abs=1e-9), name
