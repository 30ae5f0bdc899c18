"""One pair under a bootstrap, by itself: what `pairwise_tests` must find for every pair of many."""

from adjudge.stats.resampling import (
    Aggregate,
    PairedTest,
    Rows,
    bootstrap_p,
    outcomes,
    resampled_scores,
    tolerance,
)
from adjudge.stats.units import Units


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
    slack = tolerance(score_a, score_b)
    wins, ties, losses = outcomes(differences, higher_is_better=higher_is_better, slack=slack)
    drawn = (units or Units.of(len(a))).count
    p = bootstrap_p(delta, differences, definition=definition, slack=slack, units=drawn)
    return PairedTest(delta, p, differences, wins, ties, losses)
