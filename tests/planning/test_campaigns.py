"""One engine plans campaigns: what it says is what a campaign of that size finds."""

import math

import numpy as np
import pytest
from scipy import stats

from adjudge.planning.campaign_plan import EFFECT, CampaignPlan, CampaignSize
from adjudge.planning.power import power_for


@pytest.mark.parametrize(("systems", "test"), [(2, "rank-sum"), (6, "rank-sum"), (3, "sign")])
def test_a_campaign_takes_what_power_says(systems, test):
    unit = "comparison" if test == "sign" else "translation"
    size = CampaignSize(CampaignPlan(systems=systems, test=test), 55, unit)
    asked = power_for(CampaignPlan(systems=systems, test=test), effect=EFFECT)
    assert size.needed == asked.n
    assert f"for 80 % it takes {asked.n:,} (adjudge power --campaign-file FILE)" in size.remark()
    assert CampaignSize(size.design, asked.n, unit).remark() == ""
    assert CampaignSize(size.design, asked.n - 1, unit).remark() != ""


@pytest.mark.parametrize(
    ("unit", "n", "words"),
    [
        ("translation", 55, "55 translations a system are few"),
        ("comparison", 1, "1 comparison of two systems is few"),
        ("document", 10, "10 documents a system are few"),
    ],
)
def test_what_is_few_is_named(unit, n, words):
    assert CampaignSize(CampaignPlan(), n, unit).remark().startswith(words)


def test_the_number_finds_the_difference_in_80_of_100_campaigns():
    """Six systems of normal scores, two of them apart by the effect, at the level of the hardest pair (Holm)."""
    design = CampaignPlan(systems=6)
    n, simulations = design.n(0.8, EFFECT), 4000
    rng = np.random.default_rng(7)
    apart = math.sqrt(2) * abs(stats.norm.ppf(EFFECT))
    better, worse = rng.normal(apart, 1, (simulations, n)), rng.normal(0, 1, (simulations, n))
    error = math.sqrt(0.8 * 0.2 / simulations)
    ranked = stats.mannwhitneyu(better, worse, axis=1).pvalue
    assert float(np.mean(ranked < 0.05 / 15)) == pytest.approx(0.8, abs=3 * error)
    # Tests of means, which `human analyse` makes where systems share their items, find a little more.
    means = stats.ttest_rel(better, worse, axis=1).pvalue
    assert 0.8 - 3 * error < float(np.mean(means < 0.05 / 15)) < 0.84
