"""Several training runs."""

import itertools

import numpy as np
import pytest

from adjudge.errors import UsageError
from adjudge.stats import resampling
from adjudge.stats.runs import spread, stratified_randomisation
from adjudge.stats.units import Units
from oracles.resampling import multeval_randomisation


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def runs(number, segments, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    hard = np.random.default_rng(99).normal(size=segments)
    return [
        np.stack([hard + shift + rng.normal(size=segments), np.ones(segments)], axis=1) for _ in range(number)
    ]


def test_spread_by_hand():
    result = spread([1.0, 2.0, 3.0], np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 5.0]]))
    assert result.mean == 2
    assert result.selection == pytest.approx((np.sqrt(2) + 0 + np.sqrt(2)) / 3)
    assert result.optimiser == 1
    assert spread([1.0], np.array([[1.0], [2.0]])).optimiser is None


@pytest.mark.parametrize("definition", ["exchange", "multeval"])
def test_identical_systems_get_p_1(definition):
    a = runs(3, 40)
    test = stratified_randomisation(a, [r.copy() for r in a], mean, trials=200, seed=1, definition=definition)
    assert test == 1


def test_one_run_each_is_randomisation():
    (a,), (b,) = runs(1, 200), runs(1, 200, 1, 0.2)
    plain = resampling.randomisation(a, b, mean, trials=20_000, seed=1).p
    for definition in ("exchange", "multeval"):
        test = stratified_randomisation([a], [b], mean, trials=20_000, seed=2, definition=definition)
        assert test == pytest.approx(plain, abs=4 * np.sqrt(2 * plain * (1 - plain) / 20_000))


def test_few_segments_are_all_exchanges():
    """Two runs against two on three segments: every pairing and every swap, each with its chance."""
    a, b = runs(2, 3), runs(2, 3, 1, 0.6)
    both = np.stack([*a, *b], axis=1)[..., 0]  # segments × runs
    delta = abs(both[:, :2].sum() - both[:, 2:].sum())
    sums: dict[tuple[int, ...], float] = {}
    for kept in itertools.product([0, 1], repeat=2):  # coins of two pairs
        swapped = sum(kept)
        ways = list(itertools.combinations(range(2), 2 - swapped))
        others = list(itertools.combinations(range(2, 4), swapped))
        for x, y in itertools.product(ways, others):
            sums[x + y] = sums.get(x + y, 0) + 0.25 / len(ways) / len(others)
    assert sum(sums.values()) == pytest.approx(1)
    exact = 0.0
    for chosen in itertools.product(sums.items(), repeat=3):
        chance = np.prod([c for _, c in chosen])
        first = sum(both[s, list(members)].sum() for s, (members, _) in enumerate(chosen))
        exact += chance * (abs(first - (both.sum() - first)) >= delta - 1e-9)
    test = stratified_randomisation(a, b, mean, trials=40_000, seed=1)
    assert test == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 40_000))


def test_multevals_definition_is_its_programs():
    a, b = runs(3, 60), runs(3, 60, 1, 0.3)
    theirs = multeval_randomisation(np.stack(a), np.stack(b), mean, 4000, np.random.default_rng(1))
    ours = stratified_randomisation(a, b, mean, trials=20_000, seed=1, definition="multeval")
    error = np.sqrt(ours * (1 - ours) * (1 / 4000 + 1 / 20_000))
    assert ours == pytest.approx(theirs, abs=3 * error)
    assert stratified_randomisation(a, b, mean, trials=20_000, seed=1) > ours + 2 * error


def test_order_of_runs_and_sides_do_not_matter_much():
    a, b = runs(3, 100), runs(3, 100, 1, 0.1)
    options = {"trials": 20_000, "seed": 1}
    test = stratified_randomisation(a, b, mean, **options)
    for x, y in ((b, a), (a[::-1], b)):
        other = stratified_randomisation(x, y, mean, **options)
        assert other == pytest.approx(test, abs=4 * np.sqrt(2 * test * (1 - test) / 20_000))


def test_unequal_numbers_threads_and_documents():
    a, b = runs(2, 60), runs(3, 60, 1, 0.3)
    units = Units.of(60, [str(i // 2) for i in range(60)])
    values = [
        stratified_randomisation(a, b, mean, trials=500, seed=1, units=units, threads=t) for t in (1, 2, 5)
    ]
    assert len(set(values)) == 1
    assert 0 < values[0] <= 1


def test_errors():
    with pytest.raises(UsageError, match="equally many runs, not 1 and 2"):
        stratified_randomisation(runs(1, 5), runs(2, 5), mean, seed=1, definition="multeval")
    with pytest.raises(UsageError, match="unknown definition"):
        stratified_randomisation(runs(1, 5), runs(1, 5), mean, seed=1, definition="bayes")
    with pytest.raises(UsageError, match="different shapes"):
        stratified_randomisation(runs(1, 5), runs(1, 6), mean, seed=1)
