"""Intraclass correlation: how much of what ratings differ by lies in what was rated, not in who rated it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError
from adjudge.stats.agreement import (
    ALL_THE_SAME,
    NOTHING_TWICE,
    Coefficient,
    no_coefficient,
    refuse_holes,
    renumber,
)
from adjudge.stats.distributions import t_quantile
from adjudge.stats.resampling import Rows
from adjudge.stats.units import Units
from adjudge.wording import pluralise

Floats: TypeAlias = NDArray[np.float64]

NO_DIFFERENCE = "what was judged does not differ"
ROUNDING = 1e-14
"""A sum of squares that is so small beside all of them."""
TAIL = 4.0
"""How many times the excess kurtosis of a sample counts: a few dozen units know little of a tail they were drawn from.

With 4, intervals hold in 95 % where qualities have one (bench/intraclass.py, by which it was chosen); with 1 in 91 %.
"""
FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


@dataclass(frozen=True)
class Intraclass:
    """One form of intraclass correlation (Shrout and Fleiss 1979), with its F test and interval."""

    form: str
    """Model and number of raters whose mean is used: ICC(1,1) … ICC(3,k)."""
    value: float | None
    low: float | None
    high: float | None
    f: float
    degrees: tuple[float, float]
    p: float
    reason: str = ""


def intraclass(ratings: Floats, *, confidence: float = 0.95) -> dict[str, Intraclass]:
    """All six forms for a full table, units × raters.

    1: every unit has raters of its own; 2: all were judged by the same raters, who stand for others; 3: they stand for
    themselves. `1` is the reliability of one rater, `k` that of the mean of all. For tables with holes see
    `intraclass_one_way`.
    """
    ratings = np.asarray(ratings, dtype=np.float64)
    if ratings.ndim != 2 or min(ratings.shape) < 2:
        raise UsageError(
            f"two units and two raters at least are needed, not {' × '.join(map(str, ratings.shape))}"
        )
    if not np.isfinite(ratings).all():
        raise DataError(
            "a table of ratings with holes has no two-way intraclass correlation; use the one-way form"
        )
    n, k = ratings.shape
    off = ratings - ratings.mean()
    total = (off**2).sum()
    between, raters = k * (off.mean(1) ** 2).sum(), n * (off.mean(0) ** 2).sum()
    within, error = total - between, total - between - raters
    # What is left of a difference of equals is rounding.
    between, raters, within, error = (
        s if s > ROUNDING * total else 0.0 for s in (between, raters, within, error)
    )
    within, error = within / (n * (k - 1)), error / ((n - 1) * (k - 1))
    between, raters = between / (n - 1), raters / (k - 1)
    one_way, two_way = (between, within, n - 1, n * (k - 1)), (between, error, n - 1, (n - 1) * (k - 1))
    with np.errstate(all="ignore"):
        one_way_values, same = _own_raters(*one_way, k, confidence), _own_raters(*two_way, k, confidence)
        random = _random_raters(between, raters, error, n, k, confidence)
        values = (
            one_way_values,
            random,
            same,
            *(_of_means(three, k) for three in (one_way_values, random, same)),
        )
    reason = ALL_THE_SAME if total == 0 else NO_DIFFERENCE
    return {
        form: _form(form, three, test, reason)
        for form, three, test in zip(FORMS, values, (one_way, two_way, two_way) * 2, strict=True)
    }


def intraclass_one_way(
    values: Floats,
    units: NDArray[Any],
    *,
    limits: bool = False,
    together: Sequence[str] | None = None,
) -> Coefficient:
    """ICC(1,1) from a one-way analysis of variance, whatever the number of judgements a unit.

    How far one judgement of a unit foretells another; observed and expected are left out, as there are none. Units
    with one judgement say nothing of that and are left out: were they counted for how much units differ, what raters
    differ by would pass for it. With `limits` there is an interval of 95 %, from what it is without each unit in turn,
    or without all that `together` calls the same, a name a value.
    """
    values, units = np.asarray(values, dtype=np.float64), np.asarray(units)
    if values.shape != units.shape or values.ndim != 1:
        raise UsageError(f"{pluralise(len(values), 'value')}, but {pluralise(len(units), 'unit')}")
    refuse_holes(values)
    unit = renumber(units)
    twice = np.bincount(unit)[unit] > 1
    if not twice.any():
        return no_coefficient(NOTHING_TWICE)
    values, unit = values[twice], renumber(unit[twice])
    sizes = np.bincount(unit)
    coefficient = Coefficient(None, None, None, len(sizes), len(values))
    if len(sizes) < 2:
        return replace(coefficient, reason="only one unit was judged twice")
    if np.ptp(values) == 0:
        return replace(coefficient, reason=ALL_THE_SAME)
    off = values - values.mean()
    sums, squares = np.bincount(unit, off), np.bincount(unit, off**2)
    size = sizes.astype(np.float64)
    rows = np.column_stack([np.ones(len(size)), size, size**2, sums, squares, sums**2 / size])

    coefficient = replace(coefficient, value=float(_correlation(rows.sum(0))))
    if not limits:
        return coefficient
    if together is not None:
        names = [name for name, kept in zip(together, twice, strict=True) if kept]
        first = np.unique(unit, return_index=True)[1]
        rows = Units.of(len(rows), [names[i] for i in first]).sums(rows)
    low, high = _limits(rows)
    return replace(coefficient, low=low, high=high)


def _correlation(totals: Rows) -> Rows:
    """ICC(1,1) from sums of 1, of sizes and their squares, of values and their squares, and of what units explain."""
    n, count, count2, total, square, explained = np.moveaxis(totals, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        between = (explained - total**2 / count) / (n - 1)
        within = np.maximum(square - explained, 0.0) / (count - n)
        typical = (count - count2 / count) / (n - 1)
        return np.asarray((between - within) / (between + (typical - 1) * within))


def _limits(rows: Rows) -> tuple[float | None, float | None]:
    """The interval by the jackknife, on the scale on which Fisher (1925) found it to spread evenly, with Student's t.

    Where few units make most of the error, it rests on few: t has as many degrees of freedom as the kurtosis of what
    units add to it leaves (Satterthwaite's, TAIL times the excess).
    """
    units, totals = len(rows), rows.sum(0)
    size = totals[1] / totals[0]
    value, without = _correlation(totals), _correlation(totals - rows)
    if units < 2 or not np.isfinite(without).all():
        return None, None
    if value >= 1 - ROUNDING:
        return 1.0, 1.0
    place, others = _to_fisher(value, size), _to_fisher(without, size)
    squares = (others - others.mean()) ** 2
    error = math.sqrt((units - 1) / units * float(squares.sum()))
    reach = float(t_quantile(_degrees(squares), 0.975)) * error
    with np.errstate(over="ignore"):
        low, high = np.exp(2 * (place - reach)), np.exp(2 * (place + reach))
        limits = [float(1 - size / (ratio + size - 1)) for ratio in (low, high)]
    return limits[0], limits[1]


def _degrees(squares: Rows) -> float:
    """Degrees of freedom of a variance that is the mean of such squares: n − 1, and fewer with a long tail."""
    units, total = len(squares), float(squares.sum())
    if total == 0:
        return units - 1
    excess = units * float((squares**2).sum()) / total**2 - 3
    return max(min(2.0, units - 1), min(units - 1, 2 * units / max(TAIL * excess + 2, 1e-9)))


def _to_fisher(value: Rows, size: float) -> Rows:
    """Half the logarithm of how often the variance within units is in that between them."""
    inside = np.clip(value, -1 / (size - 1) + 1e-9, 1 - 1e-12)
    return np.asarray(0.5 * np.log((1 + (size - 1) * inside) / (1 - inside)))


def _form(form: str, three: Floats, test: tuple[float, float, int, int], reason: str) -> Intraclass:
    from scipy.special import fdtrc  # late: commands that need none of it start faster

    above, below, df1, df2 = test
    value, low, high = (float(x) if math.isfinite(x) else None for x in three)
    f = above / below if below > 0 else (math.inf if above > 0 else math.nan)
    p = float(fdtrc(df1, df2, f))
    if value is None:
        return Intraclass(form, None, None, None, f, (df1, df2), p, reason)
    return Intraclass(form, value, low, high, f, (df1, df2), p)


def _own_raters(above: float, below: float, df1: int, df2: int, k: int, confidence: float) -> Floats:
    """A correlation from two mean squares, and the limits of its interval."""
    from scipy.special import fdtri

    f = np.float64(above) / below
    tail = (1 + confidence) / 2
    ratios = np.array([f, f / fdtri(df1, df2, tail), f * fdtri(df2, df1, tail)])
    values: Floats = np.where(np.isposinf(ratios), 1.0, (ratios - 1) / (ratios + k - 1))
    return values


def _random_raters(between: float, raters: float, error: float, n: int, k: int, confidence: float) -> Floats:
    """ICC(2,1) with Satterthwaite's degrees of freedom (McGraw and Wong 1996)."""
    from scipy.special import fdtri

    tail = (1 + confidence) / 2
    value = np.float64(between - error) / (between + (k - 1) * error + k * (raters - error) / n)
    f, rest = np.float64(raters) / error, n * (1 + (k - 1) * value) - k * value
    if error == 0:
        return np.array([value, value, value])
    degrees = (k - 1) * (n - 1) * (k * value * f + rest) ** 2 / ((n - 1) * (k * value * f) ** 2 + rest**2)
    upper, lower = fdtri(n - 1, degrees, tail), fdtri(degrees, n - 1, tail)
    mixed = k * raters + (k * n - k - n) * error
    low = n * (between - upper * error) / (upper * mixed + n * between)
    high = n * (lower * between - error) / (mixed + n * lower * between)
    return np.array([value, low, high])


def _of_means(values: Floats, k: int) -> Floats:
    """The reliability of a mean of k, from that of one (Spearman and Brown)."""
    raised: Floats = values * k / (1 + (k - 1) * values)
    return raised
