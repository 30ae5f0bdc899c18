"""Correlations by many parameter sets at once, against the formula done by hand and slow twins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import _native
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.folds import fold_of_units
from adjudge.tuning import objective as objective_module
from adjudge.tuning.held_out import resampled_differences
from adjudge.tuning.items import Items
from adjudge.tuning.objective import Objective
from helpers.tunings import DEFAULT, PLANTED, made_rows, plain_scores, planted, ranked, systems
from oracles import correlation as oracle

share = st.sampled_from([0.0, 0.3, 0.5, 0.75, 1.0])
points = st.lists(
    st.builds(
        Parameters, share, st.sampled_from([0.05, 0.2, 1.0, 3.0]), share, share, share, share, share, share
    ),
    min_size=1,
    max_size=6,
)


def numbers(chosen):
    return np.array([point.numbers for point in chosen])


def odd_rows(n, seed, references):
    rows = made_rows(n, seed, references=references)
    rows[0, :, 4:] = 0  # nothing matched
    rows[1] = 0  # nothing there
    rows[2, -1] = 0  # a reference that is missing
    rows[3] = rows[4]  # a tie
    rows[5, :, 6] = 0  # matched whole
    return rows


@given(points, st.integers(1, 3), st.integers(6, 30), st.integers(0, 5))
def test_scores_of_the_kernel_are_the_formula(chosen, references, n, seed):
    items = Items(odd_rows(n, seed, references), np.zeros(n), np.arange(n))
    cuts = sorted({0, *np.random.default_rng(seed).integers(0, n, 3).tolist(), n})
    values = _native.MeteorGrid(items.rows, cuts, False).scores(numbers(chosen), 2)
    expected = [plain_scores(items, point) for point in chosen]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    for point, scores in zip(chosen, values, strict=True):
        np.testing.assert_array_equal(items.scores(point), 100 * scores)  # one formula, to the last bit


@given(points, st.integers(1, 3), st.integers(0, 5))
def test_systems_add_up_the_rows_of_their_best_references(chosen, references, seed):
    items = systems(4, 7, references, seed)
    values = _native.MeteorGrid(items.rows, items.begins.tolist(), True).scores(numbers(chosen), 1)
    expected = [plain_scores(items, point) for point in chosen]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose([items.scores(p) for p in chosen], 100 * values, rtol=0, atol=1e-10)


def test_another_reference_may_win_by_other_parameters():
    items = planted(200, references=3)
    chosen = [_native.meteor_best(items.rows, point.numbers) for point in (DEFAULT, PLANTED)]
    differ = (chosen[0] != chosen[1]).any(1)
    assert 0 < differ.sum() < 200
    fixed = replace(items, rows=np.ascontiguousarray(chosen[0][:, None]))
    assert (items.scores(PLANTED)[differ] > fixed.scores(PLANTED)[differ]).all()
    assert (items.scores(PLANTED)[~differ] == fixed.scores(PLANTED)[~differ]).all()


def slow(measure, scores, items):
    if measure == "tau":
        return sum(1 if scores[a] > scores[b] else -1 for a, b in items.pairs) / len(items.pairs)
    if measure == "kendall":
        return oracle.tau_b(scores, items.human)
    human = list(items.human)
    return (
        oracle.pearson(scores, human)
        if measure == "pearson"
        else oracle.pearson(oracle.ranks(scores), oracle.ranks(human))
    )


@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
def test_every_part_has_its_correlation(measure, references, monkeypatch):
    monkeypatch.setattr(objective_module, "BLOCK", 10)
    items = ranked(60, references=references) if measure == "tau" else planted(60, 1.0, references=references)
    fold = fold_of_units(items.units, 3, 1)[items.unit]
    chosen = [DEFAULT, PLANTED, replace(PLANTED, alpha=0.9), replace(DEFAULT, gamma=0.0)]
    result = Objective(items, measure, fold, 3).values(numbers(chosen), threads=2)
    for part in range(4):
        mine = items.take(fold != part)
        expected = [slow(measure, plain_scores(mine, point), mine) for point in chosen]
        np.testing.assert_allclose(result[:, part], expected, rtol=0, atol=1e-9)
        alone = Objective(mine, measure).values(numbers(chosen))
        np.testing.assert_allclose(alone[:, 0], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall"])
def test_systems_have_parts_too(measure):
    items = systems(9, 5, 2)
    fold = fold_of_units(9, 3, 1)
    result = Objective(items, measure, fold, 3).values(numbers([DEFAULT, PLANTED]))
    for part in range(4):
        mine = items.take(fold != part)
        expected = [slow(measure, plain_scores(mine, point), mine) for point in (DEFAULT, PLANTED)]
        np.testing.assert_allclose(result[:, part], expected, rtol=0, atol=1e-9)


def test_what_has_no_correlation_is_worse_than_anything():
    items = planted(20)
    nothing = replace(items, rows=np.zeros_like(items.rows))
    for measure in ("pearson", "spearman", "kendall"):
        assert Objective(nothing, measure).values(numbers([DEFAULT])).tolist() == [[-np.inf]]


def test_taking_items_keeps_their_pairs_and_translations():
    items = ranked(16)
    keep = items.unit != 1
    kept = np.flatnonzero(keep)
    assert set(map(tuple, kept[items.take(keep).pairs])) == {tuple(p) for p in items.pairs if keep[p].all()}
    whole = systems(5, 3, 2)
    keep = np.array([True, False, True, True, False])
    assert (whole.take(keep).scores(DEFAULT) == whole.scores(DEFAULT)[keep]).all()


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
@settings(max_examples=10)
@given(seed=st.integers(0, 99))
def test_resamples_are_what_drawing_items_would_give(measure, seed):
    """The twin lays every drawn unit out, as often as it was drawn, and counts anew."""
    items = ranked(40, seed) if measure == "tau" else planted(40, 1.0, seed)
    # Rounded, so that there are ties.
    items = replace(items, human=np.round(items.human / 400))
    both = np.stack([np.round(items.scores(DEFAULT)), np.round(items.scores(PLANTED) / 4)])
    result = resampled_differences(items, both, measure, seed=seed, resamples=5, threads=1)
    for number in range(5):
        draw = np.random.default_rng([seed, 2, number]).integers(0, items.units, items.units)
        if measure == "tau":
            again = [p for u in draw for p in items.pairs if items.unit[p[0]] == u]
            drawn = [slow("tau", entry, replace(items, pairs=again)) for entry in both]
        else:
            again = [i for u in draw for i in np.flatnonzero(items.unit == u)]
            chosen = replace(items, human=items.human[again])
            drawn = [slow(measure, list(entry[again]), chosen) for entry in both]
        assert result[number] == pytest.approx(drawn[0] - drawn[1], abs=1e-10, nan_ok=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: _native.MeteorGrid(np.zeros((3, 1, 22)), [0, 3], False), "do not fit"),
        (lambda: _native.MeteorGrid(np.zeros((3, 1, 23)), [0, 2], False), "do not fit"),
        (
            lambda: _native.MeteorGrid(np.zeros((3, 1, 23)), [0, 3], False).scores(np.zeros((1, 7)), 1),
            "eight",
        ),
        (
            lambda: _native.MeteorGrid(np.zeros((3, 1, 23)), [0, 3], False).moments(
                np.zeros((1, 8)), np.zeros(2), [0], 1, 1
            ),
            "another length",
        ),
        (
            lambda: _native.MeteorGrid(np.zeros((3, 1, 23)), [0, 3], False).concordant(
                np.zeros((1, 8)), np.array([[0, 3]], np.uint32), [0, 1], [0], 1, 1
            ),
            "outside its block",
        ),
        (
            lambda: _native.MeteorGrid(np.zeros((3, 1, 23)), [0, 3], False).concordant(
                np.zeros((1, 8)), np.array([[0, 1]], np.uint32), [0, 1], [1], 1, 1
            ),
            "groups",
        ),
    ],
)
def test_the_kernel_refuses_what_does_not_fit(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_no_unit_is_cut_apart():
    rng = np.random.default_rng(0)
    for _ in range(20):
        group = np.sort(rng.integers(0, 4, 200))
        unit = np.sort(rng.integers(0, 30, 200)) + 100 * group
        objective_module.BLOCK, before = 25, objective_module.BLOCK
        try:
            cuts = objective_module._cuts(unit, group)
        finally:
            objective_module.BLOCK = before
        assert cuts[0] == 0
        assert cuts[-1] == 200
        blocks = [set(unit[a:b]) for a, b in itertools.pairwise(cuts)]
        assert not any(a & b for a, b in itertools.combinations(blocks, 2))
        assert all(len(set(group[a:b])) == 1 for a, b in itertools.pairwise(cuts))
        # Blocks are filled as far as units allow.
        assert all(
            b - a <= 25 or len(u) == 1 for (a, b), u in zip(itertools.pairwise(cuts), blocks, strict=True)
        )
