"""Paired approximate randomisation (Riezler and Maxwell 2005): systems change places on units by coins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.intervals import Interval, between
from adjudge.stats.many_pairs import ManyPairs, SignedSet, Tick, halves
from adjudge.stats.resampling import (
    Rows,
    SwappedPairs,
    checked_units,
    count_as_extreme,
    least_randomised_p,
    sampled_p,
    tolerance,
)
from adjudge.stats.runs import MANY, ExchangedRuns
from adjudge.stats.stopping import RISK, Decided, Stopping, looks
from adjudge.stats.tests.systems.base import Outcome, SystemRows, SystemTest, TestOptions

if TYPE_CHECKING:
    from adjudge.stats.macro import MacroPairs, SetRows

HALVES = 10_000
"""From so many coins, at most, come the halves of the units that intervals are made of."""


class Randomisation(SystemTest):
    """Swap units by coins, and several training runs by lot; p is how often systems lie as far apart as was seen."""

    name = "randomisation"
    title = "paired approximate randomisation"
    short_title = "paired randomisation"
    needs_means = False
    several_runs = True
    by_trials = True
    swaps = True

    def risk(self, pairs: int) -> float:
        """Of many pairs, those that are decided stop before the last trial."""
        return RISK if pairs > MANY else 0.0

    def smallest_p(
        self, units: int, *, sides: int = 2, vary: bool = True, several_runs: bool = False
    ) -> float:
        """All units swapped, or none; several runs can change places as well."""
        return 0.0 if several_runs else least_randomised_p(units, sides)

    def run(self, rows: SystemRows, options: TestOptions) -> Outcome:
        """Test every pair by the same coins; of more than `MANY` pairs those stop early that are decided."""
        trials, tick = _Trials(rows, options), options.tick or _ignore
        return trials.few(tick) if len(rows.pairs) <= MANY else trials.many(options.decided, tick)

    def interval(
        self, rows: SystemRows, outcome: Outcome, number: int, delta: float, error: float
    ) -> Interval:
        """Between differences on random halves of the units."""
        assert outcome.drawn is not None
        a, b = rows.pairs[number]
        return between(delta, outcome.drawn[:, a] - outcome.drawn[:, b], error)

    def over_sets(
        self,
        sets: Sequence[SetRows],
        groups: Sequence[Sequence[int]],
        means: Sequence[MacroPairs],
        pairs: Sequence[tuple[int, int]],
        options: TestOptions,
    ) -> list[NDArray[np.float64]]:
        """Units are swapped within each set."""
        from adjudge.stats.macro import macro_randomisation  # late: only studies need it

        assert options.trials is not None
        return macro_randomisation(
            sets,
            groups,
            means,
            pairs,
            trials=options.trials,
            threads=options.threads,
            decided=options.decided,
            tick=options.tick,
        )


class _Trials:
    """The trials of all pairs: units are swapped by coins, and where there are several runs, runs by lot."""

    def __init__(self, rows: SystemRows, options: TestOptions) -> None:
        assert options.trials is not None
        self.trials, self.seed, self.threads = options.trials, options.seed, options.threads
        self.units = checked_units([run for runs in rows.systems for run in runs], rows.units, self.trials)
        self.systems = [[self.units.sums(run) for run in runs] for runs in rows.systems]
        self.flat = [run for runs in self.systems for run in runs]
        self.place = np.cumsum([0, *(len(runs) for runs in rows.systems)])
        self.aggregate, self.pairs = rows.aggregate, rows.pairs
        self.up = rows.direction if options.sides == 1 else None

    def few(self, tick: Tick) -> Outcome:
        """Every pair sees every trial."""
        single = [i for i, pair in enumerate(self.pairs) if self._runs(pair) == (1, 1)]
        places = [(int(self.place[a]), int(self.place[b])) for a, b in (self.pairs[i] for i in single)]
        swap = SwappedPairs(self.flat, self.aggregate, places, self.threads)
        scores = self.aggregate(swap.totals)
        as_extreme = np.zeros(len(self.pairs), dtype=np.int64)
        drawn = []
        for start, moved in swap.blocks(self.units, self.trials, self.seed):
            tick(start, self.trials)
            if start < HALVES:
                drawn += [self.aggregate(moved), self.aggregate(swap.totals - moved)]
            if single:
                block = swap.differences(moved)
                for i, (a, b), differences in zip(single, places, block.T, strict=True):
                    as_extreme[i] += count_as_extreme(
                        scores[a] - scores[b], differences, tolerance(scores[a], scores[b]), up=self.up
                    )
        for i in sorted(set(range(len(self.pairs))) - set(single)):
            tick(i, len(self.pairs))
            as_extreme[i] = sum(self._exchange(i).counts())
        return self._result(as_extreme, np.full(len(self.pairs), self.trials), np.concatenate(drawn))

    def many(self, decided: Decided | None, tick: Tick) -> Outcome:
        """Pairs of systems with equally many runs share their signs; all of them stop where they are decided."""
        stopping = Stopping(len(self.pairs), decided)
        numbers = [self._runs(pair) for pair in self.pairs]
        for runs in sorted({a for a, b in numbers if a == b}):
            members = [s for s, system in enumerate(self.systems) if len(system) == runs]
            chosen = np.array(
                [i for i, number in enumerate(numbers) if number == (runs, runs)], dtype=np.intp
            )
            rows = [_interleave(self.systems[s]) for s in members]
            places = [(members.index(a), members.index(b)) for a, b in (self.pairs[i] for i in chosen)]
            own_set = SignedSet(rows, self.aggregate, self.seed, runs)
            many = ManyPairs([own_set], places, up=self.up, threads=self.threads)
            many.run(stopping, chosen, self.trials, tick)
        for i, (a, b) in enumerate(numbers):
            if a != b:
                tick(i, len(self.pairs))
                self._exchange_until_decided(i, stopping)
        drawn = halves(self.flat, self.aggregate, self.trials, self.seed, self.threads)
        return self._result(stopping.as_extreme, stopping.tried, drawn)

    def _exchange_until_decided(self, pair: int, stopping: Stopping) -> None:
        when, blocks, alone = set(looks(self.trials)), [], np.array([pair])
        exchanged = self._exchange(pair)
        for count in exchanged.counts():
            blocks.append([count])
            stopping.as_extreme[pair] += count
            stopping.tried[pair] = min(self.trials, len(blocks) * exchanged.block)
            if len(blocks) in when:
                stopping.look(alone, np.array(blocks))
                if not stopping.open[pair]:
                    break

    def _runs(self, pair: tuple[int, int]) -> tuple[int, int]:
        return len(self.systems[pair[0]]), len(self.systems[pair[1]])

    def _exchange(self, pair: int) -> ExchangedRuns:
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
        self, as_extreme: NDArray[np.int64], trials: NDArray[np.int64], drawn: NDArray[np.float64]
    ) -> Outcome:
        p_values = [sampled_p(int(c), int(n)) for c, n in zip(as_extreme, trials, strict=True)]
        means = [drawn[:, start:end].mean(1) for start, end in zip(self.place, self.place[1:], strict=False)]
        return Outcome(p_values, trials, np.stack(means, axis=1))


def _interleave(runs: Sequence[Rows]) -> Rows:
    """Rows of all runs of a segment after each other; those of a single run as they are, perhaps in a file."""
    return runs[0] if len(runs) == 1 else np.stack(runs, axis=1).reshape(-1, runs[0].shape[1])


def _ignore(done: int, steps: int) -> None:
    """Nobody asked how much is done."""
