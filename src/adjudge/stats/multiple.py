"""Many tests at once: p-values adjusted so that some chance findings among them do not pass for findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.significance import significant

CORRECTIONS = ("holm", "bh", "none")
FAMILIES = ("metric", "all")
"""What is corrected together: the pairs of each metric, or those of all metrics."""
FLOOR = 10
"""How many times smaller than alpha the smallest corrected p is to be that trials can give."""
MOST_TRIALS = 100_000_000
"""The largest number for which they are computed."""


def adjust_p_values(
    p_values: Sequence[float] | NDArray[np.float64], correction: str = "holm"
) -> NDArray[np.float64]:
    """Adjusted p-values, to be held against the same alpha.

    `holm` bounds the chance of any false claim (Holm 1979), `bh` the share of false claims among those made
    (Benjamini and Hochberg 1995).
    """
    p = np.asarray(p_values, dtype=np.float64)
    m = len(p)
    if correction == "none" or not m:
        return p.copy()
    order = np.argsort(p, kind="stable")
    place = np.arange(1, m + 1)
    if correction == "holm":
        stepped = np.maximum.accumulate(p[order] * (m - place + 1))
    elif correction == "bh":
        # m / place first: p · m / m may round to something else than p.
        stepped = np.minimum.accumulate((p[order] * (m / place))[::-1])[::-1]
    else:
        raise unknown_name("correction", correction, CORRECTIONS)
    result = np.empty(m)
    result[order] = np.minimum(stepped, 1.0)
    return result


def thresholds(
    p_values: Sequence[float] | NDArray[np.float64], alpha: float, correction: str = "holm"
) -> NDArray[np.float64]:
    """For each test the largest p that is significant, all others staying as they are."""
    p = np.asarray(p_values, dtype=np.float64)
    m = len(p)
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    if correction == "none" or not m:
        return np.full(m, alpha)
    order = np.argsort(p, kind="stable")
    others = p[order]
    place = np.arange(1, m + 1)
    # Without the test at place t, those before it keep their places and those behind it move up by one.
    result = np.empty(m)
    if correction == "holm":
        # As many others as pass one after the other stand before it.
        leading = int(np.cumprod(significant(others * (m - place + 1), alpha)).sum())
        fails = np.where(significant(others[1:] * (m - place[:-1] + 1), alpha), m, place[:-1])
        first_failure = np.append(np.minimum.accumulate(fails[::-1])[::-1], m)
        passing = np.where(leading < place - 1, leading, first_failure - 1)
        factors = (m - passing).astype(np.float64)
    else:
        # The last of the others that passes with one more before it carries it along.
        before = np.where(significant(others * (m / (place + 1)), alpha), place, 0)
        before = np.concatenate([[0], np.maximum.accumulate(before)[:-1]])
        behind = np.where(significant(others * (m / place), alpha), place, 0).max()
        passing = np.where(behind > place, behind - 1, before)
        factors = m / (passing + 1)
    result[order] = _largest_within(alpha, factors)
    return result


def _largest_within(alpha: float, factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest p that each factor takes to alpha at most, so that p and p * factor are never decided differently."""
    limit = alpha / factors
    limit = np.where(significant(limit * factors, alpha), limit, np.nextafter(limit, 0.0))
    above = np.nextafter(limit, np.inf)
    return np.where(significant(above * factors, alpha), above, limit)


def interval_errors(
    p_values: Sequence[float] | NDArray[np.float64], error: float, correction: str = "holm"
) -> NDArray[np.float64]:
    """How often each interval may miss, so that the intervals keep with corrected p what they promise together.

    `holm`: all of them hold the truth with a chance of 1 - error (Bonferroni). `bh`: of the intervals of what was
    found, a share of `error` misses on average (Benjamini and Yekutieli 2005); they leave 0 out where p does.
    """
    p = np.asarray(p_values, dtype=np.float64)
    m = len(p)
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    if correction == "none" or not m:
        return np.full(m, error)
    rejected = int(significant(adjust_p_values(p, "bh"), error).sum()) if correction == "bh" else 1
    return np.full(m, error * max(rejected, 1) / m)


@dataclass(frozen=True, eq=False)
class Corrected:
    """What the number of tests makes of some of them."""

    adjusted: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    """The largest p with which each test is significant, all others staying as they are."""
    errors: NDArray[np.float64]
    """How often the interval of each may miss."""


def correct_p_values(
    p_values: Sequence[Sequence[float]], *, alpha: float, error: float, correction: str, family: str
) -> list[Corrected]:
    """P-values metric by metric, corrected within each or (`family` all) over all of them."""
    if family == "all":
        together = [p for of_metric in p_values for p in of_metric]
        (joint,) = correct_p_values(
            [together], alpha=alpha, error=error, correction=correction, family="metric"
        )
        ends = np.cumsum([len(of_metric) for of_metric in p_values])[:-1]
        parts = [np.split(values, ends) for values in (joint.adjusted, joint.thresholds, joint.errors)]
        return [Corrected(*columns) for columns in zip(*parts, strict=True)]
    return [
        Corrected(
            adjust_p_values(p, correction),
            thresholds(p, alpha, correction),
            interval_errors(p, error, correction),
        )
        for p in p_values
    ]


def enough_trials(comparisons: int, alpha: float, correction: str = "holm") -> int:
    """How many trials a sampled p needs so that the smallest one, corrected, lies below a tenth of alpha."""
    tests = 1 if correction == "none" else comparisons
    wanted = FLOOR * tests / alpha
    if not wanted < MOST_TRIALS:
        raise UsageError(
            f"alpha={alpha:g} and {comparisons:,} tests would take more than {MOST_TRIALS:,} trials: test against a "
            "larger alpha, or say how many (--trials)"
        )
    return int(wanted) + 1
