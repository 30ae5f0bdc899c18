"""Commands on one campaign as a whole: how far it is, pause, resume, close, its log, a copy of it and back."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, name_argument, opened


@click.command("status", short_help="Say how far a campaign has come.")
@name_argument
@_options.keywords()
@_options.format_option(("text", "json", "tsv", "markdown"))
def status_command(*, name: str, database: str = DEFAULT_DATABASE, form: str) -> None:
    """Say how far the campaign NAME has come, by annotator and by system; without a name, all of them."""
    from adjudge.campaigns.campaign_display import StatusDisplay
    from adjudge.campaigns.store import campaigns
    from adjudge.campaigns.store.progress import campaign_progress
    from adjudge.report.render.formats import renderer_of

    with opened(database, writes=False) as store:
        wanted = [campaigns.find(store, name)] if name else campaigns.all_campaigns(store)
        progress = [campaign_progress(store, kept) for kept in wanted]
    _show.show(renderer_of(StatusDisplay(progress), version=None, ascii_only=False), form)


@click.command("pause", short_help="Pause a campaign: annotators can read, but not answer.")
@name_argument
@_options.keywords()
def pause_command(*, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Pause a campaign: annotators can read, but not answer."""
    _set_status(name, database, "paused")


@click.command("resume", short_help="Let a paused or closed campaign go on.")
@name_argument
@_options.keywords()
def resume_command(*, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Let a paused or closed campaign go on."""
    _set_status(name, database, "running")


@click.command("close", short_help="Close a campaign: nothing more is taken, nothing is lost.")
@name_argument
@_options.keywords()
def close_command(*, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Close a campaign: nothing more is taken, nothing is lost."""
    _set_status(name, database, "closed")


def _set_status(name: str, database: str, status: str) -> None:
    from adjudge.campaigns.store import campaigns

    with opened(database) as store:
        stored = campaigns.find(store, name)
        campaigns.set_status(store, stored, status)
    _show.say(f"campaign {stored.name!r} is {status}")


@click.command(
    "log", short_help="Write everything that happened in a campaign, corrected and undone answers too."
)
@name_argument
@_options.keywords()
@_options.output_option(holds=("jsonl",), private=True)
def log_command(*, name: str, database: str = DEFAULT_DATABASE, output: str | None) -> None:
    """Write every event of the campaign NAME as JSON lines: answers, corrections, undos, what the organiser did.

    Nothing is ever overwritten, so this is the whole history. Names of annotators are in it.
    """
    from adjudge.campaigns.store import campaigns, journal, upkeep

    with opened(database, writes=False) as store:
        stored = campaigns.find(store, name)
        events = [{"event": entry.kind, **asdict(entry)} for entry in journal.entries(store, stored)]
        actions = [{"event": "action", **asdict(action)} for action in upkeep.history(store, stored)]
    rows = sorted([*events, *actions], key=lambda row: row.get("received", row.get("at", 0.0)))
    _show.show_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), output)


@click.command("backup", short_help="Write a campaign, with all its answers, into one file.")
@click.argument("name")
@_outputs.output_argument("file")
@_options.keywords()
def backup_command(*, name: str, file: str, database: str = DEFAULT_DATABASE) -> None:
    """Write the campaign NAME with texts, annotators and the log of all answers into FILE.

    `adjudge human restore` brings it back, into a database of either kind. The file holds what the database holds:
    only its owner can read it.
    """
    from adjudge.campaigns.store import backup, campaigns

    with opened(database, writes=False) as store:
        saved = backup.save(store, campaigns.find(store, name), file)
    count = saved.counts.get("event", 0)
    _show.say(f"campaign {saved.campaign!r} with {count:,} events is in {file} (sha256 {saved.sha256[:16]}…)")


@click.command("restore", short_help="Bring a campaign back from its file.")
@click.argument("file")
@_options.keywords(name="Where the name is taken.")
def restore_command(
    *, file: str, database: str = DEFAULT_DATABASE, name: str = "", new_links: bool = False
) -> None:
    """Bring back the campaign that `adjudge human backup` wrote into FILE; nothing that is there is written over."""
    from adjudge.campaigns import names
    from adjudge.campaigns.store import backup

    if name:
        names.check_campaign(name)
    with opened(database, create=True) as store:
        stored = backup.restore(store, file, name=name, links=not new_links)
    _show.say(f"campaign {stored.name!r} is back, {stored.status}")
