"""Scores of metrics and people as a task takes them: documents, holes, systems that are missing."""

import math

import pytest

from adjudge.meta import Task, run_task
from adjudge.meta.tables import tables_of
from helpers.meta_tasks import SCORES, meta_set


def test_a_metric_without_a_system_is_not_judged_and_says_so():
    made = meta_set(SCORES, {"part": [*SCORES[:2], [math.nan] * 3], "good": SCORES})
    good, part = run_task(made, Task("da")).values
    assert good.metric == "good"
    assert math.isnan(part.value)
    assert part.reason == "no scores of c"


def test_a_hole_is_counted():
    made = meta_set(SCORES, {"part": [*SCORES[:2], [1.0, math.nan, 2.0]]})
    (part,) = run_task(made, Task("da")).values
    assert part.reason == "1 of 9 judged segments has no score"


def test_documents_are_means_of_their_judged_segments():
    labels = {"document": ("x", "x", "y")}
    made = meta_set(
        [[1, 3, 5], [math.nan, 4, 0], [9, 1, 2]], {"m": [[1, 1, 7], [100, 2, 1], [4, 4, 0]]}, labels=labels
    )
    tables = tables_of(made, Task("da", "document"))
    assert tables.gold.tolist() == [[2, 5], [4, 0], [5, 2]]
    assert tables.metrics["m"].tolist() == [[1, 7], [2, 1], [4, 0]]


def test_differences_between_systems_of_small_tables(shared):
    """r of all differences between two systems of one item, as mt-metrics-eval has it for its own cases."""
    checked = 0
    for name, case in shared.json("mtme/small_cases.json")["cases"].items():
        known = case["results"].get("pearson_pdp", {}).get("value")
        if known is None:
            continue
        gold, metric = (
            [[math.nan if cell is None else cell for cell in row] for row in case[side]]
            for side in ("gold", "metric")
        )
        (value,) = run_task(meta_set(gold, {"m": metric}), Task("da", "segment", "pdp", "item")).values
        if name == "all_gold_ties":  # 0 there, nothing here
            assert "people gave all systems of an item the same score" in value.reason
            continue
        assert value.value == pytest.approx(known, abs=1e-9), name
        checked += 1
    assert checked == 8


def test_systems_that_score_means_of_different_segments_are_named():
    part = [[1.0, 2, 3], [2.0, math.nan, 5], [4.0, 4, 1]]
    none = [[1.0, math.nan, 3], [2.0, math.nan, 5], [4.0, math.nan, 1]]
    made = meta_set(SCORES, {"part": part, "none": none, "good": SCORES})
    reasons = {value.metric: value.reason for value in run_task(made, Task("da", "system")).values}
    assert reasons == {
        "part": "systems' means are of different segments, for 1 has no score",
        "none": "",
        "good": "",
    }


def test_a_correlation_of_two_systems_is_said_to_be_none():
    made = meta_set(SCORES[:2], {"m": SCORES[:2]})
    reasons = {
        kind: run_task(made, Task("da", "system", kind)).values[0].reason
        for kind in ("pearson", "kendall", "accuracy")
    }
    said = "two systems always correlate with 1 or −1"
    assert reasons == {"pearson": said, "kendall": said, "accuracy": ""}
