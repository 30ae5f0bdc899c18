"""Write files of judgements in another format."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.human._store import KINDS
from adjudge.errors import UsageError, unknown_name
from adjudge.wording import are, counted


@click.command("convert", short_help="Write files of judgements in another format.")
@click.argument("files", nargs=-1, metavar="FILE...")
@_options.format_option(KINDS, checked=False)
@_options.output_option(private=True)
@_options.keywords(listing="The formats.")
def command(
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
        batches,
        (source, target) if language else None,
        segment_count or 0,
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
