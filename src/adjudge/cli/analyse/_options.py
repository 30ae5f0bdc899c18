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
_DRAWN = (
    click.option(
        "--resamples",
        metavar="N",
        type=_options.Whole(1, 1_000_000),
        default=1000,
        help="For the intervals; 1000 by default.",
    ),
    click.option(
        "--seed",
        metavar="N",
        type=_options.Whole(0, _options.LARGEST_SEED),
        default=12345,
        help="Of what is drawn; 12345 by default.",
    ),
)


def cutting_options(command: Command) -> Command:
    """--tokenize and --lowercase."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def drawing_options(command: Command) -> Command:
    """--resamples and --seed."""
    for option in reversed(_DRAWN):
        command = option(command)
    return command
