"""A campaign while it runs: who is attentive, and how far people agree so far."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import Judgements
from adjudge.errors import AdjudgeError
from adjudge.human.agreement import PairAgreement, RatingPart, agreement_on_tested_scores
from adjudge.human.assessment import standard_scores
from adjudge.human.grouping import without_tutorials
from adjudge.human.mqm import weighed
from adjudge.human.postediting import corrected_only
from adjudge.human.quality import Quality, quality


@dataclass(frozen=True)
class AgreementSoFar:
    """How far people agree: a coefficient and the word for it, or why there is none yet."""

    value: float | None
    words: str
    pairs: int


@dataclass(frozen=True)
class CriterionQuality:
    """What can be told of one criterion by now."""

    criterion: str
    judgements: int
    quality: tuple[Quality, ...]
    between: AgreementSoFar
    """Between annotators: Krippendorff's alpha of the scores that analyses test, kappa of choices."""
    within: AgreementSoFar
    """Of annotators with themselves, on what came twice."""


def live_quality(by_criterion: Mapping[str, Judgements]) -> tuple[CriterionQuality, ...]:
    """Return what the judgements so far tell of the annotators, criterion by criterion."""
    return tuple(_criterion_quality(name, judgements) for name, judgements in by_criterion.items())


def _criterion_quality(criterion: str, judgements: Judgements) -> CriterionQuality:
    if judgements.spans is not None and np.isnan(judgements.score).all():
        judgements = weighed(judgements).judgements
    judgements = corrected_only(without_tutorials(judgements))
    controls = () if judgements.is_ranking or not len(judgements) else quality(judgements)
    try:
        z = None if judgements.is_ranking else standard_scores(judgements)
        agreed = agreement_on_tested_scores(judgements, z)
    except AdjudgeError as error:
        none = AgreementSoFar(None, str(error), 0)
        return CriterionQuality(criterion, len(judgements), controls, none, none)
    return CriterionQuality(
        criterion, len(judgements), controls, _agreement_so_far(agreed.inter), _agreement_so_far(agreed.intra)
    )


def _agreement_so_far(part: PairAgreement | RatingPart) -> AgreementSoFar:
    coefficient = part.alpha if isinstance(part, RatingPart) else part.empirical
    pairs = part.pairs if isinstance(part, RatingPart) else part.comparable
    if coefficient.value is None or math.isnan(coefficient.value):
        return AgreementSoFar(None, coefficient.reason or "", pairs)
    return AgreementSoFar(coefficient.value, coefficient.words, pairs)
