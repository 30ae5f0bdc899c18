"""The resampling kernel against its slow twin, and its draws against what chance should give."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from oracles import resampling as oracle

DRAWS = ("bootstrap", "half", "coins")


def kernel(rows, draw, *, order=(), begins=(), runs=(1, 1), seed=1, first=0, count=1, threads=1):
    return _native.resampled_sums([rows], draw, order, begins, runs, seed, first, count, threads)


def drawn(draw, units, *, count, runs=(1, 1), parts=1, seed=1, order=(), begins=(), first=0):
    """How often each row is drawn: sums of rows that each have a column of their own."""
    return kernel(
        np.eye(units * parts),
        draw,
        runs=runs,
        seed=seed,
        count=count,
        order=order,
        begins=begins,
        first=first,
        threads=2,
    )


seeds = st.integers(0, 2**64 - 1)


@given(
    draw=st.sampled_from(DRAWS),
    units=st.one_of(st.integers(1, 40), st.integers(60, 70)),
    columns=st.integers(1, 20),
    seed=seeds,
    first=st.integers(0, 2**40),
    count=st.integers(1, 20),
    threads=st.integers(1, 3),
)
def test_sums_are_the_twins(draw, units, columns, seed, first, count, threads):
    rows = np.random.default_rng(units * columns).normal(size=(units, columns))
    result = kernel(rows, draw, seed=seed, first=first, count=count, threads=threads)
    for b in range(count):
        weights = oracle.counts(draw, units, seed, first + b)
        # What is never drawn twice is added up four rows at a time.
        assert result[b].tolist() == oracle.sums(rows, weights, 1 if draw == "bootstrap" else 4)


@pytest.mark.parametrize("units", [oracle.BLOCK, oracle.BLOCK + 1, 2 * oracle.BLOCK + 77])
@pytest.mark.parametrize("draw", DRAWS)
def test_sums_of_blocks_are_the_twins(draw, units):
    rows = np.random.default_rng(units).normal(size=(units, 9))
    result = kernel(rows, draw, seed=3, first=5, count=3, threads=2)
    for b in range(3):
        weights = oracle.counts(draw, units, 3, 5 + b)
        assert result[b].tolist() == oracle.sums(rows, weights, 1 if draw == "bootstrap" else 4)


def test_a_bootstrap_of_blocks_is_one_of_all_units():
    """Counts have the mean and variance of n draws of n, over a block, between blocks and across its edge."""
    units, count = oracle.BLOCK + 4096, 400
    rows = np.zeros((units, 4))
    rows[: oracle.BLOCK, 0], rows[oracle.BLOCK :, 1] = 1, 1
    rows[:100, 2], rows[oracle.BLOCK - 50 : oracle.BLOCK + 50, 3] = 1, 1
    sample = kernel(rows, "bootstrap", count=count, threads=2)
    assert (sample[:, 0] + sample[:, 1] == units).all()
    for column, size in enumerate((oracle.BLOCK, 4096, 100, 100)):
        variance = size * (1 - size / units)
        assert sample[:, column].mean() == pytest.approx(size, abs=5 * np.sqrt(variance / count))
        assert sample[:, column].var() == pytest.approx(variance, rel=5 * np.sqrt(2 / count))


@given(
    draw=st.sampled_from(["bootstrap", "half"]),
    labels=st.lists(st.integers(0, 4), min_size=1, max_size=30),
    seed=seeds,
)
def test_strata_are_the_twins(draw, labels, seed):
    strata = [[i for i, x in enumerate(labels) if x == s] for s in sorted(set(labels))]
    begins = [0, *itertools.accumulate(map(len, strata))]
    sample = drawn(draw, len(labels), count=3, seed=seed, order=list(itertools.chain(*strata)), begins=begins)
    for b in range(3):
        assert sample[b].tolist() == oracle.counts(draw, len(labels), seed, b, strata)
    for members in strata:
        per_stratum = sample[:, members].sum(1)
        if draw == "bootstrap":
            assert set(per_stratum) == {len(members)}
        elif len(labels) > 1:
            assert set(per_stratum) <= {len(members) // 2, -(-len(members) // 2)}


@given(units=st.integers(1, 12), a=st.integers(1, 5), b=st.integers(1, 5), seed=seeds)
def test_runs_are_the_twins(units, a, b, seed):
    sample = drawn("runs", units, count=3, runs=(a, b), parts=a + b, seed=seed)
    for resample in range(3):
        assert sample[resample].tolist() == oracle.counts("runs", units, seed, resample, runs=(a, b))
    assert (sample.reshape(3, units, a + b).sum(2) == a).all(), "a system must keep its number of runs"


@given(units=st.integers(1, 12), runs=st.integers(1, 5), seed=seeds)
def test_multevals_runs_are_the_twins(units, runs, seed):
    sample = drawn("multeval", units, count=3, runs=(runs, runs), parts=4 * runs, seed=seed)
    for resample in range(3):
        assert sample[resample].tolist() == oracle.counts(
            "multeval", units, seed, resample, runs=(runs, runs)
        )
    assert (sample.reshape(3, units, 2, 2 * runs).sum(3) == runs).all()


@pytest.mark.parametrize("draw", DRAWS)
def test_threads_and_blocks_change_no_bit(draw):
    rows = np.random.default_rng(1).lognormal(size=(999, 37))
    whole = kernel(rows, draw, seed=7, count=100)
    assert (kernel(rows, draw, seed=7, count=100, threads=3) == whole).all()
    split = [kernel(rows, draw, seed=7, first=f, count=c, threads=2) for f, c in ((0, 1), (1, 42), (43, 57))]
    assert (np.concatenate(split) == whole).all()


def test_columns_do_not_depend_on_their_neighbours():
    rows = np.random.default_rng(1).lognormal(size=(301, 21))
    whole = kernel(rows, "bootstrap", count=20)
    for column in (0, 7, 8, 20):
        alone = kernel(np.ascontiguousarray(rows[:, [column]]), "bootstrap", count=20)
        assert (alone[:, 0] == whole[:, column]).all()


def test_values_that_would_favour_some_numbers_are_thrown_away():
    """Seldom needed: twelve times or so in these draws, and from the first one on all the others would differ."""
    units = 300_000
    rows = np.stack([np.arange(units), np.arange(units) ** 2 % 1009], axis=1).astype(np.float64)
    weights = np.array(oracle.counts("bootstrap", units, 3, 0))
    assert kernel(rows, "bootstrap", seed=3)[0].tolist() == (weights @ rows).tolist()


def test_counts_of_the_bootstrap_are_multinomial():
    units, count = 20, 40_000
    sample = drawn("bootstrap", units, count=count)
    assert (sample.sum(1) == units).all()
    # Mean 1, variance 1 − 1/n, covariance −1/n; standard errors of both are near √(variance / count).
    assert sample.mean(0) == pytest.approx(np.ones(units), abs=5 / np.sqrt(count))
    covariance = np.cov(sample.T)
    assert np.diag(covariance) == pytest.approx(np.full(units, 1 - 1 / units), abs=5 * np.sqrt(3 / count))
    apart = covariance[np.triu_indices(units, 1)]
    assert apart == pytest.approx(np.full(len(apart), -1 / units), abs=5 / np.sqrt(count))
    share = Counter(sample.astype(int).ravel().tolist())
    for times in range(5):
        expected = binomial(units, times, 1 / units) * sample.size
        assert share[times] == pytest.approx(expected, abs=5 * np.sqrt(expected))


def test_half_is_half_and_all_alike():
    for units in (2, 7, 20):
        sample = drawn("half", units, count=20_000)
        assert set(sample.ravel()) <= {0.0, 1.0}
        assert (sample.sum(1) == units // 2).all()
        share = (units // 2) / units
        assert sample.mean(0) == pytest.approx(np.full(units, share), abs=5 * np.sqrt(0.25 / 20_000))
    assert (drawn("half", 1, count=5) == 1).all(), "of a single unit there is no half"
    pairs = Counter(map(tuple, drawn("half", 4, count=12_000).astype(int).tolist()))
    assert len(pairs) == 6
    assert min(pairs.values()) > 2000 - 5 * np.sqrt(2000)


def test_odd_strata_keep_their_weight():
    sample = drawn("half", 4, count=20_000, order=[0, 1, 2, 3], begins=[0, 1, 4])
    assert sample.mean(0) == pytest.approx(np.full(4, 0.5), abs=5 * np.sqrt(0.25 / 20_000))


def test_coins_are_fair_and_independent():
    count = 40_000
    sample = drawn("coins", 70, count=count)  # more than the 64 of a word
    assert sample.mean(0) == pytest.approx(np.full(70, 0.5), abs=5 * 0.5 / np.sqrt(count))
    correlation = np.corrcoef(sample.T)[np.triu_indices(70, 1)]
    assert np.abs(correlation).max() < 6 / np.sqrt(count)


def test_resamples_and_seeds_are_independent():
    first = drawn("coins", 64, count=2000, seed=1).ravel()
    for other in (drawn("coins", 64, count=2000, seed=2), drawn("coins", 64, count=2000, first=1)):
        assert abs(np.corrcoef(first, other.ravel())[0, 1]) < 5 / np.sqrt(first.size)


def test_runs_are_swapped_by_coins():
    """Each run is with the first system half of the time; numbers swapped are binomial, as MultEval's coins."""
    result = drawn("runs", 4, count=20_000, runs=(3, 3), parts=6).reshape(-1, 6)
    assert result.mean(0) == pytest.approx(np.full(6, 0.5), abs=5 * 0.5 / np.sqrt(len(result)))
    swapped = Counter(result[:, 3:].sum(1).astype(int).tolist())
    for number in range(4):
        expected = binomial(3, number, 0.5) * len(result)
        assert swapped[number] == pytest.approx(expected, abs=5 * np.sqrt(expected))
    unequal = drawn("runs", 4, count=20_000, runs=(2, 3), parts=5).reshape(-1, 5)
    ways = Counter(map(tuple, unequal.astype(int).tolist()))
    assert len(ways) == 10
    assert min(ways.values()) > len(unequal) / 10 - 5 * np.sqrt(len(unequal) / 10)


def binomial(n, k, p):
    from math import comb

    return comb(n, k) * p**k * (1 - p) ** (n - k)


@pytest.mark.parametrize(
    ("draw", "options"),
    [
        ("lottery", {}),
        ("runs", {"runs": (2, 1)}),
        ("runs", {"runs": (0, 0)}),
        ("multeval", {"runs": (2, 1)}),
        ("bootstrap", {"order": [0, 1], "begins": [0, 2]}),
        ("bootstrap", {"order": [0, 1, 2, 9], "begins": [0, 4]}),
        ("bootstrap", {"order": [0, 1, 2, 3], "begins": [0, 3, 2, 4]}),
    ],
)
def test_what_does_not_fit_is_refused(draw, options):
    with pytest.raises(ValueError, match=r"unknown draw|do not fit"):
        kernel(np.ones((4, 2)), draw, **options)


@given(
    sizes=st.lists(st.integers(0, 5), min_size=1, max_size=40),
    columns=st.integers(1, 9),
    seed=seeds,
    first=st.integers(0, 2**40),
    count=st.integers(1, 40),
    threads=st.integers(1, 3),
)
def test_counts_of_cells_are_the_twins(sizes, columns, seed, first, count, threads):
    begins = np.array([0, *itertools.accumulate(sizes)], dtype=np.uint64)
    cells = np.random.default_rng(len(sizes)).integers(0, columns, size=sum(sizes)).astype(np.uint32)
    result = _native.resampled_counts(cells, begins, columns, seed, first, count, threads)
    of_unit = np.split(cells, begins[1:-1].astype(int))
    for b in range(count):
        expected = [0] * columns
        for weight, own in zip(oracle.counts("bootstrap", len(sizes), seed, first + b), of_unit, strict=True):
            for cell in own:
                expected[cell] += weight
        assert result[b].tolist() == expected


@pytest.mark.parametrize(
    ("begins", "columns"), [([], 3), ([1, 2], 3), ([0, 1], 3), ([0, 2, 1, 2], 3), ([0, 3], 3), ([0, 2], 2)]
)
def test_cells_that_do_not_fit_are_refused(begins, columns):
    cells = np.array([0, 2], dtype=np.uint32)
    with pytest.raises(ValueError, match=r"do not fit|outside"):
        _native.resampled_counts(cells, np.array(begins, dtype=np.uint64), columns, 1, 0, 1, 1)
