"""Add annotators or systems to a campaign that may be under way."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, base_url_option, opened, show_links
from adjudge.errors import UsageError
from adjudge.wording import counted


@click.command("add", short_help="Add annotators or systems to a campaign that may be under way.")
@click.argument("name")
@_options.keywords()
@base_url_option
@_options.format_option(("text", "json", "tsv"))
def command(
    *,
    name: str,
    annotators: tuple[str, ...] = (),
    system_outputs: tuple[str, ...] = (),
    database: str = DEFAULT_DATABASE,
    base_url: str,
    form: str,
    quiet: bool = False,
) -> None:
    """Add annotators or systems to the campaign NAME, and print links for who is new.

    What was given out stays as it is: new annotators share the common pool and take on what is missing, new systems
    are judged on the same segments, after what everybody has to do. New editors also judge in the second stage where
    editors do; judges of a second stage are given what is edited, as it comes.
    """
    from adjudge.campaigns import assignment, names
    from adjudge.campaigns.campaign import with_more_systems
    from adjudge.campaigns.store import campaigns, people, stages

    if not annotators and not system_outputs:
        raise UsageError("nothing is to be added: give --annotator NAME or --system-output NAME=FILE")
    if annotators:
        _show.check_stdout()
    names.check_annotators(annotators, "--annotator")
    with opened(database) as store:
        stored = campaigns.find(store, name)
        if stored.campaign.edits_of and system_outputs:
            raise UsageError(
                f"--system-output: {name!r} judges what is edited in {stored.campaign.edits_of!r}; add it there"
            )
        material = with_more_systems(stored.campaign, campaigns.material(store, stored), system_outputs)
        new = material.outputs[len(material.outputs) - len(system_outputs) :] if system_outputs else ()
        known = people.annotators(store, stored)
        guests = {annotator.name for annotator in known if annotator.kind == "demo"}
        hits = [hit for hit in campaigns.hits(store, stored) if hit.annotator not in guests]
        plan = (
            assignment.AssignmentPlan(())
            if stored.campaign.edits_of
            else assignment.extend_plan(
                stored.campaign,
                material,
                hits,
                annotators=annotators,
                systems=[output.title for output in new],
                withdrawn=[annotator.name for annotator in known if annotator.withdrawn is not None],
            )
        )
        _show.warn(plan.notes, quiet=quiet)
        campaigns.extend(store, stored, plan.hits, annotators=annotators, outputs=new)
        stages.add_editors(store, stored, annotators)
        tokens = people.renew_links(store, stored, annotators) if annotators else {}
    if tokens:
        show_links([(who, f"{base_url}/a/{token}") for who, token in tokens.items()], form)
    if not quiet:
        tasks = sum(len(hit.items) for hit in plan.hits)
        more = f"{counted(tasks, 'item')} more to judge in {counted(len(plan.hits), 'hit')}"
        _show.say("judges are given texts as they are edited" if stored.campaign.edits_of else more)
