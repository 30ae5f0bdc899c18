"""Write a campaign's hits as rows for a marketplace."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, base_url_option, name_argument, opened
from adjudge.wording import counted


@click.command("hits", short_help="Write a crowd campaign's hits as rows for a marketplace (CSV).")
@name_argument
@_options.keywords()
@base_url_option
@_options.output_option(holds=("csv",), private=True)
def command(
    *,
    name: str,
    database: str = DEFAULT_DATABASE,
    base_url: str,
    output: str | None,
    worker: str = "",
    session: str = "",
    only_open: bool = False,
    quiet: bool = False,
) -> None:
    """Write the hits of the campaign NAME as CSV, a row a hit: hit, url, items, assignments.

    Upload it where the work is offered: each row is an external question or a link, for so many different workers
    (assignments). `adjudge human import` takes the results back.
    """
    from adjudge.campaigns import crowd
    from adjudge.campaigns.store import campaigns, people

    with opened(database, writes=False) as store:
        stored = campaigns.find(store, name)
        workers = {
            annotator.name for annotator in people.annotators(store, stored) if annotator.kind == "crowd"
        }
        hits = [
            hit
            for hit in campaigns.hits(store, stored)
            if not hit.annotator or (hit.annotator in workers and not only_open)
        ]
    rows = crowd.external_hits(hits, base_url, stored.name, worker=worker, session=session)
    _show.show_text(crowd.external_hits_csv(rows), output)
    if not quiet:
        wanted = sum(row.assignments for row in rows)
        _show.say(f"{counted(len(rows), 'hit')} of {stored.name!r}, {wanted:,} assignments in all")
        if base_url.startswith("http://127.0.0.1"):
            _show.warn(["nobody else reaches http://127.0.0.1; say --base-url https://…"], quiet=quiet)
