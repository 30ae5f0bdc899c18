"""Fitting METEOR's parameters: planted ones are found, and nobody sees the fold that is held out."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from adjudge.errors import DataError, UsageError
from adjudge.stats.draws import fold_of_units
from adjudge.tuning import TuningOptions, tune, tune_items
from adjudge.tuning import items as items_module
from adjudge.tuning import search as search_module
from adjudge.tuning import space as space_module
from adjudge.tuning.gathering import JudgedItems
from adjudge.tuning.search import search
from adjudge.tuning.space import Space
from helpers.tunings import (
    DEFAULT,
    PLANTED,
    ROWS,
    SMALL,
    TEST_SET,
    plain_score,
    planted,
    ranked,
    ranked_together,
    said,
)
from oracles import correlation as oracle


@pytest.fixture
def small(monkeypatch):
    """A grid that takes no time."""
    monkeypatch.setattr(space_module, "GRID", SMALL)


def fit(items, measure="pearson", **options):
    gathered = JudgedItems(items, len(items), 4, items.units)
    threads = options.pop("threads", 0)
    chosen = TuningOptions(correlation=measure, fold_by="segment", **({"resamples": 50} | options))
    return tune_items(gathered, DEFAULT, chosen, protocol="da", threads=threads)


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall"])
def test_planted_parameters_are_found(small, measure):
    tuning = fit(planted(240), measure)
    assert tuning.fitted == pytest.approx(1.0, abs=1e-9)
    assert tuning.parameters == PLANTED
    assert tuning.held_out[0].tuned == pytest.approx(1.0, abs=1e-3)
    assert tuning.held_out[0].delta > 0


def test_planted_parameters_off_the_grid_are_refined(small, monkeypatch):
    monkeypatch.setattr(space_module, "GRID", SMALL | {"alpha": (0.3, 0.8), "gamma": (0.3, 0.7)})
    tuning = fit(planted(240))
    assert tuning.fitted > 0.9999
    assert tuning.parameters.alpha == pytest.approx(0.5, abs=0.05)


def test_noise_is_no_obstacle(small):
    tuning = fit(planted(400, noise=1.0), resamples=200)
    first = tuning.held_out[0]
    assert first.default < first.tuned < tuning.fitted
    assert first.low < first.delta < first.high
    assert 0 < first.p < 0.05
    assert 0 < first.p_williams < 0.05
    assert [entry.measure for entry in tuning.held_out] == ["pearson", "spearman", "kendall"]


def brute_force(items, measure):
    """Every point of the grid, one after the other, by the slow twins."""
    human = list(items.human)
    best = (-np.inf, None)
    for values in itertools.product(*SMALL.values()):
        point = replace(DEFAULT, **dict(zip(SMALL, values, strict=True)))
        mine = [plain_score(row[0], point) for row in items.rows]
        if measure == "pearson":
            value = oracle.pearson(mine, human)
        elif measure == "spearman":
            value = oracle.pearson(oracle.ranks(mine), oracle.ranks(human))
        elif measure == "kendall":
            value = oracle.tau_b(mine, human)
        else:
            value = sum(1 if mine[a] > mine[b] else -1 for a, b in items.pairs) / len(items.pairs)
        if round(value, 9) > best[0]:
            best = round(value, 9), point
    return best


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
def test_the_grid_is_searched_as_brute_force_would(small, measure):
    items = ranked(16) if measure == "tau" else planted(12, noise=1.0)
    fold = fold_of_units(items.units, 2, 7)[items.unit]
    match = search(items, fold, 2, Space.of(items.rows, DEFAULT), measure, seed=7)
    for part, entry in enumerate(match):
        mine = items if part == 2 else items.take(fold != part)
        value, _ = brute_force(mine, measure)
        assert entry.grid_value == pytest.approx(value, abs=2e-9)
        assert entry.value >= entry.grid_value


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
def test_refinement_is_never_worse_than_grid_or_default(small, measure):
    for seed in range(3):
        items = ranked(40, seed) if measure == "tau" else planted(40, noise=2.0, seed=seed)
        fold = fold_of_units(items.units, 3, seed)[items.unit]
        for part, entry in enumerate(
            search(items, fold, 3, Space.of(items.rows, DEFAULT), measure, seed=seed)
        ):
            mine = items if part == 3 else items.take(fold != part)
            points = (DEFAULT, entry.grid_point, entry.point)
            default, grid, final = mine.correlation(np.stack([mine.scores(p) for p in points]), measure)
            assert final >= grid - 1e-8
            assert final >= default - 1e-8
            assert final == pytest.approx(entry.value, abs=1e-8)


@pytest.mark.parametrize("measure", ["pearson", "kendall", "tau"])
def test_no_part_sees_its_fold(small, measure):
    items = ranked(80) if measure == "tau" else planted(80, noise=1.0)
    fold = fold_of_units(items.units, 4, 5)[items.unit]
    before = search(items, fold, 4, Space.of(items.rows, DEFAULT), measure, seed=5)
    # What people said of fold 2 is turned upside down: without it, all stays as it was.
    human = np.where(fold == 2, -items.human, items.human)
    pairs = items.pairs
    if pairs is not None:
        pairs = np.where((fold[pairs[:, :1]] == 2), pairs[:, ::-1], pairs)
    turned = replace(items, human=human, pairs=pairs)
    after = search(turned, fold, 4, Space.of(items.rows, DEFAULT), measure, seed=5)
    assert after[2] == before[2]
    assert [a.value for a in after] != [b.value for b in before]


def test_folds_hold_whole_units_of_about_one_size():
    fold = fold_of_units(103, 5, 1)
    assert set(np.bincount(fold)) == {20, 21}
    assert (fold != fold_of_units(103, 5, 2)).any()
    assert (fold == fold_of_units(103, 5, 1)).all()


@pytest.mark.parametrize("measure", ["pearson", "spearman", "tau"])
def test_threads_change_nothing_and_the_seed_decides(small, measure):
    items = ranked(60) if measure == "tau" else planted(60, noise=1.0)
    first = fit(items, measure, threads=1)
    assert fit(items, measure, threads=3) == first
    assert fit(items, measure, threads=1, seed=1) != first


def test_a_sample_is_searched_where_sorting_would_take_long(small, monkeypatch):
    monkeypatch.setattr(search_module, "SORTED_AT_ONCE", 100)
    tuning = fit(planted(400), "spearman")
    assert tuning.fitted > 0.999
    assert tuning.items == 400


def test_a_matcher_that_matches_nothing_keeps_its_weight(small):
    items = planted(60, matchers=2)
    tuning = fit(items)
    assert tuning.free == ("delta", "stem", "alpha", "beta", "gamma")
    assert tuning.parameters.synonym == DEFAULT.synonym
    assert tuning.grid == 3 * 3 * 3 * 3 * 3


def test_all_names_are_in_one_place():
    assert items_module.MEASURES == ("pearson", "spearman", "kendall", "tau")


def test_questions_that_make_no_sense():
    spoken = said(*(("A", i, i) for i in (1, 2, 3, 4)))
    ranks = ranked_together((1, {"A": 1, "B": 2}))
    for options, message in [
        ({"level": "sytem"}, "unknown level 'sytem'; did you mean 'system'"),
        ({"correlation": "person"}, "unknown correlation 'person'; did you mean 'pearson'"),
        ({"correlation": "tau", "level": "system"}, "of systems there is kendall"),
        ({"fold_by": "speaker"}, "unknown unit 'speaker'"),
        ({"folds": 1}, "at least 2"),
        ({"level": "system", "fold_by": "segment"}, "systems are held out"),
    ]:
        with pytest.raises(UsageError, match=message):
            tune(spoken, ROWS, TEST_SET, DEFAULT, TuningOptions(**options))
    with pytest.raises(DataError, match="tau has no pairs"):
        tune(spoken, ROWS, TEST_SET, DEFAULT, TuningOptions(correlation="tau", folds=2))
    with pytest.raises(UsageError, match="by tau only"):
        tune(ranks, ROWS, TEST_SET, DEFAULT, TuningOptions(correlation="pearson"))
    with pytest.raises(UsageError, match="cannot be held apart"):
        tune(ranks, ROWS, TEST_SET, DEFAULT, TuningOptions(fold_by="system"))
