"""Records of a history, in a list and one by one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from adjudge.display import Cell, Column, Row, Section, Table, visible
from adjudge.history.records import Evaluation, Record, known
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import spelled, tsv_line
from adjudge.wording import MISSING, join_names, number, pluralise

NAMES = 4
"""Of systems, metrics or test sets in a cell."""
COLUMNS: tuple[str, ...] = (
    "record",
    "made",
    "command",
    "label",
    "revision",
    "branch",
    "changed",
    "test_set",
    "fingerprint",
)
COLUMNS += ("system", "run", "metric", "score", "low", "high", "signature")


def when(made: float) -> str:
    """A time as people read it, the same on every machine."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(made))


def moment(made: float) -> str:
    """A time as programs read it (ISO 8601)."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(made))


def forms(records: Sequence[Record], place: str, *, version: str) -> Renderer:
    """All records; TSV has a line a score."""
    return Renderer(
        lambda: [
            Section(tables=(_table(records),), notes=(f"{pluralise(len(records), 'record')} in {place}",))
        ],
        lambda: {"version": version, "history": place, "records": [document(record) for record in records]},
        tsv=lambda: "".join(tsv_line(line) for line in _lines(records)),
    )


def document(record: Record) -> dict[str, Any]:
    """All that is known of a record without its rows."""
    return {
        **identity(record),
        "version": record.version,
        "study": record.study or None,
        "scores": [score._asdict() for score in record.scores],
    }


def identity(record: Record) -> dict[str, Any]:
    """What a record is called, and when and of what it was made."""
    return {
        "record": record.id,
        "made": moment(record.made),
        "command": record.command,
        "label": record.label,
        "revision": record.revision.commit,
        "branch": record.revision.branch,
        "changed": record.revision.changed,
    }


def _table(records: Sequence[Record]) -> Table:
    head = [Column("Record"), Column("When (UTC)"), Column("Label"), Column("Revision"), Column("By")]
    head += [Column("Test set"), Column("Systems"), Column("Metrics")]
    rows = []
    for record in reversed(records):
        metrics = list(dict.fromkeys(metric.partition("(")[0] for metric in record.metrics))
        texts = [str(record.id), when(record.made), record.label or MISSING, record.short_revision or MISSING]
        texts += [record.command, record.study or join_names(record.test_sets, NAMES)]
        texts += [join_names(record.systems, NAMES), join_names(metrics, NAMES)]
        rows.append(Row(tuple(Cell(visible(text)) for text in texts)))
    return Table(tuple(head), tuple(rows))


def _lines(records: Sequence[Record]) -> list[list[str]]:
    lines = [list(COLUMNS)]
    for record in records:
        own = identity(record)
        for score in record.scores:
            named = own | score._asdict()
            lines.append([spelled(named[column]) for column in COLUMNS])
    return lines


def record_forms(record: Record, evaluation: Evaluation, *, version: str) -> Renderer:
    """One record: what it is of, its scores, and the files that they were made from."""
    facts = {
        "when": f"{when(record.made)} UTC, by adjudge {record.command} (adjudge {record.version})",
        "label": record.label,
        "revision": _revision(record),
        "study": record.study,
    }
    known_facts = tuple(f"{name}: {value}" for name, value in facts.items() if value)
    files = evaluation.document.get("inputs", [])
    sections = [
        Section(f"Record {record.id}", sentences=known_facts),
        Section("Scores", (_scores(record),), notes=_signatures(record)),
        Section(
            "Files", sentences=tuple(f"{own['path']} ({own['role']}, {own['sha256'][:12]})" for own in files)
        ),
    ]
    return Renderer(
        lambda: sections[: 3 if files else 2],
        lambda: {**document(record), "adjudge": version, "inputs": files},
    )


def _revision(record: Record) -> str:
    if record.revision.commit is None:
        return ""
    on = f" on {record.revision.branch}" if record.revision.branch else ""
    changed = ", with changes that were not committed" if record.revision.changed else ""
    return f"{record.revision.commit}{on}{changed}"


def _scores(record: Record) -> Table:
    rows = [
        Row(
            tuple(
                Cell(visible(text))
                for text in (
                    score.test_set,
                    f"{score.system} (run {score.run})" if score.run else score.system,
                    score.metric,
                    number(known(score.score), 2),
                    number(known(score.low), 2),
                    number(known(score.high), 2),
                )
            )
        )
        for score in record.scores
    ]
    head = (Column("Test set"), Column("System"), Column("Metric"))
    return Table((*head, *(Column(name, True) for name in ("Score", "low", "high"))), tuple(rows))


def _signatures(record: Record) -> tuple[str, ...]:
    signatures = dict.fromkeys(f"{score.metric}: {score.signature}" for score in record.scores)
    sets = dict.fromkeys(
        f"{score.test_set}: {pluralise(score.segments, 'segment')}, fingerprint {score.fingerprint[:12]}"
        for score in record.scores
    )
    return (*signatures, *sets)
