"""Ratings by a mixed model: systems freed of their raters' severity, an alternative to z-scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from adjudge.data.judgements import NONE, ORDINARY, Judgements
from adjudge.errors import UsageError
from adjudge.human.grouping import usable_rows, without_tutorials
from adjudge.stats import multiple
from adjudge.stats.clusters import Placement, placements
from adjudge.stats.distributions import t_quantile
from adjudge.stats.mixed import MixedModel, fit_mixed_model
from adjudge.stats.significance import significant

KINDS = {"annotators": "rater_system", "documents": "document_system", "items": "translation"}
"""What annotators, documents and items add to a difference of systems."""


@dataclass(frozen=True)
class SystemEstimate:
    """One system's score, were annotators and items others of their kind."""

    system: str
    score: float
    error: float
    """Standard error."""
    low: float
    high: float
    cluster: int
    rank: tuple[int, int]


@dataclass(frozen=True)
class PairEstimate:
    """Two systems."""

    a: str
    b: str
    delta: float
    error: float
    p: float
    p_adjusted: float
    significant: bool
    degrees: float
    """Satterthwaite's degrees of freedom."""


@dataclass(frozen=True)
class RaterModel:
    """Estimates of the mixed model."""

    systems: tuple[SystemEstimate, ...]
    pairs: tuple[PairEstimate, ...]
    variances: Mapping[str, float]
    """Of annotators, documents, items, each of these × system, and what is left."""
    severity: Mapping[str, float]
    """How far each annotator scores above the others."""
    left_out: Mapping[str, str]
    """Effects that could not be told apart, and why."""
    holds_for: tuple[str, ...]
    """Of what the errors hold for others of their kind: annotators, documents, items."""
    judgements: int
    converged: bool
    correction: str
    alpha: float
    higher_is_better: bool
    confidence: float
    """Of the intervals."""


def fit_rater_model(
    judgements: Judgements,
    *,
    repeats: bool = False,
    correction: str = "holm",
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> RaterModel:
    """Fit the model and test all pairs of systems by their estimates."""
    fit = ratings_model(judgements, repeats=repeats)
    model = fit.model
    direction = 1.0 if judgements.higher_is_better else -1.0
    estimable = [s for s in range(len(fit.systems)) if math.isfinite(model.systems[s])]
    order = sorted(estimable, key=lambda s: (-direction * model.systems[s], fit.systems[s]))
    differences = model.differences()
    chosen = list(combinations(order, 2))
    adjusted = multiple.adjust_p_values([float(differences.p[a, b]) for a, b in chosen], correction)

    def pair(a: int, b: int, p: float) -> PairEstimate:
        delta, error = float(differences.delta[a, b]), float(differences.error[a, b])
        names = fit.systems[a], fit.systems[b]
        degrees = float(differences.degrees[a, b])
        return PairEstimate(
            *names, delta, error, float(differences.p[a, b]), p, significant(p, alpha), degrees
        )

    pairs = tuple(pair(a, b, float(p)) for (a, b), p in zip(chosen, adjusted, strict=True))
    beats = np.zeros((len(order), len(order)), dtype=bool)
    beats[np.triu_indices(len(order), 1)] = significant(adjusted, alpha)  # in the order of combinations
    placed = placements(np.array([direction * model.systems[s] for s in order]), beats)
    systems = _systems(fit, order, placed, confidence)
    severity = {
        name: float(value)
        for name, value in zip(fit.annotators, model.raters, strict=True)
        if math.isfinite(value)
    }
    return RaterModel(
        systems,
        pairs,
        model.variances,
        severity,
        model.left_out,
        tuple(kind for kind, effect in KINDS.items() if effect in model.tested),
        model.judgements,
        model.converged,
        correction,
        alpha,
        judgements.higher_is_better,
        confidence,
    )


def _systems(
    fit: RatingsModel, order: Sequence[int], placed: Sequence[Placement], confidence: float
) -> tuple[SystemEstimate, ...]:
    """Systems in their order, with intervals by Student's t."""
    model = fit.model
    reach = model.errors * t_quantile(np.diag(model.degrees), (1 + confidence) / 2)
    low, high = model.systems - reach, model.systems + reach
    return tuple(
        SystemEstimate(
            fit.systems[s],
            float(model.systems[s]),
            float(model.errors[s]),
            float(low[s]),
            float(high[s]),
            where.cluster,
            where.rank,
        )
        for s, where in zip(order, placed, strict=True)
    )


@dataclass(frozen=True, eq=False)
class RatingsModel:
    """A model of who judged what, with the names of systems and annotators in its order."""

    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    model: MixedModel
    left_out: int
    """Judgements that are not in it: control items, repeats, anonymous ones, those recorded twice."""


def ratings_model(
    judgements: Judgements, *, repeats: bool = False, translations: bool = True
) -> RatingsModel:
    """The model of these ratings, on their own scale; repeats count where asked for.

    Unlike z-scores it does not take annotators for equally severe because they judged different systems. Standard
    errors hold for other annotators, documents and segments, as far as the judgements show how these differ. It does
    not stretch scales: annotators who use a narrow range count for what they say.
    """
    if judgements.is_ranking:
        raise UsageError("these judgements are rankings, not ratings")
    if len(judgements) and not judgements.annotator.names:
        raise UsageError(
            "these judgements name no annotator, and a mixed model needs annotators: leave it out"
        )
    every = len(judgements)
    judgements = without_tutorials(judgements)
    rows = usable_rows(judgements).rows
    if not repeats:
        rows = rows[judgements.kind[rows] == ORDINARY]
    documents = judgements.labels.get("document")
    named = documents is not None and bool((documents.codes[rows] != NONE).all())
    columns = (judgements.system, judgements.annotator, judgements.item, *((documents,) if named else ()))
    model = fit_mixed_model(
        judgements.score[rows],
        *(column.codes[rows].astype(np.int64) for column in columns if column is not None),
        systems_known=len(judgements.system.names),
        raters_known=len(judgements.annotator.names),
        translations=translations,
    )
    return RatingsModel(judgements.system.names, judgements.annotator.names, model, every - len(rows))
