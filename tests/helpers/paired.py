"""Pairs of systems under a test: many of them at once, and one under a bootstrap by itself."""

from typing import Any

from adjudge.stats.resampling import (
    Aggregate,
    PairedTest,
    Rows,
    bootstrap_p,
    outcomes,
    resampled_scores,
    tolerance,
)
from adjudge.stats.tests.systems.base import Outcome, SystemRows, TestOptions, system_test
from adjudge.stats.units import Units


def pairwise_tests(
    systems: Any,
    aggregate: Aggregate,
    pairs: Any,
    *,
    method: str = "randomisation",
    units: Units | None = None,
    higher_is_better: bool = True,
    one_sided: bool = False,
    **options: Any,
) -> Outcome:
    """Every pair under a test that is found by its name."""
    rows = SystemRows(systems, aggregate, pairs, units, higher_is_better=higher_is_better)
    return system_test(method).run(rows, TestOptions(sides=1 if one_sided else 2, **options))


def paired_bootstrap(
    a: Rows,
    b: Rows,
    aggregate: Aggregate,
    *,
    resamples: int = 1000,
    seed: int,
    higher_is_better: bool = True,
    definition: str = "two-sided",
    units: Units | None = None,
    sampling: str = "bootstrap",
    threads: int = 0,
) -> PairedTest:
    """How often a beats b when segments are drawn anew, and how easily chance would show such a difference."""
    scores = resampled_scores(
        [a, b], aggregate, resamples=resamples, seed=seed, units=units, sampling=sampling, threads=threads
    )
    score_a, score_b = (float(aggregate(rows.sum(0))) for rows in (a, b))
    delta, differences = score_a - score_b, scores[:, 0] - scores[:, 1]
    rounding = tolerance(score_a, score_b)
    wins, ties, losses = outcomes(differences, higher_is_better=higher_is_better, rounding=rounding)
    drawn = (units or Units.of(len(a))).count
    p = bootstrap_p(delta, differences, definition=definition, rounding=rounding, units=drawn)
    return PairedTest(delta, p, differences, wins, ties, losses)
