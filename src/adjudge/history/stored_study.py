"""Studies in files, with the rows they were made from: what `--save` and `-f json` write of them, and back."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from adjudge import __version__
from adjudge.comparison.documents import plain, tables_document
from adjudge.comparison.plan import Plan, checked_options
from adjudge.comparison.ranked_sets import MeanPreference, RankedSets, TestedPreference
from adjudge.comparison.results import (
    Comparison,
    Measured,
    MeasureTable,
    Pair,
    SetGroup,
    SetScore,
    Standing,
    measured_means,
)
from adjudge.comparison.scoring import TestSetFacts
from adjudge.comparison.verdict import comparison_verdict_document
from adjudge.errors import DataError
from adjudge.history import stored
from adjudge.history.packing import StudyRowKey, unpacked_rows
from adjudge.history.stored import FORMAT, Stored, facts_in, input_of, is_study_result, same
from adjudge.io import Input
from adjudge.io.fields import Fields, read_object
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Rows
from adjudge.stats.design import Balance, Design, Grouping, join_designs
from adjudge.stats.equivalence import Equivalence

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

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that it was run with."""
        return self.arguments.metrics


def write_study(
    path: str, result: Comparison, name: str, inputs: Sequence[Input], arguments: StudyArguments
) -> None:
    """Write a study's result with its rows; a file that is there already is replaced whole or not at all."""
    document = study_document(result, name, inputs, arguments)
    stored.write(path, document, study_rows(result), None)


def study_document(
    result: Comparison, name: str, inputs: Sequence[Input], arguments: StudyArguments
) -> dict[str, Any]:
    """All that is known of a study, unrounded, but for its rows; what is not a finite number is None."""
    document: dict[str, Any] = plain(
        {
            "version": __version__,
            "study": name,
            "inputs": [asdict(item) for item in inputs],
            "arguments": arguments.as_document(),
            "verdict": comparison_verdict_document(result),
            **tables_document(result),
        }
    )
    return document


def study_rows(result: Comparison) -> dict[StudyRowKey, Rows]:
    """The rows of all test sets."""
    return {
        StudyRowKey(name, system, run, seen.metric): rows
        for name, measured in result.measured_sets.items()
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


def read_result(path: str) -> Stored | StoredStudy:
    """The result in a file, of one test set or of a study."""
    return result_from(path, read_object(path, stored.RESULT))


def result_from(path: str, document: dict[str, Any]) -> Stored | StoredStudy:
    """The result that a document holds, of one test set or of a study; `path` is where that came from."""
    return (stored_study_from if is_study_result(document) else stored.stored_from)(path, document)


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


MOST = 10**6
"""Test sets and clusters that anybody may have."""


def stored_result(stored: StoredStudy) -> Comparison:
    """All that a study came to; with its rows, where it was kept with them and they give its scores."""
    fields = Fields(stored.path, dict(stored.document))
    measured: Mapping[str, tuple[Measured, ...]] = {}
    if stored.rows:
        measured = {name: tuple(own) for name, own in stored_measures(stored).items()}
    return Comparison.over_sets(
        {name: stored.facts[name] for name in fields.texts("sets")},
        tuple(_table(entry) for entry in fields.objects("tables")),
        Plan(**checked_options(fields.object("plan"))),
        measured=measured,
        languages=_texts(fields.object("languages")),
        domains=_texts(fields.object("domains")),
        rankings=_rankings(fields.object("rankings")) if "rankings" in fields else None,
    )


def stored_measure_names(stored: StoredStudy) -> tuple[str, ...]:
    """What its systems were measured by."""
    tables = Fields(stored.path, dict(stored.document)).objects("tables")
    return tuple(table.take("metric", str) for table in tables)


def _texts(fields: Fields) -> dict[str, str]:
    return {name: fields.take(name, str) for name in fields.values}


def _table(fields: Fields) -> MeasureTable:
    if not fields.take("groups", list):
        raise fields.fault("groups", "the mean over all test sets was expected")
    signatures = _texts(fields.object("signatures"))
    measure = _Measure(
        fields.take("metric", str),
        fields.take("label", str),
        next(iter(signatures.values()), ""),
        fields.optional("higher_is_better", bool),
        fields.whole("decimals", 0, 15),
    )
    designs = {name: _design(entry) for name, entry in _objects(fields.object_or_empty("designs"))}
    return MeasureTable(
        metric=measure.metric,
        label=measure.label,
        is_metric=fields.take("is_metric", bool),
        specs=_texts(fields.object("specs")),
        signatures=signatures,
        higher_is_better=measure.higher_is_better,
        decimals=measure.decimals,
        scores=tuple(
            SetScore(
                own.take("test_set", str),
                own.take("system", str),
                own.number("score"),
                own.number("low"),
                own.number("high"),
            )
            for own in fields.objects("scores")
        ),
        groups=tuple(_group(entry, measure) for entry in fields.objects("groups")),
        designs=designs,
        design=_design(fields.object("design")) if "design" in fields else _of_mean(designs),
        by_people=fields.optional("by_people", bool) or False,
    )


class _Measure(NamedTuple):
    """What every system and pair of a table has from it."""

    metric: str
    label: str
    signature: str
    higher_is_better: bool | None
    decimals: int


def _rankings(fields: Fields) -> RankedSets:
    scores = fields.object("scores")
    return RankedSets(
        {name: scores.number(name) for name in scores.values},
        tuple(_preference(entry) for entry in fields.objects("pairs")),
        fields.texts("others"),
        _design(fields.object("design")) if "design" in fields else None,
    )


def _preference(fields: Fields) -> TestedPreference:
    own = fields.object("preference")
    preference = MeanPreference(
        own.take("a", str),
        own.take("b", str),
        mean=own.number("mean"),
        p=own.number("p"),
        sets=own.whole("sets", 0, MOST),
        ahead_on=own.whole("ahead_on", 0, MOST),
        behind_on=own.whole("behind_on", 0, MOST),
    )
    return TestedPreference(preference, fields.number("p_adjusted"), fields.take("significant", bool))


def _of_mean(designs: Mapping[str, Design]) -> Design | None:
    """What a mean rests on by the designs of its sets, in files that do not say it."""
    return join_designs(list(designs.values())) if designs else None


def _objects(fields: Fields) -> Iterator[tuple[str, Fields]]:
    return ((name, fields.object(name)) for name in fields.values)


def _design(fields: Fields) -> Design:
    missing = fields.object("missing")
    return Design(
        unit=fields.take("unit", str),
        units=fields.whole("units", 0),
        reason=fields.take("reason", str),
        groupings=tuple(_grouping(entry) for entry in fields.objects("groupings")),
        smallest_p=fields.number("smallest_p"),
        shared=fields.number("shared"),
        missing={name: missing.whole(name, 0) for name in missing.values},
        common=fields.take("common", bool),
        balance=_balance(fields.object("balance")) if "balance" in fields else None,
        looks=fields.whole("looks", 1),
        rarer=fields.take("rarer", str),
    )


def _grouping(fields: Fields) -> Grouping:
    name, groups = fields.take("name", str), fields.whole("groups", 0)
    fixed = fields.optional("fixed", bool) or False
    return Grouping(name, groups, fields.number("effect"), fields.take("remedy", str), fixed)


def _balance(fields: Fields) -> Balance:
    parts = fields.take("parts", list)
    if not all(isinstance(part, list) and all(isinstance(name, str) for name in part) for part in parts):
        raise fields.fault("parts", "groups of systems were expected")
    return Balance(
        annotators=fields.whole("annotators", 0),
        imbalance=fields.number("imbalance"),
        systematic=fields.take("systematic", bool),
        parts=tuple(map(tuple, parts)),
    )


def _group(fields: Fields, measure: _Measure) -> SetGroup:
    return SetGroup(
        fields.take("by", str),
        fields.take("name", str),
        fields.texts("sets"),
        tuple(_mean(entry, measure) for entry in fields.objects("scores")),
        tuple(_pair(entry, measure.metric) for entry in fields.objects("pairs")),
    )


def _mean(fields: Fields, measure: _Measure) -> Standing:
    return Standing(
        fields.take("system", str),
        measure.metric,
        measure.label,
        score=fields.number("score"),
        low=fields.number("low"),
        high=fields.number("high"),
        deviation=math.nan,
        signature=measure.signature,
        higher_is_better=measure.higher_is_better,
        decimals=measure.decimals,
        cluster=fields.whole("cluster", 1, MOST) if "cluster" in fields else None,
        sets=fields.whole("sets", 0, MOST),
        missing=fields.texts("missing"),
    )


def _pair(fields: Fields, metric: str) -> Pair:
    return Pair(
        metric,
        fields.take("a", str),
        fields.take("b", str),
        delta=fields.number("delta"),
        low=fields.number("low"),
        high=fields.number("high"),
        p=fields.number("p"),
        p_adjusted=fields.number("p_adjusted"),
        significant=fields.take("significant", bool),
        margin=_margin(fields.object("margin")) if "margin" in fields else None,
        sets=fields.whole("sets", 0, MOST),
        sets_better=fields.whole("better_on", 0, MOST),
        sets_worse=fields.whole("worse_on", 0, MOST),
    )


def _margin(fields: Fields) -> Equivalence:
    names = ("margin", "low", "high", "confidence", "p", "p_not_worse", "p_not_better", "alpha")
    return Equivalence(*(fields.number(name) for name in names))
