"""The content of a history: each evaluation is a record, and equal contents are stored once."""

from __future__ import annotations

import hashlib
import json
import math
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from adjudge.database.problems import StoreError, check_text
from adjudge.database.store import DamagedRow
from adjudge.errors import UsageError
from adjudge.history.connection import Database, Execute
from adjudge.history.place import (
    RecordName,
    Revision,
    check_label,
    default_place,
    find_record,
    is_free,
    make_folder,
)
from adjudge.wording import strip_version

if TYPE_CHECKING:
    from adjudge.comparison.plan import Plan
    from adjudge.history.diff import Diff
    from adjudge.history.version_lines import Lines

COMPRESSION = 6
"""Compression level of documents and labels; rows are compressed already."""
YEAR_10000 = 253_402_300_800
"""In seconds since 1970; later times are refused as damage."""


class RecordedScore(NamedTuple):
    """The score of a system by a metric in a record; fields are in the order of the table's columns."""

    test_set: str
    fingerprint: str
    segments: int
    level: str
    """What counts as a segment, where it is more than one."""
    system: str
    run: str | None
    """None where the score is that of all runs together."""
    metric: str
    signature: str
    score: float | None
    low: float | None
    high: float | None
    """The interval, where a comparison made one."""
    higher_is_better: bool | None
    by_metric: bool
    """Whether a metric computed it; scores made elsewhere are means."""

    @property
    def unversioned(self) -> str:
        """The signature without the version of adjudge."""
        return strip_version(self.signature)


Content = tuple[int, str, str, str]
"""Record, test set, system and metric of rows."""


class RowSet(NamedTuple):
    """Rows of one run of a system by a metric, compressed as in a saved file."""

    test_set: str
    system: str
    run: str
    metric: str
    columns: int
    segments: int
    data: bytes


@dataclass(frozen=True)
class Evaluation:
    """An evaluation to be recorded: the document that `--save` writes, with scores, rows and labels."""

    document: Mapping[str, Any]
    scores: tuple[RecordedScore, ...]
    rows: tuple[RowSet, ...]
    labels: Mapping[str, Sequence[str]] | None = None
    """None for a study, whose file has none."""
    study: str = ""


@dataclass(frozen=True)
class Record:
    """One evaluation in a history, without its rows."""

    id: int
    made: float
    """Seconds since 1970."""
    command: str
    label: str | None
    revision: Revision
    version: str
    """Of adjudge."""
    study: str
    """The name of a study; empty for an evaluation on one test set."""
    scores: tuple[RecordedScore, ...]

    @property
    def name(self) -> str:
        """What people call it: its label, else its revision, else its number."""
        return self.label or self.short_revision or f"#{self.id}"

    @property
    def short_revision(self) -> str:
        """The beginning of the revision; a plus where files were changed since."""
        commit = self.revision.commit
        return f"{commit[:9]}{'+' if self.revision.changed else ''}" if commit else ""

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order of the evaluation."""
        return tuple(dict.fromkeys(score.system for score in self.scores))

    @property
    def metrics(self) -> tuple[str, ...]:
        """In the order of the evaluation."""
        return tuple(dict.fromkeys(score.metric for score in self.scores))

    @property
    def test_sets(self) -> tuple[str, ...]:
        """In the order of the evaluation."""
        return tuple(dict.fromkeys(score.test_set for score in self.scores))


class History:
    """An open history: `with History.open() as history: …`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def name(self) -> str:
        """Its file or address, without a password."""
        return self._database.name

    @classmethod
    def open(cls, place: str | None = None, *, create: bool = False, writes: bool = False) -> History:
        """The history at a place, by default the project's; to read, to write, or made where there is none."""
        place = default_place() if place is None else place
        if create:
            make_folder(place)
        return cls(Database.open(place, create=create, writes=writes))

    @classmethod
    def check(cls, place: str | None = None) -> None:
        """Refuse a place where nothing can be kept, before anything is computed; no file is made there yet."""
        if not is_free(default_place() if place is None else place):
            cls.open(place, create=True).close()

    def close(self) -> None:
        """Close the history."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self,
        evaluation: Evaluation,
        *,
        command: str,
        label: str | None = None,
        revision: Revision | None = None,
        made: float | None = None,
    ) -> int:
        """Store an evaluation in one transaction, and return the number of its record."""
        revision = revision or Revision()
        if label is not None:
            check_label(label)
        _check_texts(evaluation, command, revision)
        document = _pack(evaluation.document)
        labels = None if evaluation.labels is None else _pack(evaluation.labels)
        with self._database.writing() as execute:
            values = (
                time.time() if made is None else made,
                command,
                label,
                revision.commit,
                revision.branch,
                None if revision.changed is None else int(revision.changed),
                str(evaluation.document["version"]),
                evaluation.study,
                _keep(execute, document),
                None if labels is None else _keep(execute, labels),
            )
            ((number,),) = execute(
                "INSERT INTO records (made, command, label, revision, branch, changed, version, study, document, "
                f"labels) VALUES ({_marks(10)}) RETURNING id",
                values,
            )
            for place, score in enumerate(evaluation.scores):
                flags = [None if flag is None else int(flag) for flag in score[-2:]]
                execute(f"INSERT INTO scores VALUES ({_marks(15)})", (number, place, *score[:-2], *flags))
            for place, rows in enumerate(evaluation.rows):
                content = _keep(execute, rows.data)
                execute(f"INSERT INTO row_sets VALUES ({_marks(9)})", (number, place, *rows[:-1], content))
            checksum = _rows(execute, number)[number].checksum
            execute("UPDATE records SET checksum = ? WHERE id = ?", (checksum, number))
        return int(number)

    def records(self, *, damaged: bool = False) -> list[Record]:
        """All records in order of time, without rows; `damaged` includes damaged ones."""
        with self._database.reading() as execute:
            rows = _rows(execute)
            records = [_record(row) for row in rows.values()]
            if self._database.version > 1 and not damaged:
                self._check_records(execute, rows)
        return records

    def _check_records(self, execute: Execute, rows: Mapping[int, _Rows]) -> None:
        """Refuse records that were changed after they were written; records of version 1 have no checksum."""
        for number, checksum in execute("SELECT id, checksum FROM records WHERE checksum IS NOT NULL"):
            if number not in rows or rows[number].checksum != checksum:
                raise StoreError(
                    f"the database {self.name} is damaged: record {number} is not as it was written. Restore a copy of "
                    f"the database, or delete the record: adjudge history delete {number}"
                )

    def find(self, name: str, *, damaged: bool = False) -> Record:
        """The record of that name: its number, its label, its revision, last, last~1."""
        records = self.records(damaged=damaged)
        chosen = find_record([RecordName(r.id, r.label, r.revision.commit) for r in records], name, self.name)
        return next(record for record in records if record.id == chosen)

    def evaluation(self, record: Record) -> Evaluation:
        """The evaluation of a record, with rows and labels."""
        with self._database.reading() as execute:
            document, labels = self._hashes(execute, record)
            content = self._unpack(execute, document)
            columns = None if labels is None else self._unpack(execute, labels)
            rows = self._row_sets(execute, "record = ?", (record.id,))
        return Evaluation(content, record.scores, tuple(rows), columns, record.study)

    def document(self, record: Record) -> Mapping[str, Any]:
        """The document of a record, without its rows."""
        with self._database.reading() as execute:
            key, _ = self._hashes(execute, record)
            document: Mapping[str, Any] = self._unpack(execute, key)
        return document

    def labels(self, record: Record) -> Mapping[str, Sequence[str]]:
        """The labels of a record's segments; a study has none."""
        with self._database.reading() as execute:
            _, key = self._hashes(execute, record)
            labels: Mapping[str, Sequence[str]] = {} if key is None else self._unpack(execute, key)
        return labels

    def rows(self, record: Record, test_set: str, system: str, metric: str) -> list[RowSet]:
        """The rows of all runs of a system."""
        wanted = (record.id, test_set, system, metric)
        with self._database.reading() as execute:
            self._hashes(execute, record)
            return self._row_sets(
                execute, "record = ? AND test_set = ? AND system = ? AND metric = ?", wanted
            )

    def contents(self) -> dict[Content, tuple[str, ...]]:
        """The hashes of all rows, run by run; the rows themselves are not read."""
        made: dict[Content, tuple[str, ...]] = {}
        with self._database.reading() as execute:
            for *key, content in execute(
                "SELECT record, test_set, system, metric, content FROM row_sets ORDER BY record, place"
            ):
                content_key = (int(key[0]), str(key[1]), str(key[2]), str(key[3]))
                made[content_key] = (*made.get(content_key, ()), content)
        return made

    def lines(
        self,
        *,
        systems: Sequence[str] = (),
        metrics: Sequence[str] = (),
        test_sets: Sequence[str] = (),
        last: int | None = None,
        since: str | None = None,
        renamed: Mapping[str, str] | None = None,
        plan: Plan | None = None,
        base_version: str = "previous",
        tolerance: float = 0.0,
    ) -> Lines:
        """Lines of systems over their versions with significant steps, for all systems or those that are named.

        `since` names the record that lines and the count of looks begin with.
        """
        from adjudge.history.lines import lines
        from adjudge.history.points import VERSIONS, LineQuery

        wanted = LineQuery(systems, metrics, test_sets, last or VERSIONS, renamed or {}, since)
        return lines(self, wanted, plan, base_version=base_version, tolerance=tolerance)

    def diff(self, old: str, new: str = "last", **options: Any) -> Diff:
        """Which segments got better or worse from one record to another (`history/diff.py`)."""
        from adjudge.history.diff import diff

        return diff(self, old, new, **options)

    def delete(self, records: Iterable[Record]) -> None:
        """Delete records, with all content that no other record uses."""
        with self._database.writing() as execute:
            for record in records:
                for table, key in (("row_sets", "record"), ("scores", "record"), ("records", "id")):
                    execute(f"DELETE FROM {table} WHERE {key} = ?", (record.id,))
            execute(
                "DELETE FROM contents WHERE NOT EXISTS (SELECT 1 FROM row_sets WHERE content = hash) AND NOT EXISTS "
                "(SELECT 1 FROM records WHERE document = hash) AND NOT EXISTS "
                "(SELECT 1 FROM records WHERE labels = hash)"
            )

    def take_look(self, baseline: str, question: str, number: int | None, recorded: Mapping[str, int]) -> int:
        """The number of a look at a baseline, kept at once, so that no two questions ever have the same one.

        A question that was asked before has the number it had. `recorded` are looks that documents of records tell of.
        """
        with self._database.writing() as execute:
            looks = dict(recorded)
            for asked, look, checksum in execute(
                "SELECT question, number, checksum FROM looks WHERE baseline = ?", (baseline,)
            ):
                if checksum != _checksum([baseline, asked, look]):
                    raise DamagedRow(
                        f"look {str(look)[:12]} at baseline {baseline[:12]} is not as it was written"
                    )
                looks[asked] = look
            if number is None:
                number = looks.get(question, max(looks.values(), default=0) + 1)
            values = (baseline, question, number, _checksum([baseline, question, number]))
            execute(f"INSERT INTO looks VALUES ({_marks(4)}) ON CONFLICT DO NOTHING", values)
        return number

    def _hashes(self, execute: Execute, record: Record) -> tuple[str, str | None]:
        """The hashes of the document and the labels of a record; an error if it was deleted meanwhile."""
        hashes = execute("SELECT document, labels FROM records WHERE id = ?", (record.id,))
        if not hashes:
            raise StoreError(f"record {record.id} is not in {self.name} any more")
        ((document, labels),) = hashes
        return document, labels

    def _row_sets(self, execute: Execute, where: str, values: Sequence[Any]) -> list[RowSet]:
        # Not an inner join, which would leave out rows whose content is lost.
        rows = execute(
            "SELECT test_set, system, run, metric, columns, segments, data, content FROM row_sets "
            f"LEFT JOIN contents ON content = hash WHERE {where} ORDER BY record, place",
            values,
        )
        for *_, data, key in rows:
            _check_content(data, key)
        for row in rows:
            _check_columns(row[:6], _ROW_SET, "a set of rows")
        return [RowSet(*row[:-1]) for row in rows]

    def _unpack(self, execute: Execute, key: str) -> Any:
        rows = execute("SELECT data FROM contents WHERE hash = ?", (key,))
        if not rows:
            raise DamagedRow(f"content {str(key)[:12]} is missing")
        ((data,),) = rows
        _check_content(data, key)
        return json.loads(zlib.decompress(data))


def _check_content(data: object, key: object) -> None:
    """Refuse content that does not match its hash."""
    if not isinstance(data, bytes) or hashlib.sha256(data).hexdigest() != key:
        raise DamagedRow(f"content {str(key)[:12]} is not as it was written")


def _checksum(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, default=repr).encode("ascii")).hexdigest()


class _Rows(NamedTuple):
    """The rows of the database tables for one record."""

    record: tuple[Any, ...]
    scores: list[tuple[Any, ...]]
    row_sets: list[tuple[Any, ...]]

    @property
    def checksum(self) -> str:
        """The checksum of the record, its scores and the hashes of its rows."""
        return _checksum(self)


_COLUMNS = "id, made, command, label, revision, branch, changed, version, study, document, labels"


def _rows(execute: Execute, record: int | None = None) -> dict[int, _Rows]:
    """The table rows of every record in order of time, or of one record."""

    def select(columns: str, table: str, key: str, order: str) -> list[tuple[Any, ...]]:
        condition, values = ("", ()) if record is None else (f"WHERE {key} = ?", (record,))
        return execute(f"SELECT {columns} FROM {table} {condition} ORDER BY {order}", values)

    rows = {row[0]: _Rows(row, [], []) for row in select(_COLUMNS, "records", "id", "made, id")}
    for score in select("*", "scores", "record", "record, place"):
        if score[0] in rows:
            rows[score[0]].scores.append(score)
    for row_set in select("*", "row_sets", "record", "record, place"):
        if row_set[0] in rows:
            rows[row_set[0]].row_sets.append(row_set)
    return rows


_IS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "count": lambda value: isinstance(value, int) and value >= 0,
    "number": lambda value: isinstance(value, int | float) and math.isfinite(value),
    "date": lambda value: isinstance(value, int | float) and 0 <= value < YEAR_10000,
}
_SCORE = ("text", "text", "count", "text", "text", "text?", "text", "text", *("number?",) * 4, "number")
_RECORD = ("count", "date", "text", "text?", "text?", "text?", "number?", "text", "text")
_ROW_SET = ("text", "text", "text", "text", "count", "count")
"""The kinds of values in columns; a question mark allows NULL."""


def _check_columns(values: Sequence[Any], kinds: Sequence[str], what: str) -> None:
    """Refuse values of the wrong kind."""
    for value, kind in zip(values, kinds, strict=True):
        if not (value is None and kind.endswith("?")) and not _IS[kind.rstrip("?")](value):
            raise DamagedRow(f"{what} has {repr(value)[:40]} where a {kind.rstrip('?')} was expected")


def _check_texts(evaluation: Evaluation, command: str, revision: Revision) -> None:
    """Refuse texts that a database cannot store; documents and labels are escaped."""
    whole = {
        "command": command,
        "revision": revision.commit,
        "branch": revision.branch,
        "version": str(evaluation.document["version"]),
        "study": evaluation.study,
    }
    scores = (score._asdict() for score in evaluation.scores)
    rows = (row_set._asdict() for row_set in evaluation.rows)
    for texts in (whole, *scores, *rows):
        for name, text in texts.items():
            if isinstance(text, str):
                check_text(f"the {name.replace('_', ' ')}", text)


def _record(rows: _Rows) -> Record:
    number, made, command, label, commit, branch, changed, version, study, *_ = rows.record
    _check_columns(rows.record[:9], _RECORD, "a record")
    revision = Revision(commit, branch, None if changed is None else bool(changed))
    scores = tuple(map(_score, rows.scores))
    return Record(number, made, command, label, revision, version, study, scores)


def _score(row: tuple[Any, ...]) -> RecordedScore:
    _check_columns(row[2:], _SCORE, "a score")
    *columns, higher_is_better, by_metric = row[2:]
    direction = None if higher_is_better is None else bool(higher_is_better)
    return RecordedScore._make((*columns, direction, bool(by_metric)))


def _keep(execute: Execute, data: bytes) -> str:
    """Store content under its hash, once."""
    key = hashlib.sha256(data).hexdigest()
    execute("INSERT INTO contents (hash, data) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING", (key, data))
    return key


def _pack(value: Any) -> bytes:
    return zlib.compress(
        json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii"), COMPRESSION
    )


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def nan_if_missing(value: float | None) -> float:
    """The number itself; NaN where it is missing."""
    return math.nan if value is None else value


def check_one_system(record: Record, names: Iterable[str]) -> None:
    """Refuse a renaming that would merge two systems of one record."""
    first, *others = dict.fromkeys(names)
    if others:
        raise UsageError(
            f"record {record.id} has both {first!r} and {others[0]!r}: they are two systems, of which --renamed would "
            "make one"
        )


def one_or_more(records: Sequence[Record], place: str) -> Sequence[Record]:
    """Refuse a history that has nothing to show."""
    if not records:
        raise UsageError(f"{place} holds no records yet: adjudge score … --record")
    return records
