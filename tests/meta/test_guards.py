"""Scores that say nothing: a defined result with a reason, never a fault, a silent zero or a warning of numpy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.errors import AdjudgeError
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.task import OF_PAIRS, OF_SYSTEMS

CORRELATIONS = ("pearson", "spearman", "kendall", "kendall_c")
TASKS = [
    *(Task("da", "system", correlation) for correlation in (*CORRELATIONS, *OF_SYSTEMS)),
    *(
        Task("da", level, correlation, grouping, threshold=1.0)
        for level in ("segment", "document")
        for correlation in (*CORRELATIONS, *OF_PAIRS)
        for grouping in ("none", "item", "system")
    ),
    *(Task("da", level, "pdp", "item") for level in ("segment", "document")),
]


def meta_set(gold, metrics):
    tables = {name: ScoreTable.of_segments(name, np.array(t, float)) for name, t in metrics.items()}
    gold = np.array(gold, float)
    labels = {"document": tuple("xxyyzz"[: gold.shape[1]])}
    systems = tuple("abcdefgh"[: len(gold)])
    return MetaSet("made", "", systems, {"da": ScoreTable.of_segments("da", gold)}, tables, labels)


def check(made, task, run_settings):
    """A value or a reason, within the bounds of the measure, and an interval around nothing else."""
    try:
        result = run_task(made, task, run_settings)
    except AdjudgeError:
        return None
    low = 0.0 if task.correlation in ("accuracy", "acc_eq", "spa") else -1.0
    for value in result.values:
        if math.isnan(value.value):
            assert value.reason
            assert math.isnan(value.low)
        else:
            assert low - 1e-9 <= value.value <= 1 + 1e-9
            assert value.n > 0
    for pair in result.pairs:
        assert math.isnan(pair.p) or 0 < pair.p <= 1
        assert not (math.isnan(pair.p) and pair.significant)
    return result


shapes = st.tuples(st.integers(1, 4), st.integers(1, 5))
cells = st.sampled_from([0.0, 1.0, 2.0, 2.0, math.nan])


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name.removeprefix("da "))
@settings(max_examples=15)
@given(data=st.data())
def test_whatever_is_missing_constant_or_tied(task, data):
    systems, items = data.draw(shapes)

    def table(values):
        row = st.lists(values, min_size=items, max_size=items)
        return st.lists(row, min_size=systems, max_size=systems)

    made = meta_set(
        data.draw(table(cells)),
        {name: data.draw(table(cells)) for name in ("m", "n")} | {"flat": np.ones((systems, items))},
    )
    test = data.draw(st.sampled_from(["permutation", "bootstrap"]))
    interval = data.draw(st.sampled_from(["bootstrap", "fisher"]))
    check(made, task, RunSettings(interval, test, draws=25))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name.removeprefix("da "))
def test_ties_everywhere(task):
    same = np.ones((3, 4))
    result = check(
        meta_set(same, {"flat": same, "more": np.arange(12.0).reshape(3, 4)}), task, RunSettings(draws=50)
    )
    for value in result.values:
        if task.correlation in CORRELATIONS:
            assert "people gave everything the same score" in value.reason
        elif task.correlation == "pdp":
            assert "people gave all systems of an item the same score" in value.reason
        elif task.correlation == "darr":
            assert "no pair differs by 1 or more" in value.reason


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name.removeprefix("da "))
def test_one_system(task):
    with pytest.raises(AdjudgeError, match="fewer than two systems"):
        run_task(meta_set([[1.0, 2.0]], {"m": [[1.0, 2.0]]}), task)


def test_a_metric_without_any_score_has_a_reason():
    gold = [[1.0, 2.0], [2.0, 3.0]]
    (value,) = run_task(meta_set(gold, {"m": [[math.nan] * 2] * 2}), Task("da")).values
    assert value.reason == "no scores of a, b"
