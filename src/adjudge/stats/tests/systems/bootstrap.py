"""The paired bootstrap: differences on resamples of the units vary as chance would about none (Koehn 2004)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.intervals import Interval, bootstrap_limits
from adjudge.stats.multiple import enough_trials
from adjudge.stats.resampling import bootstrap_p, checked_units, tolerance
from adjudge.stats.runs import resample
from adjudge.stats.tests.systems.base import TRIALS, Outcome, SystemRows, SystemTest, TestOptions

if TYPE_CHECKING:
    from adjudge.stats.macro import MacroPairs, SetRows

MOST_RESAMPLES = 200_000
"""Which are all in memory, unless more are needed for anything to be significant."""


class Bootstrap(SystemTest):
    """Draw units with replacement; p is how often differences lie as far from their mean as what was seen from 0."""

    name = "bootstrap"
    title = short_title = "paired bootstrap"
    needs_means = False
    several_runs = True
    by_trials = True
    trial_limit = MOST_RESAMPLES

    def numbers(
        self, trials: int | None, resamples: int | None, tests: int, alpha: float, correction: str
    ) -> tuple[int | None, int]:
        """P and intervals come from the same resamples."""
        number = trials or resamples
        if not number:
            number = max(TRIALS, enough_trials(tests, alpha, correction))
            fewest = int(1.1 * tests / alpha)  # with so many the smallest p is just significant
            number = min(number, max(MOST_RESAMPLES, fewest))
        return number, number

    def run(self, rows: SystemRows, options: TestOptions) -> Outcome:
        """Test every pair on the resamples that are there, or on new ones."""
        assert options.trials is not None
        units = checked_units([run for runs in rows.systems for run in runs], rows.units, options.trials)
        sample = options.resampled or resample(
            rows.systems,
            rows.aggregate,
            resamples=options.trials,
            seed=options.seed,
            units=units,
            threads=options.threads,
        )
        scores, resampled = sample.scores, sample.resampled
        count = np.full(len(rows.pairs), len(resampled))
        # Resamples that are all the same show no chance, which is not to say that there is none.
        if not units.vary:
            return Outcome([1.0] * len(rows.pairs), count, resampled)
        p_values = [
            bootstrap_p(
                rows.direction * (scores[a] - scores[b]),
                rows.direction * (resampled[:, a] - resampled[:, b]),
                rounding=tolerance(scores[a], scores[b]),
                units=units.count,
                one_sided=options.sides == 1,
            )
            for a, b in rows.pairs
        ]
        return Outcome(p_values, count, resampled)

    def interval(
        self, rows: SystemRows, outcome: Outcome, number: int, delta: float, error: float
    ) -> Interval:
        """About the difference that was seen, as far as resamples vary."""
        assert outcome.drawn is not None
        a, b = rows.pairs[number]
        units = rows.units.count if rows.units else len(rows.systems[0][0])
        return bootstrap_limits(delta, outcome.drawn[:, a] - outcome.drawn[:, b], error, units)

    def over_sets(
        self,
        sets: Sequence[SetRows],
        groups: Sequence[Sequence[int]],
        means: Sequence[MacroPairs],
        pairs: Sequence[tuple[int, int]],
        options: TestOptions,
    ) -> list[NDArray[np.float64]]:
        """From the mean differences on resamples within each set."""
        from adjudge.stats.macro import macro_bootstrap  # late: only studies need it

        return [macro_bootstrap(mean) for mean in means]
