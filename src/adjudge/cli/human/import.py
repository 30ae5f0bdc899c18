"""Take back what workers of a marketplace handed in."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli.human._store import database_option, opened


@click.command("import", short_help="Take back a marketplace's results: who may be paid, who may not.")
@click.argument("name")
@click.argument("file", metavar="RESULTS")
@database_option
@_options.format_option(("text", "json", "tsv", "markdown"))
@click.option("-o", "--output", metavar="FILE", help="A CSV for upload: Approve, or a reason to reject.")
@click.option("--dry-run", is_flag=True, help="Say what would be found; write nothing down.")
@click.option("-q", "--quiet", is_flag=True, help="No remarks on stderr.")
def command(
    name: str, file: str, database: str, form: str, output: str | None, dry_run: bool, quiet: bool
) -> None:
    """Hold RESULTS of a marketplace (CSV) against the completion codes of the campaign NAME.

    Needed are columns of the worker's id and of the code that was entered, as Mechanical Turk's batch results and
    Prolific's submissions have them; a column `hit` (Input.hit) says which hit it was. What people answered is in the
    campaign already.
    """
    from adjudge.human import crowd
    from adjudge.human.store import campaigns, completing
    from adjudge.io import Input
    from adjudge.io.files import read_bytes
    from adjudge.report import crowd as report
    from adjudge.report.sections import markdown_of, text_of

    _show.check_writable(output)
    results = crowd.read_results(file)
    _, sha256 = read_bytes(file)
    _show.check_not_read([Input("results", file, sha256)], output)
    with opened(database) as store:
        kept = campaigns.find(store, name)
        found = crowd.verdicts(results, completing.roster(store, kept))
        is_new = not dry_run and completing.record_results(store, kept, sha256, found)
    if output is not None:
        _show.show_text(crowd.review_csv(found), output)
    if form == "json":
        _show.show_text(report.verdict_json(found))
    elif form == "tsv":
        _show.show_text(report.verdict_tsv(found))
    elif form == "markdown":
        _show.show_text(markdown_of(report.verdict_sections(found)))
    else:
        sections = report.verdict_sections(found)
        _show.show_lines(lambda width, rule: text_of(sections, width=width, rule=rule))
    if not (quiet or dry_run or is_new):
        click.echo("the same file with the same results is in the log already", err=True)
