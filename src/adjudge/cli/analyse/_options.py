"""What several analyses ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from adjudge.cli import _options

Command = Callable[..., Any]
_SHARED = (
    click.option(
        "--tokenize",
        metavar="NAME",
        default="",
        help="What a word is, as in bleu; by default the language decides.",
    ),
    click.option("--lowercase", is_flag=True, help="Lower-case everything first."),
)


def cutting_options(command: Command) -> Command:
    """--tokenize and --lowercase."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def drawing_options(command: Command) -> Command:
    """--resamples and --seed."""
    return _options.resamples_option(_options.seed_option(command))
