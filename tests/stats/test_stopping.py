"""When a test may stop: the bound of p holds at all times."""

import numpy as np

from adjudge.stats import stopping


def test_the_bound_of_p_holds_at_all_times_whatever_trials_of_a_block_share():
    """Blocks whose trials are independent, or all the same but for some: one in twenty bounds may be wrong."""
    rng = np.random.default_rng(4)
    for alike in (1, 64, 1024):  # trials that are the same
        far = alike * rng.binomial(1024 // alike, 0.03, size=(60, 300))
        bounds = [stopping.lowest_p(far[:n], 0.05) for n in range(2, 61, 4)]
        wrong = (np.max(bounds, axis=0) > 0.03).sum()
        assert wrong <= 300 * 0.05 + 3 * np.sqrt(300 * 0.05 * 0.95)


def test_the_bound_of_p_is_of_use():
    far = np.random.default_rng(5).binomial(1024, [0.3, 0.001, 0.0], size=(100, 3))
    lower = stopping.lowest_p(far, 1e-6)
    assert 0.2 < lower[0] < far[:, 0].mean() / 1024
    assert 0.0003 < lower[1] < far[:, 1].mean() / 1024
    assert lower[2] == 0
