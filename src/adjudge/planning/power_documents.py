"""Power for machines: JSON and tab-separated values, nothing rounded."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudge.comparison.documents import design_document
from adjudge.display import Data
from adjudge.planning.campaign_plan import CampaignDesign, CampaignPlan
from adjudge.planning.interim import InterimResult
from adjudge.planning.pilot_power import PilotAnswer, PilotMap
from adjudge.planning.power import PowerAnswer, PowerMap
from adjudge.planning.power_words import Result


def data(result: Result) -> Data:
    """Numbers without rounding: a line a cell of a map, a look of a plan or a point of a curve, else one line."""
    if isinstance(result, PowerMap):
        cells = [
            (n, effect, power)
            for n, row in zip(result.n, result.power, strict=True)
            for effect, power in zip(result.effects, row, strict=True)
        ]
        return Data(("n", "effect", "power"), cells)
    if isinstance(result, PilotMap):
        cells = [
            (n, difference, power)
            for n, row in zip(result.n, result.power, strict=True)
            for difference, power in zip(result.differences, row, strict=True)
        ]
        return Data(("n", "difference", "power"), cells)
    if isinstance(result, PilotAnswer):
        return Data(("n", "power", "error"), [(p.n, p.power, p.error) for p in result.curve])
    if isinstance(result, InterimResult):
        names = ("look", "n", "z", "p", "limit", "verdict", "chance", "trend")
        return Data(names, [tuple(getattr(result, name) for name in names)])
    if result.plan is not None:
        return Data(
            ("look", "n", "fraction", "z", "p", "spent", "null", "alternative"),
            [tuple(asdict(stage).values()) for stage in result.plan.stages],
        )
    return Data(
        ("n", "effect", "power", "alpha", "test", "method"),
        [
            (
                result.n,
                result.effect,
                result.power,
                result.design.alpha,
                result.design.test,
                result.design.method,
            )
        ],
    )


def document(result: Result) -> dict[str, Any]:
    """All that is known, unrounded."""
    if isinstance(result, PowerAnswer):
        plan = None if result.plan is None else asdict(result.plan)
        budget: dict[str, Any] | None = None
        if result.budget is not None:
            budget = {
                "judgements": result.budget.judgements,
                "n": result.budget.n,
                "spare": result.budget.spare,
            }
            if (alone := result.budget.alone) is not None:
                budget["judged_once"] = {"n": alone.n, "effect": alone.effect, "power": alone.power}
        return {
            **{name: getattr(result, name) for name in ("power", "n", "effect")},
            **_design(result.design),
            "design": design_document(result.design.sample(result.n)),
            **{
                name: getattr(result, name) for name in ("asked", "wanted", "n_wanted", "judgements", "error")
            },
            "budget": budget,
            "plan": plan,
            "alternatives": [asdict(alternative) for alternative in result.alternatives],
            "warnings": list(result.warnings),
        }
    if isinstance(result, PowerMap):
        return {
            **{name: getattr(result, name) for name in ("n", "effects", "power", "wanted", "enough")},
            **_design(result.design),
            "warnings": list(result.warnings),
        }
    if isinstance(result, InterimResult):
        return asdict(result)
    shared = {
        "method": "pilot",
        "test": result.test,
        **_campaign(result.campaign),
        "pilot": asdict(result.pilot),
        "design": design_document(result.design),
    }
    if isinstance(result, PilotMap):
        shown = ("n", "differences", "power", "wanted", "enough", "warnings")
        return {**{name: getattr(result, name) for name in shown}, **shared}
    names = ("asked", "wanted", "n_wanted", "error", "scale", "difference", "judgements", "budget", "trials")
    return {
        "power": result.power,
        "n": result.n,
        "effect": result.pilot.effect,
        **shared,
        **{name: getattr(result, name) for name in names},
        "curve": [asdict(point) for point in result.curve],
        "alternatives": [asdict(alternative) for alternative in result.alternatives],
        "warnings": list(result.warnings),
    }


def _design(design: CampaignPlan) -> dict[str, Any]:
    names = (
        *("test", "method", "ratio", "paired_correlation", "tie_share", "icc", "looks", "spending"),
        *("document_icc", "document_size", "annotator_icc", "annotator_load", "design_effect"),
    )
    return _campaign(design) | {name: getattr(design, name) for name in names}


def _campaign(campaign: CampaignDesign) -> dict[str, Any]:
    return {
        "alpha": campaign.alpha,
        "alpha_each": campaign.alpha_each,
        "sides": campaign.sides,
        "systems": campaign.systems,
        "comparisons": campaign.tests,
        "correction": campaign.correction,
        "annotators_per_item": campaign.annotators_per_item,
        "controls": campaign.controls,
        "simulations": campaign.simulations,
        "seed": campaign.seed,
    }
