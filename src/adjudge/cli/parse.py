"""Parse texts, and write their trees for --trees."""

from __future__ import annotations

import click

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import stdin_bytes
from adjudge.cli._options import argument, option, output_option
from adjudge.cli._run import CommandRun


@subcommand(
    "parse",
    "Parse texts, and write their trees for --trees.",
    argument("texts", metavar="FILE...", nargs=-1, required=True),
    option("parser", required=True),
    "cache quiet",
    output_option(holds=("conllu",)),
    "models",
)
def command(run: CommandRun, *, texts: tuple[str, ...], parser: str) -> None:
    """Parse texts, and write their trees as CoNLL-U.

    Every FILE is a text, one segment a line; the trees of all go into one file, in which score and compare find
    them by the names of the texts. Parsing can so happen once, and elsewhere.

    \b
    adjudge parse --parser en_core_web_sm -o trees.conllu reference.en neural.en
    adjudge score -r reference.en --trees trees.conllu -m ptk neural.en
    """
    from adjudge.io.load import texts_of
    from adjudge.text.parsing import parsed_documents

    columns, inputs = texts_of(texts, stdin_bytes())
    _outputs.check_not_read(inputs)
    with run.working():
        written = "".join(f"{line}\n" for line in parsed_documents(columns, parser))
    if run.output is None:
        click.echo(written, nl=False)
    else:
        _outputs.write(run.output, written.encode("utf-8"))
