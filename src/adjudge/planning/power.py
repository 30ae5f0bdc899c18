"""How many judgements are enough: power, n or effect from the other two, what a budget buys, and tables of many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudge.errors import UsageError
from adjudge.planning.campaign_plan import CampaignPlan, check_n
from adjudge.planning.interim import SequentialPlan, sequential_plan
from adjudge.stats.power import POWER
from adjudge.stats.tests.systems import PAIRED

FEW = 10
"""Translations below which a normal distribution is far from what the tests do."""
MAP_N = (55, 100, 200, 385, 500, 1000, 1500, 3000)
MAP_EFFECTS = (0.40, 0.41, 0.42, 0.43, 0.44, 0.45, 0.46, 0.47, 0.48, 0.49)


@dataclass(frozen=True)
class Alternative:
    """A campaign with another test."""

    test: str
    correlation: float
    power: float
    n: int | None
    """For the wanted power."""


@dataclass(frozen=True)
class PowerAnswer:
    """Power, n and effect, of which one was asked for."""

    design: CampaignPlan
    asked: str
    """power, n or effect"""
    n: int
    effect: float
    power: float
    wanted: float
    n_wanted: int | None
    """For the wanted power; None where there is no effect to find."""
    budget: Budget | None = None
    plan: SequentialPlan | None = None
    alternatives: tuple[Alternative, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def judgements(self) -> int:
        """N of all systems, control items included."""
        return self.design.judgements(self.n)

    @property
    def error(self) -> float | None:
        """The standard error of a simulated power."""
        if self.design.method != "simulation":
            return None
        return math.sqrt(self.power * (1 - self.power) / self.design.simulations)


@dataclass(frozen=True)
class Budget:
    """What so many judgements buy."""

    judgements: int
    n: int
    """Distinct translations a system."""
    spare: int
    """Judgements that are left over."""
    alone: PowerAnswer | None = None
    """What the budget gives with every translation judged once, where it was to be judged more often."""


@dataclass(frozen=True)
class PowerMap:
    """Power for several n and effects."""

    design: CampaignPlan
    n: tuple[int, ...]
    effects: tuple[float, ...]
    power: tuple[tuple[float, ...], ...]
    """A row for each n."""
    wanted: float
    enough: tuple[int | None, ...]
    """The n that each effect needs for the wanted power."""
    warnings: tuple[str, ...] = ()


def power_for(
    design: CampaignPlan | None = None,
    *,
    n: int | None = None,
    effect: float | None = None,
    power: float | None = None,
    budget: int | None = None,
) -> PowerAnswer:
    """The third of n, effect and power, two of which are given; without a power, 0.8 is what is wanted.

    With n and effect the power is asked for, and the wanted one is only what the answer is measured by. A budget of
    judgements stands for n.
    """
    design = design or CampaignPlan()
    wanted = POWER if power is None else power
    design.check_wanted(wanted)
    bought = None
    if budget is not None:
        if n is not None:
            raise UsageError("n and a budget: give one of them, for the budget says what n is")
        bought = spend_budget(design, budget, effect, wanted)
        n = bought.n
    if effect is None and n is None:
        raise UsageError("give two of --n (or --budget), --effect and --power; or --map for a table of many")
    if n is not None:
        check_n(n)
    asked = "effect" if effect is None else "n" if n is None else "power"
    if effect is None:
        assert n is not None
        effect = design.effect(wanted, n)
    design.check_effect(effect)
    needed = None if abs(effect - 0.5) < 1e-9 and asked == "power" else design.n(wanted, effect)
    if n is None:
        assert needed is not None
        n = needed
    return PowerAnswer(
        design=design,
        asked=asked,
        n=n,
        effect=effect,
        power=design.power(n, effect),
        wanted=wanted,
        n_wanted=needed,
        budget=bought,
        plan=sequential_plan(design, n, effect) if design.several_looks else None,
        alternatives=_alternatives(design, n, effect, wanted, needed),
        warnings=_warnings(design, n, effect),
    )


def map_power(
    design: CampaignPlan,
    n: Sequence[int] = MAP_N,
    effects: Sequence[float] = MAP_EFFECTS,
    wanted: float = POWER,
) -> PowerMap:
    """The power of every n with every effect."""
    design.check_wanted(wanted)
    rows = tuple(tuple(design.power(size, effect) for effect in effects) for size in n)
    enough = tuple(None if abs(effect - 0.5) < 1e-9 else design.n(wanted, effect) for effect in effects)
    return PowerMap(design, tuple(n), tuple(effects), rows, wanted, enough, _warnings(design, min(n), None))


def spend_budget(design: CampaignPlan, judgements: int, effect: float | None, wanted: float) -> Budget:
    """How many distinct translations a budget buys, and what it would be worth without judging any twice."""
    n = design.n_for_budget(judgements)
    alone = None
    if design.annotators_per_item > 1:
        once = replace(design, annotators_per_item=1, icc=None)
        alone = power_for(once, effect=effect, power=wanted, budget=judgements)
    return Budget(judgements, n, judgements - design.judgements(n), alone)


def _alternatives(
    design: CampaignPlan, n: int, effect: float, wanted: float, needed: int | None
) -> tuple[Alternative, ...]:
    """What pairing is worth, where it was not asked for: both tests side by side."""
    if design.paired or design.ratio != 1 or needed is None:
        return ()
    alternatives = []
    method = "" if design.method == "simulation" else design.method
    for correlation in (0.0, 0.25, 0.5):
        if design.icc is None or correlation <= design.icc:
            other = replace(design, test=PAIRED, method=method, paired_correlation=correlation)
            alternatives.append(
                Alternative(PAIRED, correlation, other.power(n, effect), other.n(wanted, effect))
            )
    return tuple(alternatives)


def _warnings(design: CampaignPlan, n: int, effect: float | None) -> tuple[str, ...]:
    warnings = []
    if n < FEW and design.method != "exact":
        warnings.append(
            f"n {n}: with fewer than {FEW} translations a system the test's distribution is far from normal, and this "
            "power is a rough guess"
        )
    if effect is not None and abs(effect - 0.5) < 1e-9:
        warnings.append(
            "effect 0.5 is no difference: what is found there is found by chance, with power alpha"
        )
    return tuple(warnings)
