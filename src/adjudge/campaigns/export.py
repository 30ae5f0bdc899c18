"""The judgements of a campaign, as a file (which criterion, whose answers, which format) or as analyses read them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, GivenAnswer
from adjudge.campaigns.judgements import (
    CriterionJudgements,
    Origin,
    judgements_from_answers,
    pseudonym,
    pseudonymise,
)
from adjudge.campaigns.selection import selection_remark
from adjudge.campaigns.store import CampaignStore, answers, campaigns, stages
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.human.mqm import as_scores
from adjudge.io.judgements import JudgementFile, LoadedJudgements, write
from adjudge.io.judgements.formats import WRITERS
from adjudge.io.table import Input
from adjudge.wording import percent

FORMAT = "campaign"


@dataclass(frozen=True)
class ExportOptions:
    """Which judgements are exported, and how."""

    output_format: str = "jsonl"
    criterion: str = ""
    """The criterion, where a protocol has several."""
    pseudonyms: bool = False
    for_spreadsheet: bool = False


def export_judgements(
    campaign: Campaign,
    secret: str,
    material: CampaignMaterial,
    answers: Iterable[GivenAnswer],
    options: ExportOptions,
    origins: Mapping[str, Origin] = MappingProxyType({}),
) -> JudgementFile:
    """Return a file of judgements; its warnings say what the format has no place for.

    `origins` says of a second stage whose edits were judged, by the keys of the items.
    """
    if options.pseudonyms:
        origins = {
            key: replace(origin, editors=tuple(pseudonym(name, secret) for name in origin.editors))
            for key, origin in origins.items()
        }
    of_criterion = criterion_judgements(campaign, material, answers, options.criterion, origins)
    if options.pseudonyms:
        of_criterion = replace(of_criterion, judgements=pseudonymise(of_criterion.judgements, secret))
    return written_judgements(campaign, material, of_criterion, options)


def criterion_judgements(
    campaign: Campaign,
    material: CampaignMaterial,
    answers: Iterable[GivenAnswer],
    criterion: str = "",
    origins: Mapping[str, Origin] = MappingProxyType({}),
    *,
    purpose: str = "written",
) -> CriterionJudgements:
    """The judgements of the named criterion, or of the only one; an error if there are none."""
    criteria = campaign.protocol.criteria
    if criterion and criterion not in criteria:
        raise unknown_name("criterion", criterion, criteria)
    if not criterion and len(criteria) > 1:
        raise UsageError(
            f"{campaign.name} asks for {' and '.join(criteria)}; say which one is to be {purpose} (--criterion)"
        )
    of_criterion = judgements_from_answers(campaign, material, answers, origins).get(criterion or criteria[0])
    if of_criterion is None:
        raise DataError(f"nobody has answered anything in {campaign.name!r} yet")
    return of_criterion


def written_judgements(
    campaign: Campaign,
    material: CampaignMaterial,
    of_criterion: CriterionJudgements,
    options: ExportOptions,
) -> JudgementFile:
    """The judgements of one criterion in the requested format."""
    judgements = of_criterion.judgements
    if (writer := WRITERS.get(options.output_format)) is not None and writer.only_scores:
        judgements = as_scores(judgements)
    languages = (campaign.source_language, campaign.target_language)
    return write(
        judgements,
        of_criterion.texts,
        options.output_format,
        items=material.names(),
        languages=languages if all(languages) else None,
        for_spreadsheet=options.for_spreadsheet,
    )


def read_campaign_judgements(
    store: CampaignStore, name: str = "", *, criterion: str = ""
) -> LoadedJudgements:
    """What counts in the campaign of that name (without a name, the only one); an error where nobody has answered.

    The hash is that of the file which `adjudge human export` would write of the same answers.
    """
    stored = campaigns.find(store, name)
    material = campaigns.material(store, stored)
    counted = answers.counted_answers(store, stored)
    origins = stages.origins(store, stored)
    of_criterion = criterion_judgements(
        stored.campaign, material, counted, criterion, origins, purpose="analysed"
    )
    exported = written_judgements(stored.campaign, material, of_criterion, ExportOptions())
    fingerprint = hashlib.sha256(exported.data).hexdigest()
    warnings = tuple(filter(None, [selection_remark(stored.campaign)]))
    return LoadedJudgements(
        of_criterion.judgements,
        (Input(FORMAT, stored.name, fingerprint),),
        warnings,
        FORMAT,
        planned=plan_in_words(stored.campaign),
    )


def plan_in_words(campaign: Campaign) -> str:
    """The planned workload and control items, from the campaign's record."""
    assignment, people = campaign.assignment, campaign.annotators
    who = "a crowd" if people.crowd else f"{len(people.all_names())} annotators"
    parts = [f"{who}, {assignment.judgements} for each item"]
    if assignment.common and not people.crowd:
        parts.append(f"{percent(assignment.common)} of the items for everyone")
    controls = (
        ("damaged", assignment.bad_references if campaign.protocol.controls else 0.0),
        ("repeated", assignment.repeats),
        ("references", assignment.references),
    )
    shares = [f"{percent(share)} {name}" for name, share in controls if share]
    parts.append(f"control items: {', '.join(shares)}" if shares else "no control items")
    return ", ".join(parts)
