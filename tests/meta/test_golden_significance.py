"""Which metric is better, as mt-metrics-eval finds it on WMT23: differences, p, spread of swaps, ranks, averages."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from adjudge.io.metric_folders import read_meta_set
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.shared_task import run_shared_task, usual_tasks
from adjudge.meta.significance import permutations, rank_classes
from adjudge.meta.statistic import agreement_of
from adjudge.meta.tables import tables_of
from adjudge.stats.correlation import pearson
from adjudge.stats.item_pairs import ItemGroups, ItemPairs, agreement_mask
from helpers.meta_tasks import names_of_golden, pair_of_metrics
from oracles.item_pairs import tie_accuracy

QUICK = RunSettings(interval="none", test="none")


@pytest.fixture(scope="module")
def wmt23(shared):
    """The seven metrics of the folder."""
    return read_meta_set(str(shared.data / "03_wmt23_mqm_esa")).meta_set


SIGNIFICANCE = {
    "sys_accuracy": Task("mqm", "system", "accuracy"),
    "sys_pearson": Task("mqm", "system"),
    "seg_pearson_none": Task("mqm", "segment"),
    "seg_acc_eq_item_pairs": Task("mqm", "segment", "acc_eq", "item"),
    "sys_spa": Task("mqm", "system", "spa"),
}
DRAWS = 4000


@pytest.fixture(scope="module")
def permuted(wmt23):
    """Swaps as mt-metrics-eval has them, of its seven metrics, by golden's names of the tasks."""
    assert len(wmt23.metrics) == 7
    made = {}
    for key, task in SIGNIFICANCE.items():
        result = run_task(wmt23, task, QUICK)
        names = [value.metric for value in result.values]
        draws = 600 if task.correlation == "spa" else DRAWS
        made[key] = (
            names,
            permutations(
                [agreement_of(name, tables_of(wmt23, task), task, 1) for name in names],
                task,
                RunSettings(test="mtme", correction="none", draws=draws, seed=1),
            ),
        )
    return made


def null_of(permuted, key, pair):
    names, permutation = permuted[key]
    place = {short: names.index(name) for short, name in names_of_golden(names).items()}
    return permutation, place[pair["better"]], place[pair["worse"]]


@pytest.mark.parametrize("key", SIGNIFICANCE)
def test_metrics_against_each_other(permuted, shared, key):
    """Differences, p one-sided as theirs, and the spread of what swapping gives."""
    pairs = shared.json("mtme/ende_significance.json")["tasks"][key]["pairs"]
    assert len(pairs) == 21
    for pair in pairs:
        permutation, a, b = null_of(permuted, key, pair)
        sampled = key == "sys_spa"
        soft = 3 * 0.0009 * math.sqrt(2) if sampled else 0.0  # two soft accuracies of 1,000 draws each
        assert permutation.values[a] - permutation.values[b] == pytest.approx(pair["delta"], abs=1e-9 + soft)
        null = permutation.differences[:, a, b]
        p = permutation.p_values(two_sided=False)[a, b]
        exact = pair.get("p_exact_all_2^12_swaps")
        if exact is not None:
            assert permutation.exhaustive
            assert p == pytest.approx(exact, abs=1e-12)
            assert null.std() == pytest.approx(pair["null_sd_exact"], rel=1e-9)
            # What it drew itself lies about what all swaps give.
            drawn = pair["k_used"]
            assert pair["p"] == pytest.approx(p, abs=3 * math.sqrt(max(p * (1 - p), 1 / drawn) / drawn))
            assert pair["null_sd"] == pytest.approx(null.std(), rel=3 * math.sqrt(0.5 / drawn))
            slack = 1e-12
            assert (null > pair["delta"] + slack).mean() == pytest.approx(
                pair["p_exact_strictly_greater"], abs=1e-12
            )
            continue
        error = math.sqrt(max(p * (1 - p), 1 / pair["k_used"]) * (1 / pair["k_used"] + 1 / len(null)))
        assert p == pytest.approx(pair["p"], abs=3 * error + 1 / len(null) + (0.01 if sampled else 0)), pair
        if "null_sd_analytic" in pair:
            assert null.std() == pytest.approx(pair["null_sd_analytic"], rel=3 / math.sqrt(2 * len(null)))
        if own := pair.get("own_20000_draws"):
            assert null.std() == pytest.approx(
                own["null_sd"], rel=3 * math.sqrt(0.5 / 20_000 + 0.5 / len(null))
            )
        both = 3 * math.sqrt(0.5 / pair["k_used"] + 0.5 / len(null))
        assert null.std() == pytest.approx(pair["null_sd"], rel=both), pair


def least_and_most(null, value):
    """The shares of what swaps give that lie below a value, and at or below it."""
    slack = 1e-9
    return (null < value - slack).mean(), (null <= value + slack).mean()


@pytest.mark.parametrize("key", SIGNIFICANCE)
def test_what_swaps_give_between_metrics(permuted, shared, key):
    """Mean and quantiles of their swaps lie where ours have them; what p needs besides is what they have."""
    golden = shared.json("mtme/ende_significance.json")
    levels, task = golden["null_quantile_levels"], golden["tasks"][key]
    far = []
    for pair in task["pairs"]:
        permutation, a, b = null_of(permuted, key, pair)
        null, used = permutation.differences[:, a, b], pair["k_used"]
        assert used == golden["k"][key]
        error = null.std() * math.sqrt(1 / used + 1 / len(null))
        far.append(abs(null.mean() - pair["null_mean"]) / error)
        for level, value in zip(levels, pair["null_quantiles"], strict=True):
            below, up_to = least_and_most(null, value)
            error = math.sqrt(level * (1 - level) * (1 / used + 1 / len(null)))
            outside = max(0.0, level - up_to, below - level)
            # A quantile of 300 draws lies between two of them.
            far.append(max(0.0, outside - 1 / used) / error)
        if own := pair.get("own_20000_draws"):
            error = null.std() * math.sqrt(1 / 20_000 + 1 / len(null))
            far.append(abs(null.mean() - own["null_mean"]) / error)
            p = permutation.p_values(two_sided=False)[a, b]
            error = math.sqrt(max(own["p"] * (1 - own["p"]), 1e-4) * (1 / 20_000 + 1 / len(null)))
            far.append(max(0.0, abs(p - own["p"]) - 1 / len(null)) / error)
    assert max(far) < 4.5  # of some 200 distances, of which one in a hundred thousand would be further
    assert np.mean(np.array(far) > 3) < 0.02


@pytest.mark.parametrize("key", SIGNIFICANCE)
def test_values_behind_the_ranking(permuted, shared, key):
    names, permutation = permuted[key]
    values = dict(zip(names, permutation.values, strict=True))
    places = names_of_golden(names)
    soft = 3 * 0.0009 * math.sqrt(2) if key == "sys_spa" else 0.0
    for row in shared.json("mtme/ende_significance.json")["tasks"][key]["ranking"]:
        assert values[places[row["metric"]]] == pytest.approx(row["value"], abs=1e-9 + soft)


def test_verdicts_on_pairs_and_the_normal_null(wmt23, shared):
    """How many verdicts differ at each metric's own epsilon, and what a normal null makes of the difference."""
    task = SIGNIFICANCE["seg_acc_eq_item_pairs"]
    tables = tables_of(wmt23, task)
    pairs = ItemPairs.of(ItemGroups.of(tables.gold, "item"))
    values = {value.metric: value for value in run_task(wmt23, task, QUICK).values}
    people, names = pairs.differences(tables.gold), names_of_golden(values)
    for pair in shared.json("mtme/ende_significance.json")["tasks"]["seg_acc_eq_item_pairs"]["pairs"]:
        hits = []
        for side in ("better", "worse"):
            scores = tables.metrics[names[pair[side]]]
            epsilon = pair[f"epsilon_{side}"]
            assert tie_accuracy(pairs, tables.gold, scores, epsilon) == pytest.approx(
                values[names[pair[side]]].value, abs=1e-9
            )
            hits.append(agreement_mask(people, pairs.differences(scores), epsilon))
        differing = hits[0] != hits[1]
        assert int(differing.sum()) == pair["pairs_where_verdicts_differ"]
        spread = math.sqrt((pairs.weights[differing] ** 2).sum())
        p = norm.sf(pair["delta"] / spread)
        assert p == pytest.approx(pair["p_normal_approximation"], rel=1e-6)


def test_correlations_between_metrics(wmt23, shared):
    tables = tables_of(wmt23, SIGNIFICANCE["sys_pearson"])
    names = names_of_golden(tables.metrics)
    for pair in shared.json("mtme/ende_significance.json")["tasks"]["sys_pearson"]["pairs"]:
        first, second = (tables.metrics[names[pair[side]]][:, 0] for side in ("better", "worse"))
        assert pearson(first[None], second)[0] == pytest.approx(pair["r_between_metrics"], abs=1e-9)


def test_ranks_from_their_p_values(shared):
    golden = shared.json("mtme/ende_significance.json")
    checked = 0
    for known in (*golden["tasks"].values(), golden["average_of_4_tasks"]):
        pairs = [pair_of_metrics(pair["better"], pair["worse"], pair["p"] <= 0.05) for pair in known["pairs"]]
        names = [row["metric"] for row in known["ranking"]]
        assert rank_classes(names, pairs) == tuple(row["rank"] for row in known["ranking"])
        checked += 1
    assert checked == 6


def test_the_average_of_four_tasks_and_its_swaps(permuted, wmt23, shared):
    """mt-metrics-eval adds up the swapped differences of the tasks: so do ours, put together in the same way.

    Its coins began anew in each task, so that accuracy and r of systems swapped the same systems for the pairs of
    metrics that have the same places in both rankings.
    """
    golden = shared.json("mtme/ende_significance.json")
    keys = list(SIGNIFICANCE)[:4]
    averages = {row.metric: row.value for row in run_shared_task(wmt23, usual_tasks("mqm"), QUICK).averages}
    names = names_of_golden(averages)
    for row in golden["average_of_4_tasks"]["ranking"]:
        assert averages[names[row["metric"]]] == pytest.approx(row["value"], abs=1e-9)
    weights = golden["average_of_4_tasks"]["weights"]
    assert weights == [0.25] * 4  # usual tasks count alike
    rankings = [[row["metric"] for row in golden["tasks"][key]["ranking"]] for key in keys[:2]]
    rng = np.random.default_rng(3)
    for pair in golden["average_of_4_tasks"]["pairs"]:
        rows = {key: rng.permutation(len(permuted[key][1].differences))[:DRAWS] for key in keys}
        accuracy, pearson = (
            [ranking.index(pair[side]) for side in ("better", "worse")] for ranking in rankings
        )
        if accuracy == pearson:
            rows["sys_pearson"] = rows["sys_accuracy"]
        null = np.zeros(DRAWS)
        for key in keys:
            permutation, a, b = null_of(permuted, key, pair)
            scale = 0.5 if "pearson" in key else 1.0  # r enters as (r + 1)/2
            null += 0.25 * scale * permutation.differences[rows[key], a, b]
        lead = averages[names[pair["better"]]] - averages[names[pair["worse"]]]
        p = (null >= lead - 1e-12).mean()
        error = math.sqrt(max(p * (1 - p), 1e-3) * (1 / 300 + 1 / DRAWS))
        assert p == pytest.approx(pair["p"], abs=3 * error), pair


def test_williams_between_metrics(wmt23, shared):
    result = run_task(wmt23, Task("mqm", "system"), RunSettings(interval="none", test="williams"))
    ours = {frozenset((pair.a, pair.b)): pair.p for pair in result.pairs}
    names = names_of_golden(wmt23.metrics)
    for pair in shared.json("mtme/ende_significance.json")["tasks"]["sys_pearson"]["pairs"]:
        both = frozenset((names[pair["better"]], names[pair["worse"]]))
        assert ours[both] == pytest.approx(2 * pair["williams_p_one_sided"], abs=1e-9)
