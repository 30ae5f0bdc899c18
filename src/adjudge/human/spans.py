"""Judges compared by the errors that they mark: characters in common with others' errors, precision, recall and F1.

The definition is that of WMT's shared task on error spans (Blain et al. 2023): of every character it counts whether it
is marked, and as how severe; what both mark counts 1, and half where only the severity differs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from adjudge import __version__
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.plan import Plan, PlanOptions, plan_of
from adjudge.comparison.results import Comparison, Measured
from adjudge.comparison.scoring import Progress, TestSetFacts
from adjudge.data.error_weights import NO_ERROR, UNDECIDED
from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.errors import DataError, UsageError
from adjudge.metrics.base import Rows, divide, shortest
from adjudge.stats.design import AUTO, SEGMENT, choose_unit
from adjudge.stats.units import distinct
from adjudge.wording import pluralise

HALF_CREDIT = 0.5
"""What a character counts that both mark, as differently severe."""
AS_MAJOR = {"critical": "major"}
UNWEIGHED = (*NO_ERROR, UNDECIDED, "neutral")
"""Severities that do not count as errors."""
MISSING = "missing"
"""The label of judgements that could not be read, with the reason: they are no judgements that all is well."""
Places = Sequence[tuple[int, int, str]]


def marked_places(spans: Iterable[Span]) -> list[tuple[int, int, str]]:
    """Where errors lie in the translation, and how severe they are: from, up to, and `minor`, `major` or another word.

    What is left out of a translation has no place in it, and errors of the source lie elsewhere. A place without
    width, where something is missing, is one character, as in WMT's evaluation of 2023.
    """
    places = []
    for span in spans:
        severity = span.severity.lower()
        if span.start is None or span.end is None or span.side != "target" or severity in UNWEIGHED:
            continue
        end = max(span.end, span.start + 1)
        places.append((span.start, end, AS_MAJOR.get(severity, severity)))
    return places


def overlap(gold: Places, predicted: Places, credit: float = HALF_CREDIT) -> tuple[float, int, int]:
    """Characters in common (fewer where severities differ), characters of the one, and of the other."""
    edges = sorted({edge for begin, end, _ in (*gold, *predicted) for edge in (begin, end)})
    common, ours, theirs = 0.0, 0, 0
    for begin, end in pairwise(edges):
        ours_here, theirs_here = (
            {severity for b, e, severity in places if b <= begin and end <= e} for places in (gold, predicted)
        )
        width = end - begin
        ours += width * bool(ours_here)
        theirs += width * bool(theirs_here)
        if ours_here and theirs_here:
            common += width * (1.0 if ours_here & theirs_here else credit)
    return common, ours, theirs


@dataclass(frozen=True, eq=False)
class SpanRows:
    """Rows of judges: a row for each judgement that they are held against, (in common, gold, predicted)."""

    rows: Mapping[str, Rows]
    labels: Mapping[str, tuple[str, ...]]
    """Of the rows: item, system, annotator, and what labels they had."""
    notes: tuple[str, ...] = ()


def span_rows(gold: Judgements, judges: Mapping[str, Judgements], credit: float = HALF_CREDIT) -> SpanRows:
    """Every judge's errors beside those of `gold`, on the translations that all of them judged.

    A judge who judged a translation several times counts with the mean. Judges are not compared with themselves: if
    a judge's file and the gold have an annotator in common, others' judgements count.
    """
    answers = {name: _by_translation(marks) for name, marks in judges.items()}
    gold_marks = _by_translation(gold)
    chosen: list[int] = []
    rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in judges}
    for translation, places in gold_marks.items():
        for annotator, row, spans in places:
            other_marks = {
                name: [
                    theirs for who, _, theirs in known.get(translation, ()) if not (who and who == annotator)
                ]
                for name, known in answers.items()
            }
            if all(other_marks.values()):
                chosen.append(row)
                for name, several in other_marks.items():
                    rows[name].append(_mean([overlap(spans, theirs, credit) for theirs in several]))
    _refuse_empty(chosen, gold_marks, answers)
    labels = {"item": gold.item, "system": gold.system, "annotator": gold.annotator, **gold.labels}
    picked = np.array(chosen, dtype=np.intp)
    total = sum(map(len, gold_marks.values()))
    left = total - len(chosen)
    notes = (
        [
            f"{pluralise(left, 'judgement')} of {total:,} left out: not all judges have one of the same translation"
        ]
        if left
        else []
    )
    return SpanRows(
        {name: np.array(marks, np.float64).reshape(-1, 3) for name, marks in rows.items()},
        {name: tuple(column[picked].values()) for name, column in labels.items()},
        tuple(notes),
    )


def _by_translation(
    judgements: Judgements,
) -> dict[tuple[str, str], list[tuple[str, int, list[tuple[int, int, str]]]]]:
    """Who marked what in each translation, with the row it stands in; what is no ordinary judgement is left out."""
    if judgements.spans is None:
        raise DataError(
            f"{judgements.place(0)}: no errors are marked in these judgements; MQM, ESA and files with spans have "
            "some"
        )
    missing: NameColumn | None = judgements.labels.get(MISSING)
    lost = missing.codes >= 0 if missing is not None else np.zeros(len(judgements), np.bool_)
    usable: NDArray[np.bool_] = (judgements.kind == 0) & ~lost
    systems, items, people = (
        column.values() for column in (judgements.system, judgements.item, judgements.annotator)
    )
    marks = defaultdict(list)
    for row in np.flatnonzero(usable).tolist():
        marks[systems[row], items[row]].append((people[row], row, marked_places(judgements.spans[row])))
    return dict(marks)


def _mean(counts: Sequence[tuple[float, int, int]]) -> tuple[float, float, float]:
    common, gold, predicted = (sum(column) / len(counts) for column in zip(*counts, strict=True))
    return common, gold, predicted


def _refuse_empty(
    chosen: Sequence[int],
    gold_marks: Mapping[tuple[str, str], object],
    answers: Mapping[str, Mapping[tuple[str, str], object]],
) -> None:
    if chosen:
        return
    for name, known in answers.items():
        if not gold_marks.keys() & known.keys():
            examples = " and ".join(
                f"{item!r} of {system!r}" for system, item in [*list(gold_marks)[:1], *list(known)[:1]]
            )
            raise DataError(
                f"{name} judged none of the gold's translations: they are known by system and item ({examples}); "
                "both files must call them the same"
            )
    raise DataError("there is no translation that all judges and somebody else judged")


def span_f1(sums: Rows) -> Rows:
    """F1 from (in common, gold, predicted); 100 where neither marks anything."""
    return 100 * divide(2 * sums[..., 0], sums[..., 1] + sums[..., 2], otherwise=1.0)


def span_precision(sums: Rows) -> Rows:
    """How much of what was predicted is in the gold; 100 where nothing was."""
    return 100 * divide(sums[..., 0], sums[..., 2], otherwise=1.0)


def span_recall(sums: Rows) -> Rows:
    """How much of the gold was predicted; 100 where there is nothing in it."""
    return 100 * divide(sums[..., 0], sums[..., 1], otherwise=1.0)


MEASURES = {"span F1": span_f1, "span precision": span_precision, "span recall": span_recall}


@dataclass(frozen=True)
class SpanOptions:
    """How errors are compared."""

    credit: float = HALF_CREDIT
    """What a character counts that both mark, as differently severe."""

    def __post_init__(self) -> None:
        if not 0 <= self.credit <= 1:
            raise UsageError(f"credit {self.credit:g}: a number from 0 to 1 was expected")


def compare_spans(
    gold: Judgements,
    judges: Mapping[str, Judgements],
    plan: Plan | None = None,
    options: SpanOptions | None = None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    **fields: Unpack[PlanOptions],
) -> Comparison:
    """Judges by the errors they mark, held against `gold`; a single one has its intervals and no test.

    How it is tested is said by a `Plan` or its fields; all translations of a document, or else of an item, are drawn
    together unless the plan names another unit.
    """
    options = options or SpanOptions()
    matched = span_rows(gold, judges, options.credit)
    plan = plan_of(plan, fields)
    if plan.unit == AUTO:
        items = len(distinct(matched.labels["item"]))
        unit, _ = choose_unit(matched.labels, items)
        plan = replace(plan, unit="item" if unit == SEGMENT else unit)
    facts = TestSetFacts("", len(next(iter(matched.rows.values()))), 0, "")
    comparison = compare_measured(
        measured_spans(matched, options),
        facts,
        matched.labels,
        plan,
        threads=threads,
        progress=progress,
        scope="these translations",
        caveats=False,
        alone=True,
    )
    return comparison.with_warnings(matched.notes)


def measured_spans(matched: SpanRows, options: SpanOptions) -> list[Measured]:
    """Rows of spans by three measures: F1, precision and recall share them."""
    credit = shortest(options.credit, ".1f")
    signature = f"spans:characters|credit:{credit}|severity:critical=major|version:adjudge-{__version__}"
    return [
        Measured(
            metric=name,
            label=name,
            signature=signature,
            higher_is_better=True,
            decimals=1,
            aggregate=aggregate,
            segment_scores=aggregate,
            rows={judge: (rows,) for judge, rows in matched.rows.items()},
        )
        for name, aggregate in MEASURES.items()
    ]
