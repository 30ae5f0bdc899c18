"""Where rows are computed, and files that are read in chunks: options of score and compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.cli._outputs import output_option
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge.io.streams import FileStream

    Command = TypeVar("Command", bound=Callable[..., Any])

engine_option = click.option(
    "--engine",
    metavar="ENGINE",
    default="local",
    help="Who computes: local (threads, the default), or a Dask cluster by the address of its scheduler, "
    "tcp://HOST:8786.",
)
stream_option = click.option(
    "--stream",
    is_flag=True,
    help="Read files in chunks: for those that memory does not hold. Plain text, also compressed, and Parquet.",
)
rows_option = output_option(
    "--rows",
    metavar="FILE.parquet",
    holds=("parquet",),
    help="Write the scores and rows of all segments to a Parquet file.",
)
WHOLE = {
    "test_set": "-t",
    "labels": "-L",
    "level": "--level",
    "realign": "--realign",
    "trees": "--trees",
    "back_translations": "--back-translation",
    "translator": "--translator",
    "back_translator": "--back-translator",
}
"""Options that need all segments at once."""


def opened_stream(
    systems: Sequence[str], files: Mapping[str, Any], further: Mapping[str, object] | None = None
) -> FileStream:
    """The files that options name, to be read in chunks; what needs them whole is refused, `further` as well."""
    from adjudge.io.streams import open_stream
    from adjudge.stats.sums import BLOCK

    given = [option for name, option in WHOLE.items() if files.get(name)]
    given += [option for option, value in (further or {}).items() if value]
    if given:
        raise UsageError(
            f"{given[0]} needs all segments at once, and --stream never has them: leave one of them out"
        )
    known = ("references", "source", "pseudo_references", "input_format", "language")
    return open_stream(systems=systems, rows=BLOCK, **{name: files[name] for name in known})
