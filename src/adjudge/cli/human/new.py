"""Make a campaign from its file, and print the annotators' links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from adjudge.cli import _show
from adjudge.cli._command import subcommand
from adjudge.cli._files import metric_specs
from adjudge.cli._options import argument, format_option, keywords
from adjudge.cli._run import CommandRun
from adjudge.cli._studies import given_options
from adjudge.cli.human._store import BASE_URL_OPTION, DEFAULT_DATABASE, open_store, show_links, suffix
from adjudge.errors import UsageError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.campaigns.assignment import AssignmentPlan
    from adjudge.campaigns.campaign import Campaign
    from adjudge.campaigns.items import CampaignMaterial


@subcommand(
    "new",
    "Make a campaign from its file, and print the annotators' links.",
    argument("files", metavar="FILE...", nargs=-1, required=True),
    keywords(
        name="Of a campaign of another tool.",
        annotators="Each gets the next batch of another tool's campaign that is nobody's.",
        metrics="It chooses segments; may be repeated. Default: chrf; for disagreement bleu, chrf and ter.",
        seed="Of what --select draws.",
    ),
    "quiet",
    BASE_URL_OPTION,
    format_option(("text", "json", "tsv")),
)
def command(
    run: CommandRun,
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
    dry_run: bool = False,
) -> None:
    """Make a campaign from FILE (TOML or JSON; see docs/campaigns.md), and print the annotators' links.

    FILE may be a campaign of another tool: pearmut's, or Appraise's batches.json (with its manifest.json). Links are
    printed once: the database keeps only their hashes. `adjudge human links` makes new ones.
    """
    from adjudge.campaigns.campaign_files import campaign_of_file, campaign_of_tool
    from adjudge.io.judgements.judgement_files import is_campaign

    selection = _selection(select, items, metrics, seed if given_options(("seed",)) else None)
    if any(map(is_campaign, files)):
        if selection is not None:
            raise UsageError("--select is for campaigns of ours; another tool's has its batches already")
        read, material, plan = campaign_of_tool(files, name or "", annotators)
    elif len(files) > 1:
        raise UsageError(f"one campaign file was expected, not {len(files)}")
    elif name or annotators:
        option = "--name" if name else "--annotator"
        raise UsageError(f"{option} is for campaigns of other tools; {files[0]} says it itself")
    else:
        with run.working() as work:
            read, material, plan = campaign_of_file(files[0], selection, report=work.progress)
    run.warn((*plan.notes, *_remarks(read, material, plan)))
    if dry_run:
        run.say(_summary(read, material, plan))
        return
    from adjudge.campaigns.store import campaigns, people, stages

    _show.check_stdout()
    with open_store(database, create=True) as store:
        stored = campaigns.add(store, read, material, plan.hits)
        tokens = people.renew_links(store, stored)
        second = stages.begin_second_stage(store, stored) if read.protocol.next_stage else None
        others = read.annotators.judges if second else ()
        if second and others:
            # Whoever edits as well goes on from one stage to the other.
            tokens |= people.renew_links(store, second, [name for name in others if name not in tokens])
    show_links(run, base_url, tokens)
    run.say(_summary(read, material, plan))
    _say_stages(run, read, stored.name, second.name if second else None, base_url)
    run.say(f"next: adjudge human serve{suffix(database)}")


def _say_stages(run: CommandRun, read: Campaign, name: str, second: str | None, base_url: str) -> None:
    """What follows the first stage, and where a crowd begins."""
    if second:
        phrase = _judging_phrase(read.annotators.judges)
        run.say(f"second stage {second!r}: {phrase} say of every edited text: acceptable?")
    if read.annotators.crowd:
        run.say(f"for a crowd: {base_url}/join/{quote(name)}?workerId=… (adjudge human hits {name})")


def _selection(
    method: str | None, items: int | None, metrics: Sequence[str], seed: int | None
) -> dict[str, Any] | None:
    """What --select and its companions ask for, as a campaign's file would say it."""
    given = {"items": items, "metrics": metric_specs(metrics) or None, "seed": seed}
    given = {name: value for name, value in given.items() if value is not None}
    if method is None:
        if given:
            option = {"items": "--items", "metrics": "-m", "seed": "--seed"}[next(iter(given))]
            raise UsageError(f"{option} is for --select, which chooses what is judged")
        return None
    if items is None:
        raise UsageError(f"--select {method}: how many segments? --items N")
    return {"method": method, **given}


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


def _judging_phrase(others: Sequence[str]) -> str:
    return ", ".join(others) or "annotators who have nothing left to edit"
