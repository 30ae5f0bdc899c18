"""Which metric to trust: metrics held against people."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import CommandsByFile

DEFAULT = "run"


class WithDefault(CommandsByFile):
    """A group that takes what is no command of its own for the arguments of its usual one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for, or the usual one."""
        if args[0] not in self.list_commands(ctx):
            args = [DEFAULT, *args]
        return super().resolve_command(ctx, args)


@click.command("meta", cls=WithDefault, folder=Path(__file__).parent)
def command() -> None:
    """Which metric to trust: metrics held against people.

    `adjudge meta FOLDER` is short for `adjudge meta run FOLDER`.
    """
