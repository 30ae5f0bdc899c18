"""Systems with one training run or several: their scores on shared resamples, and luck in training.

Runs as in Clark et al. 2011: is it the system, or was it luck?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.resampling import (
    BLOCK,
    Aggregate,
    Rows,
    blocks_of_sums,
    checked_units,
    count_as_extreme,
    resampled_scores,
    sampled_p,
    tolerance,
)
from adjudge.stats.units import Units, total

DEFINITIONS = ("exchange", "multeval")
"""Of the p over several runs: see stratified_randomisation."""

ENOUGH_RUNS = 3
"""Below this many runs, luck in training cannot be told from a better system."""


@dataclass(frozen=True)
class RunSpread:
    """The mean of several runs, and the two kinds of spread about it."""

    mean: float
    selection: float
    """s_sel: how far the choice of segments moves a run's score (mean over runs of the sd over resamples)."""
    optimiser: float | None
    """s_opt: the standard deviation over runs (n − 1 below the line); None for a single one."""


def spread(scores: Sequence[float] | NDArray[np.float64], resampled: NDArray[np.float64]) -> RunSpread:
    """The spread of runs with these scores and these scores on resamples (resamples × runs)."""
    values = np.asarray(scores, dtype=np.float64)
    deviations = resampled.std(axis=0, ddof=1) if len(resampled) > 1 else np.full(len(values), np.nan)
    optimiser = float(values.std(ddof=1)) if len(values) > 1 else None
    return RunSpread(float(values.mean()), float(deviations.mean()), optimiser)


def stratified_randomisation(
    a: Sequence[Rows],
    b: Sequence[Rows],
    aggregate: Aggregate,
    *,
    trials: int = 10_000,
    seed: int,
    units: Units | None = None,
    definition: str = "exchange",
    threads: int = 0,
) -> float:
    """The two-sided p of a difference between two systems with several runs each (Clark et al. 2011).

    For every segment the runs of both systems are paired at random and each pair is swapped by a coin; the
    statistic is the difference of scores over all runs together. Systems with unequally many runs exchange them in
    all ways that leave each as many as it had. `multeval` draws as that program does, which counts some runs twice
    and drops others, so that its p is a little too small; identical systems get 1 all the same.
    """
    if definition not in DEFINITIONS:
        raise unknown_name("definition of p", definition, DEFINITIONS)
    units = checked_units([*a, *b], units, trials)
    exchanged = ExchangedRuns(
        [units.sums(rows) for rows in a],
        [units.sums(rows) for rows in b],
        aggregate,
        trials=trials,
        seed=seed,
        units=units,
        threads=threads,
        up=None,
    )
    return sampled_p(sum(exchanged.counts(definition)), trials)


class ExchangedRuns:
    """Two systems whose runs are exchanged; rows are those of units."""

    block = BLOCK

    def __init__(
        self,
        a: Sequence[Rows],
        b: Sequence[Rows],
        aggregate: Aggregate,
        *,
        trials: int,
        seed: int,
        units: Units,
        threads: int,
        up: float | None,
    ) -> None:
        self.runs, self.aggregate, self.up = (len(a), len(b)), aggregate, up
        self.trials, self.seed, self.units, self.threads = trials, seed, units, threads
        self.together = np.stack([*a, *b], axis=1)  # units × runs × k
        self.total = self.together.sum((0, 1))
        in_a = self.together[:, : len(a)].sum((0, 1))
        self.scores = float(aggregate(in_a)), float(aggregate(self.total - in_a))

    def counts(self, definition: str = "exchange") -> Iterator[int]:
        """How many trials of each block of them are as far as what was seen."""
        score_a, score_b = self.scores
        for differences in self._differences(definition):
            yield count_as_extreme(score_a - score_b, differences, tolerance(score_a, score_b), up=self.up)

    def _differences(self, definition: str) -> Iterator[NDArray[np.float64]]:
        k = self.together.shape[2]
        if definition == "multeval":
            if self.runs[0] != self.runs[1]:
                raise UsageError(
                    f"MultEval compares systems with equally many runs, not {self.runs[0]} and {self.runs[1]}"
                )
            nothing = np.zeros_like(self.together)
            both = np.block([[self.together, nothing], [nothing, self.together]]).reshape(-1, 2 * k)
            for sums in self._sums(both, "multeval"):
                yield self.aggregate(sums[:, :k]) - self.aggregate(sums[:, k:])
        else:
            for sums in self._sums(np.ascontiguousarray(self.together.reshape(-1, k)), "runs"):
                yield self.aggregate(sums) - self.aggregate(self.total - sums)

    def _sums(self, rows: Rows, draw: str) -> Iterator[Rows]:
        for _, sums in blocks_of_sums(
            [rows], draw, self.units, self.trials, self.seed, self.threads, runs=self.runs
        ):
            yield sums


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
    """Scores of every system's runs on every resample: resamples × runs."""
    scores: NDArray[np.float64]
    """The mean of each system's runs."""
    resampled: NDArray[np.float64]
    """The mean of each system's runs on every resample: resamples × systems."""

    @classmethod
    def of(cls, systems: Sequence[Runs], aggregate: Aggregate, drawn: NDArray[np.float64]) -> Resampled:
        """From the scores of all runs on resamples, one system's runs behind the other's."""
        scores = np.array([float(aggregate(total(run))) for runs in systems for run in runs])
        ends = np.cumsum([len(runs) for runs in systems])[:-1]
        run_scores, by_run = tuple(np.split(scores, ends)), tuple(np.split(drawn, ends, axis=1))
        means = np.array([of_system.mean() for of_system in run_scores])
        return cls(run_scores, by_run, means, np.stack([own.mean(1) for own in by_run], axis=1))


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
