"""Several training runs of a system (Clark et al. 2011): is it the system, or was it luck in training?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.resampling import (
    Aggregate,
    Rows,
    blocks_of_sums,
    checked_units,
    count_as_far,
    sampled_p,
    tolerance,
)
from adjudge.stats.units import Units

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
    threads: int = 0,
) -> float:
    """The two-sided p of a difference between two systems with several runs each, as MultEval computes it.

    For every segment the runs of both systems are paired at random and each pair is swapped by a coin; the
    statistic is the difference of scores over all runs together. Systems with unequally many runs exchange them in
    all ways that leave each as many as it had.
    """
    units = checked_units([*a, *b], units, trials)
    k = a[0].shape[1]
    together = np.stack([units.sums(rows) for rows in (*a, *b)], axis=1)  # units × runs × k
    total = together.sum((0, 1))
    in_a = together[:, : len(a)].sum((0, 1))
    score_a, score_b = float(aggregate(in_a)), float(aggregate(total - in_a))
    slack, as_far = tolerance(score_a, score_b), 0
    rows = np.ascontiguousarray(together.reshape(-1, k))
    for _, sums in blocks_of_sums([rows], "runs", units, trials, seed, threads, runs=(len(a), len(b))):
        as_far += count_as_far(score_a - score_b, aggregate(sums) - aggregate(total - sums), slack)
    return sampled_p(as_far, trials)
