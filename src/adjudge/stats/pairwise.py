"""Several systems at once under one paired test: p of every pair, from coins or resamples that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import unknown_name
from adjudge.stats.many_pairs import ManyPairs, Tick, halves, narrow_rows
from adjudge.stats.resampling import (
    Aggregate,
    Rows,
    SwappedPairs,
    bootstrap_p,
    checked_units,
    count_as_far,
    resampled_scores,
    sampled_p,
    tolerance,
)
from adjudge.stats.runs import ExchangedRuns
from adjudge.stats.stopping import Decided, Stopping, looks
from adjudge.stats.sums import total
from adjudge.stats.units import Units

METHODS = ("randomisation", "bootstrap")
HALVES = 10_000
"""From so many coins, at most, come the halves of the units that intervals are made of."""
MANY = 50
"""Beyond so many pairs trials are looked at closely only where a slope does not tell, and decided pairs stop."""

Runs = Sequence[Rows]
"""The rows of every run of a system."""


@dataclass(frozen=True, eq=False)
class Resampled:
    """Systems with their scores, as they are and on resamples of the units."""

    run_scores: tuple[NDArray[np.float64], ...]
    """Of every system's runs."""
    by_run: tuple[NDArray[np.float64], ...]
    """The same on every resample: resamples × runs."""

    @classmethod
    def of(cls, systems: Sequence[Runs], aggregate: Aggregate, drawn: NDArray[np.float64]) -> Resampled:
        """From the scores of all runs on resamples, one system's runs behind the other's."""
        scores = np.array([float(aggregate(total(run))) for runs in systems for run in runs])
        ends = np.cumsum([len(runs) for runs in systems])[:-1]
        return cls(tuple(np.split(scores, ends)), tuple(np.split(drawn, ends, axis=1)))

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The mean of each system's runs."""
        return np.array([scores.mean() for scores in self.run_scores])

    @cached_property
    def resampled(self) -> NDArray[np.float64]:
        """The same on every resample: resamples × systems."""
        return np.stack([scores.mean(1) for scores in self.by_run], axis=1)


@dataclass(frozen=True, eq=False)
class PairwiseTests:
    """What the test of every pair showed."""

    p_values: list[float]
    """One a pair, never 0."""
    trials: NDArray[np.int64]
    """Behind each of them."""
    drawn: NDArray[np.float64]
    """Scores that the intervals of the test are made of, samples × systems: on the halves that coins made of the
    units, or on resamples."""


def resample(
    systems: Sequence[Runs],
    aggregate: Aggregate,
    *,
    resamples: int,
    seed: int,
    units: Units | None = None,
    sampling: str = "bootstrap",
    threads: int = 0,
) -> Resampled:
    """The scores of all runs of all systems on the same resamples."""
    flat = [run for runs in systems for run in runs]
    drawn = resampled_scores(
        flat, aggregate, resamples=resamples, seed=seed, units=units, sampling=sampling, threads=threads
    )
    return Resampled.of(systems, aggregate, drawn)


def pairwise_tests(
    systems: Sequence[Runs],
    aggregate: Aggregate,
    pairs: Sequence[tuple[int, int]],
    *,
    method: str = "randomisation",
    trials: int,
    seed: int,
    units: Units | None = None,
    higher_is_better: bool = True,
    one_sided: bool = False,
    decided: Decided | None = None,
    resampled: Resampled | None = None,
    threads: int = 0,
    tick: Tick | None = None,
) -> PairwiseTests:
    """Test every pair of systems, which may have several training runs each.

    `one_sided` tests ask whether the first of a pair is the better one. Of more than `MANY` pairs those stop early that
    are `decided` whatever the rest of the trials would show. A bootstrap takes the resamples that are there already.
    """
    if method not in METHODS:
        raise unknown_name("test", method, METHODS)
    units = checked_units([run for runs in systems for run in runs], units, trials)
    up = 1.0 if higher_is_better else -1.0
    if method == "bootstrap":
        sample = resampled or resample(
            systems, aggregate, resamples=trials, seed=seed, units=units, threads=threads
        )
        return _bootstrap(sample, pairs, units, up, one_sided=one_sided)
    test = _Randomisation(systems, aggregate, pairs, units, trials, seed, threads, up if one_sided else None)
    return test.few(tick or _nobody) if len(pairs) <= MANY else test.many(decided, tick or _nobody)


def _bootstrap(
    sample: Resampled, pairs: Sequence[tuple[int, int]], units: Units, up: float, *, one_sided: bool
) -> PairwiseTests:
    scores, resampled = sample.scores, sample.resampled
    count = np.full(len(pairs), len(resampled))
    # Resamples that are all the same show no chance, which is not to say that there is none.
    if not units.vary:
        return PairwiseTests([1.0] * len(pairs), count, resampled)
    p_values = [
        bootstrap_p(
            up * (scores[a] - scores[b]),
            up * (resampled[:, a] - resampled[:, b]),
            slack=tolerance(scores[a], scores[b]),
            units=units.count,
            one_sided=one_sided,
        )
        for a, b in pairs
    ]
    return PairwiseTests(p_values, count, resampled)


class _Randomisation:
    """Approximate randomisation: units are swapped by coins, and where there are several runs, runs by lot."""

    def __init__(
        self,
        systems: Sequence[Runs],
        aggregate: Aggregate,
        pairs: Sequence[tuple[int, int]],
        units: Units,
        trials: int,
        seed: int,
        threads: int,
        up: float | None,
    ) -> None:
        self.systems = [[units.sums(run) for run in runs] for runs in systems]
        self.flat = [run for runs in self.systems for run in runs]
        self.place = np.cumsum([0, *(len(runs) for runs in systems)])
        self.aggregate, self.pairs, self.units, self.up = aggregate, pairs, units, up
        self.trials, self.seed, self.threads = trials, seed, threads

    def few(self, tick: Tick) -> PairwiseTests:
        """Every pair sees every trial."""
        single = [i for i, pair in enumerate(self.pairs) if self._runs(pair) == (1, 1)]
        places = [(int(self.place[a]), int(self.place[b])) for a, b in (self.pairs[i] for i in single)]
        swap = SwappedPairs(self.flat, self.aggregate, places, self.threads)
        scores = self.aggregate(swap.totals)
        as_far = np.zeros(len(self.pairs), dtype=np.int64)
        drawn = []
        for start, moved in swap.blocks(self.units, self.trials, self.seed):
            tick(start, self.trials)
            if start < HALVES:
                drawn += [self.aggregate(moved), self.aggregate(swap.totals - moved)]
            if single:
                block = swap.differences(moved)
                for i, (a, b), differences in zip(single, places, block.T, strict=True):
                    as_far[i] += count_as_far(
                        scores[a] - scores[b], differences, tolerance(scores[a], scores[b]), up=self.up
                    )
        for i in sorted(set(range(len(self.pairs))) - set(single)):
            tick(i, len(self.pairs))
            as_far[i] = sum(self._exchanged(i).counts())
        return self._result(as_far, np.full(len(self.pairs), self.trials), np.concatenate(drawn))

    def many(self, decided: Decided | None, tick: Tick) -> PairwiseTests:
        """Pairs of systems with equally many runs share their signs; all of them stop where they are decided."""
        stopping = Stopping(len(self.pairs), decided)
        numbers = [self._runs(pair) for pair in self.pairs]
        for runs in sorted({a for a, b in numbers if a == b}):
            members = [s for s, own in enumerate(self.systems) if len(own) == runs]
            chosen = np.array(
                [i for i, number in enumerate(numbers) if number == (runs, runs)], dtype=np.intp
            )
            rows = [_interleaved(self.systems[s]) for s in members]
            places = [(members.index(a), members.index(b)) for a, b in (self.pairs[i] for i in chosen)]
            totals = np.stack([total(own) for own in rows])
            many = ManyPairs(totals, self.aggregate, places, up=self.up, threads=self.threads)
            draw = partial(_signed_sums, narrow_rows(rows), runs, self.seed, self.threads)
            many.run(draw, stopping, chosen, self.trials, tick)
        for i, (a, b) in enumerate(numbers):
            if a != b:
                tick(i, len(self.pairs))
                self._exchange_until_decided(i, stopping)
        drawn = halves(self.flat, self.aggregate, self.trials, self.seed, self.threads)
        return self._result(stopping.as_far, stopping.tried, drawn)

    def _exchange_until_decided(self, pair: int, stopping: Stopping) -> None:
        when, blocks, alone = set(looks(self.trials)), [], np.array([pair])
        exchanged = self._exchanged(pair)
        for count in exchanged.counts():
            blocks.append([count])
            stopping.as_far[pair] += count
            stopping.tried[pair] = min(self.trials, len(blocks) * exchanged.block)
            if len(blocks) in when:
                stopping.look(alone, np.array(blocks))
                if not stopping.open[pair]:
                    break

    def _runs(self, pair: tuple[int, int]) -> tuple[int, int]:
        return len(self.systems[pair[0]]), len(self.systems[pair[1]])

    def _exchanged(self, pair: int) -> ExchangedRuns:
        a, b = self.pairs[pair]
        return ExchangedRuns(
            self.systems[a],
            self.systems[b],
            self.aggregate,
            trials=self.trials,
            seed=self.seed,
            units=self.units,
            threads=self.threads,
            up=self.up,
        )

    def _result(
        self, as_far: NDArray[np.int64], trials: NDArray[np.int64], drawn: NDArray[np.float64]
    ) -> PairwiseTests:
        p_values = [sampled_p(int(c), int(n)) for c, n in zip(as_far, trials, strict=True)]
        means = [drawn[:, start:end].mean(1) for start, end in zip(self.place, self.place[1:], strict=False)]
        return PairwiseTests(p_values, trials, np.stack(means, axis=1))


def _signed_sums(
    rows: Sequence[Rows] | Sequence[NDArray[np.float32]], runs: int, seed: int, threads: int, block: int
) -> Rows:
    return _native.signed_sums(rows, runs, seed, block, threads)


def _interleaved(runs: Sequence[Rows]) -> Rows:
    """Rows of all runs of a segment after each other; those of a single run as they are, perhaps in a file."""
    return runs[0] if len(runs) == 1 else np.stack(runs, axis=1).reshape(-1, runs[0].shape[1])


def _nobody(done: int, steps: int) -> None:
    """Nobody wants to know how much is done."""
