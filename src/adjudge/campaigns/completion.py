"""Whether somebody who is done paid attention: what completion codes are made of (`crowd.py` makes them)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, Item
from adjudge.campaigns.judgements import AnswerLike, judgements_by_criterion
from adjudge.data.judgements import Judgements
from adjudge.human.mqm import weighed
from adjudge.human.quality import FEWEST, quality


@dataclass(frozen=True)
class HitAnswer:
    """An answer in somebody's hit; `judgements.AnswerLike` is its contract."""

    annotator: str
    hit: str
    item: Item
    answer: Mapping[str, Any]
    seconds: float | None = None
    started: float | None = None
    withdrawn: bool = False


def passes_quality_control(
    campaign: Campaign, material: CampaignMaterial, given: Iterable[AnswerLike]
) -> bool:
    """Whether one person's answers pass quality control, or say too little to fail it.

    Where several criteria are asked for, whoever tells damage from no damage by one of them was attentive.
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
        weighed(judgements).judgements
        if judgements.spans is not None and np.isnan(judgements.score).all()
        else judgements
    )
