"""Results in files, with the rows they were made from: what `--save` writes, and what can be read back.

A result is that of one test set, or of a study over several. Both are a `StoredResult`, with facts, scores and rows by
test set.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from adjudge import workspace
from adjudge.comparison.documents import Arguments
from adjudge.comparison.plan import checked_options
from adjudge.comparison.results import Comparison, Measured, measured_means
from adjudge.comparison.scoring import Scores, TestSetFacts
from adjudge.data import TestSet
from adjudge.errors import AdjudgeError, DataError, unknown_name
from adjudge.history.packing import RowKey, entry_pieces, file_pieces, unpacked_rows
from adjudge.io import Input
from adjudge.io.atomic_write import write_pieces
from adjudge.io.fields import Fields, read_object
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import MeanMetric, Metric, Rows
from adjudge.stats.resampling import quotient
from adjudge.wording import pluralise

FORMAT = 1
"""Version of saved files; raised whenever rows change their meaning, or scores are made from them in another way."""
EQUAL = 1e-9
"""Differences below this are rounding errors of a sum."""
RESULT = "a result of adjudge (-f json or --save)"
STUDY_RESULT = "the result of a study (adjudge study run STUDY.toml -f json, or --save)"

ScoreKey = tuple[str, str, str | None, str]
"""Test set, system, run and metric of a stored score."""


@dataclass(frozen=True)
class StoredScore:
    """The score of a system by a metric on a test set."""

    system: str
    run: str | None
    """None for the mean over all runs."""
    metric: str
    score: float
    signature: str
    segments: tuple[float, ...] | None = None
    higher_is_better: bool | None = None
    test_set: str = ""
    by_metric: bool = True
    """False for means of scores that were made elsewhere, or by people."""
    decimals: int | None = None

    @property
    def key(self) -> ScoreKey:
        """What distinguishes it from the other scores of a result."""
        return self.test_set, self.system, self.run, self.metric


@dataclass(frozen=True, eq=False)
class StoredResult:
    """A result that was read from a file."""

    path: str
    document: Mapping[str, Any]
    """The whole file as JSON."""
    version: str
    facts: Mapping[str, TestSetFacts]
    """By test set."""
    inputs: tuple[Input, ...]
    results: tuple[StoredScore, ...]
    arguments: Arguments | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: Mapping[RowKey, Rows] = field(default_factory=dict)
    study: str = ""
    """The name of the study; empty for a result on one test set."""

    @property
    def is_comparison(self) -> bool:
        """Whether systems were compared, not just scored."""
        return "pairs" in self.document

    @property
    def made_elsewhere(self) -> bool:
        """Whether its segments were scored elsewhere (`--scores`), so that no metric can compute them again."""
        return self.arguments is not None and bool(self.arguments.scores)

    @property
    def test_set(self) -> TestSetFacts:
        """The only test set."""
        [only] = self.facts.values()
        return only

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order of the file."""
        if self.study and self.arguments is not None:
            return self.arguments.metrics
        return tuple(dict.fromkeys(result.metric for result in self.results))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of the file."""
        if self.study:
            return tuple(self.document["systems"])
        return tuple(dict.fromkeys(result.system for result in self.results))

    def title(self, score: StoredScore | RowKey) -> str:
        """A score or its rows in words: system, test set of a study, metric."""
        return f"{score.system}{f' on {score.test_set}' if self.study else ''} by {score.metric}"

    def runs_of(self, score: StoredScore) -> dict[str, Rows]:
        """The rows behind a score: those of its run, or of all runs."""
        runs = self._runs.get((score.test_set, score.system, score.metric), {})
        return runs if score.run is None else {run: rows for run, rows in runs.items() if run == score.run}

    @cached_property
    def _runs(self) -> dict[tuple[str, str, str], dict[str, Rows]]:
        runs: dict[tuple[str, str, str], dict[str, Rows]] = {}
        for key, rows in self.rows.items():
            runs.setdefault((key.test_set, key.system, key.metric), {})[key.run] = rows
        return runs


def write(
    path: str,
    document: Mapping[str, Any],
    rows: Mapping[RowKey, Rows],
    labels: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write a result with its rows; an existing file is replaced whole or not at all."""
    head = {"format": FORMAT} | dict(document)
    of_study = is_study_result(document)
    write_pieces(
        path,
        lambda: (
            text.encode("ascii")
            for text in file_pieces(
                head, (entry_pieces(key, matrix, of_study=of_study) for key, matrix in rows.items()), labels
            )
        ),
    )


def read(path: str, *, study: bool | None = None) -> StoredResult:
    """The result in a file; every fault of the file is named.

    With `study`, only the result of a study is accepted; with `study=False`, only that of one test set.
    """
    return stored_from(path, read_object(path, STUDY_RESULT if study else RESULT), study=study)


def stored_from(path: str, document: dict[str, Any], *, study: bool | None = None) -> StoredResult:
    """The result in a document; `path` says where the document came from."""
    fields = Fields(path, document)
    of_study = is_study_result(document)
    _check_kind(path, document, of_study=of_study, study=study)
    if "format" in fields and (form := fields.whole("format", 1, 10**6)) > FORMAT:
        raise DataError(
            f"{path} was written by a newer adjudge ({fields.optional('version', str)}, format {form}); "
            f"this one reads format {FORMAT}: update adjudge"
        )
    arguments = None
    if of_study or "arguments" in fields:
        arguments = _arguments(fields.object("arguments"), of_study=of_study)
    if of_study:
        facts = {name: _facts(entry) for name, entry in fields.object("facts").members()}
        fields.texts("systems")
        results = tuple(score for table in fields.objects("tables") for score in _table_scores(table))
        labels = {}
    else:
        only = _facts(fields.object("test_set"))
        facts = {only.name: only}
        by_metric = arguments is None or not arguments.scores
        results = tuple(_score(entry, only, by_metric=by_metric) for entry in fields.objects("results"))
        labels = _labels(fields.object_or_empty("labels"), only.segments)
        if not results:
            raise DataError(f"{path}: there are no results in it")
    stored = StoredResult(
        path=path,
        document=document,
        version=fields.optional("version", str) or "unknown",
        facts=facts,
        inputs=tuple(map(_input, fields.objects("inputs"))) if "inputs" in fields else (),
        results=results,
        arguments=arguments,
        labels=labels,
        rows=_rows(fields, facts, of_study=of_study) if "rows" in fields else {},
        study=(fields.take("study", str) or "study") if of_study else "",
    )
    _check_scores(stored)
    return stored


def is_study_result(document: Mapping[str, Any]) -> bool:
    """Whether a document is the result of a study rather than of one test set."""
    return "study" in document and "tables" in document


def _check_kind(path: str, document: Mapping[str, Any], *, of_study: bool, study: bool | None) -> None:
    """Refuse documents that are no result, or not of the kind that was asked for."""
    if of_study:
        if study is False:
            raise DataError(f"{path} is the result of a study: adjudge gate STUDY.toml --against {path}")
        return
    if study:
        raise DataError(f"{path} is not {STUDY_RESULT}")
    for name in ("test_set", "results"):
        if name not in document:
            raise DataError(f"{path} is not {RESULT}: it has no {name}")
    if "passed" in document and "against" in document:
        raise DataError(f"{path} is what `adjudge gate` printed; {RESULT} was expected")


def _check_scores(stored: StoredResult) -> None:
    """Refuse scores that stand twice, and rows without a score."""
    for key, times in Counter(result.key for result in stored.results).items():
        if times > 1:
            result = next(result for result in stored.results if result.key == key)
            raise DataError(f"{stored.path}: the score of {stored.title(result)} stands there {times} times")
    known = {(result.test_set, result.system, result.metric) for result in stored.results}
    for row in stored.rows:
        if (row.test_set, row.system, row.metric) not in known:
            raise DataError(f"{stored.path}: there are rows of {stored.title(row)}, but no score")


def measured_sets(
    stored: StoredResult, metrics: Sequence[str] | None = None
) -> dict[str, tuple[Measured, ...]]:
    """The rows on every test set by all metrics or some; they must give the scores in the file."""
    if not stored.rows:
        raise DataError(f"{stored.path} holds no rows to compare with; write it with --save FILE.json")
    by_set: dict[str, dict[str, list[StoredScore]]] = {name: {} for name in stored.facts}
    for result in stored.results:
        by_set[result.test_set].setdefault(result.metric, []).append(result)
    for spec in metrics or ():
        for scores in by_set.values():
            if spec not in scores:
                raise unknown_name(f"metric in {stored.path}", spec, list(scores))
    return {
        name: tuple(_metric_rows(stored, scores[spec]) for spec in (scores if metrics is None else metrics))
        for name, scores in by_set.items()
    }


def measured_from(stored: StoredResult, metrics: Sequence[str] | None = None) -> tuple[Measured, ...]:
    """The rows on the only test set by all metrics or some."""
    [only] = measured_sets(stored, metrics).values()
    return only


def metric_in(stored: StoredResult, spec: str) -> Metric:
    """The metric that a stored result names."""
    try:
        with workspace.use(workspace.with_settings(named_by_file=True)):
            return metric_of(spec)
    except AdjudgeError as error:
        raise DataError(
            f"{stored.path}: this adjudge cannot compute the metric {spec!r} of adjudge {stored.version}: {error}"
        ) from None


def scores_from_rows(
    stored: StoredResult, results: Iterable[StoredScore] | None = None
) -> dict[ScoreKey, float]:
    """Scores computed from the rows in the file, for all results or some; those without rows are left out."""
    scores: dict[ScoreKey, float] = {}
    with workspace.use(workspace.with_settings(named_by_file=True)):
        for result in stored.results if results is None else results:
            if runs := stored.runs_of(result):
                scores[result.key] = _mean(stored, result, runs)
    return scores


def _mean(stored: StoredResult, result: StoredScore, runs: Mapping[str, Rows]) -> float:
    aggregate: Callable[[Rows], Rows] = quotient
    width: int | None = 2
    if result.by_metric:
        scorer = metric_in(stored, result.metric)
        aggregate, width = scorer.aggregate, _width(scorer)
    for rows in runs.values():
        if width is not None and rows.shape[1] != width:
            raise DataError(
                f"{stored.path}: rows of {stored.title(result)} have {rows.shape[1]} columns; "
                f"{width} were expected"
            )
    try:
        scores = [float(aggregate(rows.sum(0))) for rows in runs.values()]
    except (ValueError, IndexError) as error:  # the width of a row is unknown
        raise DataError(
            f"{stored.path}: the rows of {result.system} do not fit {result.metric}: {error}"
        ) from None
    return math.fsum(scores) / len(scores)


def _metric_rows(stored: StoredResult, results: Sequence[StoredScore]) -> Measured:
    """The rows of all systems by one metric on one test set."""
    spec, first = results[0].metric, results[0]
    signatures = {result.signature for result in results}
    if len(signatures) > 1:
        raise DataError(f"{stored.path}: {spec} has several signatures: {', '.join(sorted(signatures))}")
    rows: dict[str, tuple[Rows, ...]] = {}
    runs: dict[str, tuple[str, ...]] = {}
    computed = scores_from_rows(stored, results)
    for result in results:
        if result.key not in computed:
            if stored.study and math.isnan(result.score):  # the system has no output for this test set
                continue
            raise DataError(f"{stored.path}: there are no rows of {stored.title(result)}; was it shortened?")
        score = computed[result.key]
        if not same(score, result.score):
            raise DataError(
                f"{stored.path}: the rows of {stored.title(result)} give {score:.6g}, "
                f"but its score is {result.score:.6g}; the file was changed (adjudge verify {stored.path})"
            )
        by_run = stored.runs_of(result)
        rows[result.system] = rows.get(result.system, ()) + tuple(by_run.values())
        runs[result.system] = runs.get(result.system, ()) + tuple(by_run)
    if first.by_metric:
        return Measured.by(metric_in(stored, spec), first.signature, rows, runs)
    higher = first.higher_is_better is not False
    return measured_means(spec, rows, higher_is_better=higher, decimals=first.decimals)


def measured_of(scores: Scores) -> tuple[Measured, ...]:
    """Scores that were computed just now (`score(..., rows=True)`) as measured rows."""
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


def keyed_rows(measured: Iterable[Measured], test_set: str) -> dict[RowKey, Rows]:
    """All rows on one test set by what they belong to."""
    return {
        RowKey(test_set, system, run, measurement.metric): rows
        for measurement in measured
        for system, by_run in measurement.rows.items()
        for run, rows in zip(measurement.runs.get(system, ("",) * len(by_run)), by_run, strict=True)
    }


def rows_of(result: Scores | Comparison) -> dict[RowKey, Rows]:
    """All rows of a result, on one test set or several, as `write` takes them."""
    if isinstance(result, Scores):
        return keyed_rows(measured_of(result), result.test_set.name)
    if not result.tables:
        return keyed_rows(result.measured, result.test_set.name)
    rows: dict[RowKey, Rows] = {}
    for name, measured in result.measured_sets.items():
        rows |= keyed_rows(measured, name)
    return rows


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal up to rounding; two missing numbers are equal."""
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=EQUAL, abs_tol=EQUAL)


@cache
def _width(scorer: Metric) -> int | None:
    """How many numbers a row of the metric has; None where its tokenizer is not available here."""
    if isinstance(scorer, MeanMetric):
        return 2  # known without a score, which may need a program, a model or a service that the file names
    probe = TestSet(references=(("a",),), sources=("a",))
    try:
        return len(scorer.stats(scorer.prepare(probe), ("a",), threads=1)[0])
    except AdjudgeError:
        return None


def _facts(fields: Fields) -> TestSetFacts:
    return TestSetFacts(
        fields.optional("name", str) or "",
        fields.whole("segments", 1),
        fields.whole("references", 0),
        fields.take("fingerprint", str),
        fields.optional("language", str) or "",
        fields.optional("language_from", str) or "",
        fields.optional("level", str) or "",
    )


def _score(fields: Fields, facts: TestSetFacts, *, by_metric: bool) -> StoredScore:
    segments = fields.numbers("segments") if "segments" in fields else None
    if segments is not None and len(segments) != facts.segments:
        problem = f"{pluralise(len(segments), 'score')}, but the test set has {facts.segments}"
        raise fields.fault("segments", problem)
    run = fields.optional("run", str)
    return StoredScore(
        fields.take("system", str),
        run if run is not None or "run" not in fields.values else "",
        fields.take("metric", str),
        fields.number("score"),
        fields.take("signature", str),
        segments,
        fields.optional("higher_is_better", bool),
        facts.name,
        by_metric,
    )


def _table_scores(table: Fields) -> Iterator[StoredScore]:
    """The scores in a table of a study, on the test sets that its measure covers."""
    specs, signatures = table.object("specs"), table.object("signatures")
    higher_is_better = table.optional("higher_is_better", bool)
    by_metric, decimals = table.take("is_metric", bool), table.whole("decimals", 0, 15)
    for entry in table.objects("scores"):
        name = entry.take("test_set", str)
        if name in specs:
            yield StoredScore(
                entry.take("system", str),
                None,
                specs.take(name, str),
                entry.number("score"),
                signatures.take(name, str),
                None,
                higher_is_better,
                name,
                by_metric,
                decimals,
            )


def _input(fields: Fields) -> Input:
    return Input(fields.take("role", str), fields.take("path", str), fields.take("sha256", str))


def _arguments(fields: Fields, *, of_study: bool) -> Arguments:
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
        study=fields.take("study", str) if of_study else "",
    )


def _labels(fields: Fields, segments: int) -> dict[str, tuple[str, ...]]:
    columns = {name: fields.texts(name) for name in fields.values}
    for name, column in columns.items():
        if len(column) != segments:
            problem = f"{pluralise(len(column), 'label')}, but the test set has {segments} segments"
            raise fields.fault(name, problem)
    return columns


def _rows(fields: Fields, facts: Mapping[str, TestSetFacts], *, of_study: bool) -> dict[RowKey, Rows]:
    by_key: dict[RowKey, Rows] = {}
    for entry in fields.objects("rows"):
        test_set = entry.take("test_set", str) if of_study else next(iter(facts))
        if test_set not in facts:
            raise entry.fault("test_set", f"{test_set!r} is none of the test sets")
        key = RowKey(
            test_set, entry.take("system", str), entry.optional("run", str) or "", entry.take("metric", str)
        )
        if key in by_key:
            raise entry.fault("system", f"rows of {key.system} by {key.metric} stand in the file twice")
        # people judge only some of the segments of a study's test set
        by_key[key] = unpacked_rows(entry, None if of_study else facts[test_set].segments)
    return by_key
