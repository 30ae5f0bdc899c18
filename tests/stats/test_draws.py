"""Draws of units: reproducible, of the right shape, and the same however large the blocks are."""

import ast
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from adjudge import human, meta, planning
from adjudge.stats import draws


@pytest.mark.parametrize("cells", [1, 7, 1 << 22])
def test_draws_do_not_depend_on_the_size_of_blocks(monkeypatch, cells):
    whole = np.random.default_rng(5).integers(0, 6, (9, 6))
    mask = np.random.default_rng(5).random((9, 6)) < 0.5
    monkeypatch.setattr(draws, "CELLS", cells)
    assert np.array_equal(np.concatenate([*draws.resampled_units(6, 9, 5)]), whole)
    assert np.array_equal(np.concatenate([*draws.swap_masks(6, 9, 5, width=3)]), mask)
    assert np.array_equal(draws.unit_counts(6, 9, 5), [np.bincount(row, minlength=6) for row in whole])


@pytest.mark.parametrize("counts", [draws.unit_counts, draws.multinomial_counts])
def test_every_resample_has_as_many_units_as_there_are(counts):
    drawn = counts(8, 500, [3, 1])
    assert drawn.shape == (500, 8)
    assert (drawn.sum(1) == 8).all()
    assert abs(drawn.mean() - 1) < 1e-12
    assert abs(drawn.var() - 7 / 8) < 0.1  # binomial: n p (1 - p)
    assert np.array_equal(drawn, counts(8, 500, [3, 1]))


def test_half_of_the_units_are_swapped_on_average():
    masks = np.concatenate([*draws.swap_masks(40, 1000, 1, width=40)])
    assert abs(masks.mean() - 0.5) < 0.01


def test_samples_have_different_units_and_permutations_all_of_them():
    assert np.array_equal(np.sort(draws.permutation(9, 4)), np.arange(9))
    some = draws.sample(50, 20, [4, 1])
    assert len(np.unique(some)) == 20
    assert 0 <= some.min() <= some.max() < 50


@pytest.mark.parametrize("at_once", [1, 4, 9])
def test_counts_of_categories_do_not_depend_on_the_size_of_blocks(at_once):
    chances = np.array([0.2, 0.3, 0.5])
    whole = np.random.default_rng(7).multinomial(30, chances, size=9)
    blocks = draws.category_counts(30, chances, 9, 7, at_once=at_once)
    assert np.array_equal(np.concatenate([*blocks]), whole)


def test_a_derived_seed_is_another_one_and_always_the_same():
    assert draws.derived_seed(12345) == draws.derived_seed(12345) != 12345
    assert len({draws.derived_seed(seed) for seed in range(100)}) == 100


SOURCES = Path(draws.__file__).parents[1]
MADE_ELSEWHERE = {
    "campaigns/items.py": "Python's own generator, by which campaigns that run were assigned",
    "metrics/judges/asking.py": "waits between requests, on which no result depends",
}
GENERATORS = {
    "campaigns/items.py",
    "campaigns/selection.py",
    "compat/sacrebleu/metrics/base.py",
    "compat/sacrebleu/significance.py",
    "stats/correlation.py",
    "stats/crossed.py",
    "stats/metric_swaps.py",
    "stats/power.py",
    "stats/simulated.py",
    "tuning/weights/fitting.py",
}
"""Files whose draws depend on each other (simulations, searches) or on another tool's order."""


def calls_of_random(tree):
    """Whether numpy's or Python's random numbers are asked for, under whatever name they were imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("random", "numpy.random"):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value)
            if owner in ("random", "np.random", "numpy.random"):
                yield node.func.attr


def imports_generator(tree):
    return any(
        isinstance(node, ast.ImportFrom)
        and (
            (node.module == "adjudge.stats.draws" and any(a.name == "generator" for a in node.names))
            or (node.module == "adjudge.stats" and any(a.name == "draws" for a in node.names))
        )
        for node in ast.walk(tree)
    )


def test_random_numbers_are_drawn_in_one_place():
    texts = {
        path.relative_to(SOURCES).as_posix(): path.read_text(encoding="utf-8")
        for path in SOURCES.rglob("*.py")
    }
    asking = ("random", "adjudge.stats.draws", "adjudge.stats import")  # parsing takes long
    trees = {name: ast.parse(text) for name, text in texts.items() if any(word in text for word in asking)}
    made = {name for name, tree in trees.items() if any(calls_of_random(tree))}
    assert made == {"stats/draws.py", *MADE_ELSEWHERE}
    assert {name for name, tree in trees.items() if imports_generator(tree)} == GENERATORS


def test_the_seed_that_nobody_chose_is_the_same_everywhere():
    """0 where nothing is drawn unless resamples are asked for."""
    given = {}
    for room in (human, planning, meta):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction):
                if "seed" in (parameters := inspect.signature(function).parameters):
                    given[module.name, name] = parameters["seed"].default
    assert len(given) > 20
    assert set(given.values()) <= {12345, 0, inspect.Parameter.empty}
