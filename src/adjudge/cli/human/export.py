"""Write a campaign's judgements to a file."""

from __future__ import annotations

import sys

import click

from adjudge.cli import _show
from adjudge.cli.human._store import database_option, name_argument, opened
from adjudge.errors import DataError


@click.command("export", short_help="Write a campaign's judgements to a file.")
@name_argument
@database_option
@click.option(
    "-f",
    "--format",
    "form",
    metavar="FORMAT",
    default="jsonl",
    show_default=True,
    help="jsonl, csv, or another tool's (--list names them).",
)
@click.option("-o", "--output", metavar="FILE", help="Where to; stdout otherwise.")
@click.option("--criterion", metavar="NAME", default="", help="Which one, where there are several (fluency).")
@click.option("--anonymous", is_flag=True, help="Pseudonyms in place of annotators' names.")
@click.option("--withdrawn", is_flag=True, help="Also the answers of annotators who were withdrawn (marked).")
@click.option("--for-spreadsheet", is_flag=True, help="Keep spreadsheets from taking cells for formulas.")
@click.option("--list", "listing", is_flag=True, help="Name the formats, and exit.")
@click.option("-q", "--quiet", is_flag=True, help="No remarks on stderr.")
def command(
    name: str,
    database: str,
    form: str,
    output: str | None,
    criterion: str,
    anonymous: bool,
    withdrawn: bool,
    for_spreadsheet: bool,
    listing: bool,
    quiet: bool,
) -> None:
    """Write the judgements of the campaign NAME; `adjudge human analyse` reads them.

    Every annotator's latest answer to an item counts. Answers of a demo are never written.
    """
    from adjudge.io.judgements.writing import FORMATS

    if listing:
        width = max(map(len, FORMATS))
        click.echo("\n".join(f"{known:<{width}}  {meaning}" for known, meaning in FORMATS.items()))
        return
    from adjudge.human.exporting import Wanted, exported
    from adjudge.human.store import answers, campaigns, stages

    _show.check_writable(output)
    with opened(database) as store:
        kept = campaigns.find(store, name)
        material = campaigns.material(store, kept)
        given = answers.counting(store, kept, withdrawn=withdrawn)
        origins = stages.origins(store, kept)
    wanted = Wanted(form, criterion, anonymous, for_spreadsheet)
    written = exported(kept.campaign, kept.secret, material, given, wanted, origins)
    _show.warn(written.warnings, quiet=quiet)
    if output is None:
        sys.stdout.buffer.write(written.data)
        return
    try:
        with open(output, "wb") as file:
            file.write(written.data)
    except OSError as error:
        raise DataError(f"cannot write {output}: {error.strerror}") from None
    if not quiet:
        click.echo(f"{len(given):,} answers of {kept.name!r} are in {output}", err=True)
