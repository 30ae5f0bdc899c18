"""Studies in files, with the rows they were made from: what `--save` and `-f json` write of them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from adjudge import __version__
from adjudge.comparison.documents import plain
from adjudge.comparison.plan_options import checked_options
from adjudge.comparison.results import Measured, measured_means
from adjudge.comparison.scoring import TestSetFacts
from adjudge.comparison.study_results import StudyResult
from adjudge.comparison.study_verdict import study_verdict_document
from adjudge.errors import DataError
from adjudge.history.packing import packed_rows, unpacked_rows
from adjudge.history.stored import FORMAT, facts_in, input_of, is_study_result, same
from adjudge.io import Input
from adjudge.io.atomic_write import write_whole
from adjudge.io.fields import Fields, read_object
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Rows

RESULT = "the result of a study (adjudge study run STUDY.toml -f json, or --save)"


@dataclass(frozen=True)
class StudyArguments:
    """How a study was run: enough to run it again."""

    study: str
    """The path of its file."""
    metrics: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a `Plan` that were given in place of the study's."""

    def as_document(self) -> dict[str, Any]:
        """As it stands in a result."""
        options = {name: plain(value) for name, value in self.options.items()}
        return {"study": self.study, "metrics": list(self.metrics), "options": options}


class StudyRowKey(NamedTuple):
    """Whose rows, on which test set, by which metric."""

    test_set: str
    system: str
    run: str
    metric: str


@dataclass(frozen=True, eq=False)
class StoredStudy:
    """The result of a study that was read from a file."""

    path: str
    document: Mapping[str, Any]
    version: str
    name: str
    inputs: tuple[Input, ...]
    arguments: StudyArguments
    facts: Mapping[str, TestSetFacts]
    rows: Mapping[StudyRowKey, Rows] = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order of the file."""
        return tuple(self.document["systems"])


def write_study(
    path: str, result: StudyResult, name: str, inputs: Sequence[Input], arguments: StudyArguments
) -> None:
    """Write a study's result with its rows; a file that is there already is replaced whole or not at all."""
    document = {"format": FORMAT} | study_document(result, name, inputs, arguments)
    packed = {key: packed_rows(rows) for key, rows in study_rows(result).items()}
    write_whole(path, study_text(document, packed).encode("ascii"))


def study_text(document: Mapping[str, Any], rows: Mapping[StudyRowKey, Mapping[str, Any]]) -> str:
    """The file: what people may want to read first, then a line of packed rows a system and metric."""
    entries = [json.dumps(key._asdict() | dict(packed)) for key, packed in rows.items()]
    head = json.dumps(document, indent=1, allow_nan=False).removesuffix("\n}")
    return f'{head},\n "rows": [\n  ' + ",\n  ".join(entries) + "\n ]\n}\n"


def study_document(
    result: StudyResult, name: str, inputs: Sequence[Input], arguments: StudyArguments
) -> dict[str, Any]:
    """All that is known of a study, unrounded, but for its rows; what is not a finite number is None."""
    document: dict[str, Any] = plain(
        {
            "version": __version__,
            "study": name,
            "inputs": [asdict(item) for item in inputs],
            "arguments": arguments.as_document(),
            "verdict": study_verdict_document(result),
            **result.as_document(),
        }
    )
    return document


def study_rows(result: StudyResult) -> dict[StudyRowKey, Rows]:
    """The rows of all test sets."""
    return {
        StudyRowKey(name, system, run, seen.metric): rows
        for name, measured in result.measured.items()
        for seen in measured
        for system, runs in seen.rows.items()
        for run, rows in zip(seen.runs.get(system, ("",) * len(runs)), runs, strict=True)
    }


def is_stored_study(path: str) -> bool:
    """Whether a file holds the result of a study; what is no JSON is somebody else's to complain about."""
    if not os.path.isfile(path):
        return False
    try:
        return is_study_result(read_object(path, RESULT))
    except DataError:
        return False


def read_stored_study(path: str) -> StoredStudy:
    """The result of a study in a file, with every fault named that a file may have."""
    return stored_study_from(path, read_object(path, RESULT))


def stored_study_from(path: str, document: dict[str, Any]) -> StoredStudy:
    """The result of a study that a document holds; `path` is where that came from."""
    if not is_study_result(document):
        raise DataError(f"{path} is not {RESULT}")
    fields = Fields(path, document)
    if "format" in fields and (form := fields.whole("format", 1, 10**6)) > FORMAT:
        raise DataError(f"{path} was written by a newer adjudge (format {form}): update adjudge")
    given = fields.object("arguments")
    facts = fields.object("facts")
    known = {name: facts_in(facts.object(name)) for name in facts.values}
    fields.texts("systems"), fields.take("tables", list)
    return StoredStudy(
        path=path,
        document=document,
        version=fields.optional("version", str) or "unknown",
        name=fields.take("study", str),
        inputs=tuple(input_of(entry) for entry in fields.objects("inputs")),
        arguments=StudyArguments(
            given.take("study", str),
            given.texts("metrics"),
            checked_options(given.object("options")) if "options" in given else {},
        ),
        facts=known,
        rows=_rows(fields, known) if "rows" in fields else {},
    )


def _rows(fields: Fields, facts: Mapping[str, TestSetFacts]) -> dict[StudyRowKey, Rows]:
    by_key: dict[StudyRowKey, Rows] = {}
    for entry in fields.objects("rows"):
        key = StudyRowKey(*(entry.take(name, str) for name in StudyRowKey._fields))
        if key.test_set not in facts:
            raise entry.fault("test_set", f"{key.test_set!r} is none of the test sets")
        if key in by_key:
            raise entry.fault("system", f"rows of {key.system} by {key.metric} stand in the file twice")
        shape = entry.take("shape", list)
        segments = shape[0] if shape and isinstance(shape[0], int) else 0
        by_key[key] = unpacked_rows(entry, segments)
    return by_key


def stored_measures(stored: StoredStudy) -> dict[str, list[Measured]]:
    """The rows of every test set by every measure, once they are known to give the scores beside them."""
    if not stored.rows:
        raise DataError(f"{stored.path} holds no rows to compare with; write it with --save FILE.json")
    by_set: dict[str, list[Measured]] = {name: [] for name in stored.facts}
    for table in Fields(stored.path, dict(stored.document)).objects("tables"):
        signatures = table.object("signatures")
        scores = {
            (entry.take("test_set", str), entry.take("system", str)): entry.number("score")
            for entry in table.objects("scores")
        }
        for name in signatures.values:
            own = _measured(stored, table, name)
            for system, runs in own.rows.items():
                made = math.fsum(float(own.aggregate(rows.sum(0))) for rows in runs) / len(runs)
                if not same(made, scores.get((name, system), math.nan)):
                    raise DataError(
                        f"{stored.path}: the rows of {system} on {name} by {own.metric} give {made:.6g}, but its score "
                        f"is {scores.get((name, system), math.nan):.6g}; the file was changed (adjudge verify "
                        f"{stored.path})"
                    )
            by_set[name].append(own)
    return by_set


def _measured(stored: StoredStudy, table: Fields, name: str) -> Measured:
    """One measure on one test set."""
    spec = table.object("specs").take(name, str)
    rows: dict[str, tuple[Rows, ...]] = {}
    runs: dict[str, tuple[str, ...]] = {}
    for key, own in stored.rows.items():
        if (key.test_set, key.metric) == (name, spec):
            rows[key.system] = (*rows.get(key.system, ()), own)
            runs[key.system] = (*runs.get(key.system, ()), key.run)
    if not rows:
        raise DataError(f"{stored.path}: there are no rows of {name} by {spec}; was it shortened?")
    if table.take("is_metric", bool):
        return Measured.by(metric_of(spec), table.object("signatures").take(name, str), rows, runs)
    higher = table.optional("higher_is_better", bool) is not False
    return measured_means(spec, rows, higher_is_better=higher, decimals=table.whole("decimals", 0, 15))
