"""What tests of the ranks of segment scores have in common."""

from __future__ import annotations

import math

import numpy as np

from adjudge.stats.ranktests import PairTests, all_pairs
from adjudge.stats.resampling import tolerance
from adjudge.stats.tests.planned import PlannedTest
from adjudge.stats.tests.systems.base import Floats, Outcome, SystemRows, SystemTest, TestOptions
from adjudge.stats.units import total


class RankTest(SystemTest, PlannedTest):
    """A test that asks only which score is higher: the differences that are printed beside it are not what it tests."""

    single_segments = True
    scores_may_choose_side = True

    def smallest_p(
        self, units: int, *, sides: int = 2, vary: bool = True, several_runs: bool = False
    ) -> float:
        """The normal approximation has none."""
        return 0.0

    def run(self, rows: SystemRows, options: TestOptions) -> Outcome:
        """Test the segment scores of every pair; who was never scored, or never on the same segments, has a p of 1."""
        assert rows.segment_scores is not None
        on_segments = np.array([rows.segment_scores(runs[0]) for runs in rows.systems])
        largest = float(np.abs(on_segments[np.isfinite(on_segments)]).max(initial=0.0))
        ranks = all_pairs(
            rows.direction * on_segments,
            self.name,
            alternative="two-sided" if options.sides == 2 else "greater",
            common=False,
            rounding=tolerance(largest),
            threads=options.threads,
        )
        pairs = rows.pairs
        if options.scores_choose_side:
            better = [rows.direction * float(rows.aggregate(total(runs[0]))) for runs in rows.systems]
            pairs = [(b, a) if better[b] > better[a] else (a, b) for a, b in pairs]
        p_values = [1.0 if math.isnan(ranks.p[pair]) else float(ranks.p[pair]) for pair in pairs]
        return Outcome(p_values, ranks=ranks)

    def detectable_share(
        self, ranks: PairTests, pair: tuple[int, int], alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """From how many scores, or differences, were ranked."""
        from adjudge.stats.power import detectable_share  # late: commands that test nothing start faster

        counts = float(ranks.counts[pair]), float(ranks.counts[pair[::-1]])
        return detectable_share(self, counts, alpha, sides=sides, levels=levels)
