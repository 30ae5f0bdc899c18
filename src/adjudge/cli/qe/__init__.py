"""Confidence without references: train an estimator, score with it, hold it against people, filter by it."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import CommandsByFile


@click.command("qe", cls=CommandsByFile, folder=Path(__file__).parent)
def command() -> None:
    """Confidence without references.

    Train an estimator on what people said of translations, let it score others, hold it against people, and keep what
    is good enough.
    """
