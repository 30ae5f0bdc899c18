"""Evaluations over time: a system's line over its versions, and what changed on it."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import WithDefault


class DrawnAtOnce(WithDefault):
    """A group whose usual command needs no arguments at all."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Nothing typed is the usual command."""
        return super().parse_args(ctx, args or [self.default])


@click.command("history", cls=DrawnAtOnce, folder=Path(__file__).parent, default="draw")
def command() -> None:
    """Evaluations over time: a system's line over its versions, and what changed on it.

    `adjudge history` is short for `adjudge history draw`. Records come from `--record`.
    """
