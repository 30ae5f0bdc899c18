"""Results as a history keeps them, and back: a record holds what a saved file holds, byte for byte."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge import __version__
from adjudge.comparison.documents import Arguments, comparison_document, score_document
from adjudge.comparison.results import Comparison
from adjudge.comparison.scoring import Scores
from adjudge.database.problems import StoreError
from adjudge.errors import UsageError
from adjudge.history import packing, stored, stored_study
from adjudge.history.packing import RowKey, StudyRowKey
from adjudge.history.place import Revision, revision_of
from adjudge.history.records import Evaluation, History, Record, RecordedScore, RowSet
from adjudge.history.stored import FORMAT, Stored
from adjudge.history.stored_study import StudyArguments
from adjudge.metrics.base import Rows

if TYPE_CHECKING:
    from adjudge.comparison.results import Comparison
    from adjudge.io import Input


def of_scores(
    scores: Scores, *, inputs: Sequence[Input] = (), arguments: Arguments | None = None
) -> Evaluation:
    """Scores that have their rows (`score(..., rows=True)`)."""
    if any(result.rows is None for result in scores.results):
        raise UsageError("scores without rows cannot be compared with later ones: score(..., rows=True)")
    document = score_document(scores, version=__version__, inputs=inputs, arguments=arguments)
    return _evaluation(document, stored.rows_of(stored.measured_of(scores)), scores.labels)


def of_comparison(
    comparison: Comparison, *, inputs: Sequence[Input] = (), arguments: Arguments | None = None
) -> Evaluation:
    """A comparison with the rows it was made from."""
    document = comparison_document(comparison, version=__version__, inputs=inputs, arguments=arguments)
    return _evaluation(document, stored.rows_of(comparison.measured), comparison.labels)


def of_study(
    result: Comparison, name: str, inputs: Sequence[Input], arguments: stored_study.StudyArguments
) -> Evaluation:
    """A study with the rows of all its test sets."""
    document = stored_study.study_document(result, name, inputs, arguments)
    return _study_evaluation(name, document, stored_study.study_rows(result))


def of_file(path: str) -> Evaluation:
    """What `--save` wrote to a file."""
    if stored_study.is_stored_study(path):
        study = stored_study.read_stored_study(path)
        document = {key: value for key, value in study.document.items() if key not in ("rows", "format")}
        return _study_evaluation(study.name, document, study.rows)
    run = stored.read(path)
    if not run.rows:
        raise UsageError(f"{path} holds no rows, so nothing can be compared with it: write it with --save")
    stored.measured_from(run)  # a file that was changed does not become history
    own = {key: value for key, value in run.document.items() if key not in ("rows", "labels", "format")}
    return _evaluation(own, run.rows, run.labels)


def _evaluation(
    document: Mapping[str, Any], rows: Mapping[RowKey, Rows], labels: Mapping[str, Sequence[str]]
) -> Evaluation:
    facts = document["test_set"]
    by_metric = not document.get("arguments", {}).get("scores")
    scores = tuple(
        _score(facts, facts.get("name", ""), entry, by_metric=by_metric) for entry in document["results"]
    )
    sets = tuple(
        RowSet(facts.get("name", ""), *key, own.shape[1], own.shape[0], packing.compressed_rows(own))
        for key, own in rows.items()
    )
    columns = {name: list(column) for name, column in labels.items()}
    return Evaluation({"format": FORMAT} | dict(document), scores, sets, columns)


def _study_evaluation(name: str, document: Mapping[str, Any], rows: Mapping[StudyRowKey, Rows]) -> Evaluation:
    sets = tuple(
        RowSet(*key, own.shape[1], own.shape[0], packing.compressed_rows(own)) for key, own in rows.items()
    )
    return Evaluation({"format": FORMAT} | dict(document), tuple(_study_scores(document)), sets, study=name)


def _study_scores(document: Mapping[str, Any]) -> Iterator[RecordedScore]:
    """Scores by metrics on every test set; people's are in the document alone, for they are of other segments."""
    for table in document["tables"]:
        if not table["is_metric"]:
            continue
        for entry in table["scores"]:
            name = entry["test_set"]
            if entry["score"] is None or name not in table["specs"]:
                continue
            own = {
                **entry,
                "metric": table["specs"][name],
                "signature": table["signatures"][name],
                "higher_is_better": table["higher_is_better"],
            }
            yield _score(document["facts"][name], name, own, by_metric=True)


def _score(
    facts: Mapping[str, Any], name: str, entry: Mapping[str, Any], *, by_metric: bool
) -> RecordedScore:
    run = entry.get("run")
    return RecordedScore(
        test_set=name,
        fingerprint=facts["fingerprint"],
        segments=facts["segments"],
        level=facts.get("level", ""),
        system=entry["system"],
        run=run if run is not None or "run" not in entry else "",
        metric=entry["metric"],
        signature=entry["signature"],
        score=entry["score"],
        low=entry.get("low"),
        high=entry.get("high"),
        higher_is_better=entry.get("higher_is_better"),
        by_metric=by_metric,
    )


def text_of(evaluation: Evaluation) -> str:
    """The file that `--save` would have written."""
    if evaluation.study:
        own = {StudyRowKey(*rows[:4]): _spelled(rows) for rows in evaluation.rows}
        return packing.file_text(evaluation.document, own, None)
    packed = {RowKey(*rows[1:4]): _spelled(rows) for rows in evaluation.rows}
    return packing.file_text(evaluation.document, packed, evaluation.labels or {})


def stored_of(evaluation: Evaluation, name: str) -> Stored:
    """The stored result, as `stored.read` reads it from a file; `name` says where it is from."""
    rows = [packing.row_entry(RowKey(*own[1:4]), _spelled(own)) for own in evaluation.rows]
    document = {**evaluation.document, "labels": dict(evaluation.labels or {}), "rows": rows}
    return stored.stored_from(name, document)


def _spelled(rows: RowSet) -> dict[str, Any]:
    return packing.spelled_rows(rows.segments, rows.columns, rows.data)


def unpacked(rows: RowSet, record: Record) -> Rows:
    """The rows themselves."""
    try:
        numbers = zlib.decompress(rows.data)
        return np.frombuffer(numbers, "<f8").reshape(rows.segments, rows.columns).astype(np.float64)
    except (zlib.error, ValueError) as error:
        raise StoreError(
            f"the rows of {rows.system} by {rows.metric} in record {record.id} are damaged: {error}"
        ) from None


def record(
    result: Scores | Comparison,
    *,
    place: str | None = None,
    label: str | None = None,
    made: float | None = None,
    revision: str | None = None,
    study: str = "study",
    inputs: Sequence[Input] = (),
) -> int:
    """Keep a result with its rows in a history, by default the project's; the number of its record comes back.

    Scores must have been made with `rows=True`. A result of a study goes under the name of the `study`. `inputs` are
    the files, as `load` names them. The time (`made`, in seconds since 1970) is now and the revision what git says,
    unless others are given.
    """
    if isinstance(result, Scores):
        evaluation = of_scores(result, inputs=inputs)
    elif isinstance(result, Comparison) and result.tables:
        metrics = tuple(table.metric for table in result.tables if table.is_metric)
        evaluation = of_study(result, study, inputs, StudyArguments("", metrics))
    elif isinstance(result, Comparison):
        evaluation = of_comparison(result, inputs=inputs)
    else:
        raise UsageError(f"a history keeps scores, comparisons and studies, not {type(result).__name__}")
    project = revision_of() if revision is None else Revision(revision)
    with History.open(place, create=True) as history:
        return history.add(evaluation, command="python", label=label, revision=project, made=made)
