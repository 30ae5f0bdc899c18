"""Where and why systems differ: errors, words, n-grams, groups of segments."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import CommandsByFile


@click.command("analyse", cls=CommandsByFile, folder=Path(__file__).parent)
def command() -> None:
    """Where and why systems differ: errors, words, n-grams, groups of segments."""
