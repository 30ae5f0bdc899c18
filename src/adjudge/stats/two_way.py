"""Systems' scores with annotators in the model: least squares of system plus annotator, and who judged what.

Where annotators were not spread evenly over systems, means and z-scores mix quality with severity: an annotator who
judged mostly bad systems seems severe. Fitting both at once separates them as far as the design connects systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.components import linked_rows
from adjudge.stats.design import Balance
from adjudge.stats.distributions import chi_square_tail

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

CHANCE = 0.001
"""Below this p of a chi-square test, chance did not assign annotators to systems."""
SMALLEST_WEIGHT = 1e-12
"""Of a judgement on which a score hardly depends; no weight is 0, which would mean that it is missing."""
UNEVEN = 0.1
"""From this share of judgements on, that other annotators would have to give, an assignment is uneven."""


@dataclass(frozen=True, eq=False)
class AdjustedScores:
    """Scores of systems, were all of them judged by the same annotators."""

    scores: Floats
    """One a system, on the scale of the judgements."""
    pseudo_values: Floats
    """Systems × judgements: values whose weighted mean is the score, and whose spread is what each judgement adds.

    Drawn by annotators and items like any other values, they give the standard error of the fit."""
    weights: Floats
    """Systems × judgements: how much of a score's variance hangs on each judgement. Annotators count for as many as
    their weights are worth."""
    comparable: NDArray[np.bool_]
    """Systems × systems: whether the difference of two hangs on more than one annotator."""


def adjusted_scores(values: Floats, system: Codes, annotator: Codes, weights: Floats) -> AdjustedScores:
    """Fit system and annotator effects by weighted least squares; the level is that of the average annotator.

    What an annotator adds is what the fit loses without that annotator (the jackknife; CR3 of Cameron and Miller 2015),
    since few annotators fit themselves too well.
    """
    systems, annotators = int(system.max()) + 1, int(annotator.max()) + 1
    judged = np.eye(systems)[system]
    weight = np.bincount(annotator, weights, annotators)[annotator]

    def mean_by_annotator(column: Floats) -> Floats:
        sums = np.bincount(annotator, weights * column, annotators).astype(np.float64)
        means: Floats = sums[annotator] / weight
        return means

    within = judged - np.stack([mean_by_annotator(column) for column in judged.T], axis=1)
    moments = [
        (within[who] * weights[who, None]).T @ within[who]
        for who in (annotator == number for number in range(annotators))
    ]
    normal = np.sum(moments, axis=0)
    effects = np.linalg.pinv(normal, hermitian=True) @ (within.T @ (weights * values))
    raw = values - judged @ effects
    severity = mean_by_annotator(raw)
    level = float(np.average(raw, weights=weights))
    residual = weights * (raw - severity)
    pull = np.empty((systems, len(values)))
    for number, own_moments in enumerate(moments):
        who = annotator == number
        pull[:, who] = np.linalg.pinv(normal - own_moments, hermitian=True) @ within[who].T
    common = weights * (raw - level) / weights.sum() - (weights @ judged / weights.sum()) @ (pull * residual)
    added = pull * residual + common
    hanging = np.maximum((pull * weights) ** 2, SMALLEST_WEIGHT)
    hanging /= hanging.sum(1, keepdims=True)
    added -= hanging * added.sum(1, keepdims=True)
    scores = effects + level
    return AdjustedScores(
        scores, scores[:, None] + added / hanging, hanging, _comparable(system, annotator, systems)
    )


def _comparable(system: Codes, annotator: Codes, systems: int) -> NDArray[np.bool_]:
    """Which two systems annotators connect, whichever single annotator is left out."""
    table = np.zeros((int(annotator.max()) + 1, systems), dtype=bool)
    table[annotator, system] = True
    comparable = np.ones((systems, systems), dtype=bool)
    for number in range(len(table)):
        part = _linked_systems(np.delete(table, number, axis=0))
        comparable &= part[:, None] == part[None]
    return comparable


def balance(system: Codes, annotator: Codes, names: Sequence[str]) -> Balance:
    """How evenly annotators are spread over systems, from who judged what alone."""
    systems, annotators = len(names), int(annotator.max()) + 1
    table = np.zeros((annotators, systems))
    np.add.at(table, (annotator, system), 1.0)
    table = table[table.any(1)]
    judged = np.flatnonzero(table.any(0))
    shares = table[:, judged] / table[:, judged].sum(0)
    apart = np.abs(shares[:, :, None] - shares[:, None, :]).sum(0).max(initial=0.0) / 2
    expected = np.outer(table.sum(1), table[:, judged].sum(0)) / table.sum()
    statistic = float(((table[:, judged] - expected) ** 2 / expected).sum())
    freedom = (len(table) - 1) * (len(judged) - 1)
    chance = chi_square_tail(freedom, statistic) if freedom else 1.0
    part = _linked_systems(table[:, judged] > 0)
    groups = [tuple(names[s] for s in judged[part == number]) for number in np.unique(part)]
    return Balance(
        annotators=len(table),
        imbalance=float(apart),
        systematic=(apart > UNEVEN and chance < CHANCE) or len(groups) > 1,
        parts=tuple(groups) if len(groups) > 1 else (),
    )


def _linked_systems(judged: NDArray[np.bool_]) -> Codes:
    """The component of each system in a table of annotators × systems: annotators link the systems they judged."""
    annotator, system = np.nonzero(judged)
    return linked_rows(system, annotator, judged.shape[1])
