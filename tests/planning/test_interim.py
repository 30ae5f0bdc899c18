"""Looks on the way: plans that keep their error, what to do after a look, and looks that are none."""

import math

import pytest

from adjudge.errors import UsageError
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.planning.interim import interim_result, sequential_plan
from adjudge.planning.power import power_for
from adjudge.stats import power as formulas
from helpers.plans import QUARTERS


def test_a_plan_with_looks():
    design = CampaignPlan(looks=QUARTERS)
    n = design.n(0.8, 0.44)
    assert CampaignPlan().n(0.8, 0.44) < n < 1.05 * CampaignPlan().n(0.8, 0.44)
    plan = sequential_plan(design, n, 0.44)
    assert [stage.n for stage in plan.stages] == [92, 184, 277, 369]
    assert plan.power == pytest.approx(design.power(n, 0.44))
    assert sum(stage.null for stage in plan.stages) == pytest.approx(0.05)
    assert sum(stage.alternative for stage in plan.stages) == pytest.approx(plan.power)
    assert plan.expected < plan.expected_null < n
    assert sequential_plan(design, n).power is None
    assert power_for(design, effect=0.44).plan == plan
    assert power_for(CampaignPlan(), effect=0.44).plan is None
    first = sequential_plan(CampaignPlan(looks=(1.0,)), 362, 0.44)
    assert first.power == pytest.approx(CampaignPlan().power(362, 0.44), abs=1e-3)
    assert first.expected == 362


def test_the_power_of_a_plan_is_what_campaigns_find():
    """Rank-sum tests at four looks, with the effect: campaigns that end, and after how many translations."""
    import numpy as np

    design, n, effect = CampaignPlan(looks=QUARTERS), 160, 0.42
    plan = sequential_plan(design, n, effect)
    rng, simulations = np.random.default_rng(4), 8000
    shift = math.sqrt(2) * -float(formulas.normal_quantile(effect))
    a, b = rng.normal(size=(simulations, n)), rng.normal(size=(simulations, n)) + shift
    used = np.full(simulations, n)
    out = np.zeros(simulations, bool)
    for stage in plan.stages:
        k = stage.n
        ranks = np.argsort(np.argsort(np.concatenate([a[:, :k], b[:, :k]], axis=1), axis=1), axis=1) + 1
        z = (ranks[:, k:].sum(1) - k * (k + 1) / 2 - k * k / 2) / math.sqrt(k * k * (2 * k + 1) / 12)
        now = ~out & (np.abs(z) >= stage.z)
        used[now] = k
        out |= now
    assert out.mean() == pytest.approx(plan.power, abs=0.02)
    assert used.mean() == pytest.approx(plan.expected, rel=0.02)


def test_after_a_look():
    design, n = CampaignPlan(looks=QUARTERS), 369
    stop = interim_result(design, n, 2, p=0.003, effect=0.44)
    assert (stop.verdict, stop.n) == ("stop", 184)
    assert stop.limit_p == pytest.approx(0.00305, abs=1e-5)
    assert stop.p == pytest.approx(0.003)
    assert interim_result(design, n, 2, z=-3.2, effect=0.44).verdict == "stop"  # the other system is better
    on = interim_result(design, n, 2, z=2.5, effect=0.44)
    assert (on.verdict, on.chance > 0.9, on.trend > on.chance) == ("go on", True, True)
    more = interim_result(design, n, 2, p=0.3, effect=0.44)
    assert more.verdict == "plan more"
    assert more.more.n > n
    assert more.more_trend.n > more.more.n
    assert more.more.p < 0.05
    assert interim_result(design, n, 2, z=-1.0, effect=0.44).more_trend is None
    assert interim_result(design, n, 2, z=1.0).chance is None
    end = interim_result(design, n, 4, p=0.2, effect=0.44)
    assert (end.verdict, end.chance, end.more) == ("end", None, None)
    assert interim_result(design, n, 4, p=0.04, effect=0.44).verdict == "stop"
    assert interim_result(CampaignPlan(looks=(0.5, 1.0), one_sided=True), n, 1, z=-5.0).verdict == "plan more"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"look": 5, "p": 0.1}, "the plan has 4"),
        ({"look": 2}, "give one of them"),
        ({"look": 2, "p": 0.1, "z": 1.0}, "give one of them"),
        ({"look": 2, "p": 0.0}, "must lie between 0 and 1"),
        ({"look": 2, "p": 1.5}, "must lie between 0 and 1"),
        ({"look": 2, "z": math.inf}, "finite"),
    ],
)
def test_looks_that_are_none(how, message):
    with pytest.raises(UsageError, match=message):
        interim_result(CampaignPlan(looks=QUARTERS), 100, **how)
