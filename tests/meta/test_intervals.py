"""Intervals of agreement with people: they hold as often as they say."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import stdtrit

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.intervals import _jackknife, fisher
from adjudge.stats.correlation import rank_interval
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


def test_only_uneven_parts_take_degrees_of_freedom_away():
    """One system makes all of the error: four degrees are left of eleven."""
    parts = np.array([1.0] + [0.0] * 11)
    own = SimpleNamespace(units=12, value=0.0, without_each=lambda: parts)
    error = math.sqrt(11 * parts.var())
    for uneven, degrees in ((False, 11), (True, 4)):
        assert _jackknife(own, 0.05, uneven=uneven)[1] == pytest.approx(stdtrit(degrees, 0.975) * error)


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


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_a_perfect_order_of_few_has_an_interval_that_is_no_point(kind):
    ends = {n: rank_interval(kind, 1.0, n) for n in (5, 8, 20)}
    assert all(high == 1.0 for _, high in ends.values())
    assert 0 < ends[5][0] < ends[8][0] < ends[20][0] < 1


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_intervals_of_ranks_mirror_and_grow_with_their_value(kind):
    for n in (5, 12):
        places = np.linspace(0, 1, 8)
        ends = np.array([rank_interval(kind, value, n) for value in places])
        mirrored = np.array([rank_interval(kind, -value, n) for value in places])
        assert mirrored[:, ::-1] == pytest.approx(-ends, abs=1e-9)
        assert (np.diff(ends, axis=0) >= -1e-9).all()
        assert (ends[:, 0] <= places).all()
        assert (places <= ends[:, 1]).all()
    wide, narrow = rank_interval(kind, 0.4, 12, alpha=0.05), rank_interval(kind, 0.4, 12, alpha=0.3)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_an_interval_of_ranks_has_the_correlations_that_a_test_keeps():
    """At an end of the interval, a value as far from it as the one seen has half of alpha as its mid-p."""
    low, high = rank_interval("kendall", 1 / 3, 6)
    rng = np.random.default_rng(8)
    for end, further in ((low, 1), (high, -1)):
        r = math.sin(math.pi / 2 * end)
        x = rng.normal(size=(40_000, 6))
        y = r * x + math.sqrt(1 - r * r) * rng.normal(size=x.shape)
        a, b = np.triu_indices(6, 1)
        tau = (np.sign(x[:, a] - x[:, b]) * np.sign(y[:, a] - y[:, b])).mean(1)
        lead = further * (tau - 1 / 3)
        mid_p = (lead > 1e-9).mean() + (np.abs(lead) < 1e-9).mean() / 2
        assert mid_p == pytest.approx(0.025, abs=0.006)


def test_four_systems_have_no_interval_of_order():
    rows = [[float(quality)] for quality in range(4)]
    for kind in ("spearman", "kendall", "kendall_c", "accuracy", "pearson"):
        (value,) = run_task(meta_set(rows, {"m": rows}), Task("da", "system", kind)).values
        assert math.isnan(value.low)
        assert math.isnan(value.high)


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall", "accuracy"])
def test_intervals_of_systems_hold_where_a_few_lie_far_below(kind):
    """Good systems close together, a long tail of bad ones (bench/calibration_meta.py): 95 % of 500, ± 2 errors."""
    rng = np.random.default_rng(11)
    aims = {"pearson": 0.9695, "spearman": 0.92, "kendall": 0.7624, "accuracy": 0.8812}
    hits = 0
    for _ in range(500):
        quality = 1 - rng.exponential(size=12)
        people, metric = (quality + error * rng.normal(size=12) for error in (0.15, 0.2))
        gold, scores = (ScoreTable.of_segments(n, t[:, None]) for n, t in (("da", people), ("m", metric)))
        made = MetaSet("made", "", tuple(map(str, range(12))), {"da": gold}, {"m": scores})
        (value,) = run_task(made, Task("da", "system", kind), RunSettings(test="none")).values
        hits += value.low <= aims[kind] <= value.high
    assert hits >= 465  # without the jackknife beside the model: 451, 464, 461, 461
