"""Commands found by the names of their files, and imported only when they run."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast

import click

from adjudge.errors import unknown_name

FOLDER = Path(__file__).parent


class CommandsByFile(click.Group):
    """A group whose commands are the files beside this one that do not start with an underscore.

    A command file defines `command`, and its docstring's first line is the help that `adjudge --help` shows,
    which is read from the file without importing it.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every file is a command."""
        return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("[!_]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None where there is no such file."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{__package__}.{cmd_name.replace('-', '_')}")
        return cast(click.Command, module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for, or the nearest name in an error."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            raise unknown_name("command", name, self.list_commands(ctx), "adjudge --help")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line a command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(name)) for name in self.list_commands(ctx)])


def summary(name: str) -> str:
    """The first line of a command file's docstring, without importing the file."""
    with (FOLDER / f"{name.replace('-', '_')}.py").open(encoding="utf-8") as file:
        return file.readline().strip().strip('"').rstrip(".")
