"""Correlations by many parameter sets at once, against the formula done by hand and slow twins."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.stats.draws import fold_of_units
from adjudge.tuning import search as objective_module
from adjudge.tuning.items import Items
from adjudge.tuning.search import Objective
from helpers.tunings import (
    DEFAULT,
    PLANTED,
    made_rows,
    numbers,
    plain_scores,
    planted,
    points,
    ranked,
    slow,
    systems,
)


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
