"""What is measured is one thing: the value, the resamples of its interval, and the test between metrics agree."""

import math
import tracemalloc

import numpy as np
import pytest

from adjudge.errors import UsageError
from adjudge.meta import RunSettings, Task, run_task, significance
from adjudge.meta.intervals import resamples
from adjudge.meta.significance import permutations
from adjudge.meta.statistic import agreement_of
from adjudge.meta.tables import tables_of
from adjudge.stats import item_pairs
from adjudge.stats.item_pairs import ItemGroups, ItemPairs, calibrate_ties
from helpers.meta_tasks import meta_set
from meta.test_guards import TASKS
from oracles.item_pairs import ordered_pairs

SYSTEMS, ITEMS = 6, 14


def made(seed=1, *, holes=False):
    """People who give whole numbers, two metrics, and documents of two segments."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(SYSTEMS, 1)) + rng.normal(size=(SYSTEMS, ITEMS))
    people = np.round(2 * (quality + rng.normal(size=quality.shape)))
    if holes:
        people[rng.random(people.shape) < 0.2] = math.nan
    metrics = {name: quality + scale * rng.normal(size=quality.shape) for name, scale in (("m", 1), ("n", 2))}
    labels = {"document": tuple(f"d{item // 2}" for item in range(ITEMS))}
    return meta_set(people, metrics, labels=labels)


def bound(task, *, holes=False, seed=1):
    tables = tables_of(made(holes=holes), task)
    return [agreement_of(name, tables, task, seed) for name in tables.metrics]


every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name.removeprefix("da "))


@every_task
@pytest.mark.parametrize("holes", [False, True])
def test_each_unit_once_is_the_value(task, holes):
    """An interval's resampler, given each item or system once, returns the value."""
    if task.correlation == "spa" and holes:
        pytest.skip("soft accuracy takes no holes")
    for own in bound(task, holes=holes):
        assert not math.isnan(own.value)
        assert own.at(np.ones((1, own.units))) == pytest.approx([own.value], abs=1e-12)


@every_task
def test_tests_start_from_the_value(task):
    """Without a swap, the test between metrics sees the values that are printed."""
    agreements = bound(task, seed=RunSettings().seed)
    permuted = permutations(agreements, task, RunSettings(draws=20))
    assert permuted.values == pytest.approx([own.value for own in agreements], abs=1e-9)


@every_task
def test_a_unit_left_out_is_a_unit_that_is_not_there(task):
    for own in bound(task):
        chosen = np.arange(own.units) != 2
        if task.correlation == "acc_eq":
            continue  # keeps the epsilon of all items
        left = made()
        if task.level == "system":
            left = left.with_systems([name for at, name in enumerate(left.systems) if at != 2])
            expected = agreement_of(own.metric, tables_of(left, task), task, 1).value
        else:
            tables = tables_of(left, task)
            cut = type(tables)(
                tables.systems,
                tables.gold[:, chosen],
                {own.metric: tables.metrics[own.metric][:, chosen]},
                {},
            )
            expected = agreement_of(own.metric, cut, task, 1).value
        assert own.without_each()[2] == pytest.approx(expected, abs=1e-9)


@every_task
def test_intervals_hold_their_value(task):
    for value in run_task(made(), task, RunSettings(test="none", draws=200)).values:
        assert value.low <= value.value <= value.high


def test_intervals_of_darr_follow_the_grouping():
    ends = {}
    for grouping in ("none", "item", "system"):
        task = Task("da", "segment", "darr", grouping, threshold=1.0)
        value = run_task(made(), task, RunSettings(test="none")).values[0]
        assert value.low < value.value < value.high
        ends[grouping] = value.low, value.high
    assert len(set(ends.values())) == 3


def test_darr_is_within_items_unless_it_is_said():
    assert Task("da", "segment", "darr").grouping == "item"
    assert Task("da", "segment", "pdp").grouping == "item"
    assert Task("da", "segment", "darr", "none").grouping == "none"
    assert Task("da", "segment", "acc_eq").grouping == "none"
    assert Task("da", "segment", "darr").name == "da segment darr by item"


@pytest.mark.parametrize("grouping", ["none", "system"])
@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("block", [1, 20, 1 << 19])
def test_blocks_of_pairs_say_what_all_pairs_at_once_say(grouping, holes, block, monkeypatch):
    monkeypatch.setattr(item_pairs, "BLOCK", block)
    task = Task("da", "segment", "darr", grouping, threshold=1.0)
    for ties in ("discordant", "dropped", "denominator"):
        for own in bound(Task("da", "segment", "darr", grouping, threshold=1.0, ties=ties), holes=holes):
            pairs = ItemPairs.of(ItemGroups.of(own.gold, grouping))
            counts = ordered_pairs(pairs, own.gold, own.scores, task.threshold)
            assert own.value == counts.tau(ties)
            assert own.n == counts.concordant + counts.discordant + counts.ties + counts.human_ties
    for own in bound(Task("da", "segment", "acc_eq", grouping), holes=holes):
        best = calibrate_ties(ItemPairs.of(ItemGroups.of(own.gold, grouping)), own.gold, own.scores)
        assert own.value == pytest.approx(best.accuracy, abs=1e-12)
        assert own.epsilon == best.epsilon


@pytest.mark.parametrize("correlation", ["darr", "acc_eq"])
@pytest.mark.parametrize("grouping", ["none", "system"])
def test_more_pairs_than_can_be_compared_are_sampled_and_that_is_said(correlation, grouping, monkeypatch):
    rng = np.random.default_rng(3)
    quality = rng.normal(size=(4, 400))
    people = np.round(2 * (quality + rng.normal(size=quality.shape)))
    whole = meta_set(people, {"m": quality + rng.normal(size=quality.shape)})
    task = Task("da", "segment", correlation, grouping, threshold=1.0)
    settings = RunSettings(test="none", draws=200)
    (exact,) = run_task(whole, task, settings).values
    assert exact.reason == ""
    monkeypatch.setattr(item_pairs.CrossItemPairs.of.__func__, "__kwdefaults__", {"most": 50_000})
    (sampled,) = run_task(whole, task, settings).values
    total = 1600 * 1599 // 2 if grouping == "none" else 4 * (400 * 399 // 2)
    share = {"none": "3.8 %", "system": "16 %"}[grouping]  # 50,000 of them, by whole shifts
    assert sampled.reason == f"{share} of the {total:,} pairs were compared, drawn at random"
    assert exact.low < sampled.value < exact.high
    assert sampled.value != exact.value
    own = agreement_of("m", tables_of(whole, task), task, 1)
    assert own.at(np.ones((1, 400))) == pytest.approx([own.value], abs=1e-12)
    assert resamples(own, settings).std() == pytest.approx((exact.high - exact.low) / 3.92, rel=0.35)


@pytest.mark.parametrize("correlation", ["darr", "acc_eq"])
@pytest.mark.parametrize("grouping", ["none", "system"])
@pytest.mark.parametrize("most", [item_pairs.MOST_PAIRS, 200])
def test_leaving_each_item_out_takes_its_pairs_away(correlation, grouping, most, monkeypatch):
    """From sums by item, as from resamples in which the item is not drawn; of sampled pairs too."""
    monkeypatch.setattr(item_pairs.CrossItemPairs.of.__func__, "__kwdefaults__", {"most": most})
    threshold = 1.0 if correlation == "darr" else 0.0
    for agreement in bound(Task("da", "segment", correlation, grouping, threshold=threshold), holes=True):
        drawn = agreement.at(1.0 - np.eye(agreement.units))
        assert agreement.without_each() == pytest.approx(drawn, abs=1e-12)


def test_leaving_each_of_many_items_out_needs_no_table_of_items_by_items():
    rng = np.random.default_rng(3)
    gold = rng.normal(size=(2, 4000))
    pairs = item_pairs.CrossItemPairs.of(gold, "system", seed=1, most=20_000)
    sums = pairs.sums(gold, gold + rng.normal(size=gold.shape), item_pairs.order_verdicts, pooled=True)
    tracemalloc.start()
    left = sums.without_each()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert left.shape == (4000,)
    assert most < 4e6  # 4000 × 4000 numbers would be 128 MB


@pytest.mark.parametrize("settings", [RunSettings(test="mtme"), RunSettings(swap="cells")])
def test_too_many_pairs_are_not_swapped_one_by_one(settings, monkeypatch):
    task = Task("da", "segment", "darr", "none", threshold=1.0)
    assert run_task(made(), task, settings).pairs
    monkeypatch.setattr(significance, "MOST_SINGLE_PAIRS", 100)
    with pytest.raises(UsageError, match="3,486 pairs are too many to swap one by one; swap items"):
        run_task(made(), task, settings)
    assert run_task(made(), task).pairs
