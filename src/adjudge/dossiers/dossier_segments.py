"""The segments of a dossier: their scores, counts and judgements, and the sets of them that its numbers are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.analysis.base import REFERENCE
from adjudge.analysis.buckets import BucketScores
from adjudge.analysis.changes import Changes
from adjudge.analysis.errors import ErrorClasses
from adjudge.analysis.faults import FaultCounts
from adjudge.analysis.ngrams import NgramDifferences, ngram_segments
from adjudge.analysis.words import WordAccuracy
from adjudge.checks import Finding
from adjudge.comparison import Measured
from adjudge.comparison.scoring import resolve_metrics
from adjudge.data import Alignment, Outputs, TestSet
from adjudge.data.judgements import NONE, ORDINARY, Judgements
from adjudge.dossiers.analysis import Analysis
from adjudge.dossiers.marks import (
    JUDGED,
    SEVERAL_TIMES,
    annotator_mark,
    bucket_mark,
    change_mark,
    error_mark,
    fault_mark,
    finding_mark,
    ngram_mark,
    possible_mark,
    preferred_mark,
    words_mark,
)
from adjudge.dossiers.segment_table import (
    Indices,
    Integers,
    MarkedSpan,
    ScoreColumn,
    SegmentTable,
    segment_table,
)
from adjudge.human.mqm import NO_CATEGORY
from adjudge.human.results import RatingAnalysis
from adjudge.metrics import aligning_metrics
from adjudge.metrics.base import Metric

PEOPLE = "people"
"""What conditions call the score that people gave."""

MOST_ALIGNED = 5_000
"""Outputs whose alignments a page still carries: 5,000 take a second, and as much space as their texts."""

Alignments = dict[str, dict[str, tuple[Alignment | None, ...]]]


@dataclass(frozen=True)
class SegmentFacts:
    """What was found that has to do with single segments."""

    measured: tuple[Measured, ...]
    buckets: tuple[BucketScores, ...] = ()
    words: WordAccuracy | None = None
    errors: ErrorClasses | None = None
    faults: FaultCounts | None = None
    ngrams: tuple[NgramDifferences, ...] = ()
    changes: Changes | None = None
    findings: tuple[Finding, ...] = ()
    people: Analysis | None = None
    judgements: Judgements | None = None
    """What `people` is made of."""
    estimates: tuple[ScoreColumn, ...] = ()


def dossier_segments(test_set: TestSet, outputs: Sequence[Outputs], facts: SegmentFacts) -> SegmentTable:
    """All segments, with the columns and marks that the numbers of a dossier lead to."""
    scores = tuple(_scores(metric_rows) for metric_rows in facts.measured)
    table = segment_table(
        test_set,
        outputs,
        more_scores=(*scores, *facts.estimates),
        counts=_counts(facts, outputs),
        marks=_marks(test_set, outputs, facts),
        alignments=segment_alignments(
            test_set, outputs, [metric_rows.metric for metric_rows in facts.measured]
        ),
    )
    if facts.judgements is not None:
        judged = people_marks(facts.judgements, places_of_items(table.identifiers))
        table = replace(table, marks={**table.marks, **judged})
    if facts.people is None or not isinstance(facts.people.results, RatingAnalysis):
        return table
    return with_people(table, facts.people.results)


def _scores(measured: Measured) -> ScoreColumn:
    return ScoreColumn(
        key=measured.metric,
        title=measured.label,
        higher_better=measured.higher_is_better,
        kind="metric",
        values={name: np.asarray(measured.segment_scores(rows[0])) for name, rows in measured.rows.items()},
        decimals=measured.decimals,
    )


def _counts(facts: SegmentFacts, outputs: Sequence[Outputs]) -> dict[str, dict[str, Integers]]:
    """Errors and faults by kind and system; what no system has is left out."""
    counts: dict[str, dict[str, Integers]] = {}
    for system in () if facts.errors is None else facts.errors.systems:
        for name, column in system.by_segment.items():
            counts.setdefault(name, {})[system.system] = column
    if facts.faults is not None:
        names = [output.title for output in outputs]
        for (kind, text), rows in facts.faults.rows.items():
            if text != REFERENCE and text in names:
                counts.setdefault(kind, {})[text] = rows[:, 0].astype(np.int64)
    return {name: count for name, count in counts.items() if any(column.any() for column in count.values())}


def _marks(test_set: TestSet, outputs: Sequence[Outputs], facts: SegmentFacts) -> dict[str, Indices]:
    marks: dict[str, Indices] = {}
    for result in facts.buckets:
        for bucket in result.tables[0].buckets:
            marks[bucket_mark(result.by, bucket.name)] = bucket.members
    if facts.words is not None:
        marks |= _word_marks(facts.words)
    by_name = {output.title: output for output in outputs}
    for ngrams in facts.ngrams:
        marks |= _ngram_marks(test_set, [by_name[ngrams.a], by_name[ngrams.b]], ngrams)
    if facts.changes is not None:
        marks |= _change_marks(facts.changes, len(test_set))
    if facts.faults is not None:
        marks |= _fault_marks(facts.faults)
    for place, finding in enumerate(facts.findings, 1):
        inside = [segment for segment in finding.segments if segment < len(test_set)]
        if inside:
            marks[finding_mark(place, finding.check)] = np.array(inside, np.intp)
    return marks


def _fault_marks(result: FaultCounts) -> dict[str, Indices]:
    """The segments in which the reference seems to be faulty, and those in which anything could be."""
    marks = {}
    for kind in result.kinds:
        possible = np.zeros(0, bool)
        for text in result.texts:
            faulty, of = result.rows[kind.name, text].T > 0
            possible = of | possible if len(possible) else of
            if text == REFERENCE:
                marks[fault_mark(kind.name, text)] = np.flatnonzero(faulty)
        if not possible.all():
            marks[possible_mark(kind.name)] = np.flatnonzero(possible)
    return {name: members for name, members in marks.items() if len(members)}


def _word_marks(result: WordAccuracy) -> dict[str, Indices]:
    """The segments with words of a bucket, and those in which a system gets one wrong."""
    marks = {}
    for bucket in result.buckets:
        marks[words_mark(result.by, bucket.name)] = bucket.members
        for system, own in zip(result.systems, bucket.systems, strict=True):
            marks[words_mark(result.by, bucket.name, system)] = own.wrong
    return {name: members for name, members in marks.items() if len(members)}


def _ngram_marks(test_set: TestSet, pair: Sequence[Outputs], result: NgramDifferences) -> dict[str, Indices]:
    ngrams = [ngram.words for ngram in (*result.more, *result.less)]
    tables = ngram_segments(test_set, pair, ngrams, kind=result.kind)  # type: ignore[arg-type]
    return {
        ngram_mark(output.title, result.kind, words): np.flatnonzero(counts)
        for words, by_system in zip(ngrams, tables, strict=True)
        for output, counts in zip(pair, by_system, strict=True)
        if counts.any()
    }


def _change_marks(result: Changes, segments: int) -> dict[str, Indices]:
    members: dict[str, list[int]] = {}
    for change in result.changes:
        members.setdefault(change.verdict, []).append(change.segment - 1)
    changed = [segment for member in members.values() for segment in member]
    same = np.setdiff1d(np.arange(segments), np.array(changed, np.intp))
    sets = {verdict: np.array(member, np.intp) for verdict, member in members.items()} | {"same": same}
    return {
        change_mark(result.old, result.new, verdict): loaded_set
        for verdict, loaded_set in sets.items()
        if len(loaded_set)
    }


def with_people(table: SegmentTable, results: RatingAnalysis) -> SegmentTable:
    """The table with the scores that people gave, and the errors that they marked."""
    place = places_of_items(table.identifiers)
    values = {name: np.full(len(table), np.nan) for name in table.systems}
    for rated in results.segments():
        if rated.system in values and rated.item in place:
            values[rated.system][place[rated.item]] = rated.mean
    known = {name: column for name, column in values.items() if not np.isnan(column).all()}
    if not known:
        return table
    facts = results.facts
    scores = ScoreColumn(
        PEOPLE, f"people ({facts.protocol})", facts.higher_is_better, "human", known, decimals=1
    )
    spans = _spans(table, results.judgements, place)
    return replace(table, scores=(*table.scores, scores), spans=spans)


def places_of_items(identifiers: Sequence[str]) -> dict[str, int]:
    """Where the items of judgements and files of scores stand: by identifier, or else by number from 1."""
    numbers = {str(place): place - 1 for place in range(1, len(identifiers) + 1)}
    return numbers | {name: place for place, name in enumerate(identifiers)}


def _spans(
    table: SegmentTable, judgements: Judgements, place: Mapping[str, int]
) -> dict[str, tuple[tuple[MarkedSpan, ...], ...]]:
    if judgements.spans is None:
        return {}
    marked: dict[str, list[list[MarkedSpan]]] = {
        name: [[] for _ in table.identifiers] for name in table.systems
    }
    annotators = [*judgements.annotator.names, ""]
    for row in np.flatnonzero(judgements.kind == ORDINARY).tolist():
        system, item = judgements.system.codes[row], judgements.item.codes[row]
        if NONE in (system, item):
            continue
        own, at = judgements.system.names[system], place.get(judgements.item.names[item])
        if own in marked and at is not None:
            marked[own][at] += [
                MarkedSpan(
                    span.start,
                    span.end,
                    span.severity,
                    span.category,
                    annotators[judgements.annotator.codes[row]],
                    "source" if span.side == "source" else "target",
                    span.comment,
                )
                for span in judgements.spans[row]
            ]
    return {
        name: tuple(tuple(segment) for segment in segments)
        for name, segments in marked.items()
        if any(segments)
    }


def people_marks(judgements: Judgements, place: Mapping[str, int]) -> dict[str, Indices]:
    """By name, as places from 0; `place` says where an item stands, and items that stand nowhere are left out."""
    places = np.array([*(place.get(name, NONE) for name in judgements.item.names), NONE], np.intp)
    at = places[judgements.item.codes]
    rows = np.flatnonzero((at != NONE) & (judgements.kind == ORDINARY))
    members: dict[str, set[int]] = {}
    judges: dict[tuple[int, int, int], set[int]] = {}
    other = judgements.other
    for row in rows.tolist():
        segment = int(at[row])
        members.setdefault(JUDGED, set()).add(segment)
        annotator = int(judgements.annotator.codes[row])
        system = int(judgements.system.codes[row])
        rival = NONE if other is None else int(other.codes[row])
        judges.setdefault((segment, min(system, rival), max(system, rival)), set()).add(annotator)
        if annotator != NONE:
            members.setdefault(annotator_mark(judgements.annotator.names[annotator]), set()).add(segment)
        if other is not None and NONE not in (system, rival) and judgements.score[row]:
            pair = judgements.system.names[system], other.names[rival]
            winner, loser = pair if judgements.score[row] > 0 else pair[::-1]
            members.setdefault(preferred_mark(winner, loser), set()).add(segment)
        if judgements.spans is not None and system != NONE:
            for span in judgements.spans[row]:
                category, severity = span.category or NO_CATEGORY, span.severity.lower()
                name = error_mark(judgements.system.names[system], category, severity)
                members.setdefault(name, set()).add(segment)
    several = {segment for (segment, *_), who in judges.items() if len(who) > 1}
    if several:
        members[SEVERAL_TIMES] = several
    return {name: np.array(sorted(member), np.intp) for name, member in members.items()}


def segment_alignments(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    metrics: Iterable[Metric | str],
    *,
    most: int = MOST_ALIGNED,
) -> Alignments:
    """By the label of each metric that aligns words and by system; nothing where there are more outputs than `most`."""
    chosen, test_set = resolve_metrics(metrics, test_set)
    able = [metric for metric in chosen if metric.name in aligning_metrics()]
    if not test_set.references or len(test_set) * len(outputs) * len(able) > most:
        return {}
    result: Alignments = {}
    for metric in able:
        prepared = metric.prepare(test_set)
        result[metric.label] = {
            output.title: tuple(metric.alignments(prepared, output.segments)) for output in outputs
        }
    return result
