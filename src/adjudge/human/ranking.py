"""From rankings to scores: which system people prefer, how sure that is, and which cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Required, TypedDict

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.human.bradley_terry import bradley_terry, check_bounded, resampled_bradley_terry
from adjudge.human.pairs import (
    Comparisons,
    Floats,
    PairCounts,
    at_least_as_good,
    better,
    comparisons,
    expected_wins,
    items_of_systems,
    resampled_tables,
    units_of,
)
from adjudge.human.trueskill import trueskill_runs
from adjudge.stats.clusters import range_clusters, rank_intervals
from adjudge.stats.crossed import drawn_by_both
from adjudge.stats.distributions import normal_quantile, t_quantile
from adjudge.stats.draws import derived_seed
from adjudge.stats.resampling import Estimate, estimate
from adjudge.wording import noun_form

SHARES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "at-least-as-good": at_least_as_good,
    "better": better,
    "expected-wins": expected_wins,
}
METHODS = (*SHARES, "bradley-terry", "trueskill")
NO_RESAMPLING = "none"
"""As a unit of TrueSkill: runs differ by the matches they draw and by nothing else (Toral et al. 2018)."""
SHOWN = 5
"""Names in a remark."""


class RankOptions(TypedDict, total=False):
    """Keywords of `ranked` beside its method."""

    unit: str | None
    resamples: int
    seed: Required[int]
    confidence: float
    regularisation: float
    threads: int


@dataclass(frozen=True)
class RankedSystem:
    """One system's score with what it may be off, its range of ranks and its cluster."""

    system: str
    score: float
    low: float
    high: float
    deviation: float
    """Standard deviation of the score over the resamples: its standard error."""
    rank: tuple[int, int] | None
    """None where there is no score."""
    rank_interval: tuple[int, int] | None
    """Where it stands in most of the resamples; `rank` is the same, unless tests of pairs say better."""
    cluster: int | None
    """1 is the best; ranges of ranks of different clusters have none in common."""
    wins: int
    ties: int
    losses: int
    n_translations: int
    """n: distinct items on which the system was compared."""
    n_judgements: int
    """N: comparisons it took part in."""


@dataclass(frozen=True)
class Ranking:
    """All systems, the best first; those without a score come last."""

    method: str
    systems: tuple[RankedSystem, ...]
    comparisons: int
    unit: str
    """What was drawn anew in a resample."""
    units: int
    resamples: int
    seed: int
    confidence: float
    never_compared: tuple[tuple[str, str], ...]
    groups: int
    """Connected components of the comparison graph; scores from different components cannot be compared."""
    remarks: tuple[str, ...]
    """What a reader has to know before believing it."""


def rank_systems(
    judgements: Judgements,
    *,
    method: str = "expected-wins",
    unit: str | None = None,
    resamples: int = 1000,
    seed: int,
    confidence: float = 0.95,
    regularisation: float = 0.0,
    threads: int = 0,
) -> Ranking:
    """Systems by what people preferred, with ranges of scores and ranks over resamples, and clusters.

    `unit` is drawn anew in a resample: the `ranking` by default, since comparisons of one ranking depend on each
    other, or the `item`, `document` or `annotator` where several rankings are of the same, or both (`item,annotator`):
    then scores are normal, with the covariances that resamples of either kind show. For TrueSkill it is the
    `pair`, as at WMT, whose score is the mean over the runs; with `none` its runs differ by their matches alone.
    `regularisation` is Bradley–Terry's.
    """
    unit = unit or ("pair" if method == "trueskill" else "ranking")
    _check(method, unit, confidence, resamples)
    made = comparisons(judgements)
    counts = made.counts
    remarks = _comparison_remarks(made, counts)
    score = None
    if method in SHARES:
        score = SHARES[method](counts.wins, counts.ties)
    elif method == "bradley-terry":
        check_bounded(counts, regularisation)
        score = bradley_terry(counts.wins, counts.ties, regularisation=regularisation)

    def resampled(of: str) -> tuple[int, Floats]:
        units, tables = _tables(judgements, made, counts, of, resamples, seed, threads)
        if method in SHARES:
            return units, np.concatenate([SHARES[method](*block) for block in tables])
        if method == "trueskill":
            return units, _runs(tables, len(made.cells), seed, threads)
        fits = [resampled_bradley_terry(*block, regularisation) for block in tables]
        if unbounded := sum(number for _, number in fits):
            remarks.append(
                f"{unbounded} of {resamples} resamples have no finite scores; ranges that hold them are too short"
            )
        return units, np.concatenate([block for block, _ in fits])

    drawn = _resampled_scores(resampled, unit, score, resamples, seed, share=method in SHARES)
    remarks += _missing_score_remarks(made.systems, drawn.score, drawn.scores, resamples)
    return Ranking(
        method,
        _ranked_systems(counts, items_of_systems(judgements, made), drawn, confidence),
        len(made.cells),
        unit,
        drawn.units,
        resamples,
        seed,
        confidence,
        counts.never_compared,
        len(counts.groups),
        tuple(dict.fromkeys(remarks)),
    )


@dataclass(frozen=True, eq=False)
class _ResampledScores:
    """Scores, and how they vary over resamples."""

    score: Floats
    scores: Floats
    """Resamples × systems."""
    units: int
    """How many were drawn; of two kinds, how many of the rarer one there are."""
    both: bool = False
    """Whether units of two kinds were drawn at once."""
    share: bool = False
    """Whether scores lie from 0 to 1."""

    def interval(self, system: int, confidence: float) -> Estimate:
        """One score with what it may be off: as resamples have it, or of two kinds as wide as Student's t."""
        off = estimate(float(self.score[system]), self.scores[:, system], confidence=confidence)
        if not self.both:
            return off
        side = (1 + confidence) / 2
        wider = float(t_quantile(max(self.units - 1, 1), side) / normal_quantile(side))
        low, high = (off.score + wider * (limit - off.score) for limit in (off.low, off.high))
        return (
            replace(off, low=max(low, 0.0), high=min(high, 1.0))
            if self.share
            else replace(off, low=low, high=high)
        )


def _resampled_scores(
    resampled: Callable[[str], tuple[int, Floats]],
    unit: str,
    score: Floats | None,
    resamples: int,
    seed: int,
    *,
    share: bool,
) -> _ResampledScores:
    """Resamples by units of one kind, or of two at once. Without a score it is the mean of what was drawn."""
    if "," not in unit:
        units, scores = resampled(unit)
        return _ResampledScores(_mean(scores) if score is None else score, scores, units)
    parts = [resampled(kind) for kind in (*unit.split(","), unit)]
    score = _mean(parts[0][1]) if score is None else score
    numbers = [units for units, _ in parts]
    scores = drawn_by_both(score, [part for _, part in parts], numbers, resamples, seed)
    return _ResampledScores(score, scores, min(numbers[:2]), both=True, share=share)


def _check(method: str, unit: str, confidence: float, resamples: int) -> None:
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence of {confidence:g}: it lies between 0 and 1 (0.95)")
    if resamples < 1:
        raise UsageError(f"{resamples} resamples: at least one is needed")
    if unit == NO_RESAMPLING and method != "trueskill":
        raise UsageError(f"without resampling only TrueSkill has ranges; {method} needs a unit to draw")


def _missing_score_remarks(
    systems: Sequence[str], score: Floats, scores: Floats, resamples: int
) -> list[str]:
    """A remark on systems that have a score, but not in every resample."""
    missing = np.isnan(scores).sum(0)
    lacking = [
        f"{system} in {number}"
        for system, number, has_score in zip(systems, missing, ~np.isnan(score), strict=True)
        if number and has_score
    ]
    if not lacking:
        return []
    more = f" and {len(lacking) - SHOWN} more" if len(lacking) > SHOWN else ""
    named = f"{', '.join(lacking[:SHOWN])}{more}"
    return [f"no score in some of {resamples} resamples, where the last rank is taken: {named}"]


def _tables(
    judgements: Judgements,
    made: Comparisons,
    counts: PairCounts,
    unit: str,
    resamples: int,
    seed: int,
    threads: int,
) -> tuple[int, Iterator[tuple[Floats, Floats]]]:
    """How many units there are, and the tables of all resamples, in blocks."""
    if unit == NO_RESAMPLING:
        shape = resamples, *counts.wins.shape
        same = np.broadcast_to(counts.wins, shape), np.broadcast_to(counts.ties, shape)
        return len(made.cells), iter([same])
    which = units_of(judgements, made, unit)
    number = len(np.unique(which))
    # Where each unit is a single comparison, counts can be drawn at once.
    drawn = None if number == len(which) else which
    return number, resampled_tables(made, drawn, resamples=resamples, seed=seed, threads=threads)


def _runs(tables: Iterator[tuple[Floats, Floats]], number: int, seed: int, threads: int) -> Floats:
    # Matches must not be drawn by the same random numbers as the comparisons they are drawn from.
    match_seed = derived_seed(seed)
    runs: list[Floats] = []
    for wins, ties in tables:
        first = sum(map(len, runs))
        runs.append(
            trueskill_runs(wins, ties, comparisons=number, seed=match_seed, first=first, threads=threads)
        )
    return np.concatenate(runs)


def _mean(scores: Floats) -> Floats:
    known = ~np.isnan(scores)
    total: Floats = np.where(known, scores, 0.0).sum(0)
    return np.where(known.any(0), total / np.maximum(known.sum(0), 1), np.nan)


def _ranked_systems(
    counts: PairCounts, items: NDArray[np.int64], drawn: _ResampledScores, confidence: float
) -> tuple[RankedSystem, ...]:
    score, scores = drawn.score, drawn.scores
    scored = np.flatnonzero(~np.isnan(score))
    ranks = rank_intervals(scores[:, scored], confidence) if scored.size else []
    clusters = range_clusters(score[scored], ranks) if scored.size else []
    place = {int(s): (rank, cluster) for s, rank, cluster in zip(scored, ranks, clusters, strict=True)}
    order = np.argsort(-np.where(np.isnan(score), -math.inf, score), kind="stable")
    outcomes: tuple[NDArray[np.float64], ...] = counts.wins.sum(1), counts.ties.sum(1), counts.wins.sum(0)
    placed = []
    for s in map(int, order):
        off = drawn.interval(s, confidence)
        rank, cluster = place.get(s, (None, None))
        wins, ties, losses = (int(number[s]) for number in outcomes)
        placed.append(
            RankedSystem(
                counts.systems[s],
                off.score,
                off.low,
                off.high,
                off.deviation,
                rank,
                rank,
                cluster,
                wins,
                ties,
                losses,
                int(items[s]),
                wins + ties + losses,
            )
        )
    return tuple(placed)


def _comparison_remarks(made: Comparisons, counts: PairCounts) -> list[str]:
    remarks = [
        f"{number:,} {noun_form(number, 'judgement')} left out: {why}"
        for why, number in made.left_out.items()
    ]
    if not counts.wins.any():
        remarks.append(f"all {len(made.cells)} comparisons are ties")
    if pairs := counts.never_compared:
        named = ", ".join(f"{a} with {b}" for a, b in pairs[:SHOWN]) + (", …" if len(pairs) > SHOWN else "")
        remarks.append(f"never compared: {named} ({len(pairs)} of {math.comb(len(counts.systems), 2)} pairs)")
    if len(groups := counts.groups) > 1:
        remarks.append(
            f"the systems fall into {len(groups)} groups that were never compared with each other "
            f"({'; '.join(', '.join(group) for group in groups)}): scores of different groups say nothing of each other"
        )
    return remarks
