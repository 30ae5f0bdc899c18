"""What tests of reports start from."""

import numpy as np
import pytest

from adjudge.data import ScoreMatrix
from adjudge.planning.campaign_plan import CampaignDesign, CampaignPlan
from adjudge.planning.interim import interim_result
from adjudge.planning.pilot import pilot_of_scores
from adjudge.planning.pilot_power import map_power_from_pilot, power_from_pilot
from adjudge.planning.power import map_power, power_for
from helpers.powers import HOSTILE, QUARTERS


@pytest.fixture(scope="module")
def results():
    rng = np.random.default_rng(1)
    matrix = ScoreMatrix((HOSTILE, "B"), rng.normal(size=(2, 60)) + np.array([[0.0], [0.7]]))
    pilot, campaign = pilot_of_scores(matrix, name="z", seed=1), CampaignDesign(simulations=100)
    plan = CampaignPlan(looks=QUARTERS)
    return {
        "power": power_for(CampaignPlan(), n=55, effect=0.44),
        "n": power_for(CampaignPlan(systems=10, one_sided=True), effect=0.45, power=0.9),
        "effect": power_for(CampaignPlan(test="sign", tie_share=0.1), n=200),
        "budget": power_for(
            CampaignPlan(systems=5, annotators_per_item=2, icc=0.4, controls=0.3), budget=3000, effect=0.44
        ),
        "nothing": power_for(CampaignPlan(), n=55, effect=0.5),
        "plan": power_for(plan, effect=0.44),
        "map": map_power(CampaignPlan()),
        "stop": interim_result(plan, 369, 2, p=0.002, effect=0.44),
        "go on": interim_result(plan, 369, 2, z=2.4, effect=0.44),
        "more": interim_result(plan, 369, 2, p=0.3, effect=0.44),
        "end": interim_result(plan, 369, 4, p=0.3, effect=0.44),
        "pilot": power_from_pilot(pilot, campaign),
        "pilot budget": power_from_pilot(pilot, campaign, budget=100, scale=0.5),
        "pilot map": map_power_from_pilot(pilot, campaign, n=(20, 80), scales=(0.5, 1.0)),
    }
