"""The judgements of a campaign as a file: which criterion, whose answers, in which format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from adjudge.data.judgements import Judgements
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.human.campaign import Campaign
from adjudge.human.gathered import Given, Origin, anonymous, gathered, pseudonym
from adjudge.human.items import Material
from adjudge.human.mqm import weighed
from adjudge.io.judgements.writing import Written, write

OF_SCORES = ("mqm-scores", "mtme-seg", "mtme-sys", "mtme-domain")
"""Formats that hold nothing but scores: errors are weighed for them."""


def scored(judgements: Judgements) -> Judgements:
    """Errors of MQM as scores that go down from −0.0, as Google and mt-metrics-eval have them."""
    if judgements.protocol != "mqm" or judgements.spans is None:
        return judgements
    penalties = weighed(judgements).judgements
    return replace(penalties, score=-penalties.score, higher_is_better=True)


@dataclass(frozen=True)
class Wanted:
    """What is to be written."""

    output_format: str = "jsonl"
    criterion: str = ""
    """Which one, where a protocol has several."""
    pseudonyms: bool = False
    for_spreadsheet: bool = False


def exported(
    campaign: Campaign,
    secret: str,
    material: Material,
    answers: Iterable[Given],
    wanted: Wanted,
    origins: Mapping[str, Origin] = MappingProxyType({}),
) -> Written:
    """A file of judgements; what the format has no place for is said in its warnings.

    `origins` says of a second stage whose edits were judged, by the keys of the items.
    """
    criteria = campaign.protocol.criteria
    criterion = wanted.criterion or criteria[0]
    if wanted.criterion and wanted.criterion not in criteria:
        raise unknown_name("criterion", wanted.criterion, criteria)
    if not wanted.criterion and len(criteria) > 1:
        raise UsageError(
            f"{campaign.name} asks for {' and '.join(criteria)}; say which one is to be written (--criterion)"
        )
    if wanted.pseudonyms:
        origins = {
            key: replace(one, editors=tuple(pseudonym(name, secret) for name in one.editors))
            for key, one in origins.items()
        }
    found = gathered(campaign, material, answers, origins).get(criterion)
    if found is None:
        raise DataError(f"nobody has answered anything in {campaign.name!r} yet")
    judgements = anonymous(found.judgements, secret) if wanted.pseudonyms else found.judgements
    if wanted.output_format in OF_SCORES:
        judgements = scored(judgements)
    languages = (campaign.source_language, campaign.target_language)
    return write(
        judgements,
        found.texts,
        wanted.output_format,
        items=material.names(),
        languages=languages if all(languages) else None,
        for_spreadsheet=wanted.for_spreadsheet,
    )
