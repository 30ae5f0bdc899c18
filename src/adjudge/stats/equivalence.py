"""Whether two systems are the same within a margin: two one-sided tests (Schuirmann 1987), and their interval.

That a test finds no difference does not show that there is none. Here the burden of proof is turned round: without
enough data nothing is equivalent, and nothing is shown to be no worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.stats.design import Design
from adjudge.stats.distributions import t_cdf, t_quantile
from adjudge.stats.significance import significant

LEAST_P = 1e-12
"""p is never 0."""


@dataclass(frozen=True)
class Equivalence:
    """A difference a − b beside a margin in its own units, positive where a is better."""

    margin: float
    low: float
    high: float
    """Inside the margin where, and only where, the two are equivalent; NaN where nothing is known."""
    confidence: float
    """Of that interval: 1 − 2 α, α divided by the number of tests."""
    p: float
    """That the two differ by the margin or more; corrected for the number of tests, as the others are (Bonferroni)."""
    p_not_worse: float
    """That a is worse than b by the margin or more."""
    p_not_better: float
    """That a is better than b by the margin or more."""
    alpha: float

    @property
    def equivalent(self) -> bool:
        """Whether it is shown that they differ by less than the margin."""
        return significant(self.p, self.alpha)

    @property
    def not_worse(self) -> bool:
        """Whether it is shown that a is not worse than b by the margin."""
        return significant(self.p_not_worse, self.alpha)

    @property
    def turned(self) -> Equivalence:
        """The equivalence of b and a: signs and sides are swapped."""
        return replace(
            self,
            low=-self.high,
            high=-self.low,
            p_not_worse=self.p_not_better,
            p_not_better=self.p_not_worse,
        )


def check_margin(margin: float) -> None:
    """An error for what is no margin."""
    if not (math.isfinite(margin) and margin > 0):
        raise UsageError(f"margin={margin:g}: the difference that would not matter, a number above 0")


def within_margin(
    delta: float,
    error: float,
    units: float,
    margin: float,
    *,
    design: Design,
    alpha: float = 0.05,
    tests: int = 1,
) -> Equivalence:
    """Two one-sided tests of a difference with its standard error, from so many units (Student's t).

    The error may come from resamples (`resampled_error`) or from units themselves (`clustered_error`); it is widened by
    what the design ignores. Where it is not known, NaN, nothing is shown.
    """
    error, units = design.widened(error, units)
    check_margin(margin)
    each = alpha / max(tests, 1)
    if math.isnan(error) or math.isnan(delta) or units < 2:
        return Equivalence(margin, math.nan, math.nan, 1 - 2 * each, 1.0, 1.0, 1.0, alpha)

    def p(distance: float) -> float:
        if error == 0:
            value = 0.0 if distance > 0 else 1.0
        else:
            value = float(t_cdf(units - 1, -distance / error))
        return min(1.0, max(value, LEAST_P) * max(tests, 1))

    reach = float(t_quantile(units - 1, 1 - each)) * error
    not_worse, not_better = p(delta + margin), p(margin - delta)
    return Equivalence(
        margin,
        delta - reach,
        delta + reach,
        1 - 2 * each,
        max(not_worse, not_better),
        not_worse,
        not_better,
        alpha,
    )


def resampled_error(deviation: float, units: float) -> float:
    """The standard error from a deviation over resamples of so many units, which vary too little by n − 1 to n."""
    return deviation * math.sqrt(units / (units - 1)) if units > 1 else math.nan


def error_over_runs(
    error: float, units: float, deviations: Sequence[tuple[float, int]]
) -> tuple[float, float]:
    """The standard error of a difference of means over training runs, and how many units it is worth.

    `error` is that of the choice of segments, `deviations` are those between each system's runs, with the number of
    runs. The parts are added up; the units are those of Satterthwaite (1946), plus one. A system with a single run
    tells nothing of how runs vary: NaN.
    """
    parts = [(error**2, units - 1.0)]
    for deviation, runs in deviations:
        if runs < 2:
            return math.nan, math.nan
        parts.append((deviation**2 / runs, runs - 1.0))
    return error_from_parts(parts)


def error_from_parts(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The standard error of a sum, and how many units it is worth, from variances with their degrees of freedom.

    The degrees of freedom are Satterthwaite's (1946).
    """
    total = math.fsum(part for part, _ in parts)
    spread = math.fsum(part**2 / freedom for part, freedom in parts if freedom > 0)
    return math.sqrt(total), 1 + (
        total**2 / spread if spread > 0 else max((freedom for _, freedom in parts), default=0.0)
    )


def clustered_error(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The standard error of the sum of units' values over that of their weights, units being independent."""
    units, weight = len(values), float(weights.sum())
    if units < 2 or weight <= 0:
        return math.nan
    off = values - weights * (float(values.sum()) / weight)
    return math.sqrt(units / (units - 1) * float((off**2).sum())) / weight
