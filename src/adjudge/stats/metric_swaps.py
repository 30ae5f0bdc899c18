"""Is one metric better than another? Permutation tests that swap the scores of two metrics, for all pairs at once.

Where two metrics are equally good, it does not matter which of them gave a score: scores are swapped by coins, and both
correlations computed again, many times. What is swapped is named: single `cells`, whole `systems`, whole `items`, or
systems and then items (`both`; Deutsch, Dror & Roth 2021). Metrics are put on one scale first. Statistics are made
of sums over swapped cells, so that all pairs of metrics share their coins.

Over systems, whole systems are swapped by Williams' t. Metrics are put on one scale by their own scores before these
are swapped, and with a dozen systems that scale is itself chance: by the bare difference of correlations the test
finds too much. A difference over its error depends far less on it (`docs/meta.md` has how much), and nothing is asked
of how scores are spread.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.stats.correlation import quotient
from adjudge.stats.distributions import t_cdf
from adjudge.stats.draws import Generator, generator
from adjudge.stats.item_pairs import Array, ItemGroups
from adjudge.stats.stopping import SIGNS

Swap: TypeAlias = Literal["cells", "systems", "items", "both"]
SWAPS = ("cells", "systems", "items", "both")
Coins: TypeAlias = NDArray[np.uint8]
EXHAUSTIVE = 13
"""So many coins, at most, are thrown in all ways instead of some."""
CHUNK = 1 << 23
"""Coins held at once."""
NUMBERS = 1 << 21
"""Numbers held at once where sums are made of coins."""
ROUNDING = 1e-12
"""Differences that are this near each other are equal."""
ROUNDING_OF_QUOTIENTS = 1e-9
"""The same of differences over their errors, which may be small."""


@dataclass(frozen=True, eq=False)
class MetricPermutations:
    """Differences between all pairs of metrics as observed, and as they are when scores are swapped."""

    values: Array
    """Each metric's own statistic."""
    differences: Array
    """draws × metrics × metrics: the first less the second, after swapping."""
    exhaustive: bool
    """Whether the draws are all there are."""
    observed: Array | None = None
    """Of every pair without a swap, where that is not the difference of their values."""

    @property
    def least_p(self) -> float:
        """The least two-sided p that can come of it: all swapped is as far from 0 as none."""
        return 2 / len(self.differences) if self.exhaustive else 1 / (len(self.differences) + 1)

    def p_values(self, *, two_sided: bool = True) -> Array:
        """For each pair the chance of a difference as large by swapping alone; one-sided that of the first's lead.

        Of sampled swaps the observed one counts as a draw, so that none is 0.
        """
        observed, rounding = self.values[:, None] - self.values[None, :], ROUNDING
        if self.observed is not None:
            observed, rounding = self.observed, ROUNDING_OF_QUOTIENTS
        tolerances = rounding * np.clip(np.abs(observed), 1.0, 1e9)
        if two_sided:
            hits = (np.abs(self.differences) >= np.abs(observed) - tolerances).sum(0)
        else:
            hits = (self.differences >= observed - tolerances).sum(0)
        extra = 0 if self.exhaustive else 1
        p_values = (hits + extra) / (len(self.differences) + extra)
        return np.asarray(np.where(np.isnan(observed), np.nan, p_values))


def standardise_metrics(metrics: Array, judged: NDArray[np.bool_]) -> Array:
    """Each metric (metrics × …) with mean 0 and standard deviation 1 over the judged cells; constant ones are 0."""
    flat = metrics.reshape(len(metrics), -1)[:, judged.reshape(-1)]
    mean, deviation = flat.mean(1), flat.std(1)
    shape = (-1,) + (1,) * (metrics.ndim - 1)
    return np.asarray(
        (metrics - mean.reshape(shape)) / np.where(deviation > 0, deviation, 1.0).reshape(shape)
    )


def coins(
    shape: tuple[int, int], swap: Swap, draws: int, seed: int, *, held: int = CHUNK, most: int = EXHAUSTIVE
) -> Iterator[Coins]:
    """0 or 1 for each cell of a table systems × items, in pieces of draws × cells; all ways where there are few.

    Up to `most` coins are thrown in all ways; more of them only where that takes no more draws than were asked for.
    """
    systems, items = shape
    thrown = {"cells": systems * items, "systems": systems, "items": items, "both": systems + items}[swap]
    every = _exhaustive(thrown, draws, most)
    total = 1 << thrown if every else draws
    rng = generator(seed)
    step = max(1, held // (systems * items))
    for start in range(0, total, step):
        count = min(step, total - start)
        if every:
            numbers = np.arange(start, start + count)
            faces = ((numbers[:, None] >> np.arange(thrown)) & 1).astype(np.uint8)
        else:
            faces = _faces(rng, count, thrown)
        yield _cells(faces, shape, swap)


def is_exhaustive(shape: tuple[int, int], swap: Swap, draws: int, most: int = EXHAUSTIVE) -> bool:
    """Whether all ways of swapping are gone through."""
    systems, items = shape
    thrown = {"cells": systems * items, "systems": systems, "items": items, "both": systems + items}[swap]
    return _exhaustive(thrown, draws, most)


def pearson_permutations(
    gold: Array, metrics: Array, groups: ItemGroups, *, swap: Swap = "cells", draws: int = 1000, seed: int
) -> MetricPermutations:
    """Permutations of the mean over groups of Pearson's r; `metrics` are metrics × systems × items."""
    _check(gold, metrics)
    judged = ~np.isnan(gold)
    scaled = standardise_metrics(np.where(judged, metrics, 0.0), judged)
    people, columns = _columns(groups, gold, scaled)
    totals = columns.sum(1)
    shape = (gold.shape[0], gold.shape[1])
    exhaustive = is_exhaustive(shape, swap, draws)
    if len(groups) == 1 and swap != "both" and not exhaustive:
        units = _units(groups.places[0], shape, swap)
        moved = _moved_by_signs(columns[0], units, draws, seed)[None]
        hybrid = _hybrids(people, totals, moved)
    else:
        parts = []
        for faces in coins(shape, swap, draws, seed, held=NUMBERS):
            padded = np.where(groups.places >= 0, faces[:, groups.places], 0.0)  # draws × groups × width
            # groups × draws × (3 · metrics)
            parts.append(_hybrids(people, totals, np.matmul(padded.transpose(1, 0, 2), columns)))
        hybrid = np.concatenate(parts)
    return MetricPermutations(_mean_pearson(people, totals), hybrid - hybrid.transpose(0, 2, 1), exhaustive)


def verdict_permutations(
    verdicts: NDArray[np.bool_],
    weights: Array,
    units: NDArray[np.intp] | None = None,
    *,
    draws: int = 1000,
    seed: int,
) -> MetricPermutations:
    """Permutations of an accuracy over pairs: verdicts, metrics × pairs, each with a weight.

    Single pairs are swapped, or with `units` all pairs of a unit together. Each metric keeps the epsilon that it was
    calibrated to.
    """
    weighted = (verdicts * weights).T
    moved = _moved_by_signs(weighted, np.arange(len(weighted)) if units is None else units, draws, seed)
    sums = weighted.sum(0) - 2.0 * moved
    return MetricPermutations(weighted.sum(0), sums[:, :, None] - sums[:, None, :], exhaustive=False)


def ratio_permutations(
    above: Array, below: Array, units: NDArray[np.intp], *, draws: int = 1000, seed: int
) -> MetricPermutations:
    """Permutations of a ratio of sums over pairs: metrics × pairs above and below the line; units are swapped whole."""
    number = len(above)
    columns = np.concatenate([above, below]).T
    moved = _moved_by_signs(np.ascontiguousarray(columns), units, draws, seed)
    totals = columns.sum(0)
    kept = totals - moved
    sums = kept[:, :, None] + moved[:, None, :]  # draws × columns of the one × columns of the other
    hybrid = quotient(sums[:, :number, :number], sums[:, number:, number:])
    values = quotient(totals[:number], totals[number:])
    return MetricPermutations(values, hybrid - hybrid.transpose(0, 2, 1), exhaustive=False)


def influence_permutations(
    values: Array, added: Array, *, draws: int = 1000, seed: int
) -> MetricPermutations:
    """Permutations of statistics that are about the mean of what each item adds, metrics × items, swapped by items."""
    columns = np.ascontiguousarray(added.T) / added.shape[1]
    moved = _moved_by_signs(columns, np.arange(len(columns)), draws, seed)
    means = columns.sum(0)
    sums = means - 2.0 * moved
    differences = sums[:, :, None] - sums[:, None, :]
    return MetricPermutations(values, differences, exhaustive=False, observed=means[:, None] - means[None, :])


def agreement_permutations(
    gold: Array,
    metrics: Array,
    groups: ItemGroups,
    kind: str,
    *,
    swap: Swap = "cells",
    draws: int = 1000,
    seed: int,
) -> MetricPermutations:
    """Permutations of the mean over groups of `kendall`, `kendall_c` or `accuracy`, the share of pairs ordered alike.

    `metrics` are metrics × systems × items.
    """
    _check(gold, metrics)
    judged = ~np.isnan(gold)
    people, own = np.nan_to_num(gold), np.where(judged, metrics, 0.0)
    places = np.ascontiguousarray(groups.places, np.int64)

    def both(first: Array, second: Array, faces: Coins) -> Array:
        return _native.swapped_agreement(first, second, faces, people, places, kind, 0)

    untouched = np.zeros((1, gold.size), np.uint8)
    values = np.array([both(table, table, untouched)[0, 0] for table in own])
    return pairs_of_metrics(values, standardise_metrics(own, judged), both, swap=swap, draws=draws, seed=seed)


def pairs_of_metrics(
    values: Array,
    scaled: Array,
    both: Callable[[Array, Array, Coins], Array],
    *,
    swap: Swap,
    draws: int,
    seed: int,
    most: int = EXHAUSTIVE,
) -> MetricPermutations:
    """Permutations of any statistic: `both` gives it for two tables of scores under coins, draws × 2."""
    shape = (scaled.shape[1], scaled.shape[2])
    number = len(scaled)
    parts = []
    for faces in coins(shape, swap, draws, seed, most=most):
        differences = np.zeros((len(faces), number, number))
        for a, b in zip(*np.triu_indices(number, 1), strict=True):
            first, second = both(scaled[a], scaled[b], faces).T
            differences[:, a, b], differences[:, b, a] = first - second, second - first
        parts.append(differences)
    return MetricPermutations(values, np.concatenate(parts), is_exhaustive(shape, swap, draws, most))


def _check(gold: Array, metrics: Array) -> None:
    if metrics.shape[1:] != gold.shape:
        raise UsageError(f"gold is {gold.shape}, but metrics are {metrics.shape[1:]}")
    if np.isnan(metrics[:, ~np.isnan(gold)]).any():
        raise UsageError("a metric lacks a score where there is gold; leave it out, or those cells")


def _exhaustive(thrown: int, draws: int, most: int) -> bool:
    return thrown <= most or (thrown <= EXHAUSTIVE and 1 << thrown <= draws)


def _faces(rng: Generator, count: int, number: int) -> Coins:
    """Fair coins, count × number."""
    drawn = np.frombuffer(rng.bytes(count * ((number + 7) // 8)), np.uint8).reshape(count, -1)
    return np.unpackbits(drawn, axis=1, count=number)


def _cells(faces: Coins, shape: tuple[int, int], swap: Swap) -> Coins:
    """Coins of systems or items as coins of cells."""
    systems, items = shape
    if swap == "cells":
        return faces
    if swap == "systems":
        return np.repeat(faces, items, axis=1)
    if swap == "items":
        return np.tile(faces, (1, systems))
    rows, columns = faces[:, :systems, None], faces[:, None, systems:]
    return np.asarray(rows ^ columns).reshape(len(faces), -1)


def _units(places: NDArray[np.intp], shape: tuple[int, int], swap: Swap) -> NDArray[np.intp]:
    """Which of the things that are swapped each cell belongs to."""
    return {"cells": np.arange(len(places)), "systems": places // shape[1], "items": places % shape[1]}[swap]


def _moved_by_signs(columns: Array, units: NDArray[np.intp], draws: int, seed: int) -> Array:
    """Sums over the cells that are swapped, draws × columns, by the core's signs: swapped where a sign is minus."""
    _, units = np.unique(units, return_inverse=True)
    rows = np.zeros((int(units.max()) + 1, columns.shape[1]))
    np.add.at(rows, units, columns)
    blocks = [_native.signed_sums([rows], 1, seed, block, 0) for block in range(-(-draws // SIGNS))]
    return np.asarray((rows.sum(0) - np.concatenate(blocks, axis=1)[:, :draws].T) / 2)


@dataclass(frozen=True, eq=False)
class _People:
    """Gold of every group: how many, and the length about the mean; gold itself is centred in the columns."""

    counts: Array
    lengths: Array


def _columns(groups: ItemGroups, gold: Array, metrics: Array) -> tuple[_People, Array]:
    """For each cell of each group every metric's score, its square, and its product with centred gold."""
    used = groups.places >= 0
    people = np.where(used, gold.reshape(-1)[groups.places], 0.0)
    counts = used.sum(1).astype(np.float64)
    people = np.where(used, people - (people.sum(1) / np.maximum(counts, 1))[:, None], 0.0)
    scores = np.where(
        used, metrics.reshape(len(metrics), -1)[:, groups.places], 0.0
    )  # metrics × groups × width
    stacked = np.stack([scores, scores**2, scores * people])  # 3 × metrics × groups × width
    columns = stacked.transpose(2, 3, 0, 1).reshape(*groups.places.shape, -1)
    return _People(counts, np.sqrt((people**2).sum(1))), np.ascontiguousarray(columns)


def _mean_pearson(people: _People, sums: Array) -> Array:
    """The mean over groups of r from sums, groups × … × (3 · metrics)."""
    first, square, product = np.split(sums, 3, axis=-1)
    return _mean_of_sums(people, first, square, product)


def _mean_of_sums(people: _People, first: Array, square: Array, product: Array) -> Array:
    shape = (-1,) + (1,) * (first.ndim - 1)
    variance = square - first**2 / people.counts.reshape(shape)
    below = np.sqrt(np.maximum(variance, 0.0)) * people.lengths.reshape(shape)
    # What rounding leaves of the variance of a constant is no variance.
    exists = (variance > 1e-12 * np.maximum(square, 1e-300)) & (people.lengths.reshape(shape) > 0)
    values = np.divide(product, below, out=np.zeros_like(product), where=exists)
    return quotient(values.sum(0), exists.sum(0))


def _hybrids(people: _People, totals: Array, moved: Array) -> Array:
    """Draws × metrics × metrics: the statistic of the first metric with the swapped cells of the second."""
    kept = [t[:, None] - m for t, m in zip(np.split(totals, 3, -1), np.split(moved, 3, -1), strict=True)]
    taken = np.split(moved, 3, -1)
    sums = [k[..., :, None] + t[..., None, :] for k, t in zip(kept, taken, strict=True)]
    return _mean_of_sums(people, *sums)


@dataclass(frozen=True)
class WilliamsTest:
    """Whether the first correlation is another one than the second."""

    t: float
    degrees: int
    p: float
    """Two-sided."""


def williams_test(first: float, second: float, between: float, n: int) -> WilliamsTest:
    """The test of two correlations with one target, given that of the two lists with each other, over n cases.

    NaN for fewer than four cases or lists that say the same.
    """
    if n < 4 or any(map(math.isnan, (first, second, between))):
        return WilliamsTest(math.nan, max(0, n - 3), math.nan)
    t = float(williams_t(np.asarray(first), np.asarray(second), np.asarray(between), n))
    return WilliamsTest(t, n - 3, float(2 * t_cdf(n - 3, -abs(t))))


def williams_t(first: Array, second: Array, between: Array, n: int) -> Array:
    """The difference of two correlations over its error, for any number of them; NaN where there is no error."""
    rest = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * np.maximum(rest, 0.0) * (n - 1) / (n - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    above = (first - second) * np.sqrt((n - 1) * np.maximum(1 + between, 0.0))
    return np.asarray(np.divide(above, np.sqrt(below), out=np.full(np.shape(below), np.nan), where=below > 0))


FEWEST = 4
"""Systems for which a difference has an error."""


def williams_permutations(gold: Array, metrics: Array, *, draws: int = 1000, seed: int) -> MetricPermutations:
    """Permutations of Williams' t of every two metrics; `gold` has a score a system, `metrics` metrics × systems."""
    scaled = standardise_metrics(metrics, np.ones(len(gold), bool))
    people = gold - gold.mean()
    shape = (len(gold), 1)
    held = max(len(gold), NUMBERS // len(scaled) ** 2 * len(gold))
    parts = [_swap(people, scaled, faces) for faces in coins(shape, "systems", draws, seed, held=held)]
    untouched = np.zeros((1, len(gold)), np.uint8)
    first = _swap(people, scaled, untouched)[0]
    return MetricPermutations(
        _correlations(people, scaled),
        np.concatenate(parts),
        is_exhaustive(shape, "systems", draws),
        observed=first,
    )


def _correlations(people: Array, scaled: Array) -> Array:
    """Each metric's r with people; NaN for one that is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((scaled @ people) / np.sqrt((scaled**2).sum(1) * (people**2).sum()))


def _swap(people: Array, scaled: Array, faces: Coins) -> Array:
    """Draws × metrics × metrics: t of two metrics whose scores of some systems are swapped."""
    count = len(people)
    totals = [scaled, scaled**2, scaled * people]
    first, square, product = (_hybrid(part, faces) for part in totals)
    variance = np.maximum(square - first**2 / count, 0.0)
    variance[variance < ROUNDING * count] = np.nan
    along = product / np.sqrt(variance * (people**2).sum())
    other = np.swapaxes(along, 1, 2)
    # What both say of a system is multiplied the same whoever said it: only means change.
    between = scaled @ scaled.T - first * np.swapaxes(first, 1, 2) / count
    between = np.clip(between / np.sqrt(variance * np.swapaxes(variance, 1, 2)), -1, 1)
    t = williams_t(along, other, between, count)
    # Two that say the same differ by nothing; two that leave no error by more than any.
    without = np.isnan(t) & ~np.isnan(along) & ~np.isnan(other)
    difference = along - other
    t[without] = np.where(np.abs(difference) > ROUNDING, np.copysign(np.inf, difference), 0.0)[without]
    return t


def _hybrid(part: Array, faces: Coins) -> Array:
    """Draws × metrics × metrics: sums over systems of the first metric's scores, swapped ones being the second's."""
    moved = faces @ part.T
    return np.asarray((part.sum(1) - moved)[:, :, None] + moved[:, None, :])
