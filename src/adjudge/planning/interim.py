"""Looks at a campaign before all judgements are in: the plan, and what to do after one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.errors import UsageError
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.stats import sequential
from adjudge.stats.distributions import normal_cdf, normal_quantile
from adjudge.stats.power import POWER


@dataclass(frozen=True)
class InterimLook:
    """One look at the results."""

    look: int
    n: int
    fraction: float
    z: float
    p: float
    spent: float
    null: float
    """The chance of ending the campaign here, if there is no difference."""
    alternative: float | None
    """The chance of ending the campaign here with the planned effect; None where none was given."""


@dataclass(frozen=True)
class SequentialPlan:
    """A campaign with looks on the way."""

    stages: tuple[InterimLook, ...]
    power: float | None
    expected: float | None
    """Translations a system, on average, with the effect."""
    expected_null: float


@dataclass(frozen=True)
class CampaignExtension:
    """How far to go, and what the one test at the end must then show."""

    n: int
    z: float
    p: float


@dataclass(frozen=True)
class InterimResult:
    """What a look says, and what to do next."""

    look: int
    looks: int
    n: int
    """Translations a system that are in."""
    planned_n: int
    z: float
    p: float
    limit: float
    """The z that ends the campaign at this look."""
    limit_p: float
    verdict: str
    """stop (significant), go on (as planned), plan more (the plan is too short) or end (all is in, nothing found)"""
    wanted: float
    chance: float | None
    """Of success as planned from here on, if the planned effect is true."""
    trend: float | None
    """The chance of success if the campaign goes on as it did so far."""
    more: CampaignExtension | None
    """For the wanted chance, if the planned effect is true."""
    more_trend: CampaignExtension | None


def sequential_plan(design: CampaignPlan, n: int, effect: float | None = None) -> SequentialPlan:
    """What to look at when, and how likely the campaign is to end there."""
    limits = design.limits
    null = sequential.crossings(limits)
    crossings = None if effect is None else sequential.crossings(limits, design.drift(n, effect))
    counts = [max(1, round(fraction * n)) for fraction in limits.fractions]
    stages = tuple(
        InterimLook(
            look=k + 1,
            n=counts[k],
            fraction=limits.fractions[k],
            z=limits.z[k],
            p=limits.p[k],
            spent=limits.spent[k],
            null=null.each[k],
            alternative=None if crossings is None else crossings.each[k],
        )
        for k in range(len(counts))
    )
    return SequentialPlan(
        stages=stages,
        power=None if crossings is None else crossings.total,
        expected=None if crossings is None else _expected_translations(counts, crossings.each),
        expected_null=_expected_translations(counts, null.each),
    )


def _expected_translations(counts: Sequence[int], each: Sequence[float]) -> float:
    """Translations a system on average: who does not end before goes to the end."""
    early = sum(n * chance for n, chance in zip(counts[:-1], each[:-1], strict=True))
    return early + counts[-1] * (1 - sum(each[:-1]))


def interim_result(
    design: CampaignPlan,
    n: int,
    look: int,
    *,
    z: float | None = None,
    p: float | None = None,
    effect: float | None = None,
    wanted: float = POWER,
) -> InterimResult:
    """Whether to stop after a look (from 1), where its test gave z (positive: as planned) or p."""
    limits = design.limits
    looks = len(limits.z)
    if not 1 <= look <= looks:
        raise UsageError(f"look {look}: the plan has {looks}, counted from 1")
    z = _observed_effect(z, p, design.sides)
    share = limits.fractions[look - 1]
    crossed = (z if design.one_sided else abs(z)) >= limits.z[look - 1]
    chance = trend = more = more_trend = None
    if not crossed and look < looks:
        rate = None if effect is None else design.drift(n, effect) / math.sqrt(n)
        going = z / math.sqrt(share * n)
        trend = _success(limits, look, z, going * math.sqrt(n))
        if rate is not None:
            chance = _success(limits, look, z, rate * math.sqrt(n))
            more = _more(design, n, look, z, rate, wanted)
        more_trend = _more(design, n, look, z, going, wanted)
    deciding = chance if chance is not None else trend
    if crossed:
        verdict = "stop"
    elif deciding is None:
        verdict = "end"
    else:
        verdict = "go on" if deciding >= wanted else "plan more"
    return InterimResult(
        look=look,
        looks=looks,
        n=max(1, round(share * n)),
        planned_n=n,
        z=z,
        p=_p_of(z, design.sides),
        limit=limits.z[look - 1],
        limit_p=limits.p[look - 1],
        verdict=verdict,
        wanted=wanted,
        chance=chance,
        trend=trend,
        more=more,
        more_trend=more_trend,
    )


def _observed_effect(z: float | None, p: float | None, sides: int) -> float:
    if (z is None) == (p is None):
        raise UsageError("a look's result is its test's --p or its --z: give one of them")
    if z is not None:
        if not math.isfinite(z):
            raise UsageError(f"z {z:g}: must be a finite number")
        return z
    assert p is not None
    if not 0 < p <= 1:
        raise UsageError(f"p {p:g}: must lie between 0 and 1; a smaller one than can be told is --z")
    return -float(normal_quantile(p / sides))


def _p_of(z: float, sides: int) -> float:
    return float(normal_cdf(-z)) if sides == 1 else float(2 * normal_cdf(-abs(z)))


def _success(limits: sequential.Boundaries, look: int, z: float, drift: float) -> float:
    return sum(sequential.crossings_from(limits, look, z, drift).upper)


def _more(
    design: CampaignPlan, n: int, look: int, z: float, rate: float, wanted: float
) -> CampaignExtension | None:
    extension = sequential.extend_plan(design.limits, look, z, n, rate, wanted)
    return (
        None
        if extension is None
        else CampaignExtension(extension.n, extension.z, _p_of(extension.z, design.sides))
    )
