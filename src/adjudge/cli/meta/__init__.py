"""Which metric to trust: metrics held against people."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import WithDefault


@click.command("meta", cls=WithDefault, folder=Path(__file__).parent, default="run")
def command() -> None:
    """Which metric to trust: metrics held against people.

    `adjudge meta FOLDER` is short for `adjudge meta run FOLDER`.
    """
