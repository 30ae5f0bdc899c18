"""A campaign while it runs: who pays attention, how well people agree so far, and who passes quality control.

Completion codes (`crowd.py`) depend on the last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, GivenAnswer
from adjudge.campaigns.judgements import judgements_by_criterion
from adjudge.data.judgements import Judgements
from adjudge.errors import AdjudgeError
from adjudge.human.agreement import PairAgreement, RatingPart, agreement_on_tested_scores
from adjudge.human.assessment import standard_scores
from adjudge.human.grouping import without_tutorials
from adjudge.human.mqm import weigh_errors
from adjudge.human.postediting import corrected_only
from adjudge.human.quality import FEWEST, Quality, quality


@dataclass(frozen=True)
class AgreementSoFar:
    """Agreement so far: a coefficient with its interpretation, or the reason why there is none yet."""

    value: float | None
    words: str
    pairs: int


@dataclass(frozen=True)
class CriterionQuality:
    """The quality of judgements of one criterion so far."""

    criterion: str
    judgements: int
    quality: tuple[Quality, ...]
    between: AgreementSoFar
    """Between annotators: Krippendorff's alpha of the scores that analyses test, kappa of choices."""
    within: AgreementSoFar
    """Agreement of annotators with themselves, on repeats."""


def live_quality(by_criterion: Mapping[str, Judgements]) -> tuple[CriterionQuality, ...]:
    """Return what the judgements so far tell of the annotators, criterion by criterion."""
    return tuple(_criterion_quality(name, judgements) for name, judgements in by_criterion.items())


def _criterion_quality(criterion: str, judgements: Judgements) -> CriterionQuality:
    judgements = corrected_only(without_tutorials(_as_penalties(judgements)))
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


def passes_quality_control(
    campaign: Campaign, material: CampaignMaterial, given: Iterable[GivenAnswer]
) -> bool:
    """Whether one person's answers pass quality control, or say too little to fail it.

    With several criteria, recognising damage by one of them is enough.
    """
    verdicts = [
        annotator.passed
        for judged in judgements_by_criterion(campaign, material, given).values()
        if not judged.is_ranking
        for annotator in quality(_as_penalties(judged))
        if annotator.passed is not None and annotator.damaged >= FEWEST
    ]
    return any(verdicts) or not verdicts


def _as_penalties(judgements: Judgements) -> Judgements:
    """Return judgements that are only marked errors as penalties, all others as they are."""
    return (
        weigh_errors(judgements).judgements
        if judgements.spans is not None and np.isnan(judgements.score).all()
        else judgements
    )
