"""Write a campaign, with all its answers, into one file."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, opened


@click.command("backup", short_help="Write a campaign, with all its answers, into one file.")
@click.argument("name")
@_outputs.output_argument("file")
@_options.keywords()
def command(*, name: str, file: str, database: str = DEFAULT_DATABASE) -> None:
    """Write the campaign NAME with texts, annotators and the log of all answers into FILE.

    `adjudge human restore` brings it back, into a database of either kind. The file holds what the database holds:
    only its owner can read it.
    """
    from adjudge.campaigns.store import backup, campaigns

    with opened(database, writes=False) as store:
        saved = backup.save(store, campaigns.find(store, name), file)
    count = saved.counts.get("event", 0)
    _show.say(f"campaign {saved.campaign!r} with {count:,} events is in {file} (sha256 {saved.sha256[:16]}…)")
