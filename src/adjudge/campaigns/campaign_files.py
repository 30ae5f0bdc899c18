"""Campaigns from their files, each with its material and a plan of who judges what: ours, and those of other tools."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudge.campaigns import assignment, campaign, tutorial
from adjudge.campaigns.assignment import AssignmentPlan
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.exchange import campaign_from_tasks
from adjudge.campaigns.items import CampaignMaterial
from adjudge.campaigns.selection import with_selection
from adjudge.errors import UsageError
from adjudge.io.judgements.judgement_files import read_campaign
from adjudge.wording import pluralise


def campaign_of_file(
    file: str,
    selection: Mapping[str, Any] | None = None,
    *,
    report: Callable[[str, int, int], None] | None = None,
) -> tuple[Campaign, CampaignMaterial, AssignmentPlan]:
    """A campaign of ours; `selection` chooses what is judged, in place of what the file says."""
    read, folder = campaign.load(file, selection), os.path.dirname(file)
    if read.edits_of:
        raise UsageError(
            f"{file}: edits_of: a second stage is made with the first one (acceptability = true in its protocol)"
        )
    read = with_selection(read, folder or ".")
    material = campaign.chosen_material(read, folder or ".")
    asked, learned = (
        os.path.join(folder, path) if path else "" for path in (read.rules.questions, read.rules.tutorial)
    )
    has_questions = asked and read.protocol.name == "comprehension"
    plan = assignment.plan_hits(
        read,
        material,
        questions=tutorial.load_questions(asked) if has_questions else None,
        tutorial=tutorial.load(learned, read, material) if learned else (),
        report=report,
    )
    return read, material, plan


def campaign_of_tool(
    files: Sequence[str], name: str, annotators: Sequence[str]
) -> tuple[Campaign, CampaignMaterial, AssignmentPlan]:
    """A campaign of another tool, with its own batches as hits."""
    tasks = read_campaign(list(files))
    free = sum(not batch.annotator for batch in tasks.batches)
    if annotators and len(annotators) != free:
        raise UsageError(
            f"--annotator: {pluralise(len(annotators), 'name')}, but {free} of {len(tasks.batches)} batches are "
            "nobody's"
        )
    imported = campaign_from_tasks(tasks, name=name, annotators=annotators, file=os.path.basename(files[0]))
    return imported.campaign, imported.material, AssignmentPlan(imported.hits)
