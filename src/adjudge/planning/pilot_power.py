"""Power from a pilot: its segments are drawn again and again, as many as a campaign would have, and tested."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.comparison.scoring import Progress
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.planning.campaign_plan import CampaignDesign, check_n
from adjudge.planning.pilot import PREFERENCE, ROW_TESTS, SCORE_TESTS, Pilot, PilotFacts
from adjudge.stats.design import Design, units_of
from adjudge.stats.distributions import normal_quantile
from adjudge.stats.power import POWER, smallest_n

FEW = 20
"""Units below which a pilot says next to nothing, and a test's distribution is far from normal."""
SIMULATIONS = 2_000
MOST = 100_000_000
CURVE = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Of the n that was asked for."""
DRAWING = "drawing from the pilot"
SCALES = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
"""Of the pilot's difference, in a map."""


@dataclass(frozen=True)
class PowerAtN:
    """The power of one n."""

    n: int
    power: float
    error: float
    """Standard error, from the number of simulations."""


@dataclass(frozen=True)
class TestPower:
    """Another test of the same campaign."""

    __test__ = False

    test: str
    power: float
    n: int | None


@dataclass(frozen=True)
class PilotAnswer:
    """The power of a campaign like the pilot, or the n it needs."""

    campaign: CampaignDesign
    pilot: PilotFacts
    design: Design
    """What was drawn from the pilot, and what n allows for."""
    test: str
    asked: str
    """power or n"""
    n: int
    power: float
    error: float
    wanted: float
    n_wanted: int
    scale: float
    difference: float
    """What the campaign is to find."""
    curve: tuple[PowerAtN, ...]
    alternatives: tuple[TestPower, ...]
    budget: int | None = None
    trials: int | None = None
    warnings: tuple[str, ...] = ()

    @property
    def judgements(self) -> int:
        """N of all systems, control items included."""
        return self.campaign.judgements(self.n)


@dataclass(frozen=True)
class PilotMap:
    """Power for several n and differences."""

    campaign: CampaignDesign
    pilot: PilotFacts
    design: Design
    """What was drawn from the pilot, and what n allows for."""
    test: str
    n: tuple[int, ...]
    differences: tuple[float, ...]
    power: tuple[tuple[float, ...], ...]
    wanted: float
    enough: tuple[int | None, ...]
    warnings: tuple[str, ...] = ()


def power_from_pilot(
    pilot: Pilot,
    campaign: CampaignDesign,
    *,
    test: str | None = None,
    n: int | None = None,
    power: float | None = None,
    budget: int | None = None,
    scale: float | None = None,
    difference: float | None = None,
    trials: int | None = None,
    progress: Progress | None = None,
) -> PilotAnswer:
    """The power that n segments (or a budget of judgements) would have, or else the n of the wanted power."""
    wanted = POWER if power is None else power
    campaign.check_wanted(wanted)
    test = _test(pilot, test, campaign)
    scale = _scale(pilot, scale, difference)
    asked_n = _asked_n(pilot, campaign, n, budget)
    tick = progress or _no_progress
    tick(DRAWING, 0, len(CURVE) + 2)
    needed = _n_for(pilot, campaign, test, scale, wanted)
    n = needed if asked_n is None else asked_n
    curve = []
    for step, share in enumerate(CURVE):
        tick(DRAWING, step + 1, len(CURVE) + 2)
        curve.append(_point(pilot, campaign, test, scale, max(2, round(share * n))))
    here = next(point for point in curve if point.n == n)
    tick(DRAWING, len(CURVE) + 1, len(CURVE) + 2)
    others = _other_tests(pilot, campaign, test, scale, n, wanted) if trials is None else ()
    return PilotAnswer(
        campaign=campaign,
        pilot=pilot.facts,
        design=pilot.design,
        test=test,
        asked="n" if asked_n is None else "power",
        n=n,
        power=here.power,
        error=here.error,
        wanted=wanted,
        n_wanted=needed,
        scale=scale,
        difference=pilot.difference_at(scale),
        curve=tuple(dict.fromkeys(curve)),
        alternatives=others,
        budget=budget,
        trials=trials,
        warnings=_warnings(pilot, n, scale),
    )


def map_power_from_pilot(
    pilot: Pilot,
    campaign: CampaignDesign,
    *,
    test: str | None = None,
    n: Sequence[int] = (),
    power: float | None = None,
    scales: Sequence[float] = SCALES,
    progress: Progress | None = None,
) -> PilotMap:
    """The power of every n with several differences: multiples of the pilot's."""
    wanted = POWER if power is None else power
    campaign.check_wanted(wanted)
    test = _test(pilot, test, campaign)
    _scale(pilot, 1.0, None)
    tick = progress or _no_progress
    enough = []
    for step, scale in enumerate(scales):
        tick("looking for what is enough", step, len(scales))
        enough.append(_n_for(pilot, campaign, test, scale, wanted))
    if not n:
        middle = _n_for(pilot, campaign, test, 1.0, wanted)
        n = sorted({max(2, round(share * middle)) for share in (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)})
    rows = []
    for step, size in enumerate(n):
        check_n(size)
        tick(DRAWING, step, len(n))
        rows.append(tuple(_point(pilot, campaign, test, scale, size).power for scale in scales))
    return PilotMap(
        campaign=campaign,
        pilot=pilot.facts,
        design=pilot.design,
        test=test,
        n=tuple(n),
        differences=tuple(pilot.difference_at(scale) for scale in scales),
        power=tuple(rows),
        wanted=wanted,
        enough=tuple(enough),
        warnings=_warnings(pilot, min(n), 1.0),
    )


def _asked_n(pilot: Pilot, campaign: CampaignDesign, n: int | None, budget: int | None) -> int | None:
    """The n that was asked about, by itself or by a budget; None where n is the question."""
    if budget is not None:
        if n is not None:
            raise UsageError("n and a budget: give one of them, for the budget says what n is")
        if pilot.facts.label == PREFERENCE:
            raise UsageError("a budget of preferences, each of which is of two systems, is n itself: --n")
        n = campaign.n_for_budget(budget)
    if n is not None:
        check_n(n)
    return n


def _other_tests(
    pilot: Pilot, campaign: CampaignDesign, test: str, scale: float, n: int, wanted: float
) -> tuple[TestPower, ...]:
    """What other tests of the same campaign would do."""
    return tuple(
        TestPower(
            other,
            _point(pilot, campaign, other, scale, n).power,
            _n_for(pilot, campaign, other, scale, wanted),
        )
        for other in pilot.tests
        if other != test and not (campaign.one_sided and other in ROW_TESTS)
    )


def _test(pilot: Pilot, test: str | None, campaign: CampaignDesign) -> str:
    if pilot.facts.units < 2:
        raise DataError(
            "a pilot of one tells nothing of how much segments differ, on which all power rests; take some 20 or more"
        )
    test = pilot.tests[0] if test is None else test
    if test not in pilot.tests:
        known = (*pilot.tests, *(t for t in SCORE_TESTS if t not in pilot.tests))
        if test not in known:
            raise unknown_name("test", test, pilot.tests)
        raise UsageError(f"the {test} test cannot be made with this pilot, but {', '.join(pilot.tests)} can")
    if campaign.one_sided and test in ROW_TESTS:
        raise UsageError(f"one-sided: the {test} test of adjudge is two-sided")
    return test


def _scale(pilot: Pilot, scale: float | None, difference: float | None) -> float:
    if scale is not None and difference is not None:
        raise UsageError("a scale and a difference: give one of them")
    observed = pilot.difference_at(1.0)
    if not math.isfinite(pilot.deviation) or pilot.deviation <= 0:
        raise DataError(
            f"{pilot.facts.a} and {pilot.facts.b} differ by the same on every {pilot.facts.unit}: nothing can be drawn "
            "from such a pilot"
        )
    if abs(observed) < 1e-9 * pilot.deviation:
        raise DataError(
            f"{pilot.facts.a} and {pilot.facts.b} score the same in this pilot: it has no difference to be found again"
        )
    if difference is None:
        scale = 1.0 if scale is None else scale
    elif difference == 0:
        scale = 0.0
    else:
        from scipy.optimize import brentq  # late: commands that need none of it start faster

        # In proportion for means; other scores bend a little.
        guess = abs(difference / observed)
        sign = 1 if observed > 0 else -1
        try:
            scale = float(
                brentq(
                    lambda s: sign * pilot.difference_at(s) - abs(difference), 0.0, 4 * guess + 1, xtol=1e-10
                )
            )
        except ValueError:
            raise UsageError(
                f"difference {difference:g}: out of reach; the pilot's is {observed:.{pilot.facts.decimals}f}"
            ) from None
    if not 0 < scale < 1000:
        raise UsageError(
            f"scale {scale:g}: must be more than 0 (no difference is never found), and less than 1000"
        )
    return scale


def _point(pilot: Pilot, campaign: CampaignDesign, test: str, scale: float, n: int) -> PowerAtN:
    simulation = pilot.simulate[test](
        pilot.effective(n),
        scale=scale,
        alpha=campaign.alpha_each,
        sides=campaign.sides,
        simulations=campaign.simulations,
        seed=campaign.seed,
    )
    return PowerAtN(n, simulation.power, simulation.error)


def _n_for(pilot: Pilot, campaign: CampaignDesign, test: str, scale: float, wanted: float) -> int:
    """The n of the wanted power: how far a test reaches beyond its limit grows with the root of n."""
    limit = -float(normal_quantile(campaign.alpha_each / campaign.sides))
    goal = limit + float(normal_quantile(wanted))
    reach = abs(pilot.difference_at(scale)) / pilot.deviation / math.sqrt(pilot.facts.units)
    n = min(MOST, max(2, round(pilot.variance * (goal / reach) ** 2)))
    half = 0.5 / campaign.simulations
    for _ in range(4):
        power = _point(pilot, campaign, test, scale, n).power
        seen = limit + float(normal_quantile(min(1 - half, max(half, power))))
        change = min(4.0, max(0.25, (goal / seen) ** 2 if seen > 0 else 4.0))
        if n >= MOST and change > 1:
            raise UsageError(
                f"more than {MOST:,} would be needed: plan for a larger difference, or less power"
            )
        before, n = n, min(MOST, max(2, round(n * change)))
        if abs(math.log(change)) < 0.05 or n == before:
            break
    # The root is no more than a guide, least of all where few segments differ; a hundredth more or less is chance.
    step = max(1, n // 100)
    return step * smallest_n(
        lambda k: _point(pilot, campaign, test, scale, k * step).power, wanted, about=max(2, n // step)
    )


def _warnings(pilot: Pilot, n: int, scale: float) -> tuple[str, ...]:
    facts = pilot.facts
    warnings = []
    if facts.units < FEW:
        warnings.append(
            f"{facts.units} {units_of(facts.unit)} are too small a pilot to tell how they differ; take more"
        )
    if n < FEW:
        warnings.append(
            f"n {n}: with so few the test's distribution is far from normal, and this is a rough guess"
        )
    if scale == 1.0 and facts.low <= 0 <= facts.high:
        warnings.append(
            f"the pilot's own difference lies between {facts.low:.{facts.decimals}f} and "
            f"{facts.high:.{facts.decimals}f}, so it may be none: plan for the smallest one that would matter "
            "(--difference)"
        )
    return tuple(warnings)


def _no_progress(doing: str, done: int, steps: int) -> None:
    """No-op progress callback."""
