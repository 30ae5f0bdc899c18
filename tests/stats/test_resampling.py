"""Bootstrap and randomisation: laws that hold for all data, and other people's implementations."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.stats import resampling
from adjudge.stats.units import Units
from helpers.paired import paired_bootstrap
from oracles import resampling as oracle

SEED = 12345


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def rows_of(values):
    return np.stack([values, np.ones(len(values))], axis=1)


def some_rows(segments, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    return rows_of(rng.normal(shift, 1, segments))


def bleu_like(segments, seed=0):
    """Rows that BLEU could have: lengths, matches and totals."""
    rng = np.random.default_rng(seed)
    length = rng.integers(5, 40, segments)
    totals = np.maximum(length[:, None] - np.arange(4), 0)
    matches = rng.binomial(totals, [0.6, 0.4, 0.25, 0.15])
    return np.column_stack([length, rng.integers(5, 40, segments), matches, totals]).astype(np.float64)


bleu = metric("bleu").aggregate
TESTS = {
    "randomisation": lambda a, b, f: resampling.randomisation(a, b, f, trials=200, seed=SEED),
    "bootstrap": lambda a, b, f: paired_bootstrap(a, b, f, resamples=200, seed=SEED),
    "half": lambda a, b, f: paired_bootstrap(a, b, f, resamples=200, seed=SEED, sampling="half"),
    "moses": lambda a, b, f: paired_bootstrap(a, b, f, resamples=200, seed=SEED, definition="moses"),
}
values = st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=30)


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_identical_systems_get_p_1(test):
    for rows, aggregate in ((some_rows(50), mean), (bleu_like(50), bleu)):
        result = test(rows, rows.copy(), aggregate)
        assert result.p == 1
        assert result.delta == 0
        assert result.wins == result.losses == 0


@pytest.mark.parametrize("name", ["randomisation", "bootstrap", "half"])
def test_the_same_score_by_other_segments_gets_p_1(name):
    rows = bleu_like(50)
    assert TESTS[name](rows, rows[::-1].copy(), bleu).p == 1


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@given(values)
def test_laws(test, pairs):
    a, b = (rows_of(np.array(column)) for column in zip(*pairs, strict=True))
    result = test(a, b, mean)
    assert 0 < result.p <= 1
    other = test(b, a, mean)
    assert other.p == result.p
    assert other.delta == -result.delta
    assert (other.wins, other.ties, other.losses) == (result.losses, result.ties, result.wins)
    four = np.array([4.0, 1.0])  # a power of two: nothing is rounded otherwise
    assert test(a * four, b * four, mean).p == result.p


def test_lower_is_better_mirrors_wins():
    a, b = some_rows(60, 1), some_rows(60, 2, 0.2)
    high = paired_bootstrap(a, b, mean, seed=SEED)
    low = paired_bootstrap(a, b, mean, seed=SEED, higher_is_better=False)
    assert (low.wins, low.ties, low.losses) == (high.losses, high.ties, high.wins)
    assert low.p == high.p
    assert high.wins + high.ties + high.losses == len(high.differences)


def test_a_win_is_never_a_tie():
    differences = np.array([1.0, 0.0, 1e-15, -1e-15, -2.0, np.nan])
    assert resampling.outcomes(differences, rounding=1e-12) == (1, 4, 1)


def test_p_is_never_0():
    a, b = some_rows(200, 1, 9), some_rows(200, 2)
    for name, test in TESTS.items():
        assert test(a, b, mean).p == pytest.approx(1 / 201, rel=0.13), name
    assert TESTS["randomisation"](a, b, mean).p == TESTS["moses"](a, b, mean).p == 1 / 201


def test_scores_that_are_missing():
    """A resample without a score counts against a difference."""
    assert resampling.bootstrap_p(np.nan, np.full(9, np.nan)) == 1
    assert resampling.bootstrap_p(1.0, np.array([1.0, 1.0, 1.0, np.nan])) == pytest.approx(2 / 5)
    assert np.isnan(resampling.estimate(1.0, np.full(9, np.nan)).low)
    assert resampling.estimate(1.0, np.array([1.0, np.nan, 3.0])).high == pytest.approx(2.95)


@pytest.mark.parametrize("units", [3, 10, 100, 10_000])
def test_bootstrap_of_few_units_is_the_t_test(units):
    """Differences that are normal with n below the line give the p of the paired t-test."""
    values = np.random.default_rng(units).normal(0.1, 1, units)
    t = scipy.stats.ttest_1samp(values, 0)
    deviation = values.std() / np.sqrt(units)
    places = (np.arange(200_000) + 0.5) / 200_000
    differences = values.mean() + deviation * scipy.stats.norm.ppf(places)
    result = resampling.bootstrap_p(values.mean(), differences, units=units)
    assert result == pytest.approx(t.pvalue, abs=1e-4)
    assert resampling.bootstrap_p(values.mean(), differences) <= result


def test_nothing_can_be_said_of_one_unit():
    assert resampling.bootstrap_p(1.0, np.array([3.0, 1.0, 2.0]), units=1) == 1


@pytest.mark.parametrize("seed", range(6))
def test_randomisation_of_few_segments_is_all_randomisations(seed):
    segments = 4 + seed
    for a, b, aggregate in (
        (some_rows(segments, seed), some_rows(segments, seed + 50, 0.7), mean),
        (bleu_like(segments, seed), bleu_like(segments, seed + 50), bleu),
        (np.round(some_rows(segments, seed)), np.round(some_rows(segments, seed + 50)), mean),
    ):
        exact = oracle.all_randomisations(a, b, aggregate)
        p = resampling.randomisation(a, b, aggregate, trials=20_000, seed=seed).p
        error = np.sqrt(exact * (1 - exact) / 20_000)
        assert p == pytest.approx(exact, abs=4 * error + 1e-4)


@pytest.mark.parametrize("shift", [0.0, 0.15, 0.3])
def test_randomisation_is_scipys(shift):
    a, b = some_rows(150, 1), some_rows(150, 2, shift)
    trials = 20_000
    theirs = scipy.stats.permutation_test(
        (a[:, 0], b[:, 0]),
        lambda x, y, axis: x.mean(axis) - y.mean(axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=trials,
        rng=np.random.default_rng(1),
    ).pvalue
    ours = resampling.randomisation(a, b, mean, trials=trials, seed=SEED).p
    assert ours == pytest.approx(theirs, abs=4 * np.sqrt(2 * theirs * (1 - theirs) / trials) + 2 / trials)


@pytest.mark.parametrize("interval", ["percentile", "basic"])
def test_intervals_are_scipys(interval):
    """Skewed values, so that the two kinds differ; quantiles of 20,000 resamples have an error of 1.4 % of the
    deviation."""
    sample = np.random.default_rng(4).lognormal(size=120)
    theirs = scipy.stats.bootstrap(
        (sample,), np.mean, method=interval, n_resamples=20_000, rng=np.random.default_rng(1)
    )
    ours = resampling.bootstrap(rows_of(sample), mean, resamples=20_000, seed=SEED, interval=interval)
    error = 4 * np.sqrt(2) * 0.019 * theirs.standard_error
    assert ours.deviation == pytest.approx(theirs.standard_error, rel=0.03)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=error)
    assert ours.score == pytest.approx(sample.mean(), rel=1e-14)


def test_basic_is_percentile_turned_round():
    rows = rows_of(np.random.default_rng(4).lognormal(size=120))
    straight = resampling.bootstrap(rows, mean, seed=SEED)
    basic = resampling.bootstrap(rows, mean, seed=SEED, interval="basic")
    assert basic.low == pytest.approx(2 * straight.score - straight.high)
    assert basic.high == pytest.approx(2 * straight.score - straight.low)
    wide = resampling.bootstrap(rows, mean, seed=SEED, confidence=0.99)
    assert wide.low < straight.low < straight.high < wide.high


@pytest.mark.parametrize("segments", [100, 101])
def test_half_without_replacement_has_the_same_variance(segments):
    for rows, aggregate in ((some_rows(segments), mean), (bleu_like(segments), bleu)):
        whole, half = (
            resampling.bootstrap(rows, aggregate, resamples=20_000, seed=SEED, sampling=s)
            for s in ("bootstrap", "half")
        )
        assert half.deviation == pytest.approx(whole.deviation, rel=0.05)


def test_systems_are_scored_on_the_same_resamples():
    a, b = bleu_like(80, 1), bleu_like(80, 2)
    options = {"resamples": 50, "seed": SEED}
    together = resampling.resampled_scores([a, b], bleu, **options)
    for column, rows in enumerate((a, b)):
        alone = resampling.resampled_scores([rows], bleu, **options)
        assert (together[:, column] == alone[:, 0]).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads):
    a, b = bleu_like(77, 1) * np.pi, bleu_like(77, 2) * np.pi
    units = Units.of(77, [str(i // 3) for i in range(77)])
    for test in (resampling.randomisation, paired_bootstrap):
        first = test(a, b, bleu, seed=SEED, units=units, threads=1)
        many = test(a, b, bleu, seed=SEED, units=units, threads=threads)
        assert (first.differences == many.differences).all()
        assert first.p == many.p


def test_blocks_change_nothing(monkeypatch):
    rows = bleu_like(50) * np.pi
    whole = resampling.resampled_scores([rows], bleu, resamples=300, seed=SEED)
    monkeypatch.setattr(resampling, "BLOCK", 7)
    assert (resampling.resampled_scores([rows], bleu, resamples=300, seed=SEED) == whole).all()


def test_units_of_one_segment_are_segments():
    a, b = some_rows(60, 1), some_rows(60, 2)
    plain = resampling.randomisation(a, b, mean, seed=SEED)
    labelled = resampling.randomisation(
        a, b, mean, seed=SEED, units=Units.of(60, [str(i) for i in range(60)])
    )
    assert labelled.p == plain.p


def test_documents_are_drawn_whole():
    a = rows_of(np.repeat([1.0, 2.0, 3.0, 4.0], 5))
    units = Units.of(20, [f"d{i // 5}" for i in range(20)])
    scores = resampling.resampled_scores([a], mean, resamples=500, seed=SEED, units=units)[:, 0]
    assert set(scores) <= {total / 4 for total in range(4, 17)}
    flipped = resampling.randomisation(a, a + np.array([1, 0]), mean, trials=500, seed=SEED, units=units)
    assert set(np.round(flipped.differences, 9)) <= {-1.0, -0.5, 0.0, 0.5, 1.0}


def test_strata_keep_their_share():
    """Scores that depend on the stratum alone do not vary."""
    a = rows_of(np.array([0.0] * 10 + [1.0] * 30))
    units = Units.of(40, strata=["x"] * 10 + ["y"] * 30)
    result = resampling.bootstrap(a, mean, seed=SEED, units=units)
    assert (result.low, result.high, result.deviation) == (0.75, 0.75, 0.0)


@pytest.mark.parametrize(("units", "confidence"), [(5, 0.95), (6, 0.95), (7, 0.99), (8, 0.99)])
def test_of_so_few_units_no_interval_is_given_that_cannot_hold_what_it_promises(units, confidence):
    """With five units all lie on one side of the truth in 1 of 16 samples: no percentile interval holds 95 %."""
    missed = 2.0 ** (1 - units)
    result = resampling.bootstrap(some_rows(units), mean, seed=SEED, confidence=confidence)
    assert np.isnan([result.low, result.high]).all() == (missed > 1 - confidence)
    assert result.deviation > 0


def test_documents_are_the_units_that_are_few():
    result = resampling.bootstrap(some_rows(40), mean, seed=SEED, units=Units.of(40, list("abcde") * 8))
    assert np.isnan(result.low)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: resampling.bootstrap(a, mean, seed=1, sampling="third"), "unknown sampling 'third'"),
        (lambda a: resampling.bootstrap(a, mean, seed=1, interval="bca"), "unknown interval 'bca'"),
        (lambda a: resampling.bootstrap(a, mean, seed=1, resamples=0), "at least one"),
        (lambda a: resampling.bootstrap(a[:0], mean, seed=1), "no segments"),
        (lambda a: resampling.randomisation(a, a[1:], mean, seed=1), "different shapes"),
        (lambda a: resampling.randomisation(a, a, mean, seed=1, units=Units.of(9)), "units of 9 segments"),
        (lambda a: paired_bootstrap(a, a, mean, seed=1, definition="x"), "unknown definition"),
    ],
)
def test_errors(call, message):
    with pytest.raises(UsageError, match=message):
        call(some_rows(10))


def test_pairs_tested_together_are_as_tested_alone():
    rng = np.random.default_rng(5)
    systems = [rng.integers(0, 9, (40, 10)).astype(float) for _ in range(4)]
    aggregate = metric("bleu").aggregate
    pairs = [(1, 0), (2, 0), (3, 1)]
    together = resampling.randomisations(systems, pairs, aggregate, trials=1500, seed=3)
    for (a, b), test in zip(pairs, together, strict=True):
        alone = resampling.randomisation(systems[a], systems[b], aggregate, trials=1500, seed=3)
        assert (test.delta, test.p) == (alone.delta, alone.p)
        assert test.differences.tolist() == alone.differences.tolist()
