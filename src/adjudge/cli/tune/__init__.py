"""Fit a metric's parameters to judgements of people."""

from __future__ import annotations

from pathlib import Path

import click

from adjudge.cli._group import WithDefault


@click.command("tune", cls=WithDefault, folder=Path(__file__).parent, default="parameters")
def command() -> None:
    """Fit a metric's parameters to judgements of people.

    `adjudge tune meteor …` is short for `adjudge tune parameters meteor …`.
    """
