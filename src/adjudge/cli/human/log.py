"""Write everything that happened in a campaign, corrected and undone answers too."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, name_argument, opened


@click.command("log", short_help="Write everything that happened in a campaign, undone answers too.")
@name_argument
@_options.keywords()
@_options.output_option(holds=("jsonl",), private=True)
def command(*, name: str, database: str = DEFAULT_DATABASE, output: str | None) -> None:
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
