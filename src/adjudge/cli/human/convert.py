"""Write files of judgements in another format."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.human._store import judgement_format_option
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import are, counted


@click.command("convert", short_help="Write files of judgements in another format.")
@click.argument("files", nargs=-1, metavar="FILE...")
@judgement_format_option("--list names all")
@_outputs.output_option("-o", "--output", metavar="FILE", private=True, help="Where to; stdout otherwise.")
@click.option("--input-format", metavar="NAME", help="The files' format; guessed from what is in them.")
@click.option(
    "--protocol", metavar="NAME", help="How it was asked (da, esa, mqm, …), where files do not say."
)
@click.option("--column", metavar="NAME", help="The column with the scores, where it has another name.")
@click.option(
    "--campaign",
    metavar="FILE",
    multiple=True,
    help="What was judged (Appraise's batches.json), for exports that have places of errors and no texts.",
)
@click.option("-l", "--language", metavar="PAIR", default="", help="The language pair (de-en).")
@click.option(
    "--segments",
    metavar="N",
    type=_options.Whole(1, 10_000_000),
    help="How many segments there are, for formats with a line for each, judged or not.",
)
@click.option("--for-spreadsheet", is_flag=True, help="Keep spreadsheets from taking cells for formulas.")
@click.option("--list", "listing", is_flag=True, help="Name the formats, and exit.")
@click.option("-q", "--quiet", is_flag=True, help="No remarks on stderr.")
def command(
    files: tuple[str, ...],
    form: str,
    output: str | None,
    input_format: str | None,
    protocol: str | None,
    column: str | None,
    campaign: tuple[str, ...],
    language: str,
    segments: int | None,
    for_spreadsheet: bool,
    listing: bool,
    quiet: bool,
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
    from adjudge.human.converting import Conversion, converted

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
        campaign,
        (source, target) if language else None,
        segments or 0,
        for_spreadsheet,
    )
    conversion = converted(wanted)
    _outputs.check_not_read(conversion.inputs)
    _show.warn((*conversion.warnings, *conversion.written.warnings), quiet=quiet)
    _show.show_bytes(conversion.written.data, output)
    if output is not None and not quiet:
        _show.say(
            f"{counted(conversion.judgements, 'judgement')} ({conversion.format}) "
            f"{are(conversion.judgements)} in {output} ({form})"
        )
