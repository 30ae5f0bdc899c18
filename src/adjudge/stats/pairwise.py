"""Several systems at once: their scores, as they are and on resamples that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.resampling import Aggregate, Rows, resampled_scores
from adjudge.stats.sums import total
from adjudge.stats.units import Units

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
