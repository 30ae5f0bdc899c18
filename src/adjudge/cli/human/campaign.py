"""Commands on one campaign as a whole: how far it is, pause, resume, close, its log, a copy of it and back."""

from __future__ import annotations

import json
from dataclasses import asdict

from adjudge.cli import _show
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option, keywords, output_argument, output_option
from adjudge.cli._run import CommandRun
from adjudge.cli.human._store import DEFAULT_DATABASE, NAME_ARGUMENT, open_store


@subcommand(
    "status",
    "Say how far a campaign has come.",
    NAME_ARGUMENT,
    keywords(),
    format_option(("text", "json", "tsv", "markdown")),
)
def status_command(run: CommandRun, *, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Say how far the campaign NAME has come, by annotator and by system; without a name, all of them."""
    from adjudge.campaigns.campaign_display import StatusDisplay
    from adjudge.campaigns.store import campaigns
    from adjudge.campaigns.store.progress import campaign_progress
    from adjudge.report.render.formats import renderer_of

    with open_store(database, writes=False) as store:
        wanted = [campaigns.find(store, name)] if name else campaigns.all_campaigns(store)
        progress = [campaign_progress(store, kept) for kept in wanted]
    run.show(renderer_of(StatusDisplay(progress), version=None, ascii_only=False))


@subcommand("pause", "Pause a campaign: annotators can read, but not answer.", NAME_ARGUMENT, keywords())
def pause_command(run: CommandRun, *, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Pause a campaign: annotators can read, but not answer."""
    _set_status(name, database, "paused")


@subcommand("resume", "Let a paused or closed campaign go on.", NAME_ARGUMENT, keywords())
def resume_command(run: CommandRun, *, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Let a paused or closed campaign go on."""
    _set_status(name, database, "running")


@subcommand("close", "Close a campaign: nothing more is taken, nothing is lost.", NAME_ARGUMENT, keywords())
def close_command(run: CommandRun, *, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Close a campaign: nothing more is taken, nothing is lost."""
    _set_status(name, database, "closed")


def _set_status(name: str, database: str, status: str) -> None:
    from adjudge.campaigns.store import campaigns

    with open_store(database) as store:
        stored = campaigns.find(store, name)
        campaigns.set_status(store, stored, status)
    _show.say(f"campaign {stored.name!r} is {status}")


@subcommand(
    "log",
    "Write everything that happened in a campaign, corrected and undone answers too.",
    NAME_ARGUMENT,
    keywords(),
    output_option(holds=("jsonl",), private=True),
)
def log_command(run: CommandRun, *, name: str, database: str = DEFAULT_DATABASE) -> None:
    """Write every event of the campaign NAME as JSON lines: answers, corrections, undos, what the organiser did.

    Nothing is ever overwritten, so this is the whole history. Names of annotators are in it.
    """
    from adjudge.campaigns.store import campaigns, journal, upkeep

    with open_store(database, writes=False) as store:
        stored = campaigns.find(store, name)
        events = [{"event": entry.kind, **asdict(entry)} for entry in journal.entries(store, stored)]
        actions = [{"event": "action", **asdict(action)} for action in upkeep.history(store, stored)]
    rows = sorted([*events, *actions], key=lambda row: row.get("received", row.get("at", 0.0)))
    run.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


@subcommand(
    "backup",
    "Write a campaign, with all its answers, into one file.",
    argument("name"),
    output_argument("file"),
    keywords(),
)
def backup_command(run: CommandRun, *, name: str, file: str, database: str = DEFAULT_DATABASE) -> None:
    """Write the campaign NAME with texts, annotators and the log of all answers into FILE.

    `adjudge human restore` brings it back, into a database of either kind. The file holds what the database holds:
    only its owner can read it.
    """
    from adjudge.campaigns.store import backup, campaigns

    with open_store(database, writes=False) as store:
        saved = backup.save(store, campaigns.find(store, name), file)
    count = saved.counts.get("event", 0)
    _show.say(f"campaign {saved.campaign!r} with {count:,} events is in {file} (sha256 {saved.sha256[:16]}…)")


@subcommand(
    "restore",
    "Bring a campaign back from its file.",
    argument("file"),
    keywords(name="Where the name is taken."),
)
def restore_command(
    run: CommandRun, *, file: str, database: str = DEFAULT_DATABASE, name: str = "", new_links: bool = False
) -> None:
    """Bring back the campaign that `adjudge human backup` wrote into FILE; nothing that is there is written over."""
    from adjudge.campaigns import names
    from adjudge.campaigns.store import backup

    if name:
        names.check_campaign(name)
    with open_store(database, create=True) as store:
        stored = backup.restore(store, file, name=name, links=not new_links)
    _show.say(f"campaign {stored.name!r} is back, {stored.status}")
