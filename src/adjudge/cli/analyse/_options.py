"""What several analyses ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _testing

if TYPE_CHECKING:
    from adjudge.io.judgements import LoadedJudgements

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
    """--unit, --resamples and --seed."""
    return _testing.options("unit")(_options.resamples_option(_options.seed_option(command)))


judgements_option = click.option(
    "--judgements",
    metavar="FILE",
    multiple=True,
    help="What people said of the outputs, in any format of adjudge human; may be repeated.",
)


def training_option(purpose: str) -> Callable[[Command], Command]:
    """--training, texts of any size."""
    return click.option(
        "--training",
        metavar="FILE",
        multiple=True,
        help=f"{purpose}, of any size, also .gz, .xz, .zst, .bz2; may be repeated.",
    )


def read_judgements(paths: Sequence[str]) -> LoadedJudgements:
    """The judgements of files, and what is to be said of them."""
    from adjudge.io.judgements import read

    return read(paths, stdin=_options.stdin_bytes())
