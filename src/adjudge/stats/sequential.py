"""Looking at results before all judgements are in, without finding what is not there (group-sequential tests).

Each look spends a part of alpha, by a function of the share of judgements that are in (Lan and DeMets 1983), so looks
may come when they come. What is left of the chances after each look is integrated numerically (Armitage, McPherson
and Rowe 1969). The statistic is a Brownian motion: at the share t of all judgements its value is z · √t, with mean
drift · t, where the drift is the z to be expected when all judgements are in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.distributions import normal_cdf, normal_quantile
from adjudge.stats.power import MOST, smallest_n

Floats = NDArray[np.float64]

SPENDINGS = ("obrien-fleming", "pocock")
NODES = 12
"""Points of Gauss-Legendre quadrature in each stretch of one standard deviation."""
FAR = 9.0
"""Standard deviations beyond which a normal variable does not come to lie."""
MOST_LOOKS = 100
CLOSEST = 0.005
"""Looks nearer to each other, beside what is in, cannot be told apart."""
NEVER = 1e-250
"""What is less than this is not spent at all."""


@dataclass(frozen=True)
class Boundaries:
    """How far the statistic must go at each look to end the campaign."""

    fractions: tuple[float, ...]
    """The share of all judgements that are in."""
    z: tuple[float, ...]
    """Significant from here on, in either direction if there are two sides."""
    spent: tuple[float, ...]
    """Of alpha, up to and with each look."""
    alpha: float
    sides: int
    spending: str

    @property
    def p(self) -> tuple[float, ...]:
        """The p-value below which a look's own test ends the campaign."""
        return tuple(float(self.sides * normal_cdf(-z)) for z in self.z)


@dataclass(frozen=True)
class Crossings:
    """The chance of leaving at each look, and in which direction."""

    upper: tuple[float, ...]
    lower: tuple[float, ...]

    @property
    def each(self) -> tuple[float, ...]:
        """In either direction."""
        return tuple(up + low for up, low in zip(self.upper, self.lower, strict=True))

    @property
    def total(self) -> float:
        """The chance of leaving at all: alpha without a drift, the power with one."""
        return sum(self.each)


def spent_alpha(fraction: float, alpha: float, sides: int = 2, spending: str = "obrien-fleming") -> float:
    """How much of alpha may be spent up to a share of all judgements; each side spends its own half."""
    if spending not in SPENDINGS:
        raise unknown_name("spending of alpha", spending, SPENDINGS)
    tail = alpha / sides
    if fraction >= 1:
        return alpha
    if spending == "pocock":
        return float(sides * tail * math.log1p((math.e - 1) * fraction))
    return float(sides * 2 * normal_cdf(normal_quantile(tail / 2) / math.sqrt(fraction)))


def boundaries(
    fractions: Sequence[float], alpha: float = 0.05, *, sides: int = 2, spending: str = "obrien-fleming"
) -> Boundaries:
    """The limits at looks after these shares of all judgements, of which the last is 1."""
    shares = tuple(map(float, fractions))
    _check_fractions(shares)
    return _boundaries(shares, alpha, sides, spending)


def crossings(limits: Boundaries, drift: float = 0.0) -> Crossings:
    """The chances of ending the campaign at each look, if the drift is this."""
    return _walk(limits, drift, 0.0, 0.0, 0)


def crossings_from(limits: Boundaries, look: int, z: float, drift: float = 0.0) -> Crossings:
    """The chances of ending at each look that is left, after z at a look (from 1) did not end the campaign."""
    at = limits.fractions[look - 1]
    return _walk(limits, drift, at, z * math.sqrt(at), look)


@dataclass(frozen=True)
class Extension:
    """More judgements than were planned, with one test when all of them are in."""

    n: int
    """Translations a system in the end."""
    z: float
    """Of all of them: significant from here on, in the planned direction."""


def extend_plan(
    limits: Boundaries, look: int, z: float, n: int, rate: float, wanted: float
) -> Extension | None:
    """How far to go for the wanted chance of success, after z was seen at a look of a plan for n translations.

    The new test spends, in the planned direction, what the plan would have spent from here on, so alpha is kept
    whatever was seen (Müller and Schäfer 2001); nor is anything significant that were not so without looks. `rate` is
    the expected z after one translation, which grows with the root of their number; None where it does not lead to
    the goal.
    """
    left = sum(crossings_from(limits, look, z).upper)
    so_far = limits.fractions[look - 1] * n
    if rate <= 0 or not 0 < left < 1:
        return None
    least, without_looks = -float(normal_quantile(left)), -float(normal_quantile(limits.alpha / limits.sides))

    def limit(more: float) -> float:
        """What the z of the further judgements alone must reach."""
        together = without_looks * math.sqrt(so_far + more) - z * math.sqrt(so_far)
        return max(least, together / math.sqrt(more))

    def chance(total: int) -> float:
        more = total - so_far
        return float(normal_cdf(rate * math.sqrt(more) - limit(more))) if more > 0 else 0.0

    about = so_far + (max(0.0, least + float(normal_quantile(wanted))) / rate) ** 2
    if about > MOST:
        return None
    total = smallest_n(chance, wanted, about=math.ceil(about))
    more = total - so_far
    return Extension(total, (z * math.sqrt(so_far) + limit(more) * math.sqrt(more)) / math.sqrt(total))


def _check_fractions(shares: tuple[float, ...]) -> None:
    if not 1 <= len(shares) <= MOST_LOOKS:
        raise UsageError(f"{len(shares)} looks: must be from 1 to {MOST_LOOKS}")
    ordered = all(0 < a < b for a, b in pairwise((0.5 * shares[0], *shares)))
    if not ordered or not math.isclose(shares[-1], 1.0):
        raise UsageError(
            f"looks after {', '.join(f'{share:g}' for share in shares)} of all judgements: each must come after the "
            "one before, and the last when all are in (1)"
        )
    for a, b in pairwise(shares):
        if b - a < CLOSEST * b:
            raise UsageError(f"looks after {a:g} and {b:g} of all judgements: so close they are one look")


@lru_cache(maxsize=64)
def _boundaries(shares: tuple[float, ...], alpha: float, sides: int, spending: str) -> Boundaries:
    spent = [spent_alpha(share, alpha, sides, spending) for share in shares]
    limits: list[float] = []
    nodes, mass, before = np.zeros(1), np.ones(1), 0.0
    for k, share in enumerate(shares):
        step = math.sqrt(share - before)
        limits.append(_limit(nodes, mass, step, spent[k] - (spent[k - 1] if k else 0.0), sides))
        if k + 1 < len(shares):
            low, high = _inside(limits[-1], sides, 0.0, math.sqrt(share))
            nodes, mass = _step(nodes, mass, 0.0, step, math.sqrt(shares[k + 1] - share), low, high)
        before = share
    z = tuple(limit / math.sqrt(share) for limit, share in zip(limits, shares, strict=True))
    return Boundaries(shares, z, tuple(spent), alpha, sides, spending)


def _limit(nodes: Floats, mass: Floats, step: float, wanted: float, sides: int) -> float:
    """Where the chance of lying beyond, at one end or both, is what is wanted."""
    if wanted < NEVER:
        return math.inf
    if len(nodes) == 1:  # the first look, whose distribution is known
        return float(nodes[0] - step * normal_quantile(wanted / sides))
    from scipy.optimize import brentq  # late: commands that need none of it start faster

    def beyond(limit: float) -> float:
        above = mass @ normal_cdf((nodes - limit) / step)
        return float(above + (mass @ normal_cdf((-limit - nodes) / step) if sides == 2 else 0.0))

    far = float(nodes.max()) + 4 * FAR * step
    near = 0.0 if sides == 2 else float(nodes.min()) - 4 * FAR * step
    # Logarithms, because the first looks spend next to nothing.
    return float(
        brentq(lambda limit: math.log(beyond(limit)) - math.log(wanted), near, far, xtol=1e-13, rtol=1e-14)
    )


def _inside(limit: float, sides: int, mean: float, deviation: float) -> tuple[float, float]:
    """Between which values the campaign goes on, as far as they can be reached."""
    low, high = mean - FAR * deviation, mean + FAR * deviation
    return (max(low, -limit) if sides == 2 else low), min(high, limit)


def _step(
    nodes: Floats, mass: Floats, drift: float, step: float, following: float, low: float, high: float
) -> tuple[Floats, Floats]:
    """The chances after one more step of those that go on, at new nodes close enough for the step that follows."""
    if high <= low:
        return np.zeros(1), np.zeros(1)
    stretches = max(2, math.ceil((high - low) / min(step, following)))
    x, w = np.polynomial.legendre.leggauss(NODES)
    half = (high - low) / stretches / 2
    points = (low + 2 * half * np.arange(stretches)[:, None] + half * (x + 1)).ravel()
    away = (points[:, None] - nodes - drift * step * step) / step
    density = np.exp(-0.5 * away * away) @ mass / (step * math.sqrt(2 * math.pi))
    return points, np.tile(half * w, stretches) * density


def _walk(limits: Boundaries, drift: float, share: float, value: float, passed: int) -> Crossings:
    """The chances of all looks after those that passed, from a value at a share of all judgements."""
    nodes, mass = np.array([value]), np.ones(1)
    begin, upper, lower = share, [], []
    for k in range(passed, len(limits.fractions)):
        now = limits.fractions[k]
        step = math.sqrt(now - share)
        moved = nodes + drift * (now - share)
        limit = limits.z[k] * math.sqrt(now)
        upper.append(float(mass @ normal_cdf((moved - limit) / step)))
        lower.append(float(mass @ normal_cdf((-limit - moved) / step)) if limits.sides == 2 else 0.0)
        if k + 1 < len(limits.fractions):
            mean = value + drift * (now - begin)
            low, high = _inside(limit, limits.sides, mean, math.sqrt(now - begin))
            nodes, mass = _step(nodes, mass, drift, step, math.sqrt(limits.fractions[k + 1] - now), low, high)
        share = now
    return Crossings(tuple(upper), tuple(lower))
