"""Records of a history, in a list and one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge import __version__
from adjudge.display import Column, Data, Displayable, Records, Section
from adjudge.history.records import Evaluation, Record, nan_if_missing
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


@dataclass(frozen=True)
class RecordList(Displayable):
    """Records of a history; data have a row for each score."""

    records: Sequence[Record]
    place: str

    @property
    def title(self) -> str:
        """How many there are, and where."""
        return f"{pluralise(len(self.records), 'record')} in {self.place}"

    def sections(self) -> list[Section]:
        """One row per record, the newest first."""
        return [Section(tables=(Records(LIST_COLUMNS, self.records[::-1]).table(),), notes=(self.title,))]

    def data(self) -> Data:
        """One row per score."""
        named = [identity(record) | score._asdict() for record in self.records for score in record.scores]
        return Data(COLUMNS, [[own[column] for column in COLUMNS] for own in named])

    def document(self) -> dict[str, Any]:
        """All that is known of the records without their rows."""
        return {"history": self.place, "records": [document(record) for record in self.records]}


@dataclass(frozen=True)
class RecordFacts(Displayable):
    """One record: what it is of, its scores, and the files that they were made from."""

    record: Record
    evaluation: Evaluation

    @property
    def title(self) -> str:
        """Its number."""
        return f"Record {self.record.id}"

    @property
    def files(self) -> Sequence[Mapping[str, Any]]:
        """What the scores were made from."""
        files: Sequence[Mapping[str, Any]] = self.evaluation.document.get("inputs", [])
        return files

    def sections(self) -> list[Section]:
        """What it is of, its scores and its files."""
        record = self.record
        facts = {
            "when": f"{when(record.made)} UTC, by adjudge {record.command} (adjudge {record.version})",
            "label": record.label,
            "revision": _revision(record),
            "study": record.study,
        }
        known_facts = tuple(f"{name}: {value}" for name, value in facts.items() if value)
        scores = Records(SCORE_COLUMNS, record.scores).table()
        files = tuple(f"{file['path']} ({file['role']}, {file['sha256'][:12]})" for file in self.files)
        parts = [
            Section(self.title, sentences=known_facts),
            Section("Scores", (scores,), notes=_signatures(record)),
        ]
        return [*parts, Section("Files", sentences=files)] if files else parts

    def document(self) -> dict[str, Any]:
        """All that is known of it without its rows."""
        return {**document(self.record), "adjudge": __version__, "inputs": self.files}


def _names(of: Callable[[Record], Sequence[str]]) -> Callable[[Record], str]:
    return lambda record: join_names(list(of(record)), NAMES)


LIST_COLUMNS = (
    Column("Record", text=lambda record: str(record.id)),
    Column("When (UTC)", text=lambda record: when(record.made)),
    Column("Label", text=lambda record: record.label or MISSING),
    Column("Revision", text=lambda record: record.short_revision or MISSING),
    Column.of("command", "By"),
    Column("Test set", text=lambda record: record.study or join_names(record.test_sets, NAMES)),
    Column("Systems", text=_names(lambda record: record.systems)),
    Column(
        "Metrics",
        text=_names(lambda record: tuple(dict.fromkeys(m.partition("(")[0] for m in record.metrics))),
    ),
)
SCORE_COLUMNS = (
    Column.of("test_set", "Test set"),
    Column("System", text=lambda own: f"{own.system} (run {own.run})" if own.run else own.system),
    Column.of("metric", "Metric"),
    Column("Score", True, text=lambda own: number(nan_if_missing(own.score), 2)),
    Column("low", True, text=lambda own: number(nan_if_missing(own.low), 2)),
    Column("high", True, text=lambda own: number(nan_if_missing(own.high), 2)),
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


def _revision(record: Record) -> str:
    if record.revision.commit is None:
        return ""
    on = f" on {record.revision.branch}" if record.revision.branch else ""
    changed = ", with changes that were not committed" if record.revision.changed else ""
    return f"{record.revision.commit}{on}{changed}"


def _signatures(record: Record) -> tuple[str, ...]:
    signatures = dict.fromkeys(f"{score.metric}: {score.signature}" for score in record.scores)
    sets = dict.fromkeys(
        f"{score.test_set}: {pluralise(score.segments, 'segment')}, fingerprint {score.fingerprint[:12]}"
        for score in record.scores
    )
    return (*signatures, *sets)
