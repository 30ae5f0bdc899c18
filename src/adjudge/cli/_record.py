"""Results kept: in a history (`--record`), or in a file with their rows (`--save`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _show

if TYPE_CHECKING:
    from adjudge.comparison import Comparison, Scores
    from adjudge.comparison.documents import Arguments
    from adjudge.history.records import Evaluation
    from adjudge.io import Input

ENDINGS = (".db", ".sqlite", ".sqlite3")
"""What stands behind --record is a database where it ends so or is an address; anything else is an output."""
VARIABLE = "ADJUDGE_HISTORY"


def place_of(named: str | None) -> str | None:
    """Where the history is: what was typed, what the environment says, or None for the project's."""
    return named or os.environ.get(VARIABLE) or None


def with_place(args: list[str]) -> list[str]:
    """The arguments with a place for a --record that stands alone, also before the name of an output."""
    parsed: list[str] = []
    for place, argument in enumerate(args):
        after = args[place + 1] if place + 1 < len(args) else ""
        alone = argument == "--record" and not (after.endswith(ENDINGS) or "://" in after)
        parsed.append("--record=" if alone and "--" not in parsed else argument)
    return parsed


@dataclass(frozen=True)
class Recording:
    """Where a result is to be kept, and under which name."""

    place: str | None
    label: str | None
    quiet: bool

    def keep(self, evaluation: Evaluation, command: str) -> None:
        """Keep it, and say where."""
        from adjudge.history.place import revision_of
        from adjudge.history.records import History

        with History.open(self.place, create=True) as history:
            number = history.add(evaluation, command=command, label=self.label, revision=revision_of())
            if not self.quiet:
                named = f" ({self.label})" if self.label else ""
                _show.say(f"adjudge: recorded as {number}{named} in {history.name}")


def recording_of(record: str | None, record_as: str | None, *, quiet: bool) -> Recording:
    """What was asked for; a place where nothing can be kept is refused before anything is computed."""
    from adjudge.history.place import check_label
    from adjudge.history.records import History

    if record_as is not None:
        check_label(record_as)
    place = place_of(record)
    History.check(place)
    return Recording(place, record_as, quiet)


@contextmanager
def keep_result(recording: Recording, make: Callable[[], Evaluation]) -> Iterator[None]:
    """Keep a result before it is shown; where that fails, it is shown all the same, and then the failure."""
    problem: Exception | None = None
    try:
        command = click.get_current_context().command_path.partition(" ")[2]
        recording.keep(make(), command)
    except Exception as error:  # whatever it is, what was computed is not lost
        problem = error
    yield
    if problem is not None:
        raise problem


def save_scores(
    path: str,
    scores: Scores,
    *,
    inputs: Sequence[Input],
    arguments: Arguments,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write scores that have their rows, with `extra` entries of the document."""
    from adjudge import __version__
    from adjudge.comparison.documents import score_document
    from adjudge.history import stored

    document = score_document(scores, version=__version__, inputs=inputs, arguments=arguments)
    document |= extra or {}
    stored.write(path, document, stored.rows_of(scores), scores.labels)


def save_comparison(
    path: str, comparison: Comparison, *, inputs: Sequence[Input], arguments: Arguments
) -> None:
    """Write a comparison with the rows it was made from."""
    from adjudge import __version__
    from adjudge.comparison.documents import comparison_document
    from adjudge.history import stored

    document = comparison_document(comparison, version=__version__, inputs=inputs, arguments=arguments)
    stored.write(path, document, stored.rows_of(comparison), comparison.labels)
