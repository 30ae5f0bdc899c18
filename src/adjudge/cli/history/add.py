"""Add results that --save kept to a history."""

from __future__ import annotations

import click

from adjudge.cli import _options, _show
from adjudge.cli._record import place_of
from adjudge.errors import UsageError


@click.command("add", short_help="Add results that --save kept to a history.")
@click.argument("files", metavar="RUN-FILE...", nargs=-1, required=True)
@_options.keywords()
def command(
    *,
    files: tuple[str, ...],
    record_as: str | None = None,
    revision: str | None = None,
    made: str | None = None,
    place: str | None = None,
    quiet: bool = False,
) -> None:
    """Add results that --save kept to a history, each as a record of its own.

    \b
    adjudge history add runs/*.json
    adjudge history add spring.json --record-as v1.2 --made 2026-03-01
    """
    import os

    from adjudge.history.evaluations import of_file
    from adjudge.history.place import Revision
    from adjudge.history.records import History

    if len(files) > 1 and (record_as or made or revision):
        raise UsageError("--record-as, --made and --revision are of one file; add files one by one")
    evaluations = [of_file(path) for path in files]
    times = [os.path.getmtime(path) if made is None else _time(made) for path in files]
    with History.open(place_of(place), create=True) as history:
        for path, evaluation, moment in zip(files, evaluations, times, strict=True):
            number = history.add(
                evaluation, command="history add", label=record_as, revision=Revision(revision), made=moment
            )
            if not quiet:
                _show.say(f"adjudge: {path} is record {number} of {history.name}")


def _time(text: str) -> float:
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--made {text}: a date was expected, as 2026-03-01 or 2026-03-01T12:00") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
