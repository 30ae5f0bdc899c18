"""Counts of comparisons, shares of wins, resamples, and what ranked() says of good and bad data."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.human.bradley_terry import bradley_terry, has_finite_scores
from adjudge.human.pairs import (
    at_least_as_good,
    better,
    comparisons,
    expected_wins,
)
from adjudge.human.ranking import METHODS, SHARES, rank_systems
from helpers.ranked import SYSTEMS, judgement_rows
from helpers.rankings import judged


@given(judgement_rows(), st.permutations(SYSTEMS), st.sampled_from(METHODS))
@settings(max_examples=40)
def test_names_do_not_matter(rows, names, method):
    change = dict(zip(SYSTEMS, names, strict=True))
    options = {"method": method, "resamples": 20, "seed": 3, "regularisation": 0.1}
    before = rank_systems(judged(rows), **options)
    after = rank_systems(judged([(change[a], change[b], *rest) for a, b, *rest in rows]), **options)
    # Scores that are not there (NaN) are equal only as they are written.
    renamed = [replace(system, system=change[system.system]) for system in before.systems]
    assert repr(renamed) == repr(list(after.systems))


@given(judgement_rows())
def test_saying_all_of_it_twice_changes_no_score(rows):
    once, twice = comparisons(judged(rows)).counts, comparisons(judged(rows + rows)).counts
    for method in SHARES:
        np.testing.assert_allclose(
            SHARES[method](once.wins, once.ties), SHARES[method](twice.wins, twice.ties), rtol=1e-12
        )
    assume(bool(has_finite_scores(once.wins, once.ties)))
    np.testing.assert_allclose(
        bradley_terry(once.wins, once.ties), bradley_terry(twice.wins, twice.ties), atol=1e-9
    )


@given(judgement_rows())
def test_the_opposite_of_all_answers_turns_scores_around(rows):
    forth = comparisons(judged(rows)).counts
    back = comparisons(judged([(a, b, -score, *rest) for a, b, score, *rest in rows])).counts
    np.testing.assert_array_equal(back.wins, forth.wins.T)
    for share in (better, expected_wins):
        np.testing.assert_allclose(share(back.wins, back.ties), 1 - share(forth.wins, forth.ties), atol=1e-12)
    np.testing.assert_allclose(
        bradley_terry(back.wins, back.ties, regularisation=0.1),
        -bradley_terry(forth.wins, forth.ties, regularisation=0.1),
        atol=1e-9,
    )


def test_standard_errors_are_those_of_a_share():
    """Of n independent comparisons, √(p (1 − p) / n)."""
    rows = [("a", "b", 1)] * 300 + [("a", "b", -1)] * 100
    for method in SHARES:
        first = rank_systems(judged(rows), method=method, resamples=4000, seed=1).systems[0]
        assert (first.system, first.score) == ("a", 0.75)
        assert first.deviation == pytest.approx(np.sqrt(0.75 * 0.25 / 400), rel=0.05)
        assert (first.low, first.high) == pytest.approx(
            (0.75 - 1.96 * 0.02165, 0.75 + 1.96 * 0.02165), abs=0.004
        )
        assert (first.wins, first.ties, first.losses) == (300, 0, 100)


def test_rankings_widen_ranges():
    """Ten times the same answer in one ranking is one answer."""
    rows = [("a", "b", score, number) for number, score in enumerate([1, 1, -1] * 20) for _ in range(10)]
    by_u = {u: rank_systems(judged(rows), unit=u, resamples=2000, seed=1) for u in ("pair", "ranking")}
    assert [r.units for r in by_u.values()] == [600, 60]
    ratio = by_u["ranking"].systems[0].deviation / by_u["pair"].systems[0].deviation
    assert ratio == pytest.approx(np.sqrt(10), rel=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_a_ranking_by_hand(method):
    """a is far above b and c, which cannot be told apart."""
    rows = [("a", "b", 1)] * 60 + [("a", "c", 1)] * 60 + [("b", "a", 1), ("c", "a", 1)] * 6
    rows += [("b", "c", 1)] * 20 + [("b", "c", -1)] * 19 + [("c", "b", 0)] * 4
    ranking = rank_systems(judged(rows), method=method, resamples=300, seed=1)
    assert [s.system for s in ranking.systems] == ["a", "b", "c"]
    assert [s.cluster for s in ranking.systems] == [1, 2, 2]
    assert [s.rank for s in ranking.systems] == [(1, 1), (2, 3), (2, 3)]
    assert all(s.low < s.score < s.high for s in ranking.systems)
    assert [(s.wins, s.ties, s.losses) for s in ranking.systems] == [(120, 0, 12), (26, 4, 79), (25, 4, 80)]
    assert (ranking.comparisons, ranking.method, ranking.resamples, ranking.seed) == (175, method, 300, 1)
    assert (ranking.never_compared, ranking.remarks) == ((), ())
    again = rank_systems(judged(rows), method=method, resamples=300, seed=1, threads=1)
    assert again == ranking
    assert rank_systems(judged(rows), method=method, resamples=300, seed=2) != ranking


def test_all_ties():
    rows = [("a", "b", 0)] * 5 + [("b", "c", 0)] * 5
    for method in ("better", "expected-wins"):
        ranking = rank_systems(judged(rows), method=method, seed=1)
        assert all(np.isnan([s.score, s.low, s.high, s.deviation]).all() for s in ranking.systems)
        assert [(s.rank, s.cluster) for s in ranking.systems] == [(None, None)] * 3
        assert "all 10 comparisons are ties" in ranking.remarks
    ranking = rank_systems(judged(rows), method="at-least-as-good", seed=1)
    assert [(s.score, s.rank, s.cluster) for s in ranking.systems] == [(1.0, (1, 1), 1)] * 3


def test_a_system_that_only_tied_comes_last_without_a_rank():
    rows = [("t", "a", 0)] * 9 + [("a", "b", 1)] * 9 + [("b", "a", 1)]
    ranking = rank_systems(judged(rows), method="better", seed=1)
    assert [s.system for s in ranking.systems] == ["a", "b", "t"]
    assert [s.rank for s in ranking.systems] == [(1, 1), (2, 2), None]


def test_systems_never_compared_are_reported():
    rows = [("a", "b", 1), ("a", "b", -1), ("b", "c", 1), ("b", "c", -1)] * 10
    ranking = rank_systems(judged(rows), seed=1)
    assert ranking.never_compared == (("a", "c"),)
    assert ranking.remarks == ("never compared: a with c (1 of 3 pairs)",)
    assert [s.score for s in ranking.systems] == [0.5] * 3


def test_a_system_that_resamples_may_miss():
    rows = [("a", "b", 1), ("a", "b", -1)] * 10 + [("c", "a", 1)]
    ranking = rank_systems(judged(rows), resamples=400, seed=1)
    (remark,) = [r for r in ranking.remarks if r.startswith("no score in some of 400 resamples")]
    number = int(remark.split("c in ")[1])
    assert number == pytest.approx(400 * (1 - 1 / 21) ** 21, abs=5 * np.sqrt(400 * 0.37 * 0.63))
    assert ranking.systems[0].rank == (1, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "expected-win"}, "did you mean 'expected-wins'"),
        ({"unit": "rankings"}, "did you mean 'ranking'"),
        ({"unit": "none"}, "only TrueSkill"),
        ({"resamples": 0}, "at least one"),
        ({"method": "trueskill", "resamples": 0}, "at least one"),
        ({"confidence": 1.0}, "between 0 and 1"),
    ],
)
def test_wrong_questions(options, message):
    with pytest.raises(UsageError, match=message):
        rank_systems(judged([("a", "b", 1)]), seed=1, **options)


def test_shares_take_many_tables_at_once():
    rng = np.random.default_rng(1)
    wins, ties = rng.integers(0, 3, size=(2, 7, 4, 4)).astype(float)
    for share in (at_least_as_good, better, expected_wins):
        each = [share(w, t) for w, t in zip(wins, ties, strict=True)]
        np.testing.assert_array_equal(share(wins, ties), each)
