"""What a test set could have shown."""

import math

import numpy as np
import pytest
import scipy.stats

from adjudge.stats import resampling
from adjudge.stats.power import detectable_difference


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def test_by_hand():
    assert detectable_difference(1.0, 0.05) == pytest.approx(1.959964 + 0.841621, abs=1e-5)
    assert detectable_difference(2.0, 0.05, power=0.5) == pytest.approx(2 * 1.959964, abs=1e-5)
    assert detectable_difference(1.0, 0.001) > detectable_difference(1.0, 0.01)
    for deviation in (0.0, math.nan, math.inf):
        assert math.isnan(detectable_difference(deviation, 0.05))


def test_it_is_the_difference_of_that_power():
    for alpha in (0.05, 0.001):
        difference = detectable_difference(1.0, alpha)
        assert scipy.stats.norm.sf(scipy.stats.norm.isf(alpha / 2) - difference) == pytest.approx(0.8)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3])
def test_eighty_percent_of_such_differences_are_found(alpha):
    """4,000 simulated test sets of 300 segments whose systems differ by just what the first one said."""
    rng, segments, simulations = np.random.default_rng(8), 300, 4000

    def systems(shift):
        hard = rng.normal(size=segments)
        sides = (hard + shift + rng.gamma(1.0, size=segments), hard + rng.gamma(1.0, size=segments))
        return [np.stack([side, np.ones(segments)], axis=1) for side in sides]

    deviations = []
    for seed in range(200):
        scores = resampling.resampled_scores(systems(0.0), mean, resamples=500, seed=seed)
        deviations.append(np.std(scores[:, 0] - scores[:, 1], ddof=1))
    difference = detectable_difference(float(np.mean(deviations)), alpha)
    found = sum(
        resampling.randomisation(*systems(difference), mean, trials=2999, seed=seed, threads=1).p_value
        < alpha
        for seed in range(simulations)
    )
    assert found / simulations == pytest.approx(0.8, abs=0.02)
