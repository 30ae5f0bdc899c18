"""Intervals of agreement with people: they hold as often as they say."""

import math

import numpy as np
import pytest

from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.intervals import fisher
from helpers.meta_tasks import meta_set


def test_nist_s_intervals():
    # NIST MetricsMATR as printed: rho .9037 of 89 systems, r -.6840 of some 25,400 segments.
    assert fisher(0.9037, 89) == pytest.approx((0.8567, 0.9359), abs=1e-4)  # of a rho that is itself rounded
    assert fisher(-0.6840, 25_400) == pytest.approx((-0.6905, -0.6774), abs=1e-4)
    assert all(map(math.isnan, fisher(0.5, 3)))


def test_rho_and_tau_have_errors_of_their_own():
    def reach(kind, n=100, r=0.6):
        low, high = fisher(r, n, kind=kind)
        assert math.atanh(high) - math.atanh(r) == pytest.approx(math.atanh(r) - math.atanh(low))
        return (math.atanh(high) - math.atanh(r)) / 1.959963984540054

    assert reach("pearson") == pytest.approx(1 / math.sqrt(97))
    assert reach("spearman") == pytest.approx(math.sqrt((1 + 0.18) / 97))
    assert reach("kendall") == pytest.approx(math.sqrt(0.437 / 96))
    assert all(map(math.isnan, fisher(0.5, 4, kind="kendall")))


def test_intervals_hold_as_often_as_they_say():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(200):
        quality = rng.normal(size=(6, 60))
        noise = rng.normal(size=(2, 6, 60))
        made = meta_set(quality + noise[0], {"m": quality + noise[1]})
        (value,) = run_task(
            made, Task("da"), RunSettings(test="none", draws=200, seed=int(rng.integers(1 << 30)))
        ).values
        hits += value.low <= 0.5 <= value.high
    assert 180 <= hits <= 199  # 95 % of 200, within three standard errors
