"""Make new links for annotators; the ones they had end."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, base_url_option, opened, show_links


@click.command("links", short_help="Make new links for annotators; the ones they had end.")
@click.argument("name")
@click.argument("annotators", nargs=-1, metavar="[ANNOTATOR]...")
@_options.keywords()
@base_url_option
@_options.format_option(("text", "json", "tsv"))
def command(
    *, name: str, annotators: tuple[str, ...], database: str = DEFAULT_DATABASE, base_url: str, form: str
) -> None:
    """Make new links for ANNOTATORs of the campaign NAME, or for all of them; the ones they had end."""
    from adjudge.campaigns.store import campaigns, people

    _show.check_stdout()  # or else the old links would end, and nobody see the new ones
    with opened(database) as store:
        tokens = people.renew_links(store, campaigns.find(store, name), annotators)
    show_links([(who, f"{base_url}/a/{token}") for who, token in tokens.items()], form)
