"""Several test sets at once: one file says what is evaluated."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import CommandsByFile


@click.command("study", cls=CommandsByFile, folder=Path(__file__).parent)
def command() -> None:
    """Several test sets at once: one file says what is evaluated."""
