"""Manual pages of all commands, made from what --help shows so that both agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import click

from adjudge.cli._command import subcommand
from adjudge.cli._group import CommandsByFile
from adjudge.cli._options import argument, keywords
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError, unknown_name

SECTION = 1
EXIT_CODES = (
    ("0", "fine"),
    ("1", "bad data: a file is missing or cannot be read, a result cannot be written"),
    ("2", "bad usage: an unknown command, option, metric or format"),
    ("70", "a fault in adjudge; ADJUDGE_DEBUG=1 shows where"),
    ("130", "interrupted"),
    ("141", "whoever read the output left early"),
)
WORSE = (("3", "the new version is worse"),)
ENVIRONMENT = (
    ("ADJUDGE_DEBUG", "1 shows where an unexpected error came from"),
    ("NO_COLOR", "1 turns colours off"),
)


def pages(commands: click.Group) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command and group with the words that call it, the program itself first."""
    yield from _below(("adjudge",), commands)


def _below(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from _below((*words, name), inner)


def page(words: Sequence[str], command: click.Command, *, version: str) -> str:
    """The manual page of a command, for `man`."""
    context = click.Context(command, info_name=" ".join(words))
    summary = (command.short_help or (command.help or "").split("\n\n")[0]).strip().rstrip(".")
    title = "-".join(words).upper()
    lines = [
        f'.TH "{title}" "{SECTION}" "" "adjudge {version}" "adjudge"',
        *_part("NAME", [f"{_plain('-'.join(words))} \\- {_plain(' '.join(summary.split()))}"]),
        *_part("SYNOPSIS", [f"\\fB{_plain(' '.join(words))}\\fR {_plain(_arguments(command, context))}"]),
        *_part("DESCRIPTION", list(_paragraphs(command.help or ""))),
    ]
    records = [
        record for option in command.get_params(context) if (record := option.get_help_record(context))
    ]
    if records:
        lines += _part("OPTIONS", list(_option_list(records)))
    if isinstance(command, CommandsByFile):
        lines += _part("COMMANDS", list(_option_list(sorted(command.summaries().items()))))
    lines += _part("ENVIRONMENT", list(_option_list(ENVIRONMENT)))
    lines += _part("EXIT STATUS", list(_option_list([*EXIT_CODES, *(WORSE if words[-1] == "gate" else ())])))
    if len(words) > 1:
        lines += _part("SEE ALSO", [f"\\fB{_plain('-'.join(words[:-1]))}\\fR({SECTION})"])
    return "\n".join([*lines, ""])


def _arguments(command: click.Command, context: click.Context) -> str:
    return " ".join(command.collect_usage_pieces(context))


def _part(title: str, lines: list[str]) -> list[str]:
    return [f".SH {title}", *lines] if lines else []


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs filled by `man`; those after a line with \\b are examples, and stay as they are."""
    for paragraph in re.split(r"\n\s*\n", "\n".join(line.strip() for line in text.strip().splitlines())):
        yield ".PP"
        if paragraph.startswith("\b"):
            yield from (
                ".nf",
                ".RS",
                *map(_line, paragraph.removeprefix("\b").strip().splitlines()),
                ".RE",
                ".fi",
            )
        else:
            yield _line(" ".join(paragraph.split()))


def _option_list(records: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, meaning in records:
        yield from (".TP", f"\\fB{_plain(name)}\\fR", _line(" ".join(meaning.split())))


def _line(text: str) -> str:
    # A line that begins with a dot or an apostrophe would be an instruction.
    return ("\\&" if text.startswith((".", "'")) else "") + _plain(text)


def _plain(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace('"', "\\(dq")


@subcommand(
    "man",
    "Show the manual page of a command, or write those of all commands.",
    argument("words", metavar="[COMMAND]...", nargs=-1),
    keywords(),
)
def man_command(run: CommandRun, *, words: tuple[str, ...], into: str | None = None) -> None:
    """Print the manual page of a command, made of what its --help shows.

    \b
    adjudge man compare | man -l -
    adjudge man --into ~/.local/share/man/man1           # man adjudge-human-analyse
    """
    from adjudge import __version__
    from adjudge.cli import _outputs, _show, commands
    from adjudge.wording import pluralise

    known = dict(pages(commands))
    if into is None:
        name = ("adjudge", *words)
        if name not in known:
            names = [" ".join(other[1:]) for other in known if len(other) == len(name)]
            raise unknown_name("command", " ".join(words), names, "adjudge --help")
        click.echo(page(name, known[name], version=__version__), nl=False)
        return
    if words:
        raise UsageError("--into writes the pages of all commands: leave out the name of one")
    written = {name: page(name, inner, version=__version__) for name, inner in known.items()}
    files = {f"{'-'.join(name)}.{SECTION}": text.encode() for name, text in written.items()}
    _outputs.write_folder(into, files)
    _show.say(f"{pluralise(len(known), 'page')} in {into}")
