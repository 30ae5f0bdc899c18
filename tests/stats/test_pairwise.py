"""Many pairs of systems that share their coins: the same p as pair by pair, however many stop on the way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from adjudge import _native
from adjudge.metrics import metric
from adjudge.stats import multiple, pairwise, resampling

BLEU = metric("bleu").aggregate


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def signs(units, seed, block, threads=1):
    """Trials × units, +1 and −1."""
    return _native.signed_sums([np.eye(units)], seed, block, threads).T


def bleu_rows(systems, segments, seed=1, step=0.02):
    """Counts such as BLEU has, each system a little worse than the one before."""
    rng = np.random.default_rng(seed)
    reference, hard = rng.integers(5, 40, segments), rng.beta(4, 3, segments)
    found = []
    for s in range(systems):
        length = np.maximum(1, reference + rng.integers(-2, 3, segments))
        totals = np.maximum(length[:, None] - np.arange(4), 0)
        chance = np.clip(hard + rng.normal(0, 0.1, segments) - step * s, 0.02, 0.98)[:, None]
        matches = rng.binomial(totals, chance ** [0.6, 1.2, 1.8, 2.4])
        found.append(np.column_stack([length, reference, matches, totals]).astype(np.float64))
    return found


def all_pairs(count):
    return [(a, b) for a in range(count) for b in range(a + 1, count)]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 80), st.integers(1, 5), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
def test_signed_sums_are_rows_times_signs(units, columns, seed, block):
    rng = np.random.default_rng(seed)
    systems = [rng.normal(size=(units, columns)) for _ in range(3)]
    found = _native.signed_sums(systems, seed, block, 2)
    drawn = signs(units, seed, block)
    assert set(np.unique(drawn)) <= {-1.0, 1.0}
    for s, rows in enumerate(systems):
        own = found[s * columns : (s + 1) * columns]
        np.testing.assert_allclose(own, (drawn @ rows).T, rtol=0, atol=1e-10 * units)
    assert (found == _native.signed_sums(systems, seed, block, 1)).all(), "whatever the number of threads"


def test_signs_are_fair_and_any_two_trials_independent():
    drawn = np.concatenate([signs(40, 7, block) for block in range(30)])
    assert abs(drawn.mean()) < 4 / np.sqrt(drawn.size)
    one = drawn.reshape(30, 1024, 40)
    # Within a unit, over pairs of trials of one block and of two blocks.
    for other in (np.roll(one, 1, axis=1), np.roll(one, 1, axis=0)):
        assert abs((one * other).mean()) < 4 / np.sqrt(one.size)
    # Over units, within a trial.
    assert abs((drawn[:, 1:] * drawn[:, :-1]).mean()) < 4 / np.sqrt(drawn.size)
    assert len(np.unique(drawn, axis=0)) == len(drawn)


@pytest.mark.parametrize(("aggregate", "rows"), [(BLEU, bleu_rows(8, 150)), (mean, None)])
def test_slopes_miss_nothing(aggregate, rows, monkeypatch):
    """Counted by slopes where they tell, and closely elsewhere, or closely everywhere: the same."""
    if rows is None:
        rng = np.random.default_rng(2)
        rows = [np.stack([rng.normal(50 + 0.5 * s, 10, 150), np.ones(150)], axis=1) for s in range(8)]
    monkeypatch.setattr(pairwise, "MANY", 0)
    pairs = all_pairs(8)
    looked_at = []
    screen = _native.screened_trials

    def counted(*arguments):
        far, found = screen(*arguments)
        looked_at.append(len(found))
        return far, found

    monkeypatch.setattr(_native, "screened_trials", counted)
    found = pairwise.randomised(rows, aggregate, pairs, trials=5000, seed=3, threads=2)
    totals = np.stack([r.sum(0) for r in rows])
    seen = aggregate(totals)
    drawn = np.concatenate([signs(150, 3, block) for block in range(5)])[:5000]
    for (a, b), as_far, trials in zip(pairs, found.as_far, found.trials, strict=True):
        d = (drawn + 1) / 2 @ (rows[b] - rows[a])
        differences = aggregate(totals[a] + d) - aggregate(totals[b] - d)
        slack = resampling.tolerance(seen[a], seen[b])
        assert (as_far, trials) == (resampling.count_as_far(seen[a] - seen[b], differences, slack), 5000)
    assert 0 < sum(looked_at) < 0.2 * 4000 * len(pairs) or aggregate is mean, "slopes are worth their while"
    assert found.halves.shape == (2 * pairwise.FEW_HALVES, 8)


def decided(lower):
    return multiple.adjusted(lower, "holm") >= 0.05


def test_pairs_that_are_decided_stop_and_the_rest_go_on():
    rows = bleu_rows(12, 200, step=0.015)
    pairs = all_pairs(12)
    shared = {"trials": 40_000, "seed": 5, "threads": 2}
    short = pairwise.randomised(rows, BLEU, pairs, decided=decided, **shared)
    whole = pairwise.randomised(rows, BLEU, pairs, **shared)
    assert (whole.trials == 40_000).all()
    stopped = short.trials < 40_000
    assert 5 < stopped.sum() < len(pairs)
    assert (short.trials >= pairwise.BASE).all()
    assert (short.as_far[stopped] >= pairwise.ENOUGH).all()
    one, other = (multiple.adjusted(np.array(r.p_values)) for r in (short, whole))
    assert ((one < 0.05) == (other < 0.05)).all()
    assert one[one < 0.05].tolist() == other[one < 0.05].tolist(), "what is significant has seen all trials"


def test_the_bound_of_p_holds_at_all_times():
    n, c = np.array([1000, 1000, 10_000, 50]), np.array([10, 200, 3, 0])
    lower = pairwise.lowest_p(c, n, 1e-4)
    assert lower[3] == 0
    assert (n[:3] + 1) * binom.pmf(c[:3], n[:3], lower[:3]) == pytest.approx(1e-4, rel=1e-6)
    assert (lower[:3] < c[:3] / n[:3]).all()
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(400):
        so_far = np.cumsum(rng.random(2000) < 0.03)[19::20]
        wrong += (pairwise.lowest_p(so_far, np.arange(20, 2001, 20), 0.05) > 0.03).any()
    assert wrong <= 400 * 0.05


def test_equal_systems_among_many_are_hardly_ever_found_different():
    """Eleven equal systems, 55 pairs: Holm allows a false claim in one of twenty comparisons."""
    false = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        hard = rng.normal(50, 10, 80)
        rows = [np.stack([hard + rng.normal(0, 5, 80), np.ones(80)], axis=1) for _ in range(11)]
        found = pairwise.randomised(
            rows, mean, all_pairs(11), trials=11_001, seed=seed, decided=decided, threads=1
        )
        false += bool((multiple.adjusted(np.array(found.p_values)) < 0.05).any())
    assert false <= 60 * 0.05 + 3 * np.sqrt(60 * 0.05 * 0.95)
