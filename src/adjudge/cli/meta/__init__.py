"""Which metric to trust: metrics held against people."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import WithDefault

ALSO = {"--fit-differences": "fit-differences"}
"""Commands that go by the name of an option too."""


class WithOptions(WithDefault):
    """A group whose usual command has options that are commands of their own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with commands under their own names."""
        return super().parse_args(ctx, [ALSO.get(args[0], args[0]), *args[1:]] if args else args)


@click.command("meta", cls=WithOptions, folder=Path(__file__).parent, default="run")
def command() -> None:
    """Which metric to trust: metrics held against people.

    `adjudge meta FOLDER` is short for `adjudge meta run FOLDER`.
    """
