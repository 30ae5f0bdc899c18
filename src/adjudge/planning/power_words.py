"""Power in sentences: the answer, what it rests on, what to beware of."""

from __future__ import annotations

import math
from typing import TypeAlias

from adjudge.display import visible
from adjudge.planning.campaign_plan import CampaignDesign, CampaignPlan
from adjudge.planning.interim import CampaignExtension, InterimResult
from adjudge.planning.pilot import PREFERENCE
from adjudge.planning.pilot_power import PilotAnswer, PilotMap
from adjudge.planning.power import PowerAnswer, PowerMap
from adjudge.stats.tests.planned import PlannedTest, planned_tests
from adjudge.stats.tests.systems.base import SystemTest, system_test
from adjudge.wording import digits, number, p_text, pluralise, with_sign

Result: TypeAlias = PowerAnswer | PowerMap | InterimResult | PilotAnswer | PilotMap

DECIMALS = 3
METHODS = {
    "shieh": "power by Shieh's formula (normal scores, one system's shifted)",
    "noether": "power by Noether's formula",
    "exact": "exact power",
}


def verdict(result: Result) -> str:
    """The answer in a sentence."""
    if isinstance(result, InterimResult):
        return _look_verdict(result)
    if isinstance(result, PowerMap):
        return "Power for n distinct translations a system"
    if isinstance(result, PilotMap):
        return f"Power for n {_unit(result)}s like the pilot's: {_who(result)}"
    share = f"{100 * result.power:.0f}" if 0.005 <= result.power < 0.995 else f"{100 * result.power:.3g}"
    campaigns = f"of 100 such campaigns {share} would find the difference"
    units = "translations a system"
    if isinstance(result, PilotAnswer) and _test(result.test).paired:
        units = f"{_unit(result)}s"
    if result.asked == "power":
        enough = ""
        if result.n_wanted is not None and result.power < result.wanted:
            enough = f"; a power of {result.wanted:g} takes n = {result.n_wanted:,}"
        return f"Power {number(result.power, DECIMALS)}: {campaigns}{enough}."
    if result.asked == "n":
        return f"n = {result.n:,} {units}: {campaigns} (power {number(result.power, DECIMALS)})."
    effect = result.effect if isinstance(result, PowerAnswer) else result.pilot.effect
    return f"Effect {number(effect, DECIMALS)}, or one further from 0.5: {campaigns}."


def _look_verdict(look: InterimResult) -> str:
    p = p_text(look.p, look.limit_p)
    where = f"look {look.look} of {look.looks}"
    if look.verdict == "stop":
        return f"Stop: {where} is significant ({p}, less than {look.limit_p:.3g})."
    short = f"{where} is not significant ({p}, not below {look.limit_p:.3g})"
    if look.verdict == "end":
        return f"The end: {short}, and no alpha is left for another one."
    return f"{'Go on' if look.verdict == 'go on' else 'Plan more, or stop'}: {short}."


def notes(result: Result) -> list[str]:
    """What an answer rests on, and what to think of it."""
    if isinstance(result, InterimResult):
        return _look_notes(result)
    if isinstance(result, PowerMap):
        return [_tested(result.design), *_of_n(result.design)]
    if isinstance(result, PilotMap):
        return [_seen(result), _piloted(result), *_allowance(result)]
    if isinstance(result, PilotAnswer):
        aim = f"difference to be found: {with_sign(result.difference, _places(result))}"
        if result.scale != 1:
            aim += f", {result.scale:.3g} times the pilot's"
        return [_seen(result), aim, *_counts(result), _piloted(result), *_allowance(result)]
    return [*_counts(result), _effect(result), _tested(result.design), *_of_n(result.design)]


def warnings(result: Result) -> tuple[str, ...]:
    """What to beware of."""
    return () if isinstance(result, InterimResult) else result.warnings


def _counts(result: PowerAnswer | PilotAnswer) -> list[str]:
    """Both n and N, which are never told one without the other, and the budget."""
    if isinstance(result, PilotAnswer):
        if result.pilot.label == PREFERENCE or not (result.pilot.judgements or result.budget):
            return []
        budget = [f"budget {pluralise(result.budget, 'judgement')}"] if result.budget else []
        return [_n_and_judgements(result.campaign, result.n), *budget]
    lines = [_n_and_judgements(result.design, result.n)]
    if result.budget is None:
        return lines
    lines.append(
        f"budget {pluralise(result.budget.judgements, 'judgement')}, {result.budget.spare:,} left over"
    )
    if (alone := result.budget.alone) is not None:
        name, value = ("power", alone.power) if result.asked == "power" else ("effect", alone.effect)
        lines.append(
            f"the same budget with every translation judged once: n {alone.n:,}, {name} {number(value, DECIMALS)}; "
            "distinct translations count, not judgements of the same one"
        )
    return lines


def _n_and_judgements(campaign: CampaignDesign, n: int) -> str:
    second = ""
    if isinstance(campaign, CampaignPlan) and campaign.ratio != 1:
        second = f" ({campaign.second(n):,} of the second)"
    each = f", {campaign.annotators_per_item} of each translation" if campaign.annotators_per_item > 1 else ""
    controls = f", {100 * campaign.controls:g} % of them control items" if campaign.controls else ""
    return (
        f"n {n:,} distinct translations a system{second}; "
        f"N {pluralise(campaign.judgements(n), 'judgement')} of {campaign.systems} systems{each}{controls}"
    )


def _effect(result: PowerAnswer) -> str:
    worse = min(result.effect, 1 - result.effect)
    sentence = f"effect {result.effect:.4g}: of two translations, one of each system, "
    if abs(result.effect - 0.5) < 1e-9:
        return sentence + "either is better half the time"
    return sentence + f"the worse system's is better in {100 * worse:.3g} of 100 cases"


def _tested(design: CampaignPlan) -> str:
    sides = "one-sided" if design.one_sided else "two-sided"
    method = METHODS.get(design.method, "")
    if design.method == "simulation":
        method = f"power from {design.simulations:,} simulations with normal scores, seed {design.seed}"
    pairing = "unpaired"
    if design.paired:
        pairing = "paired: both systems on the same segments"
        pairing += (
            f", whose scores correlate {design.paired_correlation:g}" if design.paired_correlation else ""
        )
    ties = f", {100 * design.tie_share:g} % ties" if design.tie_share else ""
    return f"{test_title(design.test)} ({pairing}), {sides}{ties}; {level_of(design)}; {method}"


def _test(name: str) -> SystemTest | PlannedTest:
    known: dict[str, SystemTest | PlannedTest] = {**planned_tests()}
    return known.get(name) or system_test(name)


def test_title(name: str) -> str:
    """What a test is called in a sentence."""
    return _test(name).title


def level_of(campaign: CampaignDesign) -> str:
    """What p-values are held against."""
    level = f"alpha {campaign.alpha:g}"
    if campaign.tests == 1:
        return level
    if campaign.correction == "none":
        return f"{level} for each of {pluralise(campaign.tests, 'pair')}, uncorrected"
    return f"{level} for {pluralise(campaign.tests, 'pair')}: the hardest must reach {campaign.alpha_each:.3g} (Holm)"


def _of_n(design: CampaignPlan) -> list[str]:
    """What several judgements of one translation are worth, and translations that hang together."""
    together = []
    if design.design_effect > 1:
        parts = [
            f"{size:g} translations of one {what} correlate {icc:g}"
            for what, icc, size in (
                ("document", design.document_icc, design.document_size),
                ("annotator", design.annotator_icc, design.annotator_load),
            )
            if icc
        ]
        together = [
            f"{'; '.join(parts)}: {design.design_effect:.3g} of them are worth one by itself (the design effect), in "
            "tests that draw whole documents or annotators (--unit), as they must"
        ]
    if design.annotators_per_item == 1:
        return together
    if design.icc is None:
        return [
            *together,
            "more judgements of one translation are taken to add nothing; --icc, the share of variance that lies "
            "between translations, says how much they do",
        ]
    worth = 1 / design.variance
    return [
        *together,
        f"icc {design.icc:g}: {design.annotators_per_item} judgements of one translation are worth {worth:.3g} "
        "translations judged once; the effect is that of single judgements",
    ]


def _who(result: PilotAnswer | PilotMap) -> str:
    return visible(f"{result.pilot.a} and {result.pilot.b} by {result.pilot.label}")


def _unit(result: PilotAnswer | PilotMap) -> str:
    return result.pilot.unit


def _places(result: PilotAnswer | PilotMap) -> int:
    pilot = result.pilot
    return digits([pilot.difference, pilot.low, pilot.high], pilot.decimals)


def _seen(result: PilotAnswer | PilotMap) -> str:
    pilot, places = result.pilot, _places(result)
    more = [f"effect {number(pilot.effect, DECIMALS)}"]
    if not math.isnan(pilot.correlation):
        more.append(f"correlation {number(pilot.correlation, 2)}")
    if not math.isnan(pilot.icc):
        more.append(f"icc {number(pilot.icc, 2)}")
    judged = f" ({pluralise(pilot.judgements, 'judgement')})" if pilot.judgements else ""
    return (
        f"pilot: {_who(result)} on {pluralise(pilot.units, pilot.unit)}{judged}: {with_sign(pilot.difference, places)} "
        f"[{with_sign(pilot.low, places)}, {with_sign(pilot.high, places)}], {', '.join(more)}"
    )


def _piloted(result: PilotAnswer | PilotMap) -> str:
    campaign = result.campaign
    sides = "one-sided" if campaign.one_sided else "two-sided"
    trials = getattr(result, "trials", None)
    how = f", {pluralise(trials, 'trial')} each" if trials is not None else ""
    return (
        f"{test_title(result.test)}, {sides}; {level_of(campaign)}; {campaign.simulations:,} campaigns drawn from the "
        f"pilot{how}, seed {campaign.seed}"
    )


def _allowance(result: PilotAnswer | PilotMap) -> list[str]:
    """What is drawn from the pilot and why, and what n allows for."""
    return [result.design.reason] if result.design.reason else []


def _look_notes(look: InterimResult) -> list[str]:
    lines = [
        f"n {look.n:,} of {look.planned_n:,} translations a system are in; z {look.z:.3f}, limit {look.limit:.3f}"
    ]
    chances = []
    if look.chance is not None:
        chances.append(f"{number(look.chance, 2)} if the planned effect is true")
    if look.trend is not None:
        chances.append(f"{number(look.trend, 2)} if it goes on as it did so far")
    if chances:
        lines.append(f"chance of a finding as planned: {', '.join(chances)}")
    if look.verdict == "plan more":
        if look.more is not None:
            lines.append(_extension(look, look.more, "if the planned effect is true"))
        if look.more_trend is not None:
            lines.append(_extension(look, look.more_trend, "if it goes on as it did so far"))
        lines.append("such a plan has one test when all is in and no look before it, so that alpha is kept")
    return lines


def _extension(look: InterimResult, more: CampaignExtension, when: str) -> str:
    return (
        f"for a chance of {look.wanted:g}, {when}: n {more.n:,} a system in all, significant if z of all of them is "
        f"{more.z:.3f} or more (p {more.p:.3g} or less)"
    )
