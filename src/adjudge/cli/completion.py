"""Completion in shells: commands, options, metrics, and files where files are meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    shell_complete,
)
from click.shell_completion import get_completion_class as get_completion_class

from adjudge.cli._command import subcommand
from adjudge.cli._group import WithDefault
from adjudge.cli._options import argument
from adjudge.cli._outputs import FormatOption
from adjudge.cli._run import CommandRun
from adjudge.errors import AdjudgeError

VARIABLE = "_ADJUDGE_COMPLETE"
SHELLS = ("bash", "zsh", "fish")

_FILE = re.compile(r"FILE|TSV|RUN|RESULT|NEW|SYS\b|SYS\.|NAME=")
_FOLDER = re.compile(r"FOLDER$")


class _OurCompletion(ShellComplete):
    """As the command-line library completes, and besides: names of metrics, and files where it knows nothing."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """What may stand next; of a line that no command understands nothing is known."""
        try:
            known = super().get_completions(list(args), incomplete)
            if known or incomplete.startswith("-"):
                return known
            return _values(self._parameter(args), incomplete)
        except (AdjudgeError, click.ClickException):
            return []

    def _parameter(self, args: list[str]) -> click.Parameter | None:
        """The option whose value is being typed, or the argument that takes it."""
        command: click.Command | None = self.cli
        for name in args:
            if not isinstance(command, click.Group):
                break
            context = click.Context(command)
            command = (
                command.get_command(context, name) if name in command.list_commands(context) else command
            )
        if isinstance(command, WithDefault):
            command = command.get_command(click.Context(command), command.default)
        if command is None:
            return None
        last = args[-1] if args else ""
        for parameter in command.params:
            if last in parameter.opts and not getattr(parameter, "is_flag", False):
                return parameter
        return next(
            (parameter for parameter in command.params if isinstance(parameter, click.Argument)), None
        )


def _values(parameter: click.Parameter | None, incomplete: str) -> list[CompletionItem[str]]:
    if parameter is None:
        return []
    metavar = parameter.metavar or ""
    if metavar == "METRIC":
        from adjudge.metrics import names

        return _completions(names(), incomplete)
    if isinstance(parameter, FormatOption):
        return _completions(parameter.kinds, incomplete)
    if _FOLDER.search(metavar):
        return [CompletionItem(incomplete, type="dir")]
    return [CompletionItem(incomplete, type="file")] if _FILE.search(metavar) else []


def _completions(names: Iterable[str], incomplete: str) -> list[CompletionItem[str]]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(incomplete)]


def _classes() -> None:
    for base in (BashComplete, ZshComplete, FishComplete):
        add_completion_class(type(base.__name__, (_OurCompletion, base), {}))


def answer(commands: click.Command, wanted: str) -> int:
    """Say what a shell asks for through the environment; not 0 where it is nothing known."""
    _classes()
    return shell_complete(commands, {}, "adjudge", VARIABLE, wanted)


def script(commands: click.Command, shell: str) -> str:
    """What a shell reads once, so that it asks from then on."""
    maker: Any = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    text: str = maker(commands, {}, "adjudge", VARIABLE).source()
    return text


@subcommand(
    "completion",
    "Print what lets a shell complete commands, options, metrics and files.",
    argument("shell", type=click.Choice(SHELLS)),
)
def completion_command(run: CommandRun, *, shell: str) -> None:
    """Print what lets a shell complete commands, options, metrics and files.

    \b
    eval "$(adjudge completion bash)"                    # in ~/.bashrc
    eval "$(adjudge completion zsh)"                     # in ~/.zshrc
    adjudge completion fish > ~/.config/fish/completions/adjudge.fish
    """
    from adjudge.cli import commands

    click.echo(script(commands, shell), nl=False)
