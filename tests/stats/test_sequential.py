"""Looks on the way: limits as published, chances as an implementation not ours has them, alpha as simulated."""

import math

import gsdesign
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.stats import sequential
from adjudge.stats.sequential import boundaries, crossings, crossings_from, extend_plan, spent_alpha

FIVE = (0.2, 0.4, 0.6, 0.8, 1.0)


def shares(rng, looks):
    cuts = np.cumsum(rng.uniform(0.3, 1.0, looks))
    return tuple(cuts / cuts[-1])


def test_published_limits():
    """Two-sided alpha 0.05, O'Brien-Fleming type: Reboussin et al. (2000), as most textbooks print them."""
    assert boundaries((0.5, 1.0)).z == pytest.approx((2.9626, 1.9686), abs=6e-5)
    assert boundaries(FIVE).z == pytest.approx((4.8769, 3.3569, 2.6803, 2.2898, 2.0310), abs=1.5e-4)
    assert boundaries((1.0,)).z == pytest.approx((1.959964,), abs=1e-6)
    pocock = boundaries(FIVE, spending="pocock").z
    assert pocock == pytest.approx((2.4380, 2.4268, 2.4101, 2.3966, 2.3859), abs=1.5e-4)


def test_published_limits_of_one_side():
    """The example in the description of SeqBounds.jl, whose grid is coarse: alpha 0.05."""
    result = boundaries((0.25, 0.5, 0.75, 1.0), sides=1)
    assert result.z == pytest.approx((3.74955, 2.53993, 2.01604, 1.72014), abs=5e-5)
    assert result.spent == pytest.approx((8.85754e-5, 0.0055746, 0.0236251, 0.05), rel=1e-5)


def crossed_by_gsdesign(limits, drift):
    """The chance of ending at each look, by the numerical integration of gsDesign's authors (Simpson's rule)."""
    density, total = None, []
    for k, (share, z) in enumerate(zip(limits.fractions, limits.z, strict=True)):
        lower = -z if limits.sides == 2 else -math.inf
        ends = [(z, math.inf), *([(-math.inf, -z)] if limits.sides == 2 else [])]
        if k == 0:
            total.append(sum(gsdesign.h1(80, drift, share, *end)[2].sum() for end in ends))
            density = gsdesign.h1(80, drift, share, lower, z)
        else:
            before = limits.fractions[k - 1]
            step = [gsdesign.hupdate(80, drift, share, *end, drift, before, density) for end in ends]
            total.append(sum(h.sum() for _, _, h in step))
            density = gsdesign.hupdate(80, drift, share, lower, z, drift, before, density)
    return total


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("looks", [2, 3, 5, 8])
def test_chances_as_gsdesign_has_them(looks, sides):
    rng = np.random.default_rng(looks)
    for alpha, spending in ((0.05, "obrien-fleming"), (0.01, "pocock"), (0.05 / 45, "obrien-fleming")):
        limits = boundaries(shares(rng, looks), alpha, sides=sides, spending=spending)
        for drift in (0.0, 1.0, 2.8):
            theirs = crossed_by_gsdesign(limits, drift)
            assert crossings(limits, drift).each == pytest.approx(theirs, abs=1e-6)


def test_three_looks_by_scipys_multivariate_normal():
    limits = boundaries((0.3, 0.7, 1.0))
    t = np.array(limits.fractions)
    covariance = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))
    inside = scipy.stats.multivariate_normal(np.zeros(3), covariance, abseps=1e-9, releps=1e-9, maxpts=10**7)
    z = np.array(limits.z)
    stays = inside.cdf(z, lower_limit=-z)
    assert 1 - stays == pytest.approx(0.05, abs=1e-6)


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    looks=st.integers(1, 6),
    alpha=st.floats(1e-4, 0.3),
    sides=st.sampled_from([1, 2]),
    spending=st.sampled_from(sequential.SPENDINGS),
)
def test_all_of_alpha_is_spent_and_no_more(seed, looks, alpha, sides, spending):
    limits = boundaries(shares(np.random.default_rng(seed), looks), alpha, sides=sides, spending=spending)
    without = crossings(limits)
    assert without.total == pytest.approx(alpha, abs=1e-9)
    assert np.cumsum(without.each) == pytest.approx(limits.spent, abs=1e-9)
    assert limits.spent[-1] == alpha
    powers = [crossings(limits, drift).total for drift in (0.0, 0.5, 1.0, 2.0, 4.0)]
    assert powers == sorted(powers)
    # Looks cost power, never much.
    fixed = scipy.stats.norm.sf(scipy.stats.norm.isf(alpha / sides) - 2.0)
    assert sum(crossings(limits, 2.0).upper) <= fixed + 1e-9


def test_spending_is_little_at_first():
    assert spent_alpha(0.5, 0.05) == pytest.approx(0.00305, abs=1e-5)
    assert spent_alpha(1.0, 0.05) == spent_alpha(1.0, 0.05, spending="pocock") == 0.05
    assert spent_alpha(0.5, 0.05, spending="pocock") == pytest.approx(0.05 * math.log(1 + 0.5 * (math.e - 1)))
    early = boundaries((1e-4, 0.5, 1.0))
    assert early.z[0] == math.inf
    assert early.p[0] == 0
    assert early.z[1:] == pytest.approx(boundaries((0.5, 1.0)).z)


def test_from_a_look_on():
    """What is left after a look is what a walk from there meets: here by simulation."""
    limits = boundaries((0.25, 0.5, 0.75, 1.0))
    rng, count, drift, z = np.random.default_rng(2), 400_000, 2.5, 1.4
    value, out, expected = np.full(count, z * math.sqrt(0.5)), np.zeros(count, bool), []
    for share, limit in zip((0.75, 1.0), limits.z[2:], strict=True):
        value = value + rng.normal(drift * 0.25, 0.5, count)
        now = ~out & (value >= limit * math.sqrt(share))
        expected.append(now.mean())
        out |= now
    assert crossings_from(limits, 2, z, drift).upper == pytest.approx(expected, abs=0.003)


def test_chances_add_up_over_what_a_look_may_show():
    """The chance of a finding is the mean of the conditional ones, over all that the first look may show."""
    limits = boundaries((0.5, 1.0))
    x, w = np.polynomial.legendre.leggauss(200)
    z = limits.z[0] * x
    later = [crossings_from(limits, 1, float(entry), 1.7).total for entry in z]
    density = scipy.stats.norm.pdf(z - 1.7 * math.sqrt(0.5)) * limits.z[0]
    assert crossings(limits, 1.7).each[1] == pytest.approx(float(np.sum(w * density * later)), abs=1e-9)


@settings(max_examples=40)
@given(z=st.floats(-1.0, 2.3), rate=st.floats(0.03, 0.3), wanted=st.floats(0.3, 0.95))
def test_more_judgements_reach_the_wanted_chance(z, rate, wanted):
    limits, n = boundaries((0.25, 0.5, 0.75, 1.0)), 400
    result = extend_plan(limits, 2, z, n, rate, wanted)
    more = result.n - 200

    def chance(more):
        """That the z of all reaches the limit, of which what is in is known."""
        needed = (result.z * math.sqrt(200 + more) - z * math.sqrt(200)) / math.sqrt(more)
        return scipy.stats.norm.sf(needed - rate * math.sqrt(more))

    assert chance(more) >= wanted - 1e-9
    assert result.z >= scipy.stats.norm.isf(0.025) - 1e-9


def test_more_judgements_keep_alpha():
    """Go on as far as the trend asks, at most tenfold, whenever the second look is short: simulated without effect."""
    limits, n, rng = boundaries((0.25, 0.5, 0.75, 1.0)), 400, np.random.default_rng(11)
    count = 200_000
    first = rng.normal(size=count)
    second = np.abs(first + rng.normal(size=count)) / math.sqrt(2)  # the other direction is a mirror image
    early = (np.abs(first) >= limits.z[0]) | (second >= limits.z[1])

    # What the end will show is normal, so its chance is known for every z; few enough of them make a fine grid.
    grid = np.arange(0.7, limits.z[1], 0.005)
    chances = np.zeros(len(grid))
    for i, z in enumerate(grid):
        plan = extend_plan(limits, 2, z, n, z / math.sqrt(200), 0.8)
        if plan.n <= 4000:
            short = plan.z * math.sqrt(plan.n) - z * math.sqrt(200)
            chances[i] = scipy.stats.norm.sf(short / math.sqrt(plan.n - 200))
    assert (chances > 0).sum() > 200
    late = chances[np.clip(np.searchsorted(grid, second) - 1, 0, len(grid) - 1)] * (~early & (second > 0.7))
    result = np.where(early, 1.0, late)
    assert 0.03 < result.mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / count)


def test_where_more_judgements_do_not_help():
    limits = boundaries((0.5, 1.0))
    assert extend_plan(limits, 1, 0.5, 100, 0.0, 0.8) is None
    assert extend_plan(limits, 1, 0.5, 100, -0.1, 0.8) is None
    assert extend_plan(limits, 1, 1e-6, 100, 1e-7, 0.8) is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ((), "0 looks"),
        ((0.5,), "the last when all are in"),
        ((0.5, 0.4, 1.0), "each must come after the one before"),
        ((0.0, 1.0), "each must come after"),
        ((-0.5, 1.0), "each must come after"),
        ((0.5, 0.5001, 1.0), "they are one look"),
        (tuple(np.linspace(0.005, 1, 200)), "200 looks"),
        ((math.nan, 1.0), "each must come after"),
    ],
)
def test_plans_that_are_none(wrong, message):
    with pytest.raises(UsageError, match=message):
        boundaries(wrong)
    with pytest.raises(UsageError, match="did you mean 'pocock'"):
        boundaries((1.0,), spending="pococ")


def rank_sum_z(a, b):
    """The z of the rank-sum test, a row a campaign."""
    n = a.shape[1]
    ranks = np.argsort(np.argsort(np.concatenate([a, b], axis=1), axis=1), axis=1) + 1
    wins = ranks[:, n:].sum(1) - n * (n + 1) / 2
    return (wins - n * n / 2) / math.sqrt(n * n * (2 * n + 1) / 12)


def campaigns(shift, simulations, seed, n=120, looks=(30, 60, 90, 120)):
    """Which campaigns of n translations a system end at a look, by the rank-sum test of what is in."""
    limits = boundaries(tuple(k / n for k in looks))
    rng = np.random.default_rng(seed)
    out = np.zeros(simulations, dtype=int)
    a, b = rng.normal(size=(simulations, n)), rng.normal(size=(simulations, n)) + shift
    for number, (k, z) in enumerate(zip(looks, limits.z, strict=True), 1):
        now = np.abs(rank_sum_z(a[:, :k], b[:, :k])) >= z
        out[now & (out == 0)] = number
    return limits, out


def test_rank_sums_at_looks_keep_alpha():
    _, out = campaigns(0.0, 10_000, 1)
    assert (out > 0).mean() == pytest.approx(0.05, abs=0.0066)  # three standard errors


@pytest.mark.slow
def test_rank_sums_at_looks_keep_alpha_and_end_when_they_should():
    limits, out = campaigns(0.0, 200_000, 3)
    assert (out > 0).mean() == pytest.approx(0.05, abs=0.0015)
    assert [(out == k).mean() for k in (1, 2, 3, 4)] == pytest.approx(crossings(limits).each, abs=0.0015)


def test_looking_without_a_plan_does_not_keep_alpha():
    """The reason for all this: four looks at p < 0.05 find in one of eight campaigns what is not there."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(4000, 120)), rng.normal(size=(4000, 120))
    naive = np.any([np.abs(rank_sum_z(a[:, :k], b[:, :k])) > 1.96 for k in (30, 60, 90, 120)], axis=0)
    assert naive.mean() > 0.1
