"""How many judgements are enough: answers that fit together, budgets, looks and what is refused."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from adjudge.errors import UsageError
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.planning.power import MAP_EFFECTS, MAP_N, map_power, power_for
from adjudge.stats import power as formulas
from adjudge.stats import simulated
from adjudge.stats.tests.planned import planned_tests
from conftest import benchmark_module
from helpers.plans import QUARTERS


def test_two_of_three_give_the_third():
    power = power_for(CampaignPlan(), n=55, effect=0.44)
    assert power.asked == "power"
    assert power.power == pytest.approx(0.1897, abs=5e-5)
    n = power_for(CampaignPlan(), effect=0.44, power=0.8)
    assert (n.asked, n.n, n.judgements) == ("n", 362, 724)
    assert power.n_wanted == n.n
    effect = power_for(CampaignPlan(), n=362, power=n.power)
    assert effect.asked == "effect"
    assert effect.effect == pytest.approx(0.44, abs=1e-6)
    assert power_for(CampaignPlan(), effect=0.56).n == n.n
    with pytest.raises(UsageError, match="give two of"):
        power_for(CampaignPlan(), power=0.8)


@settings(max_examples=60)
@given(
    test=st.sampled_from(sorted(planned_tests())),
    effect=st.floats(0.3, 0.47) | st.floats(0.53, 0.7),
    wanted=st.floats(0.3, 0.95),
    systems=st.integers(2, 8),
    one_sided=st.booleans(),
    looks=st.sampled_from([(1.0,), (0.5, 1.0), QUARTERS]),
)
def test_n_is_the_smallest_with_the_wanted_power(test, effect, wanted, systems, one_sided, looks):
    design = CampaignPlan(test=test, systems=systems, one_sided=one_sided, looks=looks)
    n = design.n(wanted, effect)
    assert design.power(n, effect) >= wanted
    assert n == 2 or design.power(n - 1, effect) < wanted
    assert design.power(n, 1 - effect) == pytest.approx(design.power(n, effect), abs=1e-9)
    result = design.effect(wanted, max(n, 20))
    assert result <= 0.5
    assert design.power(max(n, 20), result) == pytest.approx(wanted, abs=0.12 if test == "sign" else 1e-6)


def test_pairing_is_worth_what_segments_share():
    rank_sum = CampaignPlan().power(200, 0.44)
    alone = CampaignPlan(test="signed-rank").power(200, 0.44)
    shared = CampaignPlan(test="signed-rank", paired_correlation=0.5).power(200, 0.44)
    assert alone == pytest.approx(rank_sum, abs=0.01)
    assert shared > rank_sum + 0.2
    # Half of the variance is shared: it takes half as many segments.
    assert CampaignPlan(test="signed-rank", paired_correlation=0.5).n(0.8, 0.45) == pytest.approx(
        CampaignPlan(test="signed-rank").n(0.8, 0.45) / 2, rel=0.01
    )
    answer = power_for(CampaignPlan(), n=200, effect=0.44)
    assert [alternative.correlation for alternative in answer.alternatives] == [0.0, 0.25, 0.5]
    assert answer.alternatives[2].power == pytest.approx(shared)
    assert power_for(CampaignPlan(test="signed-rank"), n=200, effect=0.44).alternatives == ()


def test_paired_scores_simulated_as_pairs():
    """Two scores a segment that correlate, not just their difference."""
    import numpy as np

    rng, n, correlation, effect = np.random.default_rng(3), 80, 0.4, 0.42
    shift = math.sqrt(2) * -float(formulas.normal_quantile(effect))
    result, simulations = 0, 6000
    for _ in range(simulations):
        hard = math.sqrt(correlation) * rng.normal(size=n)
        a, b = (hard + math.sqrt(1 - correlation) * rng.normal(size=n) for _ in range(2))
        d = a + shift - b
        ranks = np.argsort(np.argsort(np.abs(d))) + 1
        z = (ranks[d > 0].sum() - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        result += abs(z) > 1.959964
    design = CampaignPlan(test="signed-rank", paired_correlation=correlation)
    assert design.power(n, effect) == pytest.approx(result / simulations, abs=0.025)


def test_a_budget_buys_distinct_translations():
    answer = power_for(CampaignPlan(systems=5, annotators_per_item=2), budget=3000, effect=0.44)
    assert (answer.n, answer.judgements, answer.budget.spare) == (300, 3000, 0)
    once = answer.budget.alone
    assert once.n == 600
    assert once.power > answer.power
    assert answer.power == pytest.approx(CampaignPlan(systems=5).power(300, 0.44))
    odd = power_for(CampaignPlan(systems=3), budget=1000, effect=0.44)
    assert (odd.n, odd.budget.spare) == (333, 1)
    controls = power_for(CampaignPlan(systems=5, controls=0.3), budget=1000, effect=0.44)
    assert (controls.n, controls.judgements) == (140, 1000)
    assert power_for(CampaignPlan(), budget=400).asked == "effect"
    with pytest.raises(UsageError, match="8 judgements are the least for 2 systems and 2 a translation"):
        power_for(CampaignPlan(annotators_per_item=2), budget=7, effect=0.4)
    with pytest.raises(UsageError, match="give one of them"):
        power_for(CampaignPlan(), budget=100, n=50, effect=0.4)


def test_what_more_judgements_of_a_translation_are_worth():
    """With an icc of 0 each is worth a translation of its own, with one of 1 it is worth nothing."""
    once = CampaignPlan()
    assert CampaignPlan(annotators_per_item=4, icc=1.0).power(100, 0.44) == pytest.approx(
        once.power(100, 0.44)
    )
    assert CampaignPlan(annotators_per_item=4).power(100, 0.44) == pytest.approx(once.power(100, 0.44))
    assert CampaignPlan(annotators_per_item=4, icc=0.0).power(100, 0.44) == pytest.approx(
        once.power(400, 0.44), abs=0.01
    )
    half = CampaignPlan(annotators_per_item=2, icc=0.5)
    assert half.power(300, 0.44) == pytest.approx(once.power(400, 0.44), abs=0.01)  # 300 / (0.5 + 0.5 / 2)
    # A fixed budget is best spent on distinct translations, whatever the icc.
    for icc in (0.0, 0.2, 0.7, 1.0):
        powers = [
            CampaignPlan(annotators_per_item=k, icc=icc if k > 1 else None).power(1200 // k, 0.45)
            for k in (1, 2, 3, 4)
        ]
        assert all(a >= b - 0.003 for a, b in pairwise(powers))


def test_means_over_judgements_simulated():
    """Three judgements of each translation, averaged, tested by ranks: as the formula with an icc has it."""
    import numpy as np

    rng, n, icc, k, effect = np.random.default_rng(8), 90, 0.4, 3, 0.42
    shift = math.sqrt(2) * -float(formulas.normal_quantile(effect))
    simulations = 6000
    between = math.sqrt(icc) * rng.normal(size=(simulations, 2 * n))
    within = math.sqrt(1 - icc) * rng.normal(size=(simulations, 2 * n, k)).mean(2)
    scores = between + within
    scores[:, n:] += shift
    ranks = np.argsort(np.argsort(scores, axis=1), axis=1) + 1
    z = (ranks[:, n:].sum(1) - n * (n + 1) / 2 - n * n / 2) / math.sqrt(n * n * (2 * n + 1) / 12)
    result = (np.abs(z) > 1.959964).mean()
    assert CampaignPlan(annotators_per_item=k, icc=icc).power(n, effect) == pytest.approx(result, abs=0.022)


def test_simulations_are_close_and_say_how_close():
    design = CampaignPlan(method="simulation", simulations=4000)
    answer = power_for(design, n=80, effect=0.4)
    assert answer.power == pytest.approx(CampaignPlan().power(80, 0.4), abs=0.025)
    assert answer.error == pytest.approx(math.sqrt(answer.power * (1 - answer.power) / 4000))
    assert answer.power == simulated.normal_rank_sum(80, 0.4, simulations=4000, seed=design.seed).power
    assert power_for(CampaignPlan(), n=80, effect=0.4).error is None
    paired = CampaignPlan(method="simulation", test="signed-rank", simulations=4000, paired_correlation=0.3)
    assert paired.power(80, 0.42) == pytest.approx(replace(paired, method="").power(80, 0.42), abs=0.025)


def test_the_map():
    result = map_power(CampaignPlan())
    assert (result.n, result.effects) == (MAP_N, MAP_EFFECTS)
    assert result.power[0][4] == pytest.approx(0.1897, abs=5e-5)
    assert result.enough[4] == 362
    assert map_power(CampaignPlan(), (100,), (0.4, 0.5)).enough == (CampaignPlan().n(0.8, 0.4), None)
    for row in result.power:
        assert list(row) == sorted(row, reverse=True)
    for column in zip(*result.power, strict=True):
        assert list(column) == sorted(column)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"n": 55, "effect": 0.0}, "effect 0: must lie between 0 and 1"),
        ({"n": 55, "effect": 1.0}, "effect 1"),
        ({"n": 55, "effect": math.nan}, "effect nan"),
        ({"effect": 0.5, "power": 0.8}, "no number of judgements finds it"),
        ({"n": 1, "effect": 0.4}, "n 1: must be 2"),
        ({"n": -5}, "n -5: must be 2"),
        ({"effect": 0.4, "power": 0.05}, "no more than alpha"),
        ({"effect": 0.4, "power": 1.0}, "power 1: must lie between"),
        ({"effect": 0.4, "power": 0.0}, "power 0: must lie between"),
        ({"effect": 0.499999999, "power": 0.8}, "no difference at all|more than 1,000,000,000"),
        ({"n": 2, "power": 0.9}, "too few for a power of 0.9, however large"),
    ],
)
def test_questions_without_an_answer(question, message):
    with pytest.raises(UsageError, match=message):
        power_for(CampaignPlan(), **question)


def test_what_to_beware_of():
    assert any("rough guess" in warning for warning in power_for(CampaignPlan(), n=8, effect=0.2).warnings)
    none = power_for(CampaignPlan(), n=100, effect=0.5)
    assert none.power == pytest.approx(0.05)
    assert none.n_wanted is None
    assert any("no difference" in warning for warning in none.warnings)
    assert power_for(CampaignPlan(test="sign"), n=8, effect=0.2).warnings == ()


class TestTranslationsThatHangTogether:
    """Segments of a document, and what one annotator judged, are worth less than as many of their own."""

    @pytest.mark.parametrize("method", ["rank-sum", "signed-rank", "sign"])
    def test_n_grows_by_the_design_effect(self, method: str) -> None:
        alone = CampaignPlan(test=method)
        together = CampaignPlan(
            test=method, document_icc=0.2, document_size=6, annotator_icc=0.01, annotator_load=51
        )
        assert together.design_effect == pytest.approx(1 + 5 * 0.2 + 50 * 0.01)
        assert together.n(0.8, 0.44) == pytest.approx(2.5 * alone.n(0.8, 0.44), rel=0.01)
        assert together.power(500, 0.44) == pytest.approx(alone.power(200, 0.44))

    def test_as_simulated_with_whole_documents_drawn(self) -> None:
        """200 segments in documents of five that correlate 0.3, by a randomisation of documents."""
        calibration = benchmark_module("calibration_ratings")
        case = calibration.Case("randomisation", 2, together="document", unit="document")
        shift = calibration.would_show(case)
        effect = float(ndtr(-shift / math.sqrt(2 * (1 - calibration.BETWEEN))))  # on one segment
        design = CampaignPlan(test="signed-rank", document_icc=0.3, document_size=5)
        assert calibration.found(case, shift, 400) == pytest.approx(design.power(200, effect), abs=0.07)
        assert CampaignPlan(test="signed-rank").power(200, effect) > 0.95  # as if they did not hang together

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"document_icc": 0.1}, "--document-icc 0.1 --document-size 10"),
            ({"annotator_load": 20}, "--annotator-icc 0.1 --annotator-load 10"),
            ({"document_icc": 1.0, "document_size": 3}, "from 0 up to, but not, 1"),
            ({"document_icc": 0.1, "document_size": 0.5}, "must be 1 or more"),
            ({"annotator_icc": math.nan, "annotator_load": 3}, "from 0 up to, but not, 1"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, options: dict[str, float], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            CampaignPlan(**options)
