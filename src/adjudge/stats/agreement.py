"""How far people agree: kappas and Krippendorff's alpha (correlations of ratings: intraclass.py).

Each coefficient is a function of sums over units (what was judged), so its interval comes from the same resampling as
that of any score. Where there is none, `value` is None and `reason` says why: two answers must be about the same thing
to agree, and where all answers are the same, chance would agree as often as people do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.stats.resampling import Aggregate, Rows, bootstrap
from adjudge.stats.units import Units
from adjudge.wording import pluralise

Floats: TypeAlias = NDArray[np.float64]
Parts: TypeAlias = Callable[[Rows], tuple[Rows, Rows]]
"""Observed and expected disagreement from sums of rows."""
Chance: TypeAlias = Callable[[Any], Any]
"""From the share of some answer to how often two answers agree by chance."""

CHANCE_RANKING = 1 / 3
"""Better, worse, equal."""
CHANCE_YES_NO = 1 / 2
LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = ("none", "linear", "quadratic")
LANDMARKS = ((0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
HIGHEST = "near perfect"

NOTHING_TWICE = "nothing was judged twice"
ALL_THE_SAME = "all judgements are the same"
TOO_MANY = 1 << 26
"""Numbers that a table of units and categories may hold."""


@dataclass(frozen=True)
class Coefficient:
    """How far judgements agree, and what that was computed from."""

    value: float | None
    """1 for perfect agreement, 0 for what chance would do; None where that cannot be said."""
    observed: float | None
    """Agreement as it was seen (for alpha and weighted kappas: 1 − disagreement, on the scale of its distances)."""
    expected: float | None
    """Agreement that chance would have given."""
    units: int
    """Things that were judged at least twice."""
    judgements: int
    """Judgements of these."""
    low: float | None = None
    high: float | None = None
    reason: str = ""
    """Why there is no value."""

    @property
    def words(self) -> str:
        """The value's landmark, '' where there is none."""
        return "" if self.value is None else landmark(self.value)


def kappa(agreement: float, chance: float) -> float | None:
    """Agreement beyond chance as a share of what is possible; None where chance cannot fail to agree."""
    return None if chance >= 1 else (agreement - chance) / (1 - chance)


def landmark(value: float) -> str:
    """A word for a kappa (Landis and Koch 1977): up to .2 slight, .4 fair, .6 moderate, .8 substantial, near perfect.

    Below 0, where people agree less than chance would, it is poor.
    """
    if value < 0:
        return "poor"
    return next((word for limit, word in LANDMARKS[1:] if value <= limit), HIGHEST)


def chance_with_ties(ties: Any) -> Any:
    """How often two answers better/worse/equal agree by chance where so large a share of all answers are ties."""
    return ties**2 + (1 - ties) ** 2 / 2


def chance_of_two(share: Any) -> Any:
    """How often two answers yes/no agree by chance where so large a share of all answers are yes."""
    return share**2 + (1 - share) ** 2


def cohen(
    a: Sequence[Any] | NDArray[Any],
    b: Sequence[Any] | NDArray[Any],
    *,
    weights: str | Floats = "none",
    categories: Sequence[Any] | None = None,
    resamples: int = 0,
    seed: int = 0,
) -> Coefficient:
    """Cohen's kappa of two raters who judged the same units, in the order of the lists.

    Weights are distances between categories: `linear`, `quadratic` (by the categories' places), or a matrix. Without
    `categories` they are all that occur, sorted.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.ndim != 1:
        raise UsageError(f"two raters judge the same units, but there are {a.shape} and {b.shape} judgements")
    codes, count = _encode(np.concatenate([a, b]), categories)
    first, second = codes[: len(a)], codes[len(a) :]
    distance = _distances(weights, count)
    if not len(a):
        return no_coefficient(NOTHING_TWICE)
    rows = np.zeros((len(a), 2 + 2 * count))
    at = np.arange(len(a))
    rows[:, 0], rows[:, 1] = distance[first, second], 1
    rows[at, 2 + first] = 1
    rows[at, 2 + count + second] = 1

    def parts(sums: Rows) -> tuple[Rows, Rows]:
        n, first, other = sums[..., 1], sums[..., 2 : 2 + count], sums[..., 2 + count :]
        return sums[..., 0] / n, ((first @ distance) * other).sum(-1) / n**2

    return _coefficient(
        rows, parts, len(a), 2 * len(a), resamples, seed, scale=float(distance.max(initial=0.0))
    )


def fleiss(
    counts: NDArray[Any], *, chance: float | None = None, resamples: int = 0, seed: int = 0
) -> Coefficient:
    """Fleiss' kappa from a table, units × categories, that counts judgements.

    A unit's agreement is the share of pairs of its judgements that agree. Units need not have the same number of
    judgements; they weigh the same, those with fewer than two nothing. `chance` replaces the agreement expected from
    how often each category was used (1/categories: Randolph's free-marginal kappa).
    """
    counts = np.asarray(counts)
    if counts.ndim != 2 or (counts < 0).any() or not np.isfinite(counts.astype(np.float64)).all():
        raise DataError("a table of units and categories holds counts, none below 0")
    counts = counts.astype(np.float64)
    n = counts.sum(1)
    counts, n = counts[n > 1], n[n > 1]
    if not len(n):
        return no_coefficient(NOTHING_TWICE)
    agreement = ((counts**2).sum(1) - n) / (n * (n - 1))
    rows = np.column_stack([1 - agreement, np.ones(len(n)), counts])

    def parts(sums: Rows) -> tuple[Rows, Rows]:
        shares = sums[..., 2:] / sums[..., 2:].sum(-1, keepdims=True)
        expected = (shares**2).sum(-1) if chance is None else np.full(sums.shape[:-1], chance)
        return sums[..., 0] / sums[..., 1], 1 - expected

    return _coefficient(rows, parts, len(n), int(n.sum()), resamples, seed)


def alpha(
    values: Sequence[Any] | NDArray[Any],
    units: Sequence[int] | NDArray[Any],
    *,
    level: str = "interval",
    resamples: int = 0,
    seed: int = 0,
) -> Coefficient:
    """Krippendorff's alpha: 1 − observed / expected disagreement, of any number of judgements a unit.

    `values[i]` was said of unit `units[i]` (whole numbers; who said it does not matter). What is missing is simply not
    there. Disagreement is, by `level`: whether values differ (nominal), how many judgements lie between them
    (ordinal), their difference (interval) or that in relation to their sum (ratio), each squared. In intervals of an
    ordinal alpha the values keep the places they have among all judgements.
    """
    if level not in LEVELS:
        raise unknown_name("level of measurement", level, LEVELS)
    values, units = np.asarray(values), np.asarray(units)
    if values.shape != units.shape or values.ndim != 1:
        raise UsageError(f"{pluralise(len(values), 'value')}, but {pluralise(len(units), 'unit')}")
    if values.dtype.kind == "f":
        refuse_holes(values)
    unit = renumber(units)
    pairable = np.bincount(unit)[unit] > 1
    if not pairable.any():
        return no_coefficient(NOTHING_TWICE)
    unit, kept = renumber(unit[pairable]), values[pairable]
    sizes = np.bincount(unit)
    if level == "interval":
        rows, parts = _by_moments(kept.astype(np.float64), unit, sizes)
    elif level == "ordinal":
        rows, parts = _by_moments(_middles(_encode(kept, None)[0]), unit, sizes)
    else:
        distinct, codes = np.unique(kept, return_inverse=True)
        if len(distinct) ** 2 > TOO_MANY or (resamples and len(sizes) * len(distinct) > TOO_MANY):
            raise UsageError(
                f"{len(distinct)} different values are too many for a {level} alpha with {resamples} resamples: "
                "take interval or ordinal"
            )
        distance = 1 - np.eye(len(distinct)) if level == "nominal" else _ratios(distinct.astype(np.float64))
        rows, parts = _by_categories(codes, unit, sizes, distance, tabled=resamples > 0)
    scale = 1.0 if level in ("nominal", "ratio") else math.nan
    return _coefficient(rows, parts, len(sizes), int(sizes.sum()), resamples, seed, scale=scale)


def kappa_of_pairs(
    rows: Rows, *, chance: float | Chance = chance_with_ties, resamples: int = 0, seed: int = 0
) -> Coefficient:
    """A kappa from how many pairs of judgements agree: rows (agreeing, comparable, marked, judgements), one a unit.

    `chance` is fixed, or computed from the share of all judgements that are marked: ties, or one of two answers.
    """

    def parts(sums: Rows) -> tuple[Rows, Rows]:
        with np.errstate(invalid="ignore", divide="ignore"):
            observed, share = sums[..., 0] / sums[..., 1], sums[..., 2] / sums[..., 3]
        expected = chance(share) if callable(chance) else np.full(share.shape, chance)
        return 1 - observed, 1 - expected

    comparable = rows[:, 1] > 0
    if not comparable.any():
        return no_coefficient(NOTHING_TWICE)
    judgements = int(rows[comparable, 3].sum())
    return _coefficient(rows, parts, int(comparable.sum()), judgements, resamples, seed)


def _coefficient(
    rows: Rows,
    parts: Parts,
    units: int,
    judgements: int,
    resamples: int,
    seed: int,
    *,
    scale: float = 1.0,
) -> Coefficient:
    """1 − observed / expected disagreement, which `parts` makes from sums of rows."""

    def value(sums: Rows) -> Rows:
        observed, expected = parts(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(expected > 0, 1 - observed / expected, math.nan))

    observed, expected = (float(part) for part in parts(rows.sum(0)))
    known = not math.isnan(scale) and scale > 0
    seen, by_chance = (1 - part / scale if known else None for part in (observed, expected))
    if not expected > 0:
        return Coefficient(None, seen, by_chance, units, judgements, reason=ALL_THE_SAME)
    low, high = interval(rows, value, resamples, seed)
    return Coefficient(1 - observed / expected, seen, by_chance, units, judgements, low, high)


def interval(
    rows: Rows, aggregate: Aggregate, resamples: int, seed: int, drawn: Units | None = None
) -> tuple[float | None, float | None]:
    """Where 95 % of resamples of the rows lie, or of what `drawn` puts together; none without resamples."""
    if not resamples:
        return None, None
    estimate = bootstrap(np.ascontiguousarray(rows), aggregate, resamples=resamples, seed=seed, units=drawn)
    return (None, None) if math.isnan(estimate.low) else (estimate.low, estimate.high)


def renumber(codes: NDArray[Any]) -> NDArray[np.int64]:
    """Renumber codes without gaps, from 0, in their order."""
    if len(codes) and codes.dtype.kind in "iu" and codes.min() >= 0 and codes.max() < 8 * len(codes):
        present = np.zeros(int(codes.max()) + 1, dtype=np.int64)  # so few that nothing need be sorted
        present[codes] = 1
        numbers: NDArray[np.int64] = (np.cumsum(present) - 1)[codes]
        return numbers
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def no_coefficient(reason: str) -> Coefficient:
    """There is none, for this reason."""
    return Coefficient(None, None, None, 0, 0, reason=reason)


def _encode(values: NDArray[Any], categories: Sequence[Any] | None) -> tuple[NDArray[np.int64], int]:
    """Each value's place among the categories."""
    if values.dtype.kind == "f":
        refuse_holes(values)
    if categories is None:
        distinct, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.int64), len(distinct)
    places = {value: place for place, value in enumerate(categories)}
    unknown = [value for value in values.tolist() if value not in places]
    if unknown:
        raise DataError(f"{unknown[0]!r} is none of the categories {', '.join(map(repr, categories))}")
    return np.array([places[value] for value in values.tolist()], dtype=np.int64), len(places)


def refuse_holes(values: NDArray[Any]) -> None:
    """An error that names the first value that is no number."""
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise DataError(f"judgement {wrong[0] + 1} is {values[wrong[0]]}: leave out what is missing")


def _distances(weights: str | Floats, count: int) -> Floats:
    if isinstance(weights, str):
        if weights not in WEIGHTS:
            raise unknown_name("weighting", weights, WEIGHTS)
        apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float64)
        return {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    distance = np.asarray(weights, dtype=np.float64)
    if distance.shape != (count, count) or not (distance >= 0).all() or np.diag(distance).any():
        raise UsageError(
            f"weights of {count} categories are {count} × {count} distances, 0 from each category to itself"
        )
    return distance


def _middles(codes: NDArray[np.int64]) -> Floats:
    """The middle of the places that each value takes when all judgements are sorted.

    Krippendorff's ordinal distance of two values is that between these.
    """
    counts = np.bincount(codes).astype(np.float64)
    return np.asarray((np.cumsum(counts) - counts / 2)[codes])


def _by_moments(places: Floats, unit: NDArray[np.int64], sizes: NDArray[np.intp]) -> tuple[Rows, Parts]:
    """Squared differences of all pairs need nothing but sums and sums of squares."""
    off, m = places - places.mean(), sizes.astype(np.float64)
    sums, squares = np.bincount(unit, off), np.bincount(unit, off**2)
    apart = np.maximum(2 * (m * squares - sums**2), 0.0) / (m - 1)
    # Where all are the same, what is left is rounding.
    least, most = np.full(len(m), math.inf), np.full(len(m), -math.inf)
    np.minimum.at(least, unit, places)
    np.maximum.at(most, unit, places)
    apart[least == most] = 0.0
    varies = float(np.ptp(places) > 0)
    rows = np.column_stack([apart, m, sums, squares])

    def parts(totals: Rows) -> tuple[Rows, Rows]:
        observed, n, total, square = np.moveaxis(totals, -1, 0)
        return observed / n, varies * 2 * np.maximum(n * square - total**2, 0.0) / (n * (n - 1))

    return rows, parts


def _by_categories(
    codes: NDArray[Any],
    unit: NDArray[np.int64],
    sizes: NDArray[np.intp],
    distance: Floats,
    *,
    tabled: bool,
) -> tuple[Rows, Parts]:
    """Any distances, from how often each value was given to each unit."""
    count, m = len(distance), sizes.astype(np.float64)
    cells, times = np.unique(unit.astype(np.int64) * count + codes, return_counts=True)
    of, what, times = cells // count, cells % count, times.astype(np.float64)
    apart = np.zeros(len(m))
    step = 1
    left = np.arange(len(cells))
    while len(left := left[left + step < len(cells)]) and len(left := left[of[left] == of[left + step]]):
        pair = 2 * times[left] * times[left + step] * distance[what[left], what[left + step]]
        apart += np.bincount(of[left], pair, len(m))
        step += 1
    apart /= m - 1
    if tabled:
        table = np.zeros((len(m), count))
        table[of, what] = times
    else:  # no resamples follow: the sums suffice
        table = np.bincount(codes, minlength=count).astype(np.float64)[None]
        apart = apart.sum(keepdims=True)
    rows = np.column_stack([apart, table])

    def parts(totals: Rows) -> tuple[Rows, Rows]:
        counts = totals[..., 1:]
        n = counts.sum(-1)
        return totals[..., 0] / n, ((counts @ distance) * counts).sum(-1) / (n * (n - 1))

    return rows, parts


def _ratios(values: Floats) -> Floats:
    if (values < 0).any():
        raise DataError(f"a ratio scale has no values below 0, but there is {values.min()}")
    total = np.add.outer(values, values)
    return np.asarray((np.subtract.outer(values, values) / np.where(total > 0, total, 1.0)) ** 2)
