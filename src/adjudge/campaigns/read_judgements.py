"""The judgements of a campaign, read from its database as `adjudge human export` and `analyse` would from a file."""

from __future__ import annotations

import hashlib

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.export import ExportOptions, criterion_judgements, written_judgements
from adjudge.campaigns.selection import selection_remark
from adjudge.campaigns.store import Store, answers, campaigns, stages
from adjudge.io.judgements import LoadedJudgements
from adjudge.io.table import Input
from adjudge.wording import percent

FORMAT = "campaign"


def read_campaign_judgements(store: Store, name: str = "", *, criterion: str = "") -> LoadedJudgements:
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
    """Who judges how much, and which control items there are, as the campaign's record says."""
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
