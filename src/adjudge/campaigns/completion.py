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
        one.passed
        for found in judgements_by_criterion(campaign, material, given).values()
        if not found.is_ranking
        for one in quality(_as_penalties(found))
        if one.passed is not None and one.damaged >= FEWEST
    ]
    return any(verdicts) or not verdicts


def _as_penalties(found: Judgements) -> Judgements:
    """Errors without a score as penalties."""
    return weighed(found).judgements if found.spans is not None and np.isnan(found.score).all() else found
