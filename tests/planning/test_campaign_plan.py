"""Designs of campaigns: what they cost, how many tests and translations they ask for, and which are none."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.planning.campaign_plan import CampaignDesign, CampaignPlan
from adjudge.planning.power import power_for
from adjudge.stats import power as formulas
from adjudge.stats.tests.planned import planned_tests
from helpers.plans import QUARTERS


def test_more_systems_ask_for_more():
    two, ten = CampaignPlan(), CampaignPlan(systems=10)
    assert ten.tests == 45
    assert ten.alpha_each == pytest.approx(0.05 / 45)
    assert ten.n(0.8, 0.44) > two.n(0.8, 0.44)
    assert replace(ten, correction="none").n(0.8, 0.44) == two.n(0.8, 0.44)
    baseline = CampaignPlan(systems=10, comparisons=9)
    assert baseline.alpha_each == pytest.approx(0.05 / 9)
    assert ten.power(500, 0.44) == pytest.approx(formulas.rank_sum(500, 0.44).power(0.05 / 45))


@given(
    budget=st.integers(100, 10**6),
    systems=st.integers(2, 10),
    annotators=st.integers(1, 5),
    controls=st.floats(0, 0.5),
)
def test_a_budget_is_never_overspent_nor_left(budget, systems, annotators, controls):
    campaign = CampaignDesign(systems=systems, annotators_per_item=annotators, controls=controls)
    if campaign.judgements(2) > budget:
        return
    n = campaign.n_for_budget(budget)
    assert campaign.judgements(n) <= budget < campaign.judgements(n + 1)


def test_ties_and_the_sign_test():
    design = CampaignPlan(test="sign", tie_share=0.2)
    assert design.method == "exact"
    assert design.power(500, 0.44) == pytest.approx(formulas.sign_power(500, 0.44, ties=0.2))
    assert CampaignPlan(test="sign", method="noether").n(0.8, 0.4) == math.ceil(7.8489 / (4 * 0.01))
    with pytest.raises(UsageError, match=r"must lie between 0\.4 and 0\.6; a tie counts half"):
        CampaignPlan(test="sign", tie_share=0.8).power(100, 0.3)


def test_unequal_numbers():
    design = CampaignPlan(ratio=3.0)
    assert design.power(40, 0.4) == pytest.approx(formulas.rank_sum(40, 0.4, other=120).power(0.05))
    assert design.judgements(40) == 160
    assert design.n_for_budget(400) == 100
    # For the same total, as many of either is best.
    assert design.power(100, 0.44) < CampaignPlan().power(200, 0.44)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "rank-sun"}, "did you mean 'rank-sum'"),
        ({"method": "exact"}, "rank-sum test's power is not found by 'exact': shieh, noether, simulation"),
        ({"test": "sign", "method": "shieh"}, "exact, noether"),
        ({"alpha": 0.0}, "alpha 0: must lie between 0 and 1"),
        ({"alpha": math.nan}, "alpha nan"),
        ({"systems": 1}, "systems 1: must be a whole number from 2 up"),
        ({"comparisons": 0}, "comparisons 0"),
        ({"correction": "bonferoni"}, "unknown correction"),
        ({"ratio": 0.0}, "ratio 0"),
        ({"ratio": 2.0, "systems": 3}, "for two systems only"),
        ({"ratio": 2.0, "test": "sign"}, "is of pairs"),
        ({"paired_correlation": 0.3}, "the paired test is right: --test signed-rank"),
        ({"paired_correlation": 1.0, "test": "sign"}, "between -1 and 1"),
        ({"tie_share": 0.1}, "for the sign test only"),
        ({"tie_share": 1.0, "test": "sign"}, "but not, 1"),
        ({"annotators_per_item": 0}, "annotators per item 0"),
        ({"icc": 0.4}, "--annotators-per-item 2 or more"),
        ({"icc": 1.4, "annotators_per_item": 2}, "a share from 0 to 1"),
        (
            {"icc": 0.2, "annotators_per_item": 2, "paired_correlation": 0.4, "test": "signed-rank"},
            "cannot be more than the icc",
        ),
        ({"controls": 1.0}, "controls 1"),
        ({"looks": (0.5, 0.2, 1.0)}, "after the one before"),
        ({"looks": QUARTERS, "method": "simulation"}, "--method shieh"),
        ({"spending": "fleming"}, "unknown spending"),
        ({"simulations": 5}, "from 100 up"),
    ],
)
def test_designs_that_are_none(options, message):
    with pytest.raises(UsageError, match=message):
        CampaignPlan(**options)


def test_every_method_is_there():
    for name, test in planned_tests().items():
        for method in test.power_methods:
            answer = power_for(CampaignPlan(test=name, method=method, simulations=2000), n=100, effect=0.4)
            assert 0.4 < answer.power < 0.8
