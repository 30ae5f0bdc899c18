"""Many pairs of systems that share their coins: the same p as pair by pair, however many stop on the way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.stats import many_pairs, multiple, resampling, runs, stopping
from adjudge.stats.runs import stratified_randomisation
from adjudge.stats.tests.systems import randomisation
from helpers.paired import paired_bootstrap, pairwise_tests

BLEU = metric("bleu").aggregate


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def signs(units, seed, block, threads=1):
    """Trials × units, +1 and −1."""
    return _native.signed_sums([np.eye(units)], 1, seed, block, threads).T


def bleu_rows(systems, segments, seed=1, step=0.02):
    """Counts such as BLEU has, each system a little worse than the one before."""
    rng = np.random.default_rng(seed)
    reference, hard = rng.integers(5, 40, segments), rng.beta(4, 3, segments)
    results = []
    for s in range(systems):
        length = np.maximum(1, reference + rng.integers(-2, 3, segments))
        totals = np.maximum(length[:, None] - np.arange(4), 0)
        chance = np.clip(hard + rng.normal(0, 0.1, segments) - step * s, 0.02, 0.98)[:, None]
        matches = rng.binomial(totals, chance ** [0.6, 1.2, 1.8, 2.4])
        results.append(np.column_stack([length, reference, matches, totals]).astype(np.float64))
    return results


def all_pairs(count):
    return [(a, b) for a in range(count) for b in range(a + 1, count)]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 80), st.integers(1, 5), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
def test_signed_sums_are_rows_times_signs(units, columns, seed, block):
    rng = np.random.default_rng(seed)
    systems = [rng.normal(size=(units, columns)) for _ in range(3)]
    result = _native.signed_sums(systems, 1, seed, block, 2)
    drawn = signs(units, seed, block)
    assert set(np.unique(drawn)) <= {-1.0, 1.0}
    for s, rows in enumerate(systems):
        own = result[s * columns : (s + 1) * columns]
        np.testing.assert_allclose(own, (drawn @ rows).T, rtol=0, atol=1e-10 * units)
    assert (result == _native.signed_sums(systems, 1, seed, block, 1)).all(), "whatever the number of threads"


def test_signs_are_fair_and_any_two_trials_independent():
    drawn = np.concatenate([signs(40, 7, block) for block in range(30)])
    assert abs(drawn.mean()) < 4 / np.sqrt(drawn.size)
    first = drawn.reshape(30, 1024, 40)
    # Within a unit, over pairs of trials of one block and of two blocks.
    for other in (np.roll(first, 1, axis=1), np.roll(first, 1, axis=0)):
        assert abs((first * other).mean()) < 4 / np.sqrt(first.size)
    # Over units, within a trial.
    assert abs((drawn[:, 1:] * drawn[:, :-1]).mean()) < 4 / np.sqrt(drawn.size)
    assert len(np.unique(drawn, axis=0)) == len(drawn)


def single(systems):
    return [[rows] for rows in systems]


def mean_rows(systems, segments, seed=2, step=0.5):
    rng = np.random.default_rng(seed)
    hard = rng.normal(50, 10, segments)
    return [
        np.stack([hard + rng.normal(-step * s, 10, segments), np.ones(segments)], axis=1)
        for s in range(systems)
    ]


def counts(result):
    """How many trials were as far, from p and their number."""
    return [round(p * (n + 1)) - 1 for p, n in zip(result.p_values, result.trials, strict=True)]


def test_every_run_of_two_systems_may_be_paired_with_every_other():
    """A unit has a sign for each run, and which run has which is drawn for every system, unit and block."""
    units, runs, blocks = 50, 3, 40
    marks = np.eye(units * runs)
    agree = np.zeros((runs, runs))
    for block in range(blocks):
        a, b = np.split(_native.signed_sums([marks, marks], runs, 11, block, 2), 2)  # rows × trials
        a, b = (side.reshape(units, runs, 1024) for side in (a, b))
        assert set(np.unique(a)) == {-1.0, 1.0}
        assert (a.sum(1) == b.sum(1)).all(), "as many of one system's runs move as of the other's"
        same = (a[:, :, None] == b[:, None]).all(-1)  # the same sign in all trials: paired
        assert (same.sum(1) >= 1).all()
        agree += same.mean(0)
    assert agree / blocks == pytest.approx(np.full((runs, runs), 1 / runs), abs=0.05)


@pytest.mark.parametrize("aggregate", [BLEU, mean])
@pytest.mark.parametrize("up", [None, 1.0, -1.0])
def test_slopes_miss_nothing(aggregate, up, monkeypatch):
    """Counted by slopes where they tell, and closely elsewhere, or closely everywhere: the same."""
    rows = bleu_rows(8, 150) if aggregate is BLEU else mean_rows(8, 150)
    monkeypatch.setattr(randomisation, "MANY", 0)
    pairs = all_pairs(8)
    looked_at = []
    screen = _native.screened_blocks

    def counted(*arguments):
        result = screen(*arguments)
        looked_at.append(len(result[1]))
        return result

    monkeypatch.setattr(_native, "screened_blocks", counted)
    side = {"one_sided": True, "higher_is_better": up == 1.0} if up else {}
    tests = pairwise_tests(single(rows), aggregate, pairs, trials=5000, seed=3, threads=2, **side)
    totals = np.stack([r.sum(0) for r in rows])
    seen = aggregate(totals)
    drawn = np.concatenate([signs(150, 3, block) for block in range(5)])[:5000]
    expected = []
    for a, b in pairs:
        d = (drawn + 1) / 2 @ (rows[b] - rows[a])
        differences = aggregate(totals[a] + d) - aggregate(totals[b] - d)
        rounding = resampling.tolerance(seen[a], seen[b])
        expected.append(resampling.count_as_extreme(seen[a] - seen[b], differences, rounding, up=up))
    assert counts(tests) == expected
    assert (tests.trials == 5000).all()
    assert 0 < sum(looked_at) < 0.2 * 4000 * len(pairs) or aggregate is mean, "slopes are worth their while"
    assert tests.drawn.shape == (2 * many_pairs.FEW_HALVES, 8)


def test_pairs_of_few_systems_are_the_pairs_one_by_one():
    systems = bleu_rows(10, 40)
    pairs = all_pairs(10)
    tests = pairwise_tests(single(systems), BLEU, pairs, trials=1500, seed=4)
    for (a, b), p in zip(pairs[:12], tests.p_values, strict=False):
        assert p == resampling.randomisation(systems[a], systems[b], BLEU, trials=1500, seed=4).p


@pytest.mark.parametrize("numbers", [(3, 3, 3, 3), (1, 3, 3, 2)])
@pytest.mark.parametrize("one_sided", [False, True])
def test_systems_with_several_runs_among_many_are_as_pair_by_pair(numbers, one_sided, monkeypatch):
    rng = np.random.default_rng(8)
    hard = rng.normal(0, 1, 60)
    systems = [
        [np.stack([hard + rng.normal(0.15 * s, 1, 60), np.ones(60)], axis=1) for _ in range(number)]
        for s, number in enumerate(numbers)
    ]
    pairs = all_pairs(4)
    shared = {"trials": 20_000, "threads": 2}
    few = pairwise_tests(systems, mean, pairs, seed=1, one_sided=one_sided, **shared)
    monkeypatch.setattr(randomisation, "MANY", 0)
    many = pairwise_tests(systems, mean, pairs, seed=1, one_sided=one_sided, **shared)
    assert any(0.01 < p < 0.9 for p in few.p_values)
    for (a, b), first, other in zip(pairs, few.p_values, many.p_values, strict=True):
        assert other == pytest.approx(first, abs=0.001 + 5 * np.sqrt(2 * first * (1 - first) / 20_000))
        if not one_sided and max(numbers[a], numbers[b]) > 1:
            assert first == stratified_randomisation(systems[a], systems[b], mean, seed=1, **shared)
    turned = pairwise_tests(systems, mean, [(b, a) for a, b in pairs], seed=1, one_sided=one_sided, **shared)
    for this, other in zip(many.p_values, turned.p_values, strict=True):
        assert other == pytest.approx(1 - this if one_sided else this, abs=0.02)


def decided(lower):
    return multiple.adjust_p_values(lower, "holm") >= 0.05


@pytest.mark.parametrize("runs", [1, 2])
@pytest.mark.parametrize("one_sided", [False, True])
def test_pairs_that_are_decided_stop_and_the_rest_go_on(runs, one_sided):
    rows = bleu_rows(12 * runs, 200, step=0.015 / runs)
    systems = [rows[runs * s : runs * (s + 1)] for s in range(12)]
    pairs = all_pairs(12)
    shared = {"trials": 40_000, "seed": 5, "threads": 2, "one_sided": one_sided}
    short = pairwise_tests(systems, BLEU, pairs, decided=decided, **shared)
    whole = pairwise_tests(systems, BLEU, pairs, **shared)
    assert (whole.trials == 40_000).all()
    stopped = short.trials < 40_000
    assert 5 < stopped.sum() < len(pairs)
    assert (short.trials >= stopping.BASE).all()
    assert (np.array(counts(short))[stopped] >= stopping.ENOUGH).all()
    first, other = (multiple.adjust_p_values(np.array(r.p_values)) for r in (short, whole))
    assert ((first < 0.05) == (other < 0.05)).all()
    assert first[first < 0.05].tolist() == other[first < 0.05].tolist(), (
        "what is significant has seen all trials"
    )


def test_bootstrap_takes_the_resamples_that_are_there():
    systems = single(mean_rows(3, 80))
    again = runs.resample(systems, mean, resamples=400, seed=6)
    tests = pairwise_tests(
        systems, mean, all_pairs(3), method="bootstrap", trials=400, seed=6, resampled=again
    )
    for (a, b), p in zip(all_pairs(3), tests.p_values, strict=True):
        alone = paired_bootstrap(systems[a][0], systems[b][0], mean, resamples=400, seed=6)
        assert p == alone.p
    with pytest.raises(UsageError, match="did you mean 'bootstrap'"):
        pairwise_tests(systems, mean, all_pairs(3), method="bootstrp", trials=400, seed=6)


@pytest.mark.parametrize("one_sided", [False, True])
def test_equal_systems_among_many_are_hardly_ever_found_different(one_sided):
    """Eleven equal systems, 55 pairs: Holm allows a false claim in one of twenty comparisons."""
    false = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        hard = rng.normal(50, 10, 80)
        rows = [np.stack([hard + rng.normal(0, 5, 80), np.ones(80)], axis=1) for _ in range(11)]
        tests = pairwise_tests(
            single(rows),
            mean,
            all_pairs(11),
            trials=11_001,
            seed=seed,
            decided=decided,
            threads=1,
            one_sided=one_sided,
        )
        false += bool((multiple.adjust_p_values(np.array(tests.p_values)) < 0.05).any())
    assert false <= 40 * 0.05 + 3 * np.sqrt(40 * 0.05 * 0.95)


@given(st.integers(1, 200), st.integers(1, 4), st.integers(0, 2**40), st.integers(1, 3))
def test_narrow_rows_have_the_sums_of_wide_ones(units, columns, seed, runs):
    rows = [
        np.random.default_rng(seed + s).integers(-90, 90, (units * runs, columns)).astype(float)
        for s in (0, 1)
    ]
    narrow = many_pairs.narrow_rows(rows)
    assert {own.dtype for own in narrow} == {np.dtype(np.float32)}
    assert (
        _native.signed_sums(narrow, runs, seed, 3, 2) == _native.signed_sums(rows, runs, seed, 3, 1)
    ).all()


@pytest.mark.parametrize("number", [0.5, 2.0**24, np.nan])
def test_rows_stay_wide_where_sums_would_be_rounded(number):
    rows = [np.ones((4, 2)), np.ones((4, 2))]
    rows[1][2, 1] = number
    assert many_pairs.narrow_rows(rows) is rows
