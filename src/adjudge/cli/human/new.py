"""Make a campaign from its file, and print the annotators' links."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from adjudge.cli import _options, _show
from adjudge.cli._progress import progress
from adjudge.cli.human._store import base_url_option, database_option, opened, show_links, suffix
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.human.assignment import Plan
    from adjudge.human.campaign import Campaign
    from adjudge.human.items import Material


@click.command("new", short_help="Make a campaign from its file, and print the annotators' links.")
@click.argument("file", metavar="FILE")
@database_option
@base_url_option
@_options.format_option(("text", "json", "tsv"))
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be done; keep nothing.")
@click.option("-q", "--quiet", is_flag=True, help="No remarks on stderr.")
def command(file: str, database: str, base_url: str, form: str, dry_run: bool, quiet: bool) -> None:
    """Make a campaign from FILE (TOML or JSON; see docs/campaigns.md), and print the annotators' links.

    Links are printed once: the database keeps only their hashes. `adjudge human links` makes new ones.
    """
    from adjudge.human import assignment, campaign, questions, tutorial

    read, folder = campaign.load(file), os.path.dirname(file)
    if read.edits_of:
        raise UsageError(
            f"{file}: edits_of: a second stage is made with the first one (acceptability = true in its protocol)"
        )
    material = campaign.material(read, folder or ".")
    asked, learned = (
        os.path.join(folder, one) if one else "" for one in (read.rules.questions, read.rules.tutorial)
    )
    with progress(quiet=quiet) as report:
        plan = assignment.plan(
            read,
            material,
            questions=questions.load(asked) if asked and read.protocol.name == "comprehension" else None,
            tutorial=tutorial.load(learned, read, material) if learned else (),
            report=report,
        )
    _show.warn(plan.notes, quiet=quiet)
    if dry_run:
        _say(_summary(read, material, plan), quiet)
        return
    from adjudge.human.store import campaigns, people, stages

    with opened(database, create=True) as store:
        kept = campaigns.add(store, read, material, plan.hits)
        tokens = people.renew(store, kept)
        second = stages.begin(store, kept) if read.protocol.next_stage else None
        others = read.annotators.judges if second else ()
        if second and others:
            # Whoever edits as well goes on from one stage to the other.
            tokens |= people.renew(store, second, [name for name in others if name not in tokens])
    show_links([(name, f"{base_url}/a/{token}") for name, token in tokens.items()], form)
    _say(_summary(read, material, plan), quiet)
    if second:
        _say(f"second stage {second.name!r}: {_judging(others)} say of every edited text: acceptable?", quiet)
    if read.annotators.crowd:
        _say(f"for a crowd: {base_url}/join/{kept.name}?workerId=… (adjudge human hits {kept.name})", quiet)
    _say(f"next: adjudge human serve{suffix(database)}", quiet)


def _summary(read: Campaign, material: Material, plan: Plan) -> str:
    tasks = sum(len(hit.items) for hit in plan.hits)
    return (
        f"campaign {read.name!r}: {read.protocol.name}, {len(material.systems)} systems, "
        f"{len(material.test_set)} segments; {tasks} items to judge in {len(plan.hits)} hits"
    )


def _judging(others: Sequence[str]) -> str:
    return ", ".join(others) or "annotators who have nothing left to edit"


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        click.echo(text, err=True)
