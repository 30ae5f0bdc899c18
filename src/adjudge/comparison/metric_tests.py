"""All systems and pairs by one metric: scores, intervals and p, before anything is corrected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Measured, Rows, Standing
from adjudge.stats import multiple, resampling
from adjudge.stats.crossed import Clustered, Crossed, difference_of, mean_of
from adjudge.stats.equivalence import error_over_runs, resampled_error
from adjudge.stats.moments import kurtosis
from adjudge.stats.runs import Resampled, resample, spread
from adjudge.stats.significance import significant
from adjudge.stats.tests.systems.base import Outcome, SystemRows, TestOptions
from adjudge.stats.units import BLOCK, Units

if TYPE_CHECKING:
    from adjudge.stats.ranktests import PairTests

Floats = NDArray[np.float64]
Tick = Callable[[int, int], None]
"""Called with how much of a test is done, and of how much."""


def nobody(done: int, steps: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class PairStatistics:
    """Two systems by one metric, before anything is corrected."""

    delta: float
    p: float
    wins: int
    ties: int
    losses: int
    effect: float
    better_on: float
    worse_on: float
    common: int
    deviation: float
    """Of the difference over resamples, from leaving out each unit in turn where these are few enough: resamples vary
    too little where few segments weigh much. NaN where runs were exchanged, which vary as no resample does."""
    units: float
    """How many units stand behind the deviation."""
    kurtosis: float
    """Excess kurtosis of what units add to the difference; NaN where that is unknown."""
    farthest: float
    """Of few units of a mean, how far the difference on one of them is off at most; NaN of many, or where unknown."""
    error: tuple[float, float]
    """The standard error of the difference, other runs of training included, and how many units it is worth."""
    over_runs: float
    """That error over the one by units alone: 1 where every system has one run, NaN where only some have several."""

    def detectable(self, measured: Measured, plan: Plan, alpha: float) -> float:
        """The smallest difference that the test finds with 80 % power; NaN where its units cannot show any."""
        return plan.system_test.detectable(
            self.deviation,
            alpha,
            sides=plan.sides,
            units=self.units,
            kurtosis=self.kurtosis,
            farthest=self.farthest,
            mean=measured.is_mean,
            unit=plan.unit,
        )


@dataclass(frozen=True)
class MetricTests:
    """One metric's systems and differences before correction."""

    measured: Measured
    standings: tuple[Standing, ...]
    """Without a place among the others."""
    differences: tuple[PairStatistics, ...]
    """One a pair."""
    scores: Floats
    resampled: Floats
    rows: SystemRows
    """What was tested."""
    outcome: Outcome
    """What the test says of every pair."""
    on_segments: SegmentScoreBlocks
    """Scores of every system on every segment."""
    estimates: Sequence[Clustered] = ()
    """Differences of pairs with their errors, where intervals come from these: of means, not of resamples."""
    by_pair: Sequence[MetricTests] = ()
    """Every pair by itself, on the items that both systems have, where some lack some."""

    @property
    def lead(self) -> float:
        """Of the first pair, how far what was tested speaks for its first system: ranks, or the score turned better."""
        if self.outcome.ranks is not None:
            return float(self.outcome.ranks.share[0, 1]) - 0.5
        return float(oriented(np.array(self.differences[0].delta), self.measured))

    @property
    def p_values(self) -> list[float]:
        """One a pair."""
        return [difference.p for difference in self.differences]


MOST_REMEMBERED = 2**23
"""Segment scores of all systems that are kept; more are computed whenever they are asked for."""


@dataclass(frozen=True, eq=False)
class SegmentScoreBlocks:
    """Scores of every system on every segment, a block of them at a time: rows may be more than memory holds."""

    measured: Measured
    rows: Sequence[tuple[Rows, ...]]
    known: dict[tuple[int, int | None], Floats] = field(default_factory=dict)
    """Scores that were computed before, by system and start: of many systems each is compared with all others."""

    def of(self, system: int, part: slice = slice(None)) -> Floats:
        """A system's scores, the mean over its runs, on some of the segments."""
        if len(self.rows) < 3 or len(self.rows) * len(self.rows[0][0]) > MOST_REMEMBERED:
            return self._scores(system, part)
        key = system, part.start
        if key not in self.known:
            self.known[key] = self._scores(system, part)
        return self.known[key]

    def _scores(self, system: int, part: slice) -> Floats:
        scores = [self.measured.segment_scores(run[part]) for run in self.rows[system]]
        return np.asarray(np.mean(scores, axis=0), dtype=np.float64)

    def rounding(self) -> float:
        """How far scores may lie apart and still be the same."""
        systems, parts = range(len(self.rows)), list(self._parts())
        scores = (self.of(system, part) for system in systems for part in parts)
        largest = (np.abs(own[np.isfinite(own)]).max(initial=0.0) for own in scores)
        return resampling.tolerance(float(max(largest, default=0.0)))

    def outcomes(self, a: int, b: int, direction: float, near: float) -> tuple[int, int, int]:
        """On how many segments or items a is better, on how many worse, and on how many both have a score."""
        better, worse, common = 0, 0, 0
        for ahead in self._leads(a, b, direction):
            better, worse = better + int((ahead > near).sum()), worse + int((ahead < -near).sum())
            common += int((~np.isnan(ahead)).sum())
        return better, worse, common

    def _leads(self, a: int, b: int, direction: float) -> Iterator[Floats]:
        """How far a is ahead of b on every segment, or on every item where rows are parts of items."""
        if self.measured.item_scores:
            first, second = (self.measured.item_scores[list(self.measured.rows)[s]] for s in (a, b))
            yield direction * (first - second)
            return
        for part in self._parts():
            yield direction * (self.of(a, part) - self.of(b, part))

    def _parts(self) -> Iterator[slice]:
        for start in range(0, len(self.rows[0][0]), BLOCK):
            yield slice(start, start + BLOCK)


def tests_by(
    measured: Measured,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    units: Units,
    crossed: Crossed | None,
    segments: NDArray[np.intp] | None,
    threads: int,
    tick: Tick,
    *,
    standings: bool,
) -> MetricTests:
    """Test every pair by one metric, on some of the segments (None: all); without standings of pairs alone."""
    if measured.items is not None and len(measured.rows) > 1 and measured.items.incomplete:
        return _tests_on_common_items(measured, plan, pairs, units, crossed, segments, threads, tick)
    rows = list(measured.rows.values()) if segments is None else _rows_on(measured, segments)
    flat = [run for runs in rows for run in runs]
    again = _resampled(measured, plan, rows, units, crossed, threads)
    estimates = _estimates(measured, plan, flat, pairs, units, crossed)
    tested = SystemRows(
        rows,
        measured.aggregate,
        pairs,
        units,
        higher_is_better=measured.higher_is_better is not False,
        segment_scores=measured.segment_scores if measured.is_mean else None,
        estimates=estimates if crossed is not None else (),
    )
    outcome = plan.system_test.run(tested, _test_options(plan, again, threads, tick))
    on_segments = SegmentScoreBlocks(measured, rows)
    near = on_segments.rounding()
    left_out = _left_out(measured, plan, flat, again, units, crossed)
    by_unit = _scores_of_few_units(measured, flat, units) if left_out else []
    differences = [
        _difference(
            measured,
            plan,
            pair,
            p,
            again,
            units,
            on_segments,
            near,
            left_out,
            by_unit,
            estimates[i] if crossed else None,
        )
        for i, (pair, p) in enumerate(zip(pairs, _connected(measured, pairs, outcome.p_values), strict=True))
    ]
    return MetricTests(
        measured,
        _standings(measured, plan, flat, again, units, crossed) if standings else (),
        tuple(differences),
        scores=again.scores,
        resampled=again.resampled,
        rows=tested,
        outcome=outcome,
        on_segments=on_segments,
        estimates=estimates,
    )


def _connected(
    measured: Measured, pairs: Sequence[tuple[int, int]], p_values: Sequence[float]
) -> Sequence[float]:
    """The p-values, but 1 for pairs that the design does not connect."""
    if measured.comparable is None:
        return p_values
    return [p if measured.comparable[pair] else 1.0 for pair, p in zip(pairs, p_values, strict=True)]


def _standings(
    measured: Measured,
    plan: Plan,
    rows: Sequence[Rows],
    again: Resampled,
    units: Units,
    crossed: Crossed | None,
) -> tuple[Standing, ...]:
    """All systems with the intervals of their means, or else those of resamples."""
    standings = [_standing(measured, system, again, s, plan, units) for s, system in enumerate(measured.rows)]
    if crossed is not None:
        means = [crossed.mean(run) for run in rows]
    elif measured.has_error(plan) and units.vary:
        means = [mean_of(units.sums(run)) for run in rows]
    else:
        return tuple(standings)
    return tuple(_with_limits(standing, mean, plan) for standing, mean in zip(standings, means, strict=True))


def _estimates(
    measured: Measured,
    plan: Plan,
    rows: Sequence[Rows],
    pairs: Sequence[tuple[int, int]],
    units: Units,
    crossed: Crossed | None,
) -> list[Clustered]:
    """Differences of all pairs with their errors; none where resamples give intervals."""
    if crossed is not None:
        return [_clustered(measured, crossed, rows, pair) for pair in pairs]
    if not measured.has_error(plan) or not units.vary:
        return []
    sums = [units.sums(run) for run in rows]
    return [difference_of(sums[a], sums[b]) for a, b in pairs]


def _rows_on(measured: Measured, segments: NDArray[np.intp]) -> list[tuple[Rows, ...]]:
    """The rows of every system's runs on some of the segments."""
    from adjudge.engine.spilling import some_rows  # late: few ask for groups of segments

    return [tuple(some_rows(run, segments) for run in runs) for runs in measured.rows.values()]


def _clustered(
    measured: Measured, crossed: Crossed, rows: Sequence[Rows], pair: tuple[int, int]
) -> Clustered:
    """The difference of two systems; how sure it is stays unknown where the design does not connect them."""
    difference = crossed.difference(rows[pair[0]], rows[pair[1]])
    if measured.comparable is None or measured.comparable[pair]:
        return difference
    return replace(difference, error=math.nan)


def _tests_of_pair(
    pair: Measured,
    plan: Plan,
    units: Units,
    crossed: Crossed | None,
    segments: NDArray[np.intp] | None,
    threads: int,
    tick: Tick,
) -> MetricTests:
    """Two systems by themselves; where units are crossed, rows that neither has are no units and are left out."""
    if crossed is not None and segments is None:
        weights = [runs[0][:, 1] for runs in pair.rows.values()]
        seen = np.flatnonzero((weights[0] > 0) | (weights[1] > 0))
        crossed = crossed.among(seen)
        units = crossed.cells
        pair = replace(pair, rows={name: (runs[0].take(seen, axis=0),) for name, runs in pair.rows.items()})
    return tests_by(pair, plan, [(0, 1)], units, crossed, segments, threads, tick, standings=False)


def _tests_on_common_items(
    measured: Measured,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    units: Units,
    crossed: Crossed | None,
    segments: NDArray[np.intp] | None,
    threads: int,
    tick: Tick,
) -> MetricTests:
    """Test every pair on the items that both systems have; scores of systems are over all that each has.

    What a system lacks may be its worst. A system that lacks more than the other is called better only where it stays
    so with the worst of all scores in place of what it lacks more; where ranks are tested, of all that it lacks.
    """
    from adjudge.comparison.common_items import (  # late: few lack items
        common_rows,
        lacks_more,
        worst_case_rows,
    )

    assert measured.items is not None
    everything, by_pair, names = replace(measured, items=None), [], list(measured.rows)
    for a, b in pairs:
        connected = measured.comparable is None or bool(measured.comparable[a, b])

        def tested(
            common: Mapping[int, Rows] | None, pair: tuple[int, int] = (a, b), connected: bool = connected
        ) -> MetricTests:
            rows = {names[s]: measured.rows[names[s]] if common is None else (common[s],) for s in pair}
            comparable = np.full((2, 2), connected and common is not None)
            own = replace(everything, rows=rows, comparable=comparable)
            return _tests_of_pair(own, plan, units, crossed, segments, threads, tick)

        own = tested(common_rows(measured.items, a, b))
        if lacks_more(measured.items, a, b) * own.lead > 0:
            worst = tested(worst_case_rows(measured.items, a, b))
            p = max(own.p_values + worst.p_values) if worst.lead * own.lead > 0 else 1.0
            own = replace(own, differences=(replace(own.differences[0], p=p),))
        by_pair.append(own)
    whole = tests_by(everything, plan, pairs[:1], units, crossed, segments, threads, tick, standings=True)
    ranks = [own.outcome.ranks for own in by_pair if own.outcome.ranks is not None]
    return replace(
        whole,
        differences=tuple(own.differences[0] for own in by_pair),
        estimates=[estimate for own in by_pair for estimate in own.estimates],
        by_pair=tuple(by_pair),
        outcome=replace(whole.outcome, ranks=_joined_ranks(whole.outcome.ranks, pairs, ranks)),
    )


def _joined_ranks(
    whole: PairTests | None, pairs: Sequence[tuple[int, int]], by_pair: Sequence[PairTests]
) -> PairTests | None:
    """Tests of ranks of all pairs, from those of every pair by itself; None where ranks were not tested."""
    if whole is None:
        return None
    joined = {own.name: getattr(whole, own.name).copy() for own in fields(whole)}
    for pair, own in zip(pairs, by_pair, strict=True):
        for name, table in joined.items():
            table[pair], table[pair[::-1]] = getattr(own, name)[0, 1], getattr(own, name)[1, 0]
    return replace(whole, **joined)


def _resampled(
    measured: Measured,
    plan: Plan,
    rows: Sequence[tuple[Rows, ...]],
    units: Units,
    crossed: Crossed | None,
    threads: int,
) -> Resampled:
    """All systems on the same resamples."""
    assert plan.resamples is not None
    if crossed is not None:
        flat = [run for runs in rows for run in runs]
        return Resampled.of(rows, measured.aggregate, crossed.drawn(flat, plan.resamples, plan.seed))
    return resample(
        rows,
        measured.aggregate,
        resamples=plan.resamples,
        sampling=plan.sampling,
        seed=plan.seed,
        units=units,
        threads=threads,
    )


def _test_options(plan: Plan, again: Resampled, threads: int, tick: Tick) -> TestOptions:
    """What the plan says of trials and sides."""
    return TestOptions(
        plan.trials,
        plan.seed,
        sides=plan.sides,
        scores_choose_side=plan.alternative == "better-score",
        decided=partial(cannot_be_significant, plan),
        resampled=again,
        threads=threads,
        tick=tick,
    )


def _difference(
    measured: Measured,
    plan: Plan,
    pair: tuple[int, int],
    p: float,
    again: Resampled,
    units: Units,
    on_segments: SegmentScoreBlocks,
    near: float,
    left_out: Sequence[Floats],
    by_unit: Sequence[Floats],
    clustered: Clustered | None,
) -> PairStatistics:
    """What is known of a pair beside its p."""
    a, b = pair
    direction = -1.0 if measured.higher_is_better is False else 1.0
    delta = float(again.scores[a] - again.scores[b])
    differences = again.resampled[:, a] - again.resampled[:, b]
    rounding = resampling.tolerance(again.scores[a], again.scores[b])
    count: float = units.count
    deviation = resampling.deviation(delta, differences) if units.vary else math.nan
    if clustered is not None:
        count, deviation = clustered.units, clustered.deviation
    deviation = deviation if deviation > rounding else math.nan
    wins, ties, losses = resampling.outcomes(
        differences, higher_is_better=measured.higher_is_better is not False, rounding=rounding
    )
    better, worse, common = on_segments.outcomes(a, b, direction, near)
    scores = [again.run_scores[s] for s in pair]
    runs = [(float(np.std(own, ddof=1)), len(own)) for own in scores if len(own) > 1]
    runs += [(math.nan, 1) for own in scores if runs and len(own) == 1]
    used = resampled_error(deviation, count)
    error = error_over_runs(used, count, runs)
    return PairStatistics(
        delta=delta,
        p=p,
        wins=wins,
        ties=ties,
        losses=losses,
        effect=direction * delta / (deviation * math.sqrt(count)),
        better_on=better / common if common else math.nan,
        worse_on=worse / common if common else math.nan,
        common=common,
        # Runs that are exchanged vary as no resample of the segments does: what would show is not known.
        deviation=math.nan if runs else _jackknifed(left_out, pair, deviation),
        units=count,
        kurtosis=kurtosis(left_out[a] - left_out[b]) if left_out else math.nan,
        farthest=float(np.nanmax(np.abs(by_unit[a] - by_unit[b] - delta), initial=0.0))
        if by_unit
        else math.nan,
        error=error,
        over_runs=error[0] / used if runs and used > 0 else 1.0,
    )


LEFT_OUT = 5000
"""With more units than these, resamples vary as much as leaving out each unit says."""


def _left_out(
    measured: Measured,
    plan: Plan,
    rows: Sequence[Rows],
    again: Resampled,
    units: Units,
    crossed: Crossed | None,
) -> list[Floats]:
    """How much of its score each system loses without each unit; nothing where that does not tell how scores vary."""
    single = len(rows) == len(measured.rows)
    if not single or plan.strata or crossed is not None or not 1 < units.count <= LEFT_OUT:
        return []
    sums = [units.sums(run) for run in rows]
    return [
        np.asarray(score - measured.aggregate(own.sum(0) - own), dtype=np.float64)
        for score, own in zip(again.scores, sums, strict=True)
    ]


FEW_UNITS = 40
"""With more units than these, so many swaps decide that a single unit does not matter."""


def _scores_of_few_units(measured: Measured, rows: Sequence[Rows], units: Units) -> list[Floats]:
    """The mean of every system on each unit, where units are few; nothing where scores are no means."""
    if not measured.is_mean or units.count > FEW_UNITS:
        return []
    return [np.asarray(measured.aggregate(units.sums(run)), dtype=np.float64) for run in rows]


def _jackknifed(left_out: Sequence[Floats], pair: tuple[int, int], resampled: float) -> float:
    """The deviation of a difference from what it loses without each unit; that over resamples where it is unknown."""
    if not left_out or math.isnan(resampled):
        return resampled
    loss = left_out[pair[0]] - left_out[pair[1]]
    loss = loss - loss.mean()
    deviation = (1 - 1 / len(loss)) * math.sqrt(float((loss**2).sum()))
    return deviation if math.isfinite(deviation) and deviation > 0 else resampled


def _standing(
    measured: Measured, system: str, again: Resampled, number: int, plan: Plan, units: Units
) -> Standing:
    run_scores = again.run_scores[number]
    runs = spread(run_scores, again.by_run[number])
    estimate = resampling.Estimate(runs.mean, math.nan, math.nan, math.nan)
    if units.vary:  # otherwise all resamples are the same, which shows nothing
        kind = "percentile" if plan.interval == "test" else plan.interval
        drawn = again.resampled[:, number]
        estimate = resampling.estimate(runs.mean, drawn, interval=kind, confidence=plan.confidence)
    return Standing(
        system=system,
        metric=measured.metric,
        label=measured.label,
        score=runs.mean,
        low=estimate.low,
        high=estimate.high,
        deviation=runs.selection,
        signature=measured.signature,
        higher_is_better=measured.higher_is_better,
        decimals=measured.decimals,
        runs=len(run_scores),
        run_deviation=runs.optimiser,
        run_scores=tuple(map(float, run_scores)) if len(run_scores) > 1 else (),
    )


def cannot_be_significant(plan: Plan, lower: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which pairs cannot be significant, their p being no smaller.

    With the pairs of other metrics Holm's correction only grows, but Benjamini and Hochberg's may become smaller.
    """
    correction = "none" if plan.correction == "bh" and plan.family == "all" else plan.correction
    return ~significant(multiple.adjusted(lower, correction), plan.alpha)


def _with_limits(standing: Standing, mean: Clustered, plan: Plan) -> Standing:
    """A standing with the interval of its mean, and where units are of two kinds its deviation."""
    limits = mean.limits(1 - plan.confidence)
    deviation = mean.deviation if plan.crossed else standing.deviation
    return replace(standing, low=limits.low, high=limits.high, deviation=deviation)


def oriented(scores: NDArray[np.float64], measured: Measured) -> NDArray[np.float64]:
    """Scores turned so that higher is better."""
    return -scores if measured.higher_is_better is False else scores
