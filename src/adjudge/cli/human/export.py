"""Commands that write judgements to files: export of a campaign, convert of files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.human._store import DEFAULT_DATABASE, KINDS, name_argument, opened
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import are, pluralise

_CAMPAIGN = "-campaign"
CAMPAIGNS = {
    "appraise-campaign": "Appraise: what is to be judged (manifest.json and batches.json in a folder)",
    "pearmut-campaign": "pearmut: what is to be judged (one JSON file)",
}


@click.command("export", short_help="Write a campaign's judgements to a file.")
@name_argument
@_options.keywords(listing="The formats.")
@_options.format_option({**KINDS, "pearmut-campaign": "json"}, checked=False)
@_options.output_option(
    "output", "For an Appraise campaign, a folder.", folders=("appraise-campaign",), private=True
)
def export_command(
    *,
    name: str,
    database: str = DEFAULT_DATABASE,
    form: str,
    output: str | None,
    criterion: str = "",
    anonymous: bool = False,
    withdrawn: bool = False,
    for_spreadsheet: bool = False,
    listing: bool = False,
    quiet: bool = False,
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
    if form not in (*OUTPUT_FORMATS, *CAMPAIGNS):
        raise unknown_name("format", form, (*OUTPUT_FORMATS, *CAMPAIGNS))
    if form in CAMPAIGNS:
        _export_campaign(name, database, form.removesuffix(_CAMPAIGN), output, anonymous, quiet)
        return
    from adjudge.campaigns.export import ExportOptions, export_judgements
    from adjudge.campaigns.store import answers, campaigns, stages

    with opened(database, writes=False) as store:
        stored = campaigns.find(store, name)
        material = campaigns.material(store, stored)
        given = answers.counted_answers(store, stored, withdrawn=withdrawn)
        origins = stages.origins(store, stored)
    wanted = ExportOptions(form, criterion, anonymous, for_spreadsheet)
    written = export_judgements(stored.campaign, stored.secret, material, given, wanted, origins)
    _show.warn(written.warnings, quiet=quiet)
    _show.show_bytes(written.data, output)
    if output is not None and not quiet:
        _show.say(f"{pluralise(len(given), 'answer')} of {stored.name!r} {are(len(given))} in {output}")


def _export_campaign(
    name: str, database: str, tool: str, output: str | None, anonymous: bool, quiet: bool
) -> None:
    """What is to be judged, as another tool takes it."""
    from adjudge.campaigns.exchange import tasks_from_campaign
    from adjudge.campaigns.judgements import pseudonym
    from adjudge.campaigns.store import campaigns, people
    from adjudge.io.judgements.judgement_files import write_campaign

    with opened(database, writes=False) as store:
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
    files = write_campaign(tasks_from_campaign(stored.campaign, material, hits), tool)
    if len(files) > 1 and output is None:
        raise UsageError(f"-o FOLDER is missing: there are several files ({', '.join(files)})")
    if len(files) > 1 and output is not None:
        _write_folder(output, files)
    else:
        _show.show_bytes(next(iter(files.values())), output)
    if output is not None and not quiet:
        _show.say(f"{pluralise(len(hits), 'hit')} of {stored.name!r} {are(len(hits))} in {output}")


def _write_folder(folder: str, files: Mapping[str, bytes]) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    places = {os.path.join(folder, title): data for title, data in files.items()}
    for place in places:
        _outputs.check_file(place)
    for place, data in places.items():
        _show.show_bytes(data, place)


@click.command("convert", short_help="Write files of judgements in another format.")
@click.argument("files", nargs=-1, metavar="FILE...")
@_options.format_option(KINDS, checked=False)
@_options.output_option(private=True)
@_options.keywords(listing="The formats.")
def convert_command(
    *,
    files: tuple[str, ...],
    form: str,
    output: str | None,
    input_format: str | None = None,
    protocol: str | None = None,
    column: str | None = None,
    batches: tuple[str, ...] = (),
    language: str = "",
    segment_count: int | None = None,
    for_spreadsheet: bool = False,
    listing: bool = False,
    quiet: bool = False,
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
    if form not in OUTPUT_FORMATS:
        raise unknown_name("format", form, OUTPUT_FORMATS)
    source, target = languages.pair(language)
    if language and not (source and target):
        raise UsageError(f"--language {language}: a pair was expected, as in de-en")
    wanted = Conversion(
        files,
        form,
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
    _show.warn((*conversion.warnings, *conversion.written.warnings), quiet=quiet)
    _show.show_bytes(conversion.written.data, output)
    if output is not None and not quiet:
        _show.say(
            f"{pluralise(conversion.judgements, 'judgement')} ({conversion.format}) "
            f"{are(conversion.judgements)} in {output} ({form})"
        )
