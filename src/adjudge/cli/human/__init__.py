"""What people say of translations: campaigns and their statistics."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import CommandsByFile


@click.command("human", cls=CommandsByFile, folder=Path(__file__).parent)
def command() -> None:
    """What people say of translations: campaigns and their statistics."""
