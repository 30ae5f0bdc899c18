"""No name or text of any page becomes markup."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from adjudge.analysis.xray import xray
from adjudge.comparison import Score, Scores, TestSetFacts
from adjudge.comparison.comparison_display import ComparisonDisplay, ExtraSections
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.planning.campaign_plan import CampaignDesign, CampaignPlan
from adjudge.planning.pilot import pilot_of_scores
from adjudge.planning.pilot_power import map_power_from_pilot, power_from_pilot
from adjudge.planning.power import power_for
from adjudge.planning.power_display import PowerDisplay
from adjudge.report.pages.xray import xray as xrays
from adjudge.report.render.formats import Renderer, render, renderer_of
from adjudge.report.render.markup import Html
from helpers.comparisons import comparison
from helpers.pages_of_all import FILES, HOSTILE, assert_harmless, everything


def score_forms() -> Renderer:
    facts = TestSetFacts(HOSTILE, 2, 1, HOSTILE)
    first = Score(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1.0, HOSTILE, True, 1, (1.0, 2.0))
    return renderer_of(Scores(facts, (first,), (HOSTILE,)), version=HOSTILE, inputs=FILES)


def comparison_forms() -> Renderer:
    result = comparison({"bleu": {HOSTILE: 50.0, "b": 53.6}}, by={HOSTILE: [HOSTILE]})
    result = replace(
        result,
        facts={HOSTILE: replace(result.test_set, name=HOSTILE)},
        results=tuple(replace(s, label=HOSTILE, signature=HOSTILE) for s in result.results),
        claims=(HOSTILE,),
        warnings=(HOSTILE,),
    )
    further = ExtraSections([everything()])
    return renderer_of(ComparisonDisplay(result, extra=further), version=HOSTILE, inputs=FILES)


def baseline_forms() -> Renderer:
    result = comparison({"bleu": {HOSTILE: 50.0, "b": 53.6}}, baseline=HOSTILE)
    return renderer_of(replace(result, claims=(), warnings=(HOSTILE,)), version=HOSTILE)


def xray_forms() -> Renderer:
    words = f"a {HOSTILE} b c"
    test_set = TestSet(references=[[words], [words]], sources=[words], name=HOSTILE)
    systems = [Outputs(HOSTILE, [words]), Outputs("b", [f"c a {HOSTILE} d"])]
    return xrays.renderer(xray(test_set, systems, "ter", segments=[1]), version=HOSTILE)


def pilot():
    matrix = ScoreMatrix((HOSTILE, "B"), np.random.default_rng(1).normal(size=(2, 30)))
    return pilot_of_scores(matrix, name=HOSTILE, seed=1)


def pilot_forms() -> Renderer:
    answer = power_from_pilot(pilot(), CampaignDesign(simulations=100))
    return renderer_of(PowerDisplay(answer), version=HOSTILE, inputs=FILES)


def map_forms() -> Renderer:
    power_map = map_power_from_pilot(pilot(), CampaignDesign(simulations=100), n=(20, 40), scales=(0.5, 1.0))
    return renderer_of(PowerDisplay(replace(power_map, warnings=(HOSTILE,))), version=HOSTILE, inputs=FILES)


def answer_forms() -> Renderer:
    answer = power_for(CampaignPlan(), n=55, effect=0.44)
    return renderer_of(PowerDisplay(replace(answer, warnings=(HOSTILE,))), version=HOSTILE, inputs=FILES)


KINDS: list[Callable[[], Renderer]] = [
    *(score_forms, comparison_forms, baseline_forms, xray_forms, pilot_forms, map_forms, answer_forms),
]


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_or_text_of_any_page_becomes_markup(kind):
    forms = kind()
    assert_harmless(render(forms, "html"))
    if kind in (xray_forms, map_forms):
        picture = render(forms, "svg")
        assert isinstance(picture, Html)
        assert "<script" not in picture
        assert "<img" not in picture
