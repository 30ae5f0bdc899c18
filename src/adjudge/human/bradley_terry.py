"""The model of Bradley and Terry (1952): a beats b with chance 1 / (1 + exp(b − a)); a tie is half a win for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError
from adjudge.human.pairs import Floats, PairCounts, reachable

TOLERANCE = 1e-8
"""Of a step. What is left after it is about its square."""
STEPS = 1000
"""Never needed: some ten are usual, some fifty where the penalty alone keeps scores finite."""
SLIGHT = 1e-6
"""The penalty in resamples that have no finite scores of their own: it keeps their order and shows as huge scores."""


def bradley_terry(wins: Floats, ties: Floats, *, regularisation: float | Floats = 0.0) -> Floats:
    """Scores (..., k) about a mean of 0 that make tables of wins and ties (..., k, k) most likely.

    `regularisation` times the sum of the squared scores is taken off the log-likelihood, as choix does; without it,
    scores are finite only where `bounded`. Newton's method with steps so short that none goes astray (Bach 2010).
    """
    won = wins + ties / 2
    met = won + np.swapaxes(won, -1, -2)
    k = won.shape[-1]
    penalty = 2 * np.broadcast_to(np.asarray(regularisation, dtype=np.float64), won.shape[:-2])[..., None]
    total = won.sum(-1)
    # Scores are free up to a constant: without this the curvature has no inverse.
    fixed = (met.sum((-1, -2)) / (4 * k * k) + penalty[..., 0])[..., None, None]
    scores = np.zeros(won.shape[:-1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(np.swapaxes(_separate(scores), -1, -2)))
        slope = total - (met * chance).sum(-1) - penalty * scores
        weight = met * chance * (1 - chance)
        curvature = fixed - weight
        curvature[..., range(k), range(k)] += weight.sum(-1) + penalty
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        reach = np.ptp(step, axis=-1, keepdims=True)
        shorter = np.log1p(reach) / np.where(reach > 0, reach, 1.0)
        scores = scores + step * np.where(reach > 0, shorter, 1.0)
        scores = np.clip(scores - scores.mean(-1, keepdims=True), -300, 300)
        if reach.max(initial=0.0) < TOLERANCE:
            break
    return scores


def has_finite_scores(wins: Floats, ties: Floats) -> NDArray[np.bool_]:
    """Whether scores are finite without a penalty: everyone won something of everyone, if only through others."""
    won = wins + ties > 0
    k = won.shape[-1]
    complete = (won | np.eye(k, dtype=bool)).all((-1, -2))
    if complete.all():
        return np.asarray(complete)
    is_bounded = np.array(complete)
    is_bounded[~complete] = reachable(won[~complete]).all((-1, -2))
    return is_bounded


def check_bounded(counts: PairCounts, regularisation: float) -> None:
    """Refuse what has no finite scores, naming the systems that are to blame."""
    if not regularisation >= 0 or not np.isfinite(regularisation):
        raise UsageError(f"a regularisation of {regularisation:g}: 0 (none) or more is needed")
    if regularisation > 0:
        return
    way_out = "a regularisation above 0 (say 0.01) gives scores nevertheless"
    if len(groups := counts.groups) > 1:
        shown = "; ".join(", ".join(group) for group in groups)
        raise DataError(
            f"no Bradley–Terry scores: the systems fall into {len(groups)} groups that were never compared with "
            f"each other ({shown}); rank each group by itself, or {way_out}"
        )
    if bool(has_finite_scores(counts.wins, counts.ties)):
        return
    reached = reachable(counts.wins + counts.ties > 0)
    # Systems that reach each other form a class; no system outside the top class won anything against it.
    top = reached[:, np.argmax(reached.sum(1))]
    best = [s for s, is_above in zip(counts.systems, top, strict=True) if is_above]
    raise DataError(
        f"no finite Bradley–Terry scores: {', '.join(best)} won every comparison with other systems; {way_out}"
    )


def resampled_bradley_terry(wins: Floats, ties: Floats, regularisation: float) -> tuple[Floats, int]:
    """Scores of resamples, and how many of them had none that are finite and got the slightest penalty instead."""
    if regularisation > 0:
        return bradley_terry(wins, ties, regularisation=regularisation), 0
    finite = has_finite_scores(wins, ties)
    return bradley_terry(wins, ties, regularisation=np.where(finite, 0.0, SLIGHT)), int((~finite).sum())


def _separate(scores: Floats) -> Floats:
    return scores[..., :, None] - scores[..., None, :]
