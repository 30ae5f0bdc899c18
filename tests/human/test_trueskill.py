"""The native TrueSkill against the package of that name."""

import math

import numpy as np
import pytest
import trueskill as package
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge import _native
from adjudge.human.ranking import rank_systems
from adjudge.human.trueskill import trueskill_runs
from helpers.rankings import judged
from oracles import trueskill as oracle


def tables(rng, size, most, *, lacking=0.0):
    wins = rng.integers(0, most + 1, size=(size, size)).astype(float)
    ties = np.triu(rng.integers(0, most + 1, size=(size, size)), 1).astype(float)
    absent = np.triu(rng.random((size, size)) < lacking, 1)
    wins[absent | absent.T], ties[absent] = 0.0, 0.0
    np.fill_diagonal(wins, 0)
    return wins, ties + ties.T


def kernel(wins, ties, env, matches, *, seed=1, first=0, threads=1):
    margin = package.calc_draw_margin(env.draw_probability, 2, env)
    model = env.mu, env.sigma, env.beta, env.tau, float(margin)
    return _native.trueskill_runs(wins, ties, *model, matches, seed, first, threads)


def environment(**options):
    # The package's own normal distribution is good to 1e-7 only; scipy's is exact.
    return package.TrueSkill(backend="scipy", **options)


@settings(max_examples=40)
@given(
    size=st.integers(2, 5),
    sigma=st.floats(0.1, 3),
    beta=st.floats(0.5, 20),
    tau=st.sampled_from([0.0, 0.1]),
    draw=st.floats(0.05, 0.8),
    seed=st.integers(0, 2**64 - 1),
    number=st.integers(0, 2**40),
)
def test_runs_are_the_packages(size, sigma, beta, tau, draw, seed, number):
    env = environment(mu=0.0, sigma=sigma, beta=beta, tau=tau, draw_probability=draw)
    wins, ties = tables(np.random.default_rng(seed), size, 3, lacking=0.2)
    result = kernel(wins[None], ties[None], env, 25, seed=seed, first=number)[0]
    expected = oracle.run(wins.tolist(), ties.tolist(), env, 25, seed, number)
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("outcome", [1, 0, -1])
@pytest.mark.parametrize("beta", [0.01, 0.5, 50.0])
def test_the_same_outcome_again_and_again(outcome, beta):
    """Skills drift apart until the next outcome is no news, or are drawn together until they are as good as known."""
    env = environment(mu=0.0, sigma=2.0, beta=beta, tau=0.0, draw_probability=0.25)
    a, b = env.create_rating(), env.create_rating()
    for _ in range(12):
        if outcome < 0:
            b, a = package.rate_1vs1(b, a, env=env)
        else:
            a, b = package.rate_1vs1(a, b, drawn=outcome == 0, env=env)
    wins = np.array([[0.0, outcome > 0], [outcome < 0, 0.0]])
    ties = np.array([[0.0, 1.0], [1.0, 0.0]]) * (outcome == 0)
    assert kernel(wins[None], ties[None], env, 12)[0] == pytest.approx([a.mu, b.mu], abs=1e-9)


@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
@example(seed=1)
def test_runs_as_wmt_had_them(seed):
    """Sigma, beta, draws and the number of matches are WMT's, over all that `trueskill_runs` sets by itself."""
    wins, ties = tables(np.random.default_rng(seed), 6, 12)
    number = int(wins.sum() + ties.sum() / 2)
    env = environment(mu=0.0, sigma=0.5, beta=0.5 * (number + 1) / 40, tau=0.0, draw_probability=0.25)
    run = trueskill_runs(wins[None], ties[None], comparisons=number, seed=seed)[0]
    expected = oracle.run(wins.tolist(), ties.tolist(), env, number + 1, seed, 0)
    np.testing.assert_allclose(run, expected, rtol=0, atol=1e-9)


def test_threads_and_blocks_change_no_bit():
    rng = np.random.default_rng(2)
    many = [tables(rng, 5, 9) for _ in range(70)]
    wins, ties = (np.stack(side) for side in zip(*many, strict=True))
    whole = trueskill_runs(wins, ties, comparisons=200, seed=5, threads=1)
    assert (trueskill_runs(wins, ties, comparisons=200, seed=5, threads=3) == whole).all()
    parts = [
        trueskill_runs(wins[s], ties[s], comparisons=200, seed=5, first=f)
        for f, s in ((0, slice(0, 1)), (1, slice(1, 41)), (41, slice(41, 70)))
    ]
    assert (np.concatenate(parts) == whole).all()


def test_systems_that_met_nobody_have_no_score():
    wins = np.array([[[0, 2, 0], [1, 0, 0], [0, 0, 0]]], dtype=float)
    run = trueskill_runs(wins, np.zeros_like(wins), comparisons=3, seed=1)[0]
    assert math.isnan(run[2])
    assert not np.isnan(run[:2]).any()
    assert np.isnan(trueskill_runs(np.zeros((2, 3, 3)), np.zeros((2, 3, 3)), comparisons=4, seed=1)).all()


def test_all_ties_are_all_alike():
    ranking = rank_systems(
        judged([("a", "b", 0)] * 5 + [("b", "c", 0)] * 5), method="trueskill", resamples=50, seed=1
    )
    assert [s.score for s in ranking.systems] == pytest.approx([0, 0, 0], abs=1e-12)
    assert {s.cluster for s in ranking.systems} == {1}


def test_far_means_do_not_overflow():
    """Nobody reaches such skills with WMT's numbers, but the kernel must not fail where others would."""
    env = environment(mu=0.0, sigma=5000.0, beta=1.0, tau=0.0, draw_probability=0.25)
    wins = np.array([[[0, 9, 9], [0, 0, 9], [0, 0, 0]]], dtype=float)
    result = kernel(wins, np.zeros_like(wins), env, 40)[0]
    assert np.isfinite(result).all()
    assert list(np.argsort(-result)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("wins", "ties", "message"),
    [
        (np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), "shapes"),
        (np.zeros((1, 2, 2)), np.zeros((2, 2, 2)), "shapes"),
        (np.full((1, 2, 2), -1.0), np.zeros((1, 2, 2)), "negative"),
        (np.full((1, 2, 2), np.nan), np.zeros((1, 2, 2)), "negative"),
        (np.zeros((1, 2, 2)), np.full((1, 2, 2), 1e10), "billion"),
    ],
)
def test_what_cannot_be_counted_is_refused(wins, ties, message):
    with pytest.raises(ValueError, match=message):
        kernel(wins, ties, environment(), 3)
