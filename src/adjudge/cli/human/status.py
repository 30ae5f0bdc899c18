"""Say how far a campaign has come."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, name_argument, opened


@click.command("status", short_help="Say how far a campaign has come.")
@name_argument
@_options.keywords()
@_options.format_option(("text", "json", "tsv", "markdown"))
def command(*, name: str, database: str = DEFAULT_DATABASE, form: str) -> None:
    """Say how far the campaign NAME has come, by annotator and by system; without a name, all of them."""
    from adjudge.campaigns.store import campaigns
    from adjudge.campaigns.store.progress import campaign_progress
    from adjudge.report.human import campaign as report

    with opened(database, writes=False) as store:
        wanted = [campaigns.find(store, name)] if name else campaigns.all_campaigns(store)
        progress = [campaign_progress(store, kept) for kept in wanted]
    _show.show(report.status_forms(progress), form)
