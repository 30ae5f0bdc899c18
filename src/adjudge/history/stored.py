"""Results in files, with the rows they were made from: what `--save` writes, and all that can be done with it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import starmap
from typing import Any

from adjudge import workspace
from adjudge.comparison.documents import Arguments
from adjudge.comparison.plan import checked_options
from adjudge.comparison.results import Measured, measured_means
from adjudge.comparison.scoring import Scores, TestSetFacts
from adjudge.data import TestSet
from adjudge.errors import AdjudgeError, DataError
from adjudge.history.packing import RowKey, StudyRowKey, entry_pieces, file_pieces, unpacked_rows
from adjudge.io import Input
from adjudge.io.atomic_write import write_pieces
from adjudge.io.fields import Fields, read_object
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import MeanMetric, Metric, Rows
from adjudge.stats.resampling import quotient
from adjudge.wording import pluralise

FORMAT = 1
"""Of saved files; raised whenever rows come to mean something else, or a score is made of them in another way."""
EQUAL = 1e-9
"""Differences below this are the last bits of a sum."""
RESULT = "a result of adjudge (-f json or --save)"


@dataclass(frozen=True)
class StoredScore:
    """One line of a stored result."""

    system: str
    run: str | None
    """None where the score is that of all runs together."""
    metric: str
    score: float
    signature: str
    segments: tuple[float, ...] | None = None
    higher_is_better: bool | None = None


@dataclass(frozen=True, eq=False)
class Stored:
    """A result that was read from a file."""

    path: str
    document: Mapping[str, Any]
    """All of it as it stands in the file."""
    version: str
    test_set: TestSetFacts
    inputs: tuple[Input, ...]
    results: tuple[StoredScore, ...]
    arguments: Arguments | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: Mapping[RowKey, Rows] = field(default_factory=dict)

    @property
    def is_comparison(self) -> bool:
        """Whether systems were compared, not just scored."""
        return "pairs" in self.document

    @property
    def made_elsewhere(self) -> bool:
        """Whether its scores are of segments that were scored elsewhere (`--scores`), which no metric makes again."""
        return self.arguments is not None and bool(self.arguments.scores)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order of the file."""
        return tuple(dict.fromkeys(result.metric for result in self.results))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of the file."""
        return tuple(dict.fromkeys(result.system for result in self.results))


def write(
    path: str,
    document: Mapping[str, Any],
    rows: Mapping[RowKey, Rows] | Mapping[StudyRowKey, Rows],
    labels: Mapping[str, Sequence[str]] | None,
) -> None:
    """Write a result with its rows; a file that is there already is replaced whole or not at all."""
    head = {"format": FORMAT} | dict(document)
    write_pieces(
        path,
        lambda: (
            text.encode("ascii") for text in file_pieces(head, starmap(entry_pieces, rows.items()), labels)
        ),
    )


def read(path: str) -> Stored:
    """The result in a file, with every fault named that a file may have."""
    return stored_from(path, read_object(path, RESULT))


def stored_from(path: str, document: dict[str, Any]) -> Stored:
    """The result that a document holds; `path` is where that came from."""
    fields = Fields(path, document)
    if is_study_result(document):
        raise DataError(f"{path} is the result of a study: adjudge gate STUDY.toml --against {path}")
    if "results" not in document or "test_set" not in document:
        raise DataError(
            f"{path} is not {RESULT}: it has no {'results' if 'test_set' in document else 'test_set'}"
        )
    if "passed" in document and "against" in document:
        raise DataError(f"{path} is what `adjudge gate` printed; {RESULT} was expected")
    if "format" in fields and (form := fields.whole("format", 1, 10**6)) > FORMAT:
        raise DataError(
            f"{path} was written by a newer adjudge ({fields.optional('version', str)}, format {form}); "
            f"this one reads format {FORMAT}: update adjudge"
        )
    test_set = facts_in(fields.object("test_set"))
    results = tuple(_score(entry, test_set.segments) for entry in fields.objects("results"))
    if not results:
        raise DataError(f"{path}: there are no results in it")
    for key, times in Counter((result.system, result.run, result.metric) for result in results).items():
        if times > 1:
            raise DataError(f"{path}: the score of {key[0]} by {key[2]} stands there {times} times")
    stored = Stored(
        path=path,
        document=document,
        version=fields.optional("version", str) or "unknown",
        test_set=test_set,
        inputs=tuple(input_of(entry) for entry in fields.objects("inputs")) if "inputs" in fields else (),
        results=results,
        arguments=_arguments(fields.object("arguments")) if "arguments" in fields else None,
        labels=_labels(fields.object_or_empty("labels"), test_set.segments),
        rows=_rows(fields, test_set.segments) if "rows" in fields else {},
    )
    known = {(result.system, result.metric) for result in results}
    for row in stored.rows:
        if (row.system, row.metric) not in known:
            raise DataError(f"{path}: there are rows of {row.system} by {row.metric}, but no score")
    return stored


def is_study_result(document: Mapping[str, Any]) -> bool:
    """Whether a document is what a study came to, not what one test set did."""
    return "study" in document and "tables" in document


def measured_from(stored: Stored, metrics: Sequence[str] | None = None) -> tuple[Measured, ...]:
    """The rows of a stored result, for all metrics or some; they must give the scores that stand beside them."""
    if not stored.rows:
        raise DataError(f"{stored.path} holds no rows to compare with; write it with --save FILE.json")
    return tuple(_measured(stored, spec) for spec in (stored.metrics if metrics is None else metrics))


def metric_in(stored: Stored, spec: str) -> Metric:
    """The metric that a stored result names."""
    try:
        with workspace.use(workspace.changed(named_by_file=True)):
            return metric_of(spec)
    except AdjudgeError as error:
        raise DataError(
            f"{stored.path}: this adjudge cannot compute the metric {spec!r} of adjudge {stored.version}: {error}"
        ) from None


def scores_from_rows(
    stored: Stored, metrics: Sequence[str] | None = None
) -> dict[tuple[str, str | None, str], float]:
    """The score of every result whose rows are in the file, made from them; by all metrics or some."""
    means: dict[tuple[str, str | None, str], float] = {}
    for spec in stored.metrics if metrics is None else metrics:
        with workspace.use(workspace.changed(named_by_file=True)):
            aggregate, width = _aggregate(stored, spec)
            for result in stored.results:
                runs = _runs(stored, result) if result.metric == spec else {}
                for run, rows in runs.items():
                    _check_width(stored, width, RowKey(result.system, run, spec), rows)
                if runs:
                    means[result.system, result.run, spec] = _mean(stored, result, aggregate, runs)
    return means


def _mean(
    stored: Stored, result: StoredScore, aggregate: Callable[[Rows], Rows], runs: Mapping[str, Rows]
) -> float:
    try:
        scores = [float(aggregate(rows.sum(0))) for rows in runs.values()]
    except (ValueError, IndexError) as error:  # where nobody knows how many numbers a row has
        raise DataError(
            f"{stored.path}: the rows of {result.system} do not fit {result.metric}: {error}"
        ) from None
    return math.fsum(scores) / len(scores)


def _aggregate(stored: Stored, spec: str) -> tuple[Callable[[Rows], Rows], int | None]:
    """What makes scores of rows, and how many numbers a row has, where that is known."""
    if stored.made_elsewhere:
        return quotient, 2
    scorer = metric_in(stored, spec)
    return scorer.aggregate, _width(scorer)


def _measured(stored: Stored, spec: str) -> Measured:
    results = [result for result in stored.results if result.metric == spec]
    signatures = {result.signature for result in results}
    if len(signatures) > 1:
        raise DataError(f"{stored.path}: {spec} has several signatures: {', '.join(sorted(signatures))}")
    rows: dict[str, tuple[Rows, ...]] = {}
    runs: dict[str, tuple[str, ...]] = {}
    made = scores_from_rows(stored, [spec])
    for result in results:
        own_rows = _runs(stored, result)
        if not own_rows:
            raise DataError(
                f"{stored.path}: there are no rows of {result.system} by {spec}; was it shortened?"
            )
        score = made[result.system, result.run, spec]
        if not same(score, result.score):
            raise DataError(
                f"{stored.path}: the rows of {result.system} by {spec} give {score:.6g}, "
                f"but its score is {result.score:.6g}; the file was changed (adjudge verify {stored.path})"
            )
        rows[result.system] = rows.get(result.system, ()) + tuple(own_rows.values())
        runs[result.system] = runs.get(result.system, ()) + tuple(own_rows)
    if stored.made_elsewhere:
        higher = results[0].higher_is_better is not False
        return measured_means(spec, rows, higher_is_better=higher)
    return Measured.by(metric_in(stored, spec), signatures.pop(), rows, runs)


def measured_of(scores: Scores) -> tuple[Measured, ...]:
    """Scores that were computed just now (`score(..., rows=True)`), in the same shape."""
    measured = []
    for spec in dict.fromkeys(result.metric for result in scores.results):
        results = [result for result in scores.results if result.metric == spec]
        rows: dict[str, tuple[Rows, ...]] = {}
        runs: dict[str, tuple[str, ...]] = {}
        for result in results:
            assert result.rows is not None
            rows[result.system] = (*rows.get(result.system, ()), result.rows)
            runs[result.system] = (*runs.get(result.system, ()), result.run)
        measured.append(Measured.by(metric_of(spec), results[0].signature, rows, runs))
    return tuple(measured)


def rows_of(measured: Iterable[Measured]) -> dict[RowKey, Rows]:
    """All rows, as `write` takes them."""
    return {
        RowKey(system, run, measurement.metric): rows
        for measurement in measured
        for system, by_run in measurement.rows.items()
        for run, rows in zip(measurement.runs.get(system, ("",)), by_run, strict=True)
    }


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal but for the last bits; what is missing equals what is missing."""
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=EQUAL, abs_tol=EQUAL)


def _runs(stored: Stored, result: StoredScore) -> dict[str, Rows]:
    """The rows behind a score: of its run, or of all runs."""
    return {
        key.run: rows
        for key, rows in stored.rows.items()
        if (key.system, key.metric) == (result.system, result.metric) and result.run in (None, key.run)
    }


def _check_width(stored: Stored, width: int | None, key: RowKey, rows: Rows) -> None:
    if width is not None and rows.shape[1] != width:
        raise DataError(
            f"{stored.path}: rows of {key.system} by {key.metric} have {rows.shape[1]} columns; "
            f"{width} were expected"
        )


@cache
def _width(scorer: Metric) -> int | None:
    """How many numbers a row of the metric has; None where its tokenizer is not to be had here."""
    if isinstance(scorer, MeanMetric):
        return 2  # known without a score, which may need a program, a model or a service that the file names
    probe = TestSet(references=(("a",),), sources=("a",))
    try:
        return len(scorer.stats(scorer.prepare(probe), ("a",), threads=1)[0])
    except AdjudgeError:
        return None


def facts_in(fields: Fields) -> TestSetFacts:
    """What a result says about a test set."""
    return TestSetFacts(
        fields.optional("name", str) or "",
        fields.whole("segments", 1),
        fields.whole("references", 0),
        fields.take("fingerprint", str),
        fields.optional("language", str) or "",
        fields.optional("language_from", str) or "",
        fields.optional("level", str) or "",
    )


def _score(fields: Fields, segments: int) -> StoredScore:
    scores = fields.numbers("segments") if "segments" in fields else None
    if scores is not None and len(scores) != segments:
        raise fields.fault("segments", f"{pluralise(len(scores), 'score')}, but the test set has {segments}")
    run = fields.optional("run", str)
    return StoredScore(
        fields.take("system", str),
        run if run is not None or "run" not in fields.values else "",
        fields.take("metric", str),
        fields.number("score"),
        fields.take("signature", str),
        scores,
        fields.optional("higher_is_better", bool),
    )


def input_of(fields: Fields) -> Input:
    """A file that a result was made from."""
    return Input(fields.take("role", str), fields.take("path", str), fields.take("sha256", str))


def _arguments(fields: Fields) -> Arguments:
    def texts(key: str) -> tuple[str, ...]:
        return fields.texts(key) if key in fields else ()

    return Arguments(
        systems=texts("systems"),
        references=texts("references"),
        source=fields.optional("source", str),
        test_set=fields.optional("test_set", str),
        labels=fields.optional("labels", str),
        language=fields.optional("language", str),
        input_format=fields.optional("input_format", str),
        pseudo_references=texts("pseudo_references"),
        back_translations=texts("back_translations"),
        trees=texts("trees"),
        translator=fields.optional("translator", str),
        back_translator=fields.optional("back_translator", str),
        metrics=texts("metrics"),
        options=checked_options(fields.object_or_empty("options")),
        runs=texts("runs"),
        scores=texts("scores"),
        lower_is_better=bool(fields.optional("lower_is_better", bool)),
        common=bool(fields.optional("common", bool)),
        level=fields.optional("level", str),
        realign=bool(fields.optional("realign", bool)),
    )


def _labels(fields: Fields, segments: int) -> dict[str, tuple[str, ...]]:
    columns = {name: fields.texts(name) for name in fields.values}
    for name, column in columns.items():
        if len(column) != segments:
            raise fields.fault(
                name, f"{pluralise(len(column), 'label')}, but the test set has {segments} segments"
            )
    return columns


def _rows(fields: Fields, segments: int) -> dict[RowKey, Rows]:
    by_key: dict[RowKey, Rows] = {}
    for entry in fields.objects("rows"):
        key = RowKey(entry.take("system", str), entry.optional("run", str) or "", entry.take("metric", str))
        if key in by_key:
            raise entry.fault("system", f"rows of {key.system} by {key.metric} stand in the file twice")
        by_key[key] = unpacked_rows(entry, segments)
    return by_key
