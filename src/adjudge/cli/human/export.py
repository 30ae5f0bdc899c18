"""Commands that write judgements to files: export of a campaign, convert of files."""

from __future__ import annotations

from dataclasses import replace

import click

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option, keywords, output_option
from adjudge.cli._run import CommandRun
from adjudge.cli.human._store import DEFAULT_DATABASE, KINDS, NAME_ARGUMENT, open_store
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import are, pluralise

_CAMPAIGN = "-campaign"
CAMPAIGNS = {
    "appraise-campaign": "Appraise: what is to be judged (manifest.json and batches.json in a folder)",
    "pearmut-campaign": "pearmut: what is to be judged (one JSON file)",
}


@subcommand(
    "export",
    "Write a campaign's judgements to a file.",
    NAME_ARGUMENT,
    keywords(listing="The formats."),
    "quiet",
    format_option({**KINDS, "pearmut-campaign": "json"}, checked=False),
    output_option(
        "output", "For an Appraise campaign, a folder.", folders=("appraise-campaign",), private=True
    ),
)
def export_command(
    run: CommandRun,
    *,
    name: str,
    database: str = DEFAULT_DATABASE,
    criterion: str = "",
    anonymous: bool = False,
    withdrawn: bool = False,
    for_spreadsheet: bool = False,
    listing: bool = False,
) -> None:
    """Write the judgements of the campaign NAME; `adjudge human analyse` reads them.

    Every annotator's latest answer to an item counts. Answers of a demo are never written. The formats that end in
    -campaign hold what is to be judged, for other tools, and no answers.
    """
    from adjudge.io.judgements import OUTPUT_FORMATS

    if listing:
        both = {**OUTPUT_FORMATS, **CAMPAIGNS}
        width = max(map(len, both))
        click.echo("\n".join(f"{known:<{width}}  {meaning}" for known, meaning in both.items()))
        return
    if run.form not in (*OUTPUT_FORMATS, *CAMPAIGNS):
        raise unknown_name("format", run.form, (*OUTPUT_FORMATS, *CAMPAIGNS))
    if run.form in CAMPAIGNS:
        _export_campaign(run, name, database, anonymous)
        return
    from adjudge.campaigns.export import ExportOptions, export_judgements
    from adjudge.campaigns.store import answers, campaigns, stages

    with open_store(database, writes=False) as store:
        stored = campaigns.find(store, name)
        material = campaigns.material(store, stored)
        given = answers.counted_answers(store, stored, withdrawn=withdrawn)
        origins = stages.origins(store, stored)
    wanted = ExportOptions(run.form, criterion, anonymous, for_spreadsheet)
    written = export_judgements(stored.campaign, stored.secret, material, given, wanted, origins)
    run.warn(written.warnings)
    count = pluralise(len(given), "answer")
    run.write_data(written.data, f"{count} of {stored.name!r} {are(len(given))} in {run.output}")


def _export_campaign(run: CommandRun, name: str, database: str, anonymous: bool) -> None:
    """What is to be judged, as another tool takes it."""
    from adjudge.campaigns.exchange import tasks_from_campaign
    from adjudge.campaigns.judgements import pseudonym
    from adjudge.campaigns.store import campaigns, people
    from adjudge.io.judgements.judgement_files import write_campaign

    with open_store(database, writes=False) as store:
        stored = campaigns.find(store, name)
        material = campaigns.material(store, stored)
        guests = {
            annotator.name
            for annotator in people.annotators(store, stored)
            if annotator.kind == campaigns.DEMO
        }
        hits = [hit for hit in campaigns.hits(store, stored) if hit.annotator not in guests]
    if anonymous:
        hits = [
            replace(hit, annotator=pseudonym(hit.annotator, stored.secret)) if hit.annotator else hit
            for hit in hits
        ]
    files = write_campaign(
        tasks_from_campaign(stored.campaign, material, hits), run.form.removesuffix(_CAMPAIGN)
    )
    told = f"{pluralise(len(hits), 'hit')} of {stored.name!r} {are(len(hits))} in {run.output}"
    if len(files) == 1:
        run.write_data(next(iter(files.values())), told)
        return
    if run.output is None:
        raise UsageError(f"-o FOLDER is missing: there are several files ({', '.join(files)})")
    _outputs.write_folder(run.output, files)
    run.say(told)


@subcommand(
    "convert",
    "Write files of judgements in another format.",
    argument("files", nargs=-1, metavar="FILE..."),
    format_option(KINDS, checked=False),
    output_option(private=True),
    keywords(listing="The formats."),
    "quiet",
)
def convert_command(
    run: CommandRun,
    *,
    files: tuple[str, ...],
    input_format: str | None = None,
    protocol: str | None = None,
    column: str | None = None,
    batches: tuple[str, ...] = (),
    language: str = "",
    segment_count: int | None = None,
    for_spreadsheet: bool = False,
    listing: bool = False,
) -> None:
    """Read FILEs of judgements, of any tool's, and write them in another format.

    Nothing is left out silently: what the other format has no place for is said. `adjudge human export` does the same
    for a campaign, `adjudge human new` reads campaigns of other tools.
    """
    from adjudge.io.judgements import FORMATS, OUTPUT_FORMATS

    if listing:
        width = max(map(len, (*FORMATS, *OUTPUT_FORMATS)))
        for title, known in (("read:", FORMATS), ("written:", OUTPUT_FORMATS)):
            click.echo(title)
            click.echo("\n".join(f"  {name:<{width}}  {meaning}" for name, meaning in known.items()))
        return
    from adjudge.data import languages
    from adjudge.human.conversion import Conversion, convert_judgements

    if not files:
        raise UsageError("no file with judgements was given")
    if run.form not in OUTPUT_FORMATS:
        raise unknown_name("format", run.form, OUTPUT_FORMATS)
    source, target = languages.pair(language)
    if language and not (source and target):
        raise UsageError(f"--language {language}: a pair was expected, as in de-en")
    wanted = Conversion(
        files,
        run.form,
        input_format,
        protocol,
        column,
        batches,
        (source, target) if language else None,
        segment_count or 0,
        for_spreadsheet,
    )
    conversion = convert_judgements(wanted)
    _outputs.check_not_read(conversion.inputs)
    run.warn((*conversion.warnings, *conversion.written.warnings))
    count = pluralise(conversion.judgements, "judgement")
    run.write_data(
        conversion.written.data,
        f"{count} ({conversion.format}) {are(conversion.judgements)} in {run.output} ({run.form})",
    )
