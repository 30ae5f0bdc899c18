"""Whom people prefer over several test sets: each set counts alike, and chance is told apart as often as it says."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.preferences import preferences
from adjudge.human.studies import mean_preferences


def side_by_side(answers, turned=False, documents=None):
    """Comparisons of a and b, one an item; `turned` writes the same with b first."""
    count = len(answers)
    labels = {} if documents is None else {"document": NameColumn.of(documents)}
    return Judgements(
        "ranking",
        NameColumn.of(["b" if turned else "a"] * count),
        NameColumn.of([f"i{n}" for n in range(count)]),
        NameColumn.of(["ida"] * count),
        np.array(answers, float) * (-1 if turned else 1),
        other=NameColumn.of(["a" if turned else "b"] * count),
        labels=labels,
    )


def test_one_set_is_what_its_own_test_says():
    own = side_by_side([1, 1, -1, 1, 0, 1, 1, 1])
    [alone], [mean] = preferences(own), mean_preferences([own])
    assert (mean.mean, mean.p, mean.sets) == (
        pytest.approx(alone.mean),
        pytest.approx(alone.p),
        1,
    )


def test_sets_count_alike_and_all_signs_are_turned_within_them():
    answers = [1, 1, 1, -1, 1], [1, 0, 1], [1, -1, 1, 1]
    [mean] = mean_preferences([side_by_side(own) for own in answers])
    shares = np.concatenate([np.array(own) / len(own) for own in answers])
    assert mean.mean == pytest.approx(shares.sum() / 3)
    every = np.array([np.dot(signs, shares) for signs in product((-1, 1), repeat=len(shares))])
    assert mean.p == pytest.approx(np.mean(np.abs(every) >= abs(shares.sum()) - 1e-9))
    assert (mean.sets, mean.ahead_on, mean.behind_on) == (3, 3, 0)


def test_whoever_is_named_first_in_a_file_changes_nothing():
    first, second = [1, 1, 1, -1, 1, 1], [1, -1, 1, 1, 1]
    straight = mean_preferences([side_by_side(first), side_by_side(second)])
    assert mean_preferences([side_by_side(first), side_by_side(second, turned=True)]) == straight


def test_whole_documents_turn():
    own = side_by_side([1] * 8, documents=["x"] * 4 + ["y"] * 4)
    [mean] = mean_preferences([own, own])
    assert mean.p == pytest.approx(2 / 2**4)


def test_equal_systems_are_told_apart_as_often_as_said():
    rng = np.random.default_rng(4)
    alarms = 0
    for _ in range(400):
        sets = [side_by_side(rng.choice([-1, 0, 1], size, p=[0.4, 0.2, 0.4])) for size in (15, 40, 90)]
        alarms += mean_preferences(sets)[0].p < 0.05
    assert 7 <= alarms <= 33  # 20 expected, standard deviation 4.4


def test_annotators_with_tastes_raise_no_more_alarms():
    """Two sets, the same eight people, whose tastes are all that differs: documents alone would find a third."""
    rng, alarms = np.random.default_rng(5), 0
    for _ in range(200):
        taste = rng.normal(0, 1, 8)
        sets = []
        for size in (40, 60):
            who = rng.integers(0, 8, size)
            own = side_by_side(np.sign(taste[who] + rng.normal(size=size)))
            sets.append(replace(own, annotator=NameColumn.of(f"p{person}" for person in who)))
        alarms += mean_preferences(sets)[0].p < 0.05
    assert alarms <= 20  # 10 expected, standard deviation 3.1
