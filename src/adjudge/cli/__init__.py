"""The command line: `_group` finds commands in files, and `main` holds all error handling and exit codes."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TextIO

import click

from adjudge.cli._group import CommandsByFile
from adjudge.errors import AdjudgeError, PluginWarning, UsageError

BAD_DATA, BAD_USAGE, FAULT = 1, 2, 70
# What a shell reports for a process that ended on SIGINT or SIGPIPE: 128 + the signal's number.
INTERRUPTED, PIPE_CLOSED = 130, 141

CLOSED = "standard output is closed: there is nowhere to write to"
ENVIRONMENT = "ADJUDGE_DEBUG=1 shows where an unexpected error came from; NO_COLOR=1 turns colours off."


commands = CommandsByFile(
    "adjudge",
    params=[click.Option(["--version"], is_flag=True, help="Show the version and exit.")],
    help="Which machine-translation system is better, by how much, and may I believe it?",
    epilog=ENVIRONMENT,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def main(args: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; whatever goes wrong, there is a message and no traceback."""
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows its code instead of ending the program.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if args is None else list(args)
    try:
        code = program(arguments)
        sys.stdout.flush()  # while a full disk or a closed pipe can still be answered
        return code
    except AdjudgeError as error:
        return _fail(str(error), error.exit_code)
    except click.ClickException as error:
        return _fail(_usage_message(error, arguments), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except MemoryError:
        return _fail("out of memory: fewer systems or metrics at once, or less data, may fit", BAD_DATA)
    except OSError as error:
        if error.errno == errno.EPIPE:
            return _pipe_closed()
        _give_up_stdout()
        if error.errno == errno.EBADF and error.filename is None:
            return _fail(CLOSED, BAD_DATA)
        where = f"{error.filename}: " if error.filename is not None else ""
        return _fail(f"{where}{error.strerror or error}", BAD_DATA)
    except Exception as error:
        return _fault(error)


def program(args: list[str]) -> int:
    """Parse and run, with no regard for what may go wrong; a command may return its exit code."""
    if wanted := os.environ.get("_ADJUDGE_COMPLETE"):
        return _complete(wanted)
    if args[:1] == ["--version"]:
        from adjudge import __version__

        click.echo(f"adjudge {__version__}")
        return 0
    try:
        with (
            warnings.catch_warnings(),
            commands.make_context("adjudge", args or ["--help"]) as context,
        ):
            warnings.showwarning = _show_warning
            result = commands.invoke(context)
    except click.exceptions.Exit as end:  # how the command-line library ends --help
        return end.exit_code
    return result if isinstance(result, int) else 0


def _complete(wanted: str) -> int:
    from adjudge.cli.completion import answer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PluginWarning)  # nobody reads them between two letters of a command
        code = answer(commands, wanted)
    if code:
        raise UsageError(f"_ADJUDGE_COMPLETE={wanted}: bash_source, zsh_source or fish_source was expected")
    return code


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Say in a line what became of a plugin; all else is shown as Python shows it."""
    if not issubclass(category, PluginWarning):
        print(warnings.formatwarning(message, category, filename, lineno, line), end="", file=sys.stderr)
        return
    from adjudge.cli._show import warn

    context = click.get_current_context(silent=True)
    warn([str(message)], quiet=context is not None and bool(context.params.get("quiet")))


def _replace_closed_streams() -> None:
    """Keep files from taking the numbers of streams that are closed, and results and warnings from going there.

    What is written to a closed stdout fails, as it does elsewhere; what is told on a closed stderr nobody hears.
    """
    # From /dev/null in the wrong direction nothing can be read, and nothing written: whoever tries is told.
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _fail(message: str, code: int) -> int:
    from adjudge.display import visible  # late, for nothing fails as a rule

    # What files hold may come back in a message: escape sequences must not reach the terminal.
    print("adjudge: error:", "\n".join(map(visible, message.split("\n"))), file=sys.stderr)
    return code


def _fault(error: Exception) -> int:
    if os.environ.get("ADJUDGE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    text = " ".join(str(error).split())
    return _fail(
        f"unexpected {type(error).__name__}{': ' if text else ''}{text}\n"
        "This is a fault in adjudge, not in your data. Please report it, with the command you ran and\n"
        "what it prints with ADJUDGE_DEBUG=1 set.",
        FAULT,
    )


def _usage_message(error: click.ClickException, arguments: list[str]) -> str:
    message = error.format_message().rstrip(".")
    if message[:1].isupper() and not message[1:2].isupper():
        message = message[0].lower() + message[1:]
    return f"{message} ({' '.join(['adjudge', *_asked_for(arguments), '--help'])})"


def _asked_for(arguments: list[str]) -> list[str]:
    """The command that was meant, with its group: the parser of options does not know whose they are."""
    asked: list[str] = []
    command: click.Command | None = commands
    for argument in arguments:
        if not isinstance(command, click.Group):
            break
        context = click.Context(command)
        if argument in command.list_commands(context):
            asked.append(argument)
            command = command.get_command(context, argument)
    return asked


def _pipe_closed() -> int:
    # Whoever read the output has left (`| head`): there is nobody to tell, nor to give the rest to.
    _give_up_stdout()
    return PIPE_CLOSED


def _give_up_stdout() -> None:
    """Throw away what cannot be written, lest Python tries again at its end and complains."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
