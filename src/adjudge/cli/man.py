"""Show the manual page of a command, or write those of all commands."""

from __future__ import annotations

import os

import click

from adjudge.cli import _options
from adjudge.errors import UsageError, unknown_name


@click.command("man", short_help="Show the manual page of a command, or write those of all commands.")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@_options.keywords()
def command(*, words: tuple[str, ...], into: str | None = None) -> None:
    """Print the manual page of a command, made of what its --help shows.

    \b
    adjudge man compare | man -l -
    adjudge man --into ~/.local/share/man/man1           # man adjudge-human-analyse
    """
    from adjudge import __version__
    from adjudge.cli import _manual, _outputs, _show, commands
    from adjudge.wording import counted

    known = dict(_manual.pages(commands))
    if into is None:
        name = ("adjudge", *words)
        if name not in known:
            names = [" ".join(other[1:]) for other in known if len(other) == len(name)]
            raise unknown_name("command", " ".join(words), names, "adjudge --help")
        click.echo(_manual.page(name, known[name], version=__version__), nl=False)
        return
    if words:
        raise UsageError("--into writes the pages of all commands: leave out the name of one")
    try:
        os.makedirs(into, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {into}: {error.strerror}") from None
    for name, inner in known.items():
        path = os.path.join(into, f"{'-'.join(name)}.{_manual.SECTION}")
        _outputs.check_file(path)
        _outputs.write(path, _manual.page(name, inner, version=__version__).encode())
    _show.say(f"{counted(len(known), 'page')} in {into}")
