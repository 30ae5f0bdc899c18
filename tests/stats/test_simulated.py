"""Campaigns played through: they agree with formulas, with the tests themselves, and find nothing where nothing is."""

import math

import numpy as np
import pytest

from adjudge.stats import power, ranktests, resampling, simulated
from adjudge.stats.power import detectable_difference


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def ratio(sums):
    """A score that is not a mean: a ratio of sums, bent by a power."""
    return 100 * (sums[..., 0] / sums[..., 1]) ** 0.7


def rows_of(scores):
    return np.stack([scores, np.ones(len(scores))], axis=1)


def pilot(segments=400, shift=0.2, seed=4):
    """Two systems whose scores of a segment correlate one half; the second is better by the shift, to the last bit."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=segments)
    a, b = (math.sqrt(0.5) * hard + math.sqrt(0.5) * rng.normal(size=segments) for _ in range(2))
    return a, b + a.mean() - b.mean() + shift


def three_errors(result, power=None):
    """Three standard errors of the difference between two simulated powers, or of one."""
    count = 1 if power is None else 2
    return 3 * math.sqrt(count * max(result.power * (1 - result.power), 0.001) / result.simulations)


@pytest.mark.parametrize(("n", "effect"), [(55, 0.44), (55, 0.40), (200, 0.44), (200, 0.47), (30, 0.7)])
def test_formulas_agree_with_simulations(n, effect):
    result = simulated.normal_rank_sum(n, effect, seed=1)
    assert result.power == pytest.approx(power.rank_sum(n, effect).power(0.05), abs=0.015)
    result = simulated.normal_signed_rank(n, effect, seed=1)
    assert result.power == pytest.approx(power.signed_rank(n, effect).power(0.05), abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize("n", [55, 100, 200, 385, 500])
@pytest.mark.parametrize("effect", [0.40, 0.44, 0.47])
def test_formulas_agree_with_simulations_to_a_hundredth(n, effect):
    many = {"simulations": 40_000, "seed": n}
    assert simulated.normal_rank_sum(n, effect, **many).power == pytest.approx(
        power.rank_sum(n, effect).power(0.05), abs=0.01
    )
    # 55 pairs are 55 differences, not 110 scores: the normal distribution is a hundredth off.
    assert simulated.normal_signed_rank(n, effect, **many).power == pytest.approx(
        power.signed_rank(n, effect).power(0.05), abs=0.016 if n == 55 else 0.01
    )


def test_unequal_numbers_and_one_side():
    result = simulated.normal_rank_sum(40, 0.4, other=120, seed=2)
    assert result.power == pytest.approx(power.rank_sum(40, 0.4, other=120).power(0.05), abs=0.015)
    result = simulated.normal_rank_sum(80, 0.6, sides=1, seed=2)
    assert result.power == pytest.approx(power.rank_sum(80, 0.6).power(0.05, 1), abs=0.015)
    result = simulated.normal_signed_rank(80, 0.6, sides=1, alpha=0.01, seed=2)
    assert result.power == pytest.approx(power.signed_rank(80, 0.6).power(0.01, 1), abs=0.015)


def test_the_seed_decides():
    a, b = pilot()
    for run in (
        lambda seed: simulated.normal_rank_sum(30, 0.4, seed=seed, simulations=500),
        lambda seed: simulated.pilot_signed_rank(a, b, 50, seed=seed, simulations=500),
        lambda seed: simulated.pilot_rows(rows_of(a), rows_of(b), mean, 50, seed=seed, simulations=500),
    ):
        assert run(3) == run(3)
        assert run(3) != run(4)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("test", ["rank-sum", "signed-rank", "sign"])
def test_campaigns_from_a_pilot_are_tested_as_the_analysis_tests(test, sides):
    """The same with the tests of `adjudge human`, one drawn campaign after the other; scores are full of ties."""
    a, b = (np.round(3 * scores) for scores in pilot(120, 0.35))
    n, simulations, rng = 60, 1500, np.random.default_rng(9)
    how = {"alternative": "two-sided" if sides == 2 else "greater"}
    count = 0
    for _ in range(simulations):
        first = rng.integers(len(a), size=n)
        second = rng.integers(len(a), size=n) if test == "rank-sum" else first
        ask = {
            "rank-sum": ranktests.rank_sum,
            "signed-rank": ranktests.signed_rank,
            "sign": ranktests.sign_test,
        }[test]
        count += ask(b[second], a[first], **how).p < 0.05
    draw = {
        "rank-sum": simulated.pilot_rank_sum,
        "signed-rank": simulated.pilot_signed_rank,
        "sign": simulated.pilot_sign,
    }[test]
    result = draw(a, b, n, sides=sides, simulations=10_000, seed=5)
    expected = count / simulations
    assert result.power == pytest.approx(
        expected, abs=3 * math.sqrt(expected * (1 - expected) / simulations) + 0.01
    )
    assert draw(b, a, n, sides=sides, simulations=10_000, seed=5) == result


@pytest.mark.parametrize("scale", [0.0, 0.4, 1.0])
def test_less_than_the_pilots_difference(scale):
    """The systems change places on some segments: the effect is the pilot's, times the scale."""
    a, b = pilot(500, 0.25)
    n = 150
    result = simulated.pilot_rank_sum(a, b, n, scale=scale, simulations=10_000, seed=1)
    effect = 0.5 + scale * (float((a[:, None] < b).mean()) - 0.5)
    assert result.power == pytest.approx(power.rank_sum(n, effect).power(0.05), abs=0.02)
    wins = 0.5 + scale * (float((a < b).mean()) - 0.5)
    result = simulated.pilot_sign(a, b, n, scale=scale, simulations=10_000, seed=1)
    assert result.power == pytest.approx(power.sign_power(n, wins), abs=three_errors(result))


@pytest.mark.parametrize("scale", [0.0, 0.4, 1.0, 1.7])
def test_the_mean_difference_is_scaled(scale):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    b[::3] = a[::3]
    first, second, chances = simulated.scale_difference(a, b, scale)
    assert chances.sum() == pytest.approx(1)
    assert chances @ (first - second) == pytest.approx(scale * (a - b).mean(0))
    same = (first == second).all(1)
    assert chances[same].sum() == pytest.approx((a == b).all(1).mean())  # who did the same goes on to do so
    if scale <= 1:
        assert chances @ (first - second) ** 2 == pytest.approx(((a - b) ** 2).mean(0))


@pytest.mark.parametrize("swapped", [True, False])
@pytest.mark.parametrize("aggregate", [mean, ratio])
def test_nothing_is_found_where_nothing_is(swapped, aggregate):
    rng = np.random.default_rng(6)
    lengths = rng.integers(5, 40, 500).astype(float)
    a, b = (
        np.stack([rng.binomial(lengths.astype(int), share), lengths], axis=1) * 1.0 for share in (0.6, 0.62)
    )
    result = simulated.pilot_rows(
        a, b, aggregate, 300, swapped=swapped, scale=0.0, simulations=10_000, seed=1
    )
    assert result.power == pytest.approx(0.05, abs=0.0075)


@pytest.mark.parametrize("aggregate", [mean, ratio])
@pytest.mark.parametrize(("n", "scale"), [(250, 0.5), (80, 1.0)])
def test_without_trials_as_with_them(aggregate, n, scale):
    """The normal distribution stands for the randomisation's trials; 2,000 trials lose a little power."""
    rng = np.random.default_rng(3)
    lengths = rng.integers(5, 40, 300).astype(float)
    a, b = (
        np.stack([rng.binomial(lengths.astype(int), share), lengths], axis=1) * 1.0 for share in (0.6, 0.635)
    )
    how = {"scale": scale, "seed": 2}
    quick = simulated.pilot_rows(a, b, aggregate, n, simulations=10_000, **how)
    slow = simulated.pilot_rows(a, b, aggregate, n, simulations=1000, trials=2000, threads=1, **how)
    assert 0.1 < slow.power < 0.95
    assert quick.power == pytest.approx(slow.power, abs=3 * slow.error + 0.005)


@pytest.mark.parametrize("swapped", [True, False])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3])
def test_what_was_called_detectable_is_found_in_eighty_of_a_hundred(swapped, alpha):
    """`compare` says which difference a test set would show at 80 % power: that one is planned for here."""
    a, b = (rows_of(scores) for scores in pilot(1000, 0.12))
    scores = resampling.resampled_scores([a, b], mean, resamples=2000, seed=1)
    detectable = detectable_difference(float(np.std(scores[:, 0] - scores[:, 1], ddof=1)), alpha)
    scale = detectable / abs(float(mean(a.sum(0)) - mean(b.sum(0))))
    assert scale < 1
    result = simulated.pilot_rows(
        a, b, mean, len(a), swapped=swapped, scale=scale, alpha=alpha, simulations=5000, seed=1
    )
    assert result.power == pytest.approx(0.8, abs=0.02)


def test_too_few_to_swap_find_nothing():
    a, b = (rows_of(scores) for scores in pilot(100, 5.0))
    assert simulated.pilot_rows(a, b, mean, 5, seed=1).power == 0  # 2^-4 is the least p
    assert simulated.pilot_rows(a, b, mean, 6, seed=1).power > 0.9


def test_power_grows_with_n():
    a, b = pilot()
    for draw in (simulated.pilot_rank_sum, simulated.pilot_signed_rank, simulated.pilot_sign):
        powers = [draw(a, b, n, seed=1, simulations=4000).power for n in (25, 100, 400)]
        assert powers == sorted(powers)
        assert powers[0] < powers[-1]


def test_scores_that_are_all_the_same():
    same = np.ones(30)
    for draw in (simulated.pilot_rank_sum, simulated.pilot_signed_rank, simulated.pilot_sign):
        assert draw(same, same, 20, seed=1, simulations=200).power == 0
    assert simulated.pilot_rows(rows_of(same), rows_of(same), mean, 20, seed=1, simulations=200).power == 0
    first = simulated.Simulated(0.5, 100)
    assert first.error == pytest.approx(0.05)
