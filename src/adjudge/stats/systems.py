"""Systems by one measure on the same segments: scores, intervals and tests of pairs, before anything is corrected.

Means over several test sets have the same shape (`stats.macro.MeanTests`): whoever corrects and names what was found
treats one set and several alike.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.stats import resampling
from adjudge.stats.clusters import placements, rank_intervals
from adjudge.stats.crossed import Clustered, Crossed, difference_of, mean_of
from adjudge.stats.equivalence import Equivalence, error_over_runs, resampled_error, within_margin
from adjudge.stats.intervals import NOTHING, Interval, agree_with_test, between
from adjudge.stats.moments import kurtosis
from adjudge.stats.multiple import Corrected
from adjudge.stats.runs import Resampled, resample, spread
from adjudge.stats.significance import significant
from adjudge.stats.tests.systems.base import Outcome, SystemRows, SystemTest, TestOptions
from adjudge.stats.units import BLOCK, Units

if TYPE_CHECKING:
    from adjudge.stats.common_items import ItemWeights
    from adjudge.stats.design import Design
    from adjudge.stats.ranktests import PairTests

Floats = NDArray[np.float64]
Rows = NDArray[np.float64]
MOST_REMEMBERED = 2**23
"""Segment scores of all systems that are kept; more are computed whenever they are asked for."""
LEFT_OUT = 5000
"""With more units than these, resamples vary as much as leaving out each unit says."""
FEW_UNITS = 40
"""With more units than these, so many swaps decide that a single unit does not matter."""
TIED = 0.001
"""By how much ties must make the variance of ranks smaller to be thought of."""


@dataclass(frozen=True)
class SystemScore:
    """One system's score, and how sure it is."""

    score: float
    """The mean over training runs where there are several; NaN where it lacks a test set."""
    low: float
    high: float
    deviation: float = math.nan
    """Over resamples of the test set."""
    run_scores: tuple[float, ...] = ()
    """Of every training run."""
    run_deviation: float | None = None
    sets: int = 1
    missing: tuple[int, ...] = ()
    """Places of the test sets that it lacks."""
    cluster: int | None = None
    """1 is the best; None where systems are not placed."""
    rank: tuple[int, int] | None = None
    rank_interval: tuple[int, int] | None = None
    """Where its rank lies in most resamples."""


@dataclass(frozen=True)
class PairStatistics:
    """Two systems by one measure."""

    delta: float
    p: float
    """NaN where they share no test set."""
    error: tuple[float, float]
    """The standard error of the difference, other runs of training included, and how many units it is worth."""
    wins: int = 0
    ties: int = 0
    losses: int = 0
    effect: float = math.nan
    better_on: float = math.nan
    worse_on: float = math.nan
    common: int = 0
    deviation: float = math.nan
    """Of the difference over resamples, from leaving out each unit in turn where these are few enough: resamples vary
    too little where few segments weigh much. NaN where runs were exchanged, which vary as no resample does."""
    units: float = math.nan
    """How many units stand behind the deviation."""
    kurtosis: float = math.nan
    """Excess kurtosis of what units add to the difference; NaN where that is unknown."""
    farthest: float = math.nan
    """Of few units of a mean, how far the difference on one of them is off at most; NaN of many, or where unknown."""
    over_runs: float = 1.0
    """That error over the one by units alone: 1 where every system has one run, NaN where only some have several."""
    sets: int = 1
    sets_better: int = 0
    sets_worse: int = 0


@dataclass(frozen=True)
class PairFinding:
    """A pair that is corrected together with the others."""

    p_adjusted: float
    significant: bool
    interval: Interval
    """Of the difference, at its corrected level."""
    equivalence: Equivalence | None
    """Whether the two are the same within a margin, where one was given."""
    detectable: float = math.nan
    """The smallest difference that the test would have found with 80 % power; NaN where that is not known."""
    share: float = math.nan
    """Of a test of ranks, the share that was seen."""
    detectable_share: float = math.nan
    """The smallest share above 0.5 that it would have found."""


@dataclass(frozen=True)
class FindingOptions:
    """How pairs are decided once all of them were tested."""

    alpha: float
    design: Design
    """What intervals beside a margin, and what would show, allow for."""
    margin: float | None = None
    together: int = 1
    """How many tests beside a margin are corrected together."""
    agree: bool = True
    """Whether intervals leave out 0 where p is significant, and only there."""
    directed: bool = True
    """Whether high or low is better, so that systems have ranks."""
    against_all: bool = True
    """Whether every two systems were tested, so that they form clusters."""


@dataclass(frozen=True, eq=False)
class Findings:
    """Systems and pairs by one measure, once all tests are corrected."""

    systems: Sequence[SystemScore]
    pairs: Sequence[tuple[int, int]]
    differences: Sequence[PairStatistics]
    decided: Sequence[PairFinding | None]
    """One a pair; None for those that share no test set."""


@dataclass(frozen=True, eq=False)
class MeasureTests(ABC):
    """Systems and their differences by one measure, whether on one test set or in the mean over several."""

    pairs: Sequence[tuple[int, int]]
    direction: float
    """1 where higher is better, else −1."""
    differences: Sequence[PairStatistics]
    """One a pair."""

    @abstractmethod
    def systems(self) -> list[SystemScore]:
        """Every system's score with its interval."""

    @abstractmethod
    def interval(self, number: int, error: float) -> Interval:
        """Of a pair's difference, missing the truth so often."""

    @property
    def p_values(self) -> list[float]:
        """One a pair, without those that share no test set."""
        return [difference.p for difference in self.differences if difference.sets]

    def ahead(self, number: int) -> float:
        """How far the first system of a pair is ahead in what was tested."""
        return self.direction * self.differences[number].delta

    def with_power(self, finding: PairFinding, number: int, alpha: float, design: Design) -> PairFinding:
        """A pair with what would have shown, at an alpha of 0 nothing; it allows for what the design ignores."""
        return finding

    def least_p(self, number: int) -> float:
        """The smallest p that the units allow a pair, however large its difference is; 0 where they set no limit."""
        return 0.0

    def findings(self, corrected: Corrected, options: FindingOptions) -> Findings:
        """Every pair, corrected, and systems with their places."""
        decided = self._decided(corrected, options)
        systems = self.systems()
        if options.directed and options.against_all:
            systems = self._placed(systems, decided)
        if options.directed:
            systems = self._ranked(systems)
        return Findings(systems, self.pairs, self.differences, decided)

    def _decided(self, corrected: Corrected, options: FindingOptions) -> list[PairFinding | None]:
        findings: list[PairFinding | None] = []
        places = iter(range(len(corrected.adjusted)))
        for number, difference in enumerate(self.differences):
            if not difference.sets:
                findings.append(None)
                continue
            place = next(places)
            p, least = float(corrected.adjusted[place]), self.least_p(number)
            limit, error = float(corrected.thresholds[place]), float(corrected.errors[place])
            is_significant = significant(p, options.alpha)
            interval = self.interval(number, error) if significant(least, error) else NOTHING
            if options.agree:
                interval = agree_with_test(interval, difference.delta, significant=is_significant)
            equivalence = None
            if options.margin is not None:
                equivalence = within_margin(
                    self.direction * difference.delta,
                    *difference.error,
                    options.margin,
                    design=options.design,
                    alpha=options.alpha,
                    tests=options.together,
                )
            finding = PairFinding(p, is_significant, interval, equivalence)
            alpha = limit if significant(least, limit) else 0.0
            findings.append(self.with_power(finding, number, alpha, options.design))
        return findings

    def _placed(
        self, systems: list[SystemScore], findings: Sequence[PairFinding | None]
    ) -> list[SystemScore]:
        """Systems in clusters."""
        beats = np.zeros((len(systems), len(systems)), dtype=bool)
        for number, ((a, b), finding) in enumerate(zip(self.pairs, findings, strict=True)):
            if finding is not None and finding.significant:
                ahead = self.ahead(number)
                beats[a, b], beats[b, a] = ahead > 0, ahead < 0
        places = placements(self.direction * np.array([system.score for system in systems]), beats)
        return [
            replace(system, cluster=place.cluster, rank=place.rank)
            for system, place in zip(systems, places, strict=True)
        ]

    def _ranked(self, systems: list[SystemScore]) -> list[SystemScore]:
        """Systems with the ranks that they have in most resamples, where those are counted."""
        return systems


@dataclass(frozen=True, eq=False)
class SystemTests(MeasureTests):
    """Systems on the same segments, every pair of which was tested."""

    test: SystemTest
    rows: SystemRows
    options: TestOptions
    resampled: Resampled
    outcome: Outcome
    """What the test says of every pair."""
    on_segments: SegmentScoreBlocks
    """Scores of every system on every segment."""
    by_pair: Sequence[SystemTests] = ()
    """Every pair by itself, on the items that both systems have, where some lack some."""

    def systems(self) -> list[SystemScore]:
        """With the intervals of their means, or else those of resamples."""
        rows, units = self.rows, self.rows.drawn
        scores = [self._of_resamples(number) for number in range(len(rows.systems))]
        if rows.crossed is not None:
            means = [rows.crossed.mean(runs[0]) for runs in rows.systems]
        elif rows.from_errors and units.vary:
            means = [mean_of(units.sums(runs[0])) for runs in rows.systems]
        else:
            return scores
        return list(map(self._with_limits, scores, means))

    def _of_resamples(self, number: int) -> SystemScore:
        run_scores = self.resampled.run_scores[number]
        runs = spread(run_scores, self.resampled.by_run[number])
        low = high = math.nan
        if self.rows.drawn.vary:  # otherwise all resamples are the same, which shows nothing
            kind, confidence = self.options.score_interval, self.options.confidence
            drawn = self.resampled.resampled[:, number]
            units = self.rows.drawn.count
            known = resampling.estimate(runs.mean, drawn, interval=kind, confidence=confidence, units=units)
            low, high = known.low, known.high
        each = tuple(map(float, run_scores))
        return SystemScore(runs.mean, low, high, runs.selection, each, runs.optimiser)

    def _with_limits(self, score: SystemScore, mean: Clustered) -> SystemScore:
        """The score with the interval of its mean, and where units are of two kinds its deviation."""
        limits = mean.limits(1 - self.options.confidence)
        deviation = mean.deviation if self.rows.crossed is not None else score.deviation
        return replace(score, low=limits.low, high=limits.high, deviation=deviation)

    def ahead(self, number: int) -> float:
        """How far what was tested speaks for the first system of a pair: ranks, or the score turned better."""
        return self.outcome.ahead(self.pairs[number], super().ahead(number))

    def interval(self, number: int, error: float) -> Interval:
        """Those differences that the test would not reject, or what resamples say."""
        if not self.rows.drawn.vary:  # all resamples are the same, which shows nothing
            return NOTHING
        if self.by_pair:
            return self.by_pair[number].interval(0, error)
        (a, b), scores = self.pairs[number], self.resampled.scores
        delta, interval = float(scores[a] - scores[b]), None
        if self.rows.estimates:
            interval = self.rows.estimates[number].limits(error)
        elif self.options.interval == "test":
            interval = self.test.interval(self.rows, self.outcome, number, delta, error)
        if interval is not None:
            return interval
        drawn = self.resampled.resampled[:, a] - self.resampled.resampled[:, b]
        return between(delta, drawn, error, basic=self.options.interval == "basic")

    def detectable(self, difference: PairStatistics, alpha: float) -> float:
        """The smallest difference that the test finds with 80 % power; NaN where its units cannot show any."""
        return self.test.detectable(
            difference.deviation,
            alpha,
            sides=self.options.sides,
            units=difference.units,
            kurtosis=difference.kurtosis,
            farthest=difference.farthest,
            mean=self.rows.is_mean,
            unit=self.options.unit,
        )

    def with_power(self, finding: PairFinding, number: int, alpha: float, design: Design) -> PairFinding:
        """In the units of what was tested; of ranks nothing is known where the design ignores something."""
        ranks, pair = self.outcome.ranks, self.pairs[number]
        if ranks is None:
            difference = self.differences[number]
            deviation, units = design.widened(difference.deviation, difference.units)
            # What a group that was not drawn is off at most is not known.
            farthest = math.nan if design.ignored else difference.farthest
            allowed = replace(difference, deviation=deviation, units=units, farthest=farthest)
            return replace(finding, detectable=self.detectable(allowed, alpha))
        share, detectable = float(ranks.share[pair]), math.nan
        if alpha and not design.ignored:
            levels = self._levels(pair) if ranks.ties[pair] > TIED else None
            sides = self.options.sides
            detectable = self.test.detectable_share(ranks, pair, alpha, sides=sides, levels=levels)
        return replace(finding, share=share, detectable_share=detectable)

    def _levels(self, pair: tuple[int, int]) -> Floats:
        """How often each score of two systems occurs, the worst first."""
        scores = np.array([self.on_segments.of(system) for system in pair])
        levels = np.unique(scores[~np.isnan(scores)], return_counts=True)[1].astype(np.float64)
        return levels if self.direction > 0 else levels[::-1]

    def least_p(self, number: int) -> float:
        """The smallest p that the units allow a pair."""
        runs = [len(self.rows.systems[system]) for system in self.pairs[number]]
        several, sides = max(runs) > 1, self.options.sides
        return least_p(self.test, self.rows.drawn, self.rows.crossed, sides=sides, several_runs=several)

    def _ranked(self, systems: list[SystemScore]) -> list[SystemScore]:
        resampled = self.direction * self.resampled.resampled
        intervals = rank_intervals(resampled, self.options.confidence)
        return [
            replace(system, rank_interval=ranks) for system, ranks in zip(systems, intervals, strict=True)
        ]


def least_p(
    test: SystemTest, units: Units, crossed: Crossed | None, *, sides: int, several_runs: bool = False
) -> float:
    """The smallest p that so few units allow, however large a difference is; 0 where it is not theirs to limit."""
    enough = units.vary if crossed is None else crossed.enough
    return test.smallest_p(units.count, sides=sides, vary=enough, several_runs=several_runs)


def compare_systems(test: SystemTest, rows: SystemRows, options: TestOptions) -> SystemTests:
    """Test every pair; where some systems lack items, on those that both have."""
    if rows.items is not None and len(rows.systems) > 1 and rows.items.incomplete:
        return _on_common_items(test, rows, options)
    if rows.part is not None:
        systems = [tuple(rows.part(run) for run in runs) for runs in rows.systems]
        rows = replace(rows, systems=systems, part=None)
    resampled = _resampled(rows, options)
    rows = replace(rows, estimates=_estimates(rows))
    outcome = test.run(rows, replace(options, resampled=resampled))
    starts = range(0, len(rows.systems[0][0]), BLOCK)
    on_segments = SegmentScoreBlocks(rows, [slice(start, start + BLOCK) for start in starts])
    differences = _differences(rows, resampled, outcome.p_values, on_segments)
    return SystemTests(
        rows.pairs, rows.direction, differences, test, rows, options, resampled, outcome, on_segments
    )


def _resampled(rows: SystemRows, options: TestOptions) -> Resampled:
    """All systems on the same resamples."""
    if rows.crossed is not None:
        flat = [run for runs in rows.systems for run in runs]
        drawn = rows.crossed.drawn(flat, options.resamples, options.seed)
        return Resampled.of(rows.systems, rows.aggregate, drawn)
    return resample(
        rows.systems,
        rows.aggregate,
        resamples=options.resamples,
        sampling=options.sampling,
        seed=options.seed,
        units=rows.units,
        threads=options.threads,
    )


def _estimates(rows: SystemRows) -> list[Clustered]:
    """Differences of all pairs with their errors; none where resamples give intervals."""
    if rows.crossed is not None:
        return [_clustered(rows, rows.crossed, pair) for pair in rows.pairs]
    if not rows.from_errors or not rows.drawn.vary:
        return []
    sums = [rows.drawn.sums(runs[0]) for runs in rows.systems]
    return [difference_of(sums[a], sums[b]) for a, b in rows.pairs]


def _clustered(rows: SystemRows, crossed: Crossed, pair: tuple[int, int]) -> Clustered:
    """The difference of two systems; how sure it is stays unknown where the design does not connect them."""
    difference = crossed.difference(*(rows.systems[system][0] for system in pair))
    if rows.comparable is None or rows.comparable[pair]:
        return difference
    return replace(difference, error=math.nan)


def _differences(
    rows: SystemRows, resampled: Resampled, p_values: Sequence[float], on_segments: SegmentScoreBlocks
) -> tuple[PairStatistics, ...]:
    """What is known of every pair."""
    near = on_segments.rounding()
    left_out = _left_out(rows, resampled)
    by_unit: list[Floats] = []
    if left_out and rows.is_mean and rows.drawn.count <= FEW_UNITS:
        by_unit = [np.asarray(rows.aggregate(rows.drawn.sums(runs[0]))) for runs in rows.systems]
    differences = []
    for number, (pair, p) in enumerate(zip(rows.pairs, p_values, strict=True)):
        connected = rows.comparable is None or rows.comparable[pair]
        own = _difference(rows, resampled, number, p if connected else 1.0, left_out)
        better, worse, common = on_segments.outcomes(*pair, rows.direction, near)
        farthest = math.nan
        if by_unit:
            off = np.abs(by_unit[pair[0]] - by_unit[pair[1]] - own.delta)
            farthest = float(np.nanmax(off, initial=0.0))
        differences.append(
            replace(
                own,
                better_on=better / common if common else math.nan,
                worse_on=worse / common if common else math.nan,
                common=common,
                farthest=farthest,
            )
        )
    return tuple(differences)


def _difference(
    rows: SystemRows, resampled: Resampled, number: int, p: float, left_out: Sequence[Floats]
) -> PairStatistics:
    """A pair's difference, and how it varies over resamples and runs."""
    (a, b), units = rows.pairs[number], rows.drawn
    delta = float(resampled.scores[a] - resampled.scores[b])
    differences = resampled.resampled[:, a] - resampled.resampled[:, b]
    rounding = resampling.tolerance(resampled.scores[a], resampled.scores[b])
    count: float = units.count
    deviation = resampling.deviation(delta, differences) if units.vary else math.nan
    if rows.crossed is not None:
        count, deviation = rows.estimates[number].units, rows.estimates[number].deviation
    deviation = deviation if deviation > rounding else math.nan
    wins, ties, losses = resampling.outcomes(
        differences, higher_is_better=rows.higher_is_better, rounding=rounding
    )
    scores = [resampled.run_scores[system] for system in (a, b)]
    runs = [(float(np.std(score, ddof=1)), len(score)) for score in scores if len(score) > 1]
    runs += [(math.nan, 1) for score in scores if runs and len(score) == 1]
    used = resampled_error(deviation, count)
    error = error_over_runs(used, count, runs)
    return PairStatistics(
        delta,
        p,
        error,
        wins,
        ties,
        losses,
        effect=rows.direction * delta / (deviation * math.sqrt(count)),
        # Runs that are exchanged vary as no resample of the segments does: what would show is not known.
        deviation=math.nan if runs else _jackknifed(left_out, (a, b), deviation),
        units=count,
        kurtosis=kurtosis(left_out[a] - left_out[b]) if left_out else math.nan,
        over_runs=error[0] / used if runs and used > 0 else 1.0,
    )


def _left_out(rows: SystemRows, resampled: Resampled) -> list[Floats]:
    """How much of its score each system loses without each unit; nothing where that does not tell how scores vary."""
    units = rows.drawn
    several_runs = any(len(runs) > 1 for runs in rows.systems)
    if several_runs or units.begins or rows.crossed or not 1 < units.count <= LEFT_OUT:
        return []
    sums = [units.sums(runs[0]) for runs in rows.systems]
    return [
        np.asarray(score - rows.aggregate(total.sum(0) - total), dtype=np.float64)
        for score, total in zip(resampled.scores, sums, strict=True)
    ]


def _jackknifed(left_out: Sequence[Floats], pair: tuple[int, int], resampled: float) -> float:
    """The deviation of a difference from what it loses without each unit; that over resamples where it is unknown."""
    if not left_out or math.isnan(resampled):
        return resampled
    loss = left_out[pair[0]] - left_out[pair[1]]
    loss = loss - loss.mean()
    deviation = (1 - 1 / len(loss)) * math.sqrt(float((loss**2).sum()))
    return deviation if math.isfinite(deviation) and deviation > 0 else resampled


@dataclass(frozen=True, eq=False)
class SegmentScoreBlocks:
    """Scores of every system on every segment, a block of them at a time: rows may be more than memory holds."""

    rows: SystemRows
    parts: Sequence[slice]
    """The blocks."""
    known: dict[tuple[int, int | None], Floats] = field(default_factory=dict)
    """Scores that were computed before, by system and start: they are asked for more than once."""

    def of(self, system: int, part: slice = slice(None)) -> Floats:
        """A system's scores, the mean over its runs, on some of the segments."""
        systems, key = self.rows.systems, (system, part.start)
        known = self.known.get(key)
        if known is None:
            assert self.rows.segment_scores is not None
            scores = [self.rows.segment_scores(run[part]) for run in systems[system]]
            mean = np.mean(scores, axis=0) if len(scores) > 1 else scores[0]
            known = np.asarray(mean, dtype=np.float64)
            if len(systems) * len(systems[0][0]) <= MOST_REMEMBERED:
                self.known[key] = known
        return known

    def rounding(self) -> float:
        """How far scores may lie apart and still be the same."""
        systems = range(len(self.rows.systems))
        scores = (self.of(system, part) for system in systems for part in self.parts)
        largest = (np.abs(score[np.isfinite(score)]).max(initial=0.0) for score in scores)
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
        if self.rows.item_scores:
            yield direction * (self.rows.item_scores[a] - self.rows.item_scores[b])
            return
        for part in self.parts:
            yield direction * (self.of(a, part) - self.of(b, part))


def _on_common_items(test: SystemTest, rows: SystemRows, options: TestOptions) -> SystemTests:
    """Test every pair on the items that both systems have; scores of systems are over all that each has.

    What a system lacks may be its worst. A system that lacks more than the other is called better only where it stays
    so with the worst of all scores in place of what it lacks more; where ranks are tested, of all that it lacks.
    """
    from adjudge.stats.common_items import (  # late: few lack items
        common_weights,
        lacks_more,
        worst_case_weights,
    )

    assert rows.items is not None
    by_pair = []
    for a, b in rows.pairs:
        own = _pair_alone(test, rows, options, (a, b), common_weights(rows.items, a, b))
        if lacks_more(rows.items, a, b) * own.ahead(0) > 0:
            worst = _pair_alone(test, rows, options, (a, b), worst_case_weights(rows.items, a, b))
            p = max(own.p_values + worst.p_values) if worst.ahead(0) * own.ahead(0) > 0 else 1.0
            own = replace(own, differences=(replace(own.differences[0], p=p),))
        by_pair.append(own)
    whole = compare_systems(test, replace(rows, items=None, pairs=rows.pairs[:1]), options)
    ranks = [relation.outcome.ranks for relation in by_pair if relation.outcome.ranks is not None]
    return replace(
        whole,
        pairs=rows.pairs,
        differences=tuple(relation.differences[0] for relation in by_pair),
        by_pair=tuple(by_pair),
        outcome=replace(whole.outcome, ranks=_joined_ranks(whole.outcome.ranks, rows.pairs, ranks)),
    )


def _pair_alone(
    test: SystemTest,
    rows: SystemRows,
    options: TestOptions,
    pair: tuple[int, int],
    common: ItemWeights | None,
) -> SystemTests:
    """Two systems by themselves, on items of some weights; on all that each has where these do not connect them.

    Where units are crossed, rows that neither system has are no units and are left out.
    """
    from adjudge.stats.common_items import SeenRows  # late: few lack items

    assert rows.items is not None
    connected = common is not None and (rows.comparable is None or bool(rows.comparable[pair]))
    own: Mapping[int, Rows] = {system: rows.systems[system][0] for system in pair}
    crossed, units = rows.crossed, rows.units
    if crossed is not None and rows.part is None:
        seen = SeenRows.of(own) if common is None else rows.items.seen_rows(common)
        own, crossed = seen.rows, crossed.among(seen.places)
        units = crossed.cells
    elif common is not None:
        own = rows.items.rows(common)
    alone = replace(
        rows,
        systems=[(own[system],) for system in pair],
        pairs=[(0, 1)],
        items=None,
        comparable=np.full((2, 2), connected),
        crossed=crossed,
        units=units,
        item_scores=[rows.item_scores[system] for system in pair] if rows.item_scores else (),
    )
    return compare_systems(test, alone, options)


def _joined_ranks(
    whole: PairTests | None, pairs: Sequence[tuple[int, int]], by_pair: Sequence[PairTests]
) -> PairTests | None:
    """Tests of ranks of all pairs, from those of every pair by itself; None where ranks were not tested."""
    if whole is None:
        return None
    joined = {field.name: getattr(whole, field.name).copy() for field in fields(whole)}
    for pair, relation in zip(pairs, by_pair, strict=True):
        for name, table in joined.items():
            table[pair], table[pair[::-1]] = getattr(relation, name)[0, 1], getattr(relation, name)[1, 0]
    return replace(whole, **joined)
