"""Curves of agreement: who and what is dropped, and what selection alone does."""

import numpy as np
import pytest
from hypothesis import given

from adjudge.errors import UsageError
from adjudge.human.agreement import ranking_agreement, rating_agreement
from adjudge.human.curves import agreeing_with_others, closeness_to_others, without_first, without_least
from adjudge.human.grouping import judgement_order
from helpers.judging import rankings, ratings, read_pairs, some_rankings, some_ratings


def test_turns_are_by_the_clock_and_rankings_are_one():
    rows = [("A", "x", "1", 1), ("B", "x", "1", 1), ("A", "x", "2", 1), ("A", "y", "1", 1), ("", "x", "1", 1)]
    assert judgement_order(ratings(rows)).tolist() == [0, 0, 1, 2, -1]
    assert judgement_order(ratings(rows, start=np.array([5.0, 1, 4, 3, 0]))).tolist() == [2, 0, 1, 0, -1]
    # With a hole in it the clock does not say who came first
    assert judgement_order(ratings(rows, start=np.array([5.0, np.nan, 4, 3, 0]))).tolist() == [0, 0, 1, 2, -1]
    pairs = [
        ("A", "x", "y", "1", 1),
        ("A", "x", "z", "1", 1),
        ("B", "x", "y", "1", 1),
        ("A", "x", "y", "2", 1),
    ]
    assert judgement_order(rankings(pairs, ranking=np.array([7, 7, 9, 3]))).tolist() == [0, 0, 0, 1]
    assert judgement_order(ratings([])).tolist() == []


@given(some_rankings)
def test_the_curve_is_agreement_on_what_is_left(rows):
    judged = rankings(rows)
    turn = judgement_order(judged)
    for point in without_first(judged, steps=[0, 1, 3]):
        left = judged[turn >= point.dropped]
        assert point.agreement == ranking_agreement(left).inter.empirical
        assert (point.judgements, point.annotators) == (len(left), len(left.annotator.names))


@given(some_ratings)
def test_the_curve_of_ratings_too(rows):
    judged = ratings(rows)
    for point in without_first(judged, steps=[0, 2]):
        assert (
            point.agreement.value
            == rating_agreement(judged[judgement_order(judged) >= point.dropped]).inter.alpha.value
        )


def test_a_judge_who_had_to_learn():
    rng = np.random.default_rng(0)
    rows = []
    for item in range(60):
        truth = int(rng.choice([-1, 1]))
        rows += [
            ("A", "x", "y", str(item), truth),
            ("B", "x", "y", str(item), truth if item >= 20 else -truth),
        ]
    curve = without_first(rankings(rows), steps=[0, 10, 20])
    assert curve[0].agreement.observed == pytest.approx(40 / 60)
    assert curve[1].agreement.observed == pytest.approx(40 / 50)
    assert curve[2].agreement.observed == 1


def test_the_odd_one_out_goes_first():
    rng = np.random.default_rng(0)
    rows = []
    for item in range(40):
        truth = int(rng.choice([-1, 1]))
        rows += [(who, "x", "y", str(item), -truth if who == "B" else truth) for who in "ABCD"]
    shares = closeness_to_others(rankings(rows))
    assert shares.tolist() == pytest.approx([2 / 3, 0, 2 / 3, 2 / 3])
    curve = without_least(rankings(rows), steps=[0, 1, 4])
    assert curve[0].agreement.observed == pytest.approx(0.5)
    assert curve[1].agreement.observed == 1
    assert (curve[2].agreement.value, curve[2].annotators) == (None, 0)
    # the same with ratings: B's scores lie furthest from the others'
    numbers = [
        (who, "x", str(i), i + (40 if who == "B" else rng.normal())) for i in range(40) for who in "ABCD"
    ]
    assert int(np.argmin(closeness_to_others(ratings(numbers)))) == 1
    assert without_least(ratings(numbers), steps=[1])[0].agreement.value > 0.9


@given(some_rankings)
def test_agreeing_with_others_adds_up(rows):
    agreeing, comparable = agreeing_with_others(rankings(rows))
    part = ranking_agreement(rankings(rows)).inter
    # Each pair is counted once by either side.
    assert (agreeing.sum(), comparable.sum()) == (2 * part.agreeing, 2 * part.comparable)


@given(some_ratings)
def test_distances_from_others_are_those_of_all_pairs(rows):
    answers = {}
    for who, system, item, score in rows:
        answers.setdefault((system, item), {}).setdefault(who, []).append(score)
    judged = ratings(rows)
    for name, result in zip(judged.annotator.names, closeness_to_others(judged), strict=True):
        apart = [
            (np.mean(by[name]) - np.mean(other)) ** 2
            for by in answers.values()
            for who, other in by.items()
            if name in by and who != name
        ]
        assert np.isnan(result) if not apart else result == pytest.approx(-np.mean(apart), abs=1e-6)


def test_selection_alone_makes_the_curve_rise_but_not_on_items_held_out():
    rng = np.random.default_rng(6)
    rises = {True: [], False: []}
    for _ in range(40):
        rows = [
            (f"J{j}", "x", "y", str(i), int(rng.integers(-1, 2)))
            for i in range(150)
            for j in rng.choice(20, 4, replace=False)
        ]
        for held_out, rise in rises.items():
            first, last = without_least(rankings(rows), steps=[0, 10], held_out=held_out)
            rise.append(last.agreement.value - first.agreement.value)
    error = {held_out: np.std(value) / np.sqrt(len(value)) for held_out, value in rises.items()}
    assert np.mean(rises[False]) > 10 * error[False]
    assert abs(np.mean(rises[True])) < 3 * error[True]


def test_halves_depend_on_the_seed_alone(shared):
    judged = read_pairs(
        shared.data / "06_rankings_wmt16" / "data" / "collapsed" / "wmt16.collapsed.tur-eng.csv"
    )
    first, again, other = (without_least(judged, steps=[0], held_out=True, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_who_cannot_be_compared_is_not_the_least():
    rows = [("A", "x", "y", "1", 1), ("B", "x", "y", "1", -1), ("C", "x", "y", "2", 1)]
    assert np.isnan(closeness_to_others(rankings(rows))).tolist() == [False, False, True]
    assert without_least(rankings(rows), steps=[2])[0].annotators == 1
    assert np.isnan(closeness_to_others(ratings([("A", "x", "1", 3)]))).all()


def test_steps_that_cannot_be():
    judgements = rankings([("A", "x", "y", "1", 1)])
    with pytest.raises(UsageError, match="-1 judgements"):
        without_first(judgements, steps=[-1])
    with pytest.raises(UsageError, match="2 of 1 judges"):
        without_least(judgements, steps=[2])
    assert [point.dropped for point in without_least(judgements)] == [0]


def test_real_rankings(shared):
    folder = shared.data / "06_rankings_wmt16" / "data" / "collapsed"
    judged = read_pairs(folder / "wmt16.collapsed.ron-eng.csv")
    curve = without_least(judged)
    assert curve[0].agreement == ranking_agreement(judged).inter.empirical
    assert curve[5].agreement.value > curve[0].agreement.value
