"""Make a campaign from its file, and print the annotators' links."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from adjudge.cli import _options, _show
from adjudge.cli._studies import given_options
from adjudge.cli._workspace import progress
from adjudge.cli.human._store import DEFAULT_DATABASE, base_url_option, opened, show_links, suffix
from adjudge.errors import UsageError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.campaigns.assignment import AssignmentPlan
    from adjudge.campaigns.campaign import Campaign
    from adjudge.campaigns.items import CampaignMaterial


@click.command("new", short_help="Make a campaign from its file, and print the annotators' links.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_options.keywords(
    name="Of a campaign of another tool.",
    annotators="Each gets the next batch of another tool's campaign that is nobody's.",
    metrics="It chooses segments; may be repeated. Default: chrf; for disagreement bleu, chrf and ter.",
    seed="Of what --select draws.",
)
@base_url_option
@_options.format_option(("text", "json", "tsv"))
def command(
    *,
    files: tuple[str, ...],
    name: str | None = None,
    annotators: tuple[str, ...] = (),
    select: str | None = None,
    items: int | None = None,
    metrics: tuple[str, ...] = (),
    seed: int = 12345,
    database: str = DEFAULT_DATABASE,
    base_url: str,
    form: str,
    dry_run: bool = False,
    quiet: bool = False,
) -> None:
    """Make a campaign from FILE (TOML or JSON; see docs/campaigns.md), and print the annotators' links.

    FILE may be a campaign of another tool: pearmut's, or Appraise's batches.json (with its manifest.json). Links are
    printed once: the database keeps only their hashes. `adjudge human links` makes new ones.
    """
    from adjudge.io.judgements.judgement_files import is_campaign

    selection = _selection(select, items, metrics, seed if given_options(("seed",)) else None)
    if any(map(is_campaign, files)):
        if selection is not None:
            raise UsageError("--select is for campaigns of ours; another tool's has its batches already")
        read, material, plan = _imported(files, name or "", annotators)
    elif len(files) > 1:
        raise UsageError(f"one campaign file was expected, not {len(files)}")
    elif name or annotators:
        option = "--name" if name else "--annotator"
        raise UsageError(f"{option} is for campaigns of other tools; {files[0]} says it itself")
    else:
        read, material, plan = plan_campaign(files[0], selection, quiet)
    _show.warn((*plan.notes, *_remarks(read, material, plan)), quiet=quiet)
    if dry_run:
        _say(_summary(read, material, plan), quiet)
        return
    from adjudge.campaigns.store import campaigns, people, stages

    _show.check_stdout()
    with opened(database, create=True) as store:
        stored = campaigns.add(store, read, material, plan.hits)
        tokens = people.renew_links(store, stored)
        second = stages.begin_second_stage(store, stored) if read.protocol.next_stage else None
        others = read.annotators.judges if second else ()
        if second and others:
            # Whoever edits as well goes on from one stage to the other.
            tokens |= people.renew_links(store, second, [name for name in others if name not in tokens])
    show_links([(name, f"{base_url}/a/{token}") for name, token in tokens.items()], form)
    _say(_summary(read, material, plan), quiet)
    if second:
        _say(f"second stage {second.name!r}: {_judging(others)} say of every edited text: acceptable?", quiet)
    if read.annotators.crowd:
        _say(
            f"for a crowd: {base_url}/join/{quote(stored.name)}?workerId=… (adjudge human hits {stored.name})",
            quiet,
        )
    _say(f"next: adjudge human serve{suffix(database)}", quiet)


def _selection(
    method: str | None, items: int | None, metrics: Sequence[str], seed: int | None
) -> dict[str, Any] | None:
    """What --select and its companions ask for, as a campaign's file would say it."""
    given = {"items": items, "metrics": _options.metric_specs(metrics) or None, "seed": seed}
    given = {name: value for name, value in given.items() if value is not None}
    if method is None:
        if given:
            option = {"items": "--items", "metrics": "-m", "seed": "--seed"}[next(iter(given))]
            raise UsageError(f"{option} is for --select, which chooses what is judged")
        return None
    if items is None:
        raise UsageError(f"--select {method}: how many segments? --items N")
    return {"method": method, **given}


def plan_campaign(
    file: str, selection: Mapping[str, Any] | None, quiet: bool
) -> tuple[Campaign, CampaignMaterial, AssignmentPlan]:
    """A campaign of ours, with a plan of who judges what."""
    from adjudge.campaigns import assignment, campaign, tutorial
    from adjudge.campaigns.selection import with_selection

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
    with progress(quiet=quiet) as report:
        plan = assignment.plan_hits(
            read,
            material,
            questions=tutorial.load_questions(asked)
            if asked and read.protocol.name == "comprehension"
            else None,
            tutorial=tutorial.load(learned, read, material) if learned else (),
            report=report,
        )
    return read, material, plan


def _imported(
    files: Sequence[str], name: str, annotators: Sequence[str]
) -> tuple[Campaign, CampaignMaterial, AssignmentPlan]:
    """A campaign of another tool, with its own batches as hits."""
    from adjudge.campaigns.assignment import AssignmentPlan
    from adjudge.campaigns.exchange import campaign_from_tasks
    from adjudge.io.judgements.judgement_files import read_campaign

    tasks = read_campaign(list(files))
    free = sum(not batch.annotator for batch in tasks.batches)
    if annotators and len(annotators) != free:
        raise UsageError(
            f"--annotator: {pluralise(len(annotators), 'name')}, but {free} of {len(tasks.batches)} batches are "
            "nobody's"
        )
    imported = campaign_from_tasks(tasks, name=name, annotators=annotators, file=os.path.basename(files[0]))
    return imported.campaign, imported.material, AssignmentPlan(imported.hits)


def _remarks(read: Campaign, material: CampaignMaterial, plan: AssignmentPlan) -> list[str]:
    """Whether there is enough to judge, and what a chosen sample means for what may be said later."""
    from adjudge.campaigns.selection import selection_remark
    from adjudge.planning.campaign_plan import campaign_size

    size = campaign_size(read, material.systems, plan) if plan.judged else None
    return list(filter(None, [size.remark() if size else "", selection_remark(read)]))


def _summary(read: Campaign, material: CampaignMaterial, plan: AssignmentPlan) -> str:
    tasks = sum(len(hit.items) for hit in plan.hits)
    return (
        f"campaign {read.name!r}: {read.protocol.name}, {pluralise(len(material.systems), 'system')}, "
        f"{len(material.test_set)} segments; {tasks} items to judge in {len(plan.hits)} hits"
    )


def _judging(others: Sequence[str]) -> str:
    return ", ".join(others) or "annotators who have nothing left to edit"


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        _show.say(text)
