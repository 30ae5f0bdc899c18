"""Commands on the annotators of a campaign: add, links, withdraw, forget."""

from __future__ import annotations

import click

from adjudge.cli import _show
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option, keywords
from adjudge.cli._run import CommandRun
from adjudge.cli.human._store import BASE_URL_OPTION, DEFAULT_DATABASE, open_store, show_links
from adjudge.errors import UsageError
from adjudge.wording import pluralise


@subcommand(
    "add",
    "Add annotators or systems to a campaign that may be under way.",
    argument("name"),
    keywords(),
    "quiet",
    BASE_URL_OPTION,
    format_option(("text", "json", "tsv")),
)
def add_command(
    run: CommandRun,
    *,
    name: str,
    annotators: tuple[str, ...] = (),
    system_outputs: tuple[str, ...] = (),
    database: str = DEFAULT_DATABASE,
    base_url: str,
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
    with open_store(database) as store:
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
        run.warn(plan.notes)
        campaigns.extend(store, stored, plan.hits, annotators=annotators, outputs=new)
        stages.add_editors(store, stored, annotators)
        tokens = people.renew_links(store, stored, annotators) if annotators else {}
    if tokens:
        show_links(run, base_url, tokens)
    tasks = sum(len(hit.items) for hit in plan.hits)
    more = f"{pluralise(tasks, 'item')} more to judge in {pluralise(len(plan.hits), 'hit')}"
    run.say("judges are given texts as they are edited" if stored.campaign.edits_of else more)


@subcommand(
    "links",
    "Make new links for annotators; the ones they had end.",
    argument("name"),
    argument("annotators", nargs=-1, metavar="[ANNOTATOR]..."),
    keywords(),
    BASE_URL_OPTION,
    format_option(("text", "json", "tsv")),
)
def links_command(
    run: CommandRun,
    *,
    name: str,
    annotators: tuple[str, ...],
    database: str = DEFAULT_DATABASE,
    base_url: str,
) -> None:
    """Make new links for ANNOTATORs of the campaign NAME, or for all of them; the ones they had end."""
    from adjudge.campaigns.store import campaigns, people

    _show.check_stdout()  # or else the old links would end, and nobody see the new ones
    with open_store(database) as store:
        tokens = people.renew_links(store, campaigns.find(store, name), annotators)
    show_links(run, base_url, tokens)


@subcommand(
    "withdraw",
    "Let an annotator's answers count no more; they are kept, and marked.",
    argument("name"),
    argument("annotator"),
    keywords(),
)
def withdraw_command(
    run: CommandRun,
    *,
    name: str,
    annotator: str,
    database: str = DEFAULT_DATABASE,
    reason: str = "",
    undo: bool = False,
) -> None:
    """Let the answers of ANNOTATOR in the campaign NAME count no more, and take no new ones.

    They are kept, and marked; `adjudge human export --withdrawn` writes them too. What is then missing can be given to
    others: adjudge human add.
    """
    from adjudge.campaigns.store import campaigns, upkeep

    with open_store(database) as store:
        stored = campaigns.find(store, name)
        changed = (upkeep.reinstate if undo else upkeep.withdraw)(store, stored, annotator, reason)
    state = "count again" if undo else "count no more"
    _show.say(f"the answers of {annotator} {state if changed else f'{state}, as before'}")


@subcommand(
    "forget", "Delete what says who an annotator is.", argument("name"), argument("annotator"), keywords()
)
def forget_command(
    run: CommandRun,
    *,
    name: str,
    annotator: str,
    database: str = DEFAULT_DATABASE,
    erase: bool = False,
    yes: bool = False,
) -> None:
    """Delete what says who ANNOTATOR of the campaign NAME is: name, link, sessions, a marketplace's id.

    A pseudonym takes the place of the name, also in the campaign's other stage where there is one. This cannot be
    undone; back-ups made before still hold the name.
    """
    from adjudge.campaigns.store import campaigns, people, stages

    with open_store(database) as store:
        stored = campaigns.find(store, name)
        people.find(store, stored, annotator)
        what = "who they are, and all they answered" if erase else "who they are"
        if not yes and not click.confirm(
            _show.harmless(f"Forget {annotator}: {what}? This cannot be undone."), err=True
        ):
            raise UsageError("nothing was forgotten")
        forgotten = stages.forget(store, stored, annotator, erase=erase)
    where = ", ".join(f"in {campaign!r} it is {pseudonym}" for campaign, pseudonym in forgotten.items())
    _show.say(f"{annotator} is forgotten; {where} from now on")
