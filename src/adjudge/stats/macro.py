"""Means over several test sets, each counting alike: what is drawn is drawn within each set, apart from the others.

So intervals and tests hold for other texts of the same kinds, not for other kinds of texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.crossed import Clustered, Crossed
from adjudge.stats.equivalence import error_from_parts, resampled_error
from adjudge.stats.intervals import NOTHING, Interval, bootstrap_limits
from adjudge.stats.many_pairs import ManyPairs, SignedSet, Tick, stretches
from adjudge.stats.resampling import (
    Aggregate,
    Rows,
    SwappedPairs,
    bootstrap_p,
    checked_units,
    estimate,
    sampled_p,
    tolerance,
)
from adjudge.stats.runs import MANY, resample
from adjudge.stats.stopping import Decided, Stopping
from adjudge.stats.systems import MeasureTests, PairFinding, PairStatistics, SystemScore
from adjudge.stats.tests.systems.base import SystemTest, TestOptions
from adjudge.stats.units import Units, total

Floats = NDArray[np.float64]
Pairs = Sequence[tuple[int, int]]
FEWEST_RESAMPLES = 100
"""Below so many there is no interval of a difference: its ends would be those of chance."""


@dataclass(frozen=True, eq=False)
class SetRows:
    """The rows of one test set."""

    systems: Mapping[int, Sequence[Rows]]
    """Of every training run, by the number of the system; a system without output is not there."""
    aggregate: Aggregate
    units: Units
    seed: int
    """Another one for every set: what is drawn in one says nothing of the others."""
    crossed: Crossed | None = None
    """Where units of two kinds are drawn at once: how `parts` lie across them."""
    parts: Mapping[int, Rows] = field(default_factory=dict)
    """By system, rows of which the mean is the system's score, by units of either kind."""


@dataclass(frozen=True, eq=False)
class SetScores:
    """One test set's scores, the mean over runs; NaN for a system without output."""

    scores: Floats
    resampled: Floats
    """Resamples × systems."""


@dataclass(frozen=True, eq=False)
class MacroPairs:
    """Every pair in the mean over the sets of a group that both systems have."""

    sets: NDArray[np.int64]
    """How many that are."""
    delta: Floats
    """a − b; NaN without a set."""
    resampled: Floats
    """a − b on resamples: resamples × pairs."""
    rounding: Floats
    """How far equal means may lie apart."""
    units: NDArray[np.int64]
    """How many units stand behind a difference: one less of each set, and one."""


def set_scores(set_rows: SetRows, systems: int, options: TestOptions) -> SetScores:
    """All systems of a set on the same resamples, or as they would vary by units of two kinds."""
    resamples = options.resamples
    scores, resampled = np.full(systems, math.nan), np.full((resamples, systems), math.nan)
    if set_rows.crossed is not None:
        for system, rows in set_rows.systems.items():
            scores[system] = float(set_rows.aggregate(total(rows[0])))
        parts = list(set_rows.parts.values())
        resampled[:, list(set_rows.parts)] = set_rows.crossed.drawn(parts, resamples, set_rows.seed)
        return SetScores(scores, resampled)
    drawn = resample(
        list(set_rows.systems.values()),
        set_rows.aggregate,
        resamples=resamples,
        seed=set_rows.seed,
        units=set_rows.units,
        sampling=options.sampling,
        threads=options.threads,
    )
    present = list(set_rows.systems)
    scores[present], resampled[:, present] = drawn.scores, drawn.resampled
    return SetScores(scores, resampled)


@dataclass(frozen=True, eq=False)
class MeanTests(MeasureTests):
    """One measure in the mean over some test sets, each counting alike."""

    sets: Sequence[SetRows]
    scores: Sequence[SetScores]
    means: MacroPairs
    clustered: Sequence[Clustered]
    """One a pair where units of two kinds are drawn, else none."""
    options: TestOptions

    def systems(self) -> list[SystemScore]:
        """Means of the systems that have an output for every set."""
        return [self._system(number) for number in range(len(self.scores[0].scores))]

    def _system(self, number: int) -> SystemScore:
        scores = [scored.scores[number] for scored in self.scores]
        missing = tuple(place for place, score in enumerate(scores) if math.isnan(score))
        mean = low = high = math.nan
        if not missing:
            mean = float(np.mean(scores))
            resampled = np.mean([scored.resampled[:, number] for scored in self.scores], axis=0)
            low, high = score_limits(mean, resampled, self.options, self.sets)
        return SystemScore(mean, low, high, sets=len(scores) - len(missing), missing=missing)

    def _placed(
        self, systems: list[SystemScore], findings: Sequence[PairFinding | None]
    ) -> list[SystemScore]:
        """Clusters, where every system has an output for every set; ranks are those of single sets."""
        if len(systems) < 2 or any(system.missing for system in systems):
            return systems
        return [replace(own, rank=None) for own in super()._placed(systems, findings)]

    def interval(self, number: int, error: float) -> Interval:
        """About the mean difference, as far as resamples vary, or by units of two kinds."""
        if self.clustered:
            return self.clustered[number].limits(error)
        resampled = self.means.resampled[:, number]
        if len(resampled) < FEWEST_RESAMPLES:
            return NOTHING
        return bootstrap_limits(
            self.differences[number].delta, resampled, error, int(self.means.units[number])
        )


def score_limits(
    score: float, resampled: Floats, options: TestOptions, sets: Sequence[SetRows]
) -> tuple[float, float]:
    """The interval of a score on some sets from resamples; units of two kinds are not resampled but simulated."""
    simulated = any(own.crossed is not None for own in sets)
    known = estimate(
        score,
        resampled,
        interval=options.score_interval,
        confidence=options.confidence,
        units=None if simulated else sum(own.units.count for own in sets),
    )
    return known.low, known.high


def mean_tests(
    test: SystemTest,
    sets: Sequence[SetRows],
    scores: Sequence[SetScores],
    groups: Sequence[Sequence[int]],
    pairs: Pairs,
    options: TestOptions,
    *,
    higher_is_better: bool = True,
) -> list[MeanTests]:
    """Every pair in the mean over every group of test sets, which are named by their places."""
    sets_of = [[sets[place] for place in places] for places in groups]
    scores_of = [[scores[place] for place in places] for places in groups]
    means = [macro_pairs(own, rows, pairs) for own, rows in zip(scores_of, sets_of, strict=True)]
    clustered: list[list[Clustered]] = [[] for _ in groups]
    if any(rows.crossed is not None for rows in sets):
        clustered = list(map(macro_clustered, scores_of, sets_of, means, [pairs] * len(groups)))
        p_values = [np.array([pair.p() for pair in estimate]) for estimate in clustered]
    else:
        p_values = test.over_sets(sets, groups, means, pairs, options)
    direction = 1.0 if higher_is_better else -1.0
    return [
        MeanTests(
            pairs,
            direction,
            _differences(own, mean, p, pairs, errors, direction),
            rows,
            own,
            mean,
            errors,
            options,
        )
        for own, rows, mean, p, errors in zip(scores_of, sets_of, means, p_values, clustered, strict=True)
    ]


def _differences(
    scores: Sequence[SetScores],
    means: MacroPairs,
    p_values: Floats,
    pairs: Pairs,
    clustered: Sequence[Clustered],
    direction: float,
) -> list[PairStatistics]:
    """What is known of every pair; of those that share no set, nothing."""
    differences = []
    for i, (a, b) in enumerate(pairs):
        if not means.sets[i]:
            differences.append(PairStatistics(math.nan, math.nan, (math.nan, math.nan), sets=0))
            continue
        known = means.resampled[~np.isnan(means.resampled[:, i]), i]
        units = float(means.units[i])
        error = resampled_error(float(known.std(ddof=1)) if len(known) > 1 else math.nan, units)
        if clustered:
            error, units = clustered[i].error, clustered[i].units
        ahead = [direction * (score.scores[a] - score.scores[b]) for score in scores]
        differences.append(
            PairStatistics(
                float(means.delta[i]),
                float(p_values[i]),
                (error, units),
                sets=int(means.sets[i]),
                sets_better=int(np.sum(np.greater(ahead, 0))),
                sets_worse=int(np.sum(np.less(ahead, 0))),
            )
        )
    return differences


def macro_clustered(
    sets: Sequence[SetScores], rows: Sequence[SetRows], means: MacroPairs, pairs: Pairs
) -> list[Clustered]:
    """The mean difference of every pair with its error, where some of these sets draw units of two kinds.

    Errors of sets add up; degrees of freedom are Satterthwaite's (1946).
    """
    clustered = []
    for i, (a, b) in enumerate(pairs):
        errors = [
            _pair_error(seen, row, a, b)
            for seen, row in zip(sets, rows, strict=True)
            if a in row.systems and b in row.systems
        ]
        error, units = error_from_parts([(error**2, units - 1) for error, units in errors])
        clustered.append(Clustered(float(means.delta[i]), error / max(1, len(errors)), units))
    return clustered


def _pair_error(seen: SetScores, set_rows: SetRows, a: int, b: int) -> tuple[float, float]:
    """The standard error of two systems' difference on one set, and its units."""
    if set_rows.crossed is not None:
        known = set_rows.crossed.difference(set_rows.parts[a], set_rows.parts[b])
        return known.error, known.units
    deviation = float(np.std(seen.resampled[:, a] - seen.resampled[:, b], ddof=1))
    return resampled_error(deviation, set_rows.units.count), set_rows.units.count


def macro_pairs(sets: Sequence[SetScores], rows: Sequence[SetRows], pairs: Pairs) -> MacroPairs:
    """The mean difference of every pair over those of these sets that both systems have."""
    first, second = _sides(pairs)
    resamples = len(sets[0].resampled)
    count = np.zeros(len(pairs), dtype=np.int64)
    units = np.ones(len(pairs), dtype=np.int64)
    delta, largest = np.zeros(len(pairs)), np.zeros(len(pairs))
    resampled = np.zeros((resamples, len(pairs)))
    for set_scores, set_rows in zip(sets, rows, strict=True):
        apart = set_scores.scores[first] - set_scores.scores[second]
        both = ~np.isnan(apart)
        count += both
        number = set_rows.units.count if set_rows.crossed is None else set_rows.crossed.fewest
        units += np.where(both, number - 1, 0)
        delta += np.where(both, apart, 0.0)
        sizes = np.maximum(np.abs(set_scores.scores[first]), np.abs(set_scores.scores[second]))
        largest = np.fmax(largest, sizes)
        resampled[:, both] += set_scores.resampled[:, first[both]] - set_scores.resampled[:, second[both]]
    with np.errstate(invalid="ignore", divide="ignore"):
        delta, resampled = delta / count, resampled / count
    delta[count == 0] = math.nan
    rounding = np.array([tolerance(size) for size in largest])
    return MacroPairs(count, delta, resampled, rounding, units)


def macro_bootstrap(pairs: MacroPairs) -> Floats:
    """P of every pair from the mean differences on resamples."""
    return np.array(
        [
            bootstrap_p(delta, pairs.resampled[:, i], rounding=pairs.rounding[i], units=int(pairs.units[i]))
            if pairs.sets[i]
            else math.nan
            for i, delta in enumerate(pairs.delta)
        ]
    )


def macro_randomisation(
    sets: Sequence[SetRows],
    groups: Sequence[Sequence[int]],
    means: Sequence[MacroPairs],
    pairs: Pairs,
    *,
    trials: int,
    threads: int = 0,
    decided: Decided | None = None,
    tick: Tick | None = None,
) -> list[Floats]:
    """P of every pair in the mean of every group of sets (by their places), two-sided: units are swapped within sets.

    The trials of all sets go side by side, a block at a time; a group is done with as soon as its last set is. Of more
    than `MANY` pairs those stop early that are `decided` whatever the rest of the trials would show.
    """
    if len(pairs) > MANY and all(len(runs) == 1 for set_rows in sets for runs in set_rows.systems.values()):
        return _screened_randomisation(sets, groups, pairs, trials, threads, decided, tick)
    within = [[g for g, group in enumerate(groups) if place in group] for place in range(len(sets))]
    last = [max(group) for group in groups]
    as_extreme = [np.zeros(len(pairs), dtype=np.int64) for _ in groups]
    chances = [_chance(set_rows, pairs, trials, threads) for set_rows in sets]
    done = 0
    while done < trials:
        sums: dict[int, Floats] = {}
        for place, chance in enumerate(chances):
            block, both = next(chance)
            for g in within[place]:
                block_sums = sums.setdefault(g, np.zeros((len(block), len(pairs))))
                block_sums[:, both] += block
                if last[g] == place:
                    as_extreme[g] += _as_extreme(sums.pop(g), means[g])
        done += len(block)
        if tick:
            tick(done, trials)
    return [
        np.array(
            [sampled_p(int(far), trials) if n else math.nan for far, n in zip(beyond, mean.sets, strict=True)]
        )
        for beyond, mean in zip(as_extreme, means, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _ScreenedPairs:
    """Pairs of one group of sets that share the same sets."""

    numbers: NDArray[np.intp]
    """The pairs' places among all pairs."""
    many: ManyPairs
    stopping: Stopping
    """Of the whole group."""

    @property
    def open(self) -> bool:
        """Whether a pair needs more trials."""
        return bool(self.stopping.open[self.numbers].any())


def _screened_randomisation(
    sets: Sequence[SetRows],
    groups: Sequence[Sequence[int]],
    pairs: Pairs,
    trials: int,
    threads: int,
    decided: Decided | None,
    tick: Tick | None,
) -> list[Floats]:
    """P of very many pairs: a system's sums on several sets stand side by side, as one longer row."""
    rows = []
    for set_rows in sets:
        units = checked_units([runs[0] for runs in set_rows.systems.values()], set_rows.units, trials)
        rows.append({system: units.sums(runs[0]) for system, runs in set_rows.systems.items()})
    stopping = [Stopping(len(pairs), decided) for _ in groups]
    screened = [
        part
        for group, rule in zip(groups, stopping, strict=True)
        for part in _screened_pairs(sets, rows, sorted(group), pairs, rule, threads)
    ]
    for last in stretches(trials):
        for part in screened:
            if part.open:
                part.many.advance(last, part.stopping, part.numbers, trials, tick or _ignore)
    return [
        np.array(
            [
                sampled_p(int(f), int(n)) if n else math.nan
                for f, n in zip(rule.as_extreme, rule.tried, strict=True)
            ]
        )
        for rule in stopping
    ]


def _ignore(done: int, steps: int) -> None:
    """No-op progress callback."""


def _screened_pairs(
    sets: Sequence[SetRows],
    rows: Sequence[Mapping[int, Rows]],
    group: Sequence[int],
    pairs: Pairs,
    stopping: Stopping,
    threads: int,
) -> Iterator[_ScreenedPairs]:
    """The pairs of a group by the sets that both systems have."""
    by_sets: dict[tuple[int, ...], list[int]] = {}
    for i, (a, b) in enumerate(pairs):
        shared = tuple(place for place in group if a in rows[place] and b in rows[place])
        if shared:
            by_sets.setdefault(shared, []).append(i)
    for shared, numbers in by_sets.items():
        systems = tuple(
            system for system in rows[shared[0]] if all(system in rows[place] for place in shared)
        )
        places = [(systems.index(pairs[i][0]), systems.index(pairs[i][1])) for i in numbers]
        signed_sets = [
            SignedSet([rows[place][s] for s in systems], sets[place].aggregate, sets[place].seed)
            for place in shared
        ]
        many = ManyPairs(signed_sets, places, threads=threads)
        yield _ScreenedPairs(np.array(numbers, dtype=np.intp), many, stopping)


def _as_extreme(sums: Floats, means: MacroPairs) -> NDArray[np.int64]:
    """How many trials lie as far from 0 as what was seen; what cannot be had counts as far."""
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.abs(sums / means.sets)
    return np.asarray((~(apart < np.abs(means.delta) - means.rounding)).sum(0), dtype=np.int64)


def _chance(
    set_rows: SetRows, pairs: Pairs, trials: int, threads: int
) -> Iterator[tuple[Floats, NDArray[np.bool_]]]:
    """Blocks of what chance makes of the pairs that a set has both systems of, trials × those pairs."""
    flat, owner = _flat(set_rows)
    both = np.array([a in set_rows.systems and b in set_rows.systems for a, b in pairs], dtype=bool)
    here = [pair for pair, present in zip(pairs, both, strict=True) if present]
    units = checked_units(flat, set_rows.units, trials)
    together = [units.sums(rows) for rows in flat]
    if len(flat) == len(set_rows.systems):
        place = {int(system): i for i, system in enumerate(owner)}
        swap = SwappedPairs(together, set_rows.aggregate, [(place[a], place[b]) for a, b in here], threads)
        for _, moved in swap.blocks(units, trials, set_rows.seed):
            yield swap.differences(moved), both
        return
    swap = SwappedPairs(together, set_rows.aggregate, [], threads)
    for _, moved in swap.blocks(units, trials, set_rows.seed):
        yield _run_means(swap.totals, moved, set_rows.aggregate, owner, here), both


def _run_means(
    totals: Rows, moved: Rows, aggregate: Aggregate, owner: NDArray[np.int64], pairs: Pairs
) -> Floats:
    """Differences of means over runs: every run gets the mean of the other system's runs for what was swapped."""

    def score(system: int, other: int) -> Floats:
        got = moved[:, owner == other].mean(1)
        runs = np.flatnonzero(owner == system)
        return np.mean([aggregate(totals[r] - moved[:, r] + got) for r in runs], axis=0)  # type: ignore[no-any-return]

    return np.stack([score(a, b) - score(b, a) for a, b in pairs], axis=1)


def _flat(set_rows: SetRows) -> tuple[list[Rows], NDArray[np.int64]]:
    """All runs of all systems, and whose they are."""
    flat = [run for runs in set_rows.systems.values() for run in runs]
    owner = np.repeat(list(set_rows.systems), [len(runs) for runs in set_rows.systems.values()])
    return flat, owner.astype(np.int64)


def _sides(pairs: Pairs) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.intp) for side in (0, 1))
    return first, second
