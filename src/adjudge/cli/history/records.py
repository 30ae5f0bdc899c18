"""Commands on the records of a history: list, show, add, delete, export, mlflow."""

from __future__ import annotations

from adjudge.cli import _show
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option, keywords
from adjudge.cli._record import place_of
from adjudge.cli._run import CommandRun
from adjudge.cli.history.lines import find_records, open_history
from adjudge.errors import UsageError
from adjudge.wording import pluralise


@subcommand("list", "List the records of a history, the newest first.", keywords(), format_option(), "output")
def list_command(run: CommandRun, *, last: int | None = None, place: str | None = None) -> None:
    """List the records of a history, the newest first.

    A record is named by its number, its label, its revision, or last, last~1, …

    \b
    adjudge history list
    adjudge history list --last 10 -f json
    """
    from adjudge.history.record_list import RecordList

    with open_history(place) as history:
        records = history.records()
    chosen = records if last is None else records[-last:]
    run.show(RecordList(chosen, history.name))


@subcommand(
    "show",
    "Show one record of a history: its scores, its files, its revision.",
    argument("name", metavar="NAME", default="last"),
    keywords(),
    format_option(("text", "json", "markdown")),
    "output",
)
def show_command(run: CommandRun, *, name: str, place: str | None = None) -> None:
    """Show one record of a history: its scores, its files, its revision; the last one unless NAME says another.

    \b
    adjudge history show
    adjudge history show v1.2
    """
    from adjudge.history.record_list import RecordFacts

    with open_history(place) as history:
        record = history.find(name)
        evaluation = history.evaluation(record)
    run.show(RecordFacts(record, evaluation))


@subcommand(
    "add",
    "Add results that --save kept to a history.",
    argument("files", metavar="RUN-FILE...", nargs=-1, required=True),
    keywords(),
    "quiet",
)
def add_command(
    run: CommandRun,
    *,
    files: tuple[str, ...],
    record_as: str | None = None,
    revision: str | None = None,
    made: str | None = None,
    place: str | None = None,
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
            run.say(f"adjudge: {path} is record {number} of {history.name}")


def _time(text: str) -> float:
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--made {text}: a date was expected, as 2026-03-01 or 2026-03-01T12:00") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


@subcommand(
    "delete",
    "Delete records of a history, with the rows that no other record holds.",
    argument("names", metavar="NAME...", nargs=-1, required=True),
    keywords(),
    "quiet",
)
def delete_command(run: CommandRun, *, names: tuple[str, ...], place: str | None = None) -> None:
    """Delete records of a history, with the rows that no other record holds; nothing brings them back.

    \b
    adjudge history delete 12
    adjudge history delete last last~1
    """
    with open_history(place, writes=True) as history:
        records = find_records(history, names, damaged=True)
        history.delete(records)
    run.say(f"adjudge: deleted {pluralise(len(records), 'record')} of {history.name}")


KINDS = {"json": "json", "tsv": "tsv", "openmetrics": "text"}


@subcommand(
    "export",
    "Write a record as --save would have, or all scores as OpenMetrics, JSON or TSV.",
    argument("name", metavar="NAME", required=False),
    keywords(last="Without NAME."),
    format_option(KINDS),
    "output",
)
def export_command(
    run: CommandRun, *, name: str | None, last: int | None = None, place: str | None = None
) -> None:
    """Write a record as --save would have, to the byte: for compare, gate and verify. Or the scores of all records.

    OpenMetrics is the text format that Prometheus reads: every score with its time.

    \b
    adjudge history export v1.2 -o run.json
    adjudge history export -f openmetrics -o history.om
    adjudge history export --last 100 -o scores.json
    """
    if name is not None and (run.form != "json" or last is not None):
        raise UsageError(
            "a record is written as JSON, with its rows; -f and --last are for the scores of all"
        )
    with open_history(place) as history:
        if name is not None:
            from adjudge.history.evaluations import text_of

            _show.show_text(text_of(history.evaluation(history.find(name))), run.output)
            return
        records = history.records()
    chosen = records if last is None else records[-last:]
    if run.form == "openmetrics":
        from adjudge.history.openmetrics import openmetrics

        _show.show_text(openmetrics(chosen), run.output)
        return
    from adjudge.history.record_list import RecordList

    run.show(RecordList(chosen, history.name))


@subcommand(
    "mlflow",
    "Log records to MLflow, each once.",
    argument("names", metavar="NAME...", nargs=-1),
    keywords(),
    "quiet",
)
def mlflow_command(
    run: CommandRun,
    *,
    names: tuple[str, ...],
    tracking: str | None = None,
    experiment: str = "adjudge",
    place: str | None = None,
) -> None:
    """Log records to MLflow, all or those that are named: a run a record, which is logged once.

    Scores are its metrics, revision and label its tags, and the result with its rows an artefact.

    \b
    adjudge history mlflow
    adjudge history mlflow last --tracking http://localhost:5000
    """
    from adjudge.history.mlflow import log_records

    with open_history(place) as history:
        records = find_records(history, names) if names else history.records()
        logged = log_records(history, records, tracking=tracking, experiment=experiment)
    if not run.quiet:
        new = sum(record.new for record in logged)
        _show.say(f"adjudge: {new} of {len(logged)} records are new in MLflow's experiment {experiment}")
