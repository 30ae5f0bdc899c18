"""Bradley–Terry against choix, and what it does where there is no answer."""

import choix
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.human.bradley_terry import bradley_terry, has_finite_scores
from adjudge.human.pairs import reachable
from adjudge.human.ranking import rank_systems
from helpers.rankings import judged


def tables(seed, size, most):
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, most + 1, size=(size, size)).astype(float)
    np.fill_diagonal(wins, 0)
    ties = np.triu(rng.integers(0, most + 1, size=(size, size)), 1).astype(float)
    return wins, ties + ties.T


seeds = st.integers(0, 2**32)


@given(seed=seeds, size=st.integers(2, 9), most=st.integers(1, 40))
def test_scores_are_choixs(seed, size, most):
    wins, ties = tables(seed, size, most)
    assume(bool(has_finite_scores(wins, ties)))
    expected = choix.ilsr_pairwise_dense(wins + ties / 2, tol=1e-12)
    np.testing.assert_allclose(bradley_terry(wins, ties), expected - expected.mean(), rtol=0, atol=1e-8)


@settings(max_examples=30)
@given(seed=seeds, size=st.integers(2, 6), alpha=st.floats(0.01, 2))
def test_penalised_scores_are_choixs(seed, size, alpha):
    wins, ties = tables(seed, size, 3)
    # choix knows no ties: all counts are doubled, and so is the penalty.
    won = (2 * wins + ties).astype(int)
    data = [(a, b) for a in range(size) for b in range(size) for _ in range(won[a, b])]
    expected = choix.opt_pairwise(size, data, alpha=2 * alpha, method="BFGS", tol=1e-8)
    np.testing.assert_allclose(bradley_terry(wins, ties, regularisation=alpha), expected, rtol=0, atol=1e-6)


@given(seed=seeds, size=st.integers(2, 7), alpha=st.sampled_from([0.0, 1e-6, 0.1]))
def test_the_slope_is_nought(seed, size, alpha):
    """Of the penalised likelihood at the scores, also where the scores are far apart."""
    wins, ties = tables(seed, size, 2)
    assume(alpha > 0 or bool(has_finite_scores(wins, ties)))
    scores = bradley_terry(wins, ties, regularisation=alpha)
    won = wins + ties / 2
    chance = 1 / (1 + np.exp(scores[None, :] - scores[:, None]))
    slope = (won - (won + won.T) * chance).sum(1) - 2 * alpha * scores
    assert slope == pytest.approx(np.zeros(size), abs=1e-7)


@given(seed=seeds, size=st.integers(2, 5), count=st.integers(1, 5))
def test_many_tables_are_each_by_itself(seed, size, count):
    many = [tables(seed + i, size, 3) for i in range(count)]
    wins, ties = (np.stack(side) for side in zip(*many, strict=True))
    together = bradley_terry(wins, ties, regularisation=0.3)
    for (w, t), scores in zip(many, together, strict=True):
        assert scores == pytest.approx(bradley_terry(w, t, regularisation=0.3), abs=1e-9)


@given(seed=seeds, size=st.integers(1, 8), share=st.floats(0.05, 0.5))
def test_connected_is_walking(seed, size, share):
    meets = np.random.default_rng(seed).random((size, size)) < share
    reached = reachable(meets)
    for start in range(size):
        seen, todo = {start}, [start]
        while todo:
            here = todo.pop()
            for neighbour in np.flatnonzero(meets[here]):
                if int(neighbour) not in seen:
                    seen.add(int(neighbour))
                    todo.append(int(neighbour))
        assert set(np.flatnonzero(reached[start]).tolist()) == seen


def test_groups_that_never_met_are_named():
    rows = [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)]
    with pytest.raises(DataError, match=r"2 groups .*\(a, b; c, d\).*regularisation"):
        rank_systems(judged(rows), method="bradley-terry", seed=1)
    ranking = rank_systems(judged(rows), method="bradley-terry", seed=1, regularisation=0.01)
    assert [s.score for s in ranking.systems] == pytest.approx([0] * 4, abs=1e-9)
    assert any("2 groups" in remark for remark in ranking.remarks)


def test_systems_that_never_lose_are_named():
    rows = [("a", "b", 1), ("b", "a", 0), ("a", "c", 1), ("c", "b", -1), ("c", "d", 1), ("d", "c", 1)]
    with pytest.raises(DataError, match=r"no finite .*: a, b won every comparison .*regularisation"):
        rank_systems(judged(rows), method="bradley-terry", seed=1)
    ranking = rank_systems(judged(rows), method="bradley-terry", seed=1, regularisation=0.01)
    assert [s.system for s in ranking.systems][:2] == ["a", "b"]


def test_resamples_without_finite_scores_are_counted():
    """One loss in forty: more than a third of the resamples lack it, and the first system's scores are huge there."""
    rows = [("a", "b", 1)] * 39 + [("a", "b", -1)]
    ranking = rank_systems(judged(rows), method="bradley-terry", seed=1, resamples=400)
    (remark,) = ranking.remarks
    number = int(remark.split()[0])
    assert number == pytest.approx(400 * (1 - 1 / 40) ** 40, abs=5 * np.sqrt(400 * 0.36 * 0.64))
    assert ranking.systems[0].score == pytest.approx(np.log(39) / 2)
    assert ranking.systems[0].high > 5
    assert [s.rank for s in ranking.systems] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_a_penalty_is_a_number(value):
    with pytest.raises(UsageError, match="regularisation"):
        rank_systems(judged([("a", "b", 1)]), method="bradley-terry", seed=1, regularisation=value)
