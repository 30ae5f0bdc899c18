"""Agreement on pairs: mt-metrics-eval's own values, and laws that need none."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.item_pairs import ItemGroups, ItemPairs, agreement_mask, calibrate_ties, mean_correlation
from oracles.item_pairs import ordered_pairs, tie_accuracy

GROUPINGS = {"none": "none", "item": "item", "sys": "system"}


@pytest.fixture(scope="module")
def small_cases(shared):
    return shared.json("mtme/small_cases.json")


def table(rows):
    return np.array([[math.nan if cell is None else cell for cell in row] for row in rows], float)


def each_case(small_cases):
    for name, case in small_cases["cases"].items():
        gold, metric = table(case["gold"]), table(case["metric"])
        for short, grouping in GROUPINGS.items():
            yield f"{name} {short}", gold, metric, ItemGroups.of(gold, grouping), short, case["results"]


def test_correlations_of_small_tables(small_cases):
    checked = 0
    for name, gold, metric, groups, short, results in each_case(small_cases):
        for ours, theirs in {"kendall": "kendall_b"}.items() | {
            (k, k) for k in ("pearson", "spearman", "kendall_c")
        }:
            golden = results.get(f"{theirs}_{short}")
            if golden is None or golden["value"] is None:
                continue
            mean = mean_correlation(groups, gold, metric, ours)
            assert mean.groups == golden["n"], (name, ours)
            if mean.groups:
                assert mean.value == pytest.approx(golden["value"], rel=1e-9, abs=1e-12), (name, ours)
            else:
                assert math.isnan(mean.value)
            checked += 1
    assert checked > 80


def test_accuracy_with_ties_at_every_epsilon(small_cases):
    checked = 0
    for name, gold, metric, groups, short, results in each_case(small_cases):
        golden = results.get(f"acc23_opt_{short}")
        pairs = ItemPairs.of(groups)
        if golden is None or not pairs.groups:
            continue
        best = calibrate_ties(pairs, gold, metric)
        assert best.accuracy == pytest.approx(golden["value"], abs=1e-12), name
        assert best.uncalibrated == pytest.approx(results[f"acc23_eps0_{short}"]["value"], abs=1e-12), name
        assert tie_accuracy(pairs, gold, metric, best.epsilon) == pytest.approx(best.accuracy, abs=1e-12)
        for epsilon, value in zip(golden["thresholds"], golden["values"], strict=True):
            assert tie_accuracy(pairs, gold, metric, epsilon) == pytest.approx(value, abs=1e-12), (
                name,
                epsilon,
            )
            checked += 1
    assert checked > 200


def test_pairs_that_people_order(small_cases):
    for name, gold, metric, groups, short, results in each_case(small_cases):
        for threshold in (0, 1, 3):
            golden = results.get(f"kendall_like_{threshold}_{short}")
            if golden is None or not golden["pairs"]:
                continue
            counts = ordered_pairs(ItemPairs.of(groups), gold, metric, threshold)
            assert counts.tau() == pytest.approx(golden["value"], abs=1e-12), (name, threshold)


tables = st.integers(2, 4).flatmap(
    lambda systems: st.integers(1, 5).flatmap(
        lambda items: st.tuples(
            *(
                st.lists(
                    st.lists(st.sampled_from(values), min_size=items, max_size=items),
                    min_size=systems,
                    max_size=systems,
                )
                for values in ([0.0, 1.0, 2.0, math.nan], [0.0, 0.1, 0.2, 0.3, 0.45])
            )
        )
    )
)


def brute_force(gold, metric, grouping, epsilon):
    """The mean over groups of the share of pairs of which both say the same."""
    cells = [(s, i) for s in range(len(gold)) for i in range(len(gold[0])) if not math.isnan(gold[s][i])]
    key = {"none": lambda c: 0, "item": lambda c: c[1], "system": lambda c: c[0]}[grouping]
    shares = []
    for group in sorted({key(cell) for cell in cells}):
        verdicts = []
        for (a, i), (b, j) in itertools.combinations([c for c in cells if key(c) == group], 2):
            people, scores = gold[a][i] - gold[b][j], metric[a][i] - metric[b][j]
            if abs(scores) <= epsilon:
                verdicts.append(people == 0)
            else:
                verdicts.append(people * scores > 0)
        if verdicts:
            shares.append(sum(verdicts) / len(verdicts))
    return sum(shares) / len(shares) if shares else math.nan


@given(tables, st.sampled_from(["none", "item", "system"]))
def test_the_best_epsilon_is_the_best_of_all(both, grouping):
    gold, metric = (np.array(rows, float) for rows in both)
    pairs = ItemPairs.of(ItemGroups.of(gold, grouping))
    best = calibrate_ties(pairs, gold, metric)
    if not pairs.groups:
        assert math.isnan(best.accuracy)
        return
    candidates = {0.0, *np.abs(pairs.differences(metric))}
    values = [brute_force(*both, grouping, epsilon) for epsilon in candidates]
    assert best.accuracy == pytest.approx(max(values), abs=1e-12)
    assert best.uncalibrated == pytest.approx(brute_force(*both, grouping, 0.0), abs=1e-12)
    assert brute_force(*both, grouping, best.epsilon) == pytest.approx(best.accuracy, abs=1e-12)


@given(tables)
def test_turning_the_metric_round_swaps_who_agrees(both):
    gold, metric = (np.array(rows, float) for rows in both)
    pairs = ItemPairs.of(ItemGroups.of(gold, "item"))
    counts, turned = (ordered_pairs(pairs, gold, sign * metric, 1.0) for sign in (1, -1))
    assert (counts.concordant, counts.discordant, counts.ties) == (
        turned.discordant,
        turned.concordant,
        turned.ties,
    )
    assert counts.human_ties == 0


def test_what_becomes_of_ties():
    gold, metric = np.array([[0.0], [30.0], [60.0]]), np.array([[1.0], [1.0], [2.0]])
    counts = ordered_pairs(ItemPairs.of(ItemGroups.of(gold, "item")), gold, metric)
    assert (counts.concordant, counts.discordant, counts.ties) == (2, 0, 1)
    assert counts.tau("discordant") == pytest.approx(1 / 3)
    assert counts.tau("dropped") == 1.0
    assert counts.tau("denominator") == pytest.approx(2 / 3)


def test_a_tie_of_people_is_no_order_of_the_metric():
    assert agreement_mask(np.array([0.0, 0.0, 1.0]), np.array([0.1, 0.0, 0.05]), 0.05).tolist() == [
        False,
        True,
        False,
    ]
