"""Write a campaign's hits as rows for a marketplace."""

from __future__ import annotations

import click

from adjudge.cli import _outputs, _show
from adjudge.cli.human._store import base_url_option, database_option, name_argument, opened
from adjudge.wording import counted


@click.command("hits", short_help="Write a crowd campaign's hits as rows for a marketplace (CSV).")
@name_argument
@database_option
@base_url_option
@_outputs.output_option(
    "-o", "--output", metavar="FILE", holds=("csv",), private=True, help="Where to; stdout otherwise."
)
@click.option(
    "--worker",
    metavar="TEXT",
    default="",
    help="What the marketplace puts a worker's id in place of, as in {{%PROLIFIC_PID%}}; Mechanical Turk needs none.",
)
@click.option(
    "--session",
    metavar="TEXT",
    default="",
    help="The same for something that only the worker knows, as in {{%SESSION_ID%}}.",
)
@click.option("--open", "only_open", is_flag=True, help="Only what nobody has taken yet.")
@click.option("-q", "--quiet", is_flag=True, help="No remarks on stderr.")
def command(
    name: str,
    database: str,
    base_url: str,
    output: str | None,
    worker: str,
    session: str,
    only_open: bool,
    quiet: bool,
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
