"""Parse texts, and write their trees for --trees."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs
from adjudge.cli._workspace import model_options


@click.command("parse", short_help="Parse texts, and write their trees for --trees.")
@click.argument("texts", metavar="FILE...", nargs=-1, required=True)
@_options.option("parser", required=True)
@_options.keywords()
@_options.output_option(holds=("conllu",))
@model_options
def command(
    *, texts: tuple[str, ...], parser: str, output: str | None, cache: bool = True, quiet: bool = False
) -> None:
    """Parse texts, and write their trees as CoNLL-U.

    Every FILE is a text, one segment a line; the trees of all go into one file, in which score and compare find
    them by the names of the texts. Parsing can so happen once, and elsewhere.

    \b
    adjudge parse --parser en_core_web_sm -o trees.conllu reference.en neural.en
    adjudge score -r reference.en --trees trees.conllu -m ptk neural.en
    """
    from adjudge.cli._workspace import progress
    from adjudge.io.load import texts_of
    from adjudge.text.parsing import parsed_documents

    columns, inputs = texts_of(texts, _options.stdin_bytes())
    _outputs.check_not_read(inputs)
    with progress(quiet=quiet):
        written = "".join(f"{line}\n" for line in parsed_documents(columns, parser))
    if output is None:
        click.echo(written, nl=False)
    else:
        _outputs.write(output, written.encode("utf-8"))
