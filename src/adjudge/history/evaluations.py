"""Results as a history keeps them, and back: a record holds what a saved file holds, byte for byte."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge import __version__
from adjudge.comparison.documents import Arguments, comparison_document, score_document, study_document
from adjudge.comparison.results import Comparison
from adjudge.comparison.scoring import Scores
from adjudge.database.problems import StoreError
from adjudge.errors import UsageError
from adjudge.history import packing, stored
from adjudge.history.packing import RowKey
from adjudge.history.place import Revision, revision_of
from adjudge.history.records import Evaluation, History, Record, RecordedScore, RowSet
from adjudge.history.stored import FORMAT, StoredResult
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
    return _evaluation(document, stored.rows_of(scores), scores.labels)


def of_comparison(
    comparison: Comparison,
    *,
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
    study: str = "study",
) -> Evaluation:
    """A comparison with the rows it was made from; one over several test sets has the name of its study."""
    facts: dict[str, Any] = {"version": __version__, "inputs": inputs, "arguments": arguments}
    rows = stored.rows_of(comparison)
    if comparison.tables:
        if arguments is None:
            metrics = tuple(table.metric for table in comparison.tables if table.is_metric)
            facts["arguments"] = Arguments(study=study, metrics=metrics)
        return _evaluation(study_document(comparison, name=study, **facts), rows, None)
    return _evaluation(comparison_document(comparison, **facts), rows, comparison.labels)


def of_file(path: str) -> Evaluation:
    """The result that `--save` wrote to a file."""
    result = stored.read(path)
    if not result.rows:
        raise UsageError(f"{path} holds no rows, so nothing can be compared with it: write it with --save")
    stored.measured_sets(result)  # a file that was changed does not become history
    document = {
        key: value for key, value in result.document.items() if key not in ("rows", "labels", "format")
    }
    return _evaluation(document, result.rows, None if result.study else result.labels)


def _evaluation(
    document: Mapping[str, Any], rows: Mapping[RowKey, Rows], labels: Mapping[str, Sequence[str]] | None
) -> Evaluation:
    of_study = stored.is_study_result(document)
    scores = _study_scores(document) if of_study else _set_scores(document)
    row_sets = tuple(
        RowSet(*key, matrix.shape[1], matrix.shape[0], packing.compressed_rows(matrix))
        for key, matrix in rows.items()
    )
    columns = None if labels is None else {name: list(column) for name, column in labels.items()}
    study = document["study"] if of_study else ""
    return Evaluation({"format": FORMAT} | dict(document), tuple(scores), row_sets, columns, study)


def _set_scores(document: Mapping[str, Any]) -> Iterator[RecordedScore]:
    """Scores on the only test set."""
    facts = document["test_set"]
    by_metric = not document.get("arguments", {}).get("scores")
    for entry in document["results"]:
        yield _score(facts, facts.get("name", ""), entry, by_metric=by_metric)


def _study_scores(document: Mapping[str, Any]) -> Iterator[RecordedScore]:
    """Scores by metrics on every test set; scores by people are only in the document, for they cover other segments."""
    for table in document["tables"]:
        if not table["is_metric"]:
            continue
        for entry in table["scores"]:
            name = entry["test_set"]
            if entry["score"] is None or name not in table["specs"]:
                continue
            score = {
                **entry,
                "metric": table["specs"][name],
                "signature": table["signatures"][name],
                "higher_is_better": table["higher_is_better"],
            }
            yield _score(document["facts"][name], name, score, by_metric=True)


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
    return packing.file_text(evaluation.document, _row_entries(evaluation), evaluation.labels)


def stored_of(evaluation: Evaluation, name: str) -> StoredResult:
    """The stored result, as `stored.read` reads it from a file; `name` says where it is from."""
    document = {**evaluation.document, "rows": _row_entries(evaluation)}
    if evaluation.labels is not None:
        document["labels"] = dict(evaluation.labels)
    return stored.stored_from(name, document)


def _row_entries(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        packing.row_entry(
            RowKey(*row_set[:4]),
            row_set.segments,
            row_set.columns,
            row_set.data,
            of_study=bool(evaluation.study),
        )
        for row_set in evaluation.rows
    ]


def unpack_rows(rows: RowSet, record: Record) -> Rows:
    """The rows as an array."""
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
    elif isinstance(result, Comparison):
        evaluation = of_comparison(result, inputs=inputs, study=study)
    else:
        raise UsageError(f"a history keeps scores, comparisons and studies, not {type(result).__name__}")
    project = revision_of() if revision is None else Revision(revision)
    with History.open(place, create=True) as history:
        return history.add(evaluation, command="python", label=label, revision=project, made=made)
