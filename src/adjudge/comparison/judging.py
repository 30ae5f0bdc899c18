"""A metric or a language model as an annotator: what it says of outputs, as judgements like those of people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from adjudge import workspace
from adjudge.comparison.scoring import check, resolve_metrics
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.data.texts import Texts
from adjudge.errors import DataError, UsageError
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.llm import PAIRWISE, Llm

PROTOCOLS = {"esa": "esa", "mqm": "mqm"}
"""What judgements with errors are called; all others are ratings."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Judgements with their texts, and what the user should know of them."""

    judgements: Judgements
    texts: Texts
    asked: int
    """How many there should be; those that are missing are left out."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Row:
    """One judgement, before it stands in a column."""

    output: Outputs
    segment: int
    score: float
    run: int
    spans: tuple[Span, ...] | None = None
    other: Outputs | None = None


def judge(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    metric: Metric | str,
    *,
    name: str = "",
    runs: int = 1,
    threads: int = 0,
) -> Judged:
    """What a metric says of every segment of every output: scores, errors where it marks some, or choices between two.

    Several `runs` ask a language model again, each with a seed of its own, to see whether it says the same. A pairwise
    judge sees every two outputs in both orders; `system` is the one that stood first. The judge is called `name`, or
    after its model.
    """
    (chosen,), test_set = resolve_metrics(metric, test_set)
    check(test_set, outputs, [chosen])
    if runs > 1 and not isinstance(chosen, Llm):
        raise UsageError(f"{chosen.name} says the same in every run; several runs are for language models")
    prepared = chosen.prepare(test_set)
    rows: list[_Row] = []
    asked = 0
    with workspace.notes_of_block() as notes:
        for run in range(runs):
            asker = chosen
            if isinstance(chosen, Llm) and run:
                asker = replace(chosen, seed=(chosen.seed or 0) + run)
            answers = _choose(asker, prepared, outputs, run) if _is_pairwise(asker) else None
            answers = _rate(asker, prepared, outputs, run, threads) if answers is None else answers
            asked += len(answers)
            rows += [row for row in answers if not math.isnan(row.score)]
    workspace.current().end_dry_run()
    if not rows:
        raise DataError(f"{chosen.label}: there is nothing that it said; {'; '.join(notes)}")
    return Judged(_judgements(rows, chosen, name, test_set), _texts(rows, test_set), asked, tuple(notes))


def _is_pairwise(metric: Metric) -> bool:
    return isinstance(metric, Llm) and metric.protocol == PAIRWISE


def _rate(metric: Metric, prepared: object, outputs: Sequence[Outputs], run: int, threads: int) -> list[_Row]:
    """A score a segment, with errors where the metric marks some."""
    marks = type(metric).spans is not Metric.spans and getattr(metric, "protocol", "") != "score"
    rows = []
    for output in outputs:
        numbers = metric.stats(prepared, output.segments, threads=threads)
        scores = np.asarray(metric.for_segments().aggregate(numbers), np.float64)
        errors = metric.spans(prepared, output.segments) if marks else [None] * len(output)
        rows += [
            _Row(output, segment, float(score), run, spans)
            for segment, (score, spans) in enumerate(zip(scores, errors, strict=True))
        ]
    return rows


def _choose(metric: Metric, prepared: TestSet, outputs: Sequence[Outputs], run: int) -> list[_Row]:
    """Every two outputs, in both orders."""
    assert isinstance(metric, Llm)
    if len(outputs) < 2:
        raise UsageError("a pairwise judge needs two systems at least")
    rows = []
    for first, second in permutations(outputs, 2):
        choices = metric.choices(prepared, first.segments, second.segments)
        rows += [
            _Row(first, segment, math.nan if choice is None else float(choice), run, other=second)
            for segment, choice in enumerate(choices)
        ]
    return rows


def _judgements(rows: Sequence[_Row], metric: Metric, name: str, test_set: TestSet) -> Judgements:
    pairwise = _is_pairwise(metric)
    protocol = PAIRWISE if pairwise else PROTOCOLS.get(getattr(metric, "protocol", ""), "da")
    who = name or getattr(metric, "model", "") or metric.label
    labels = {
        label: NameColumn.of(column[row.segment] for row in rows) for label, column in test_set.labels.items()
    }
    return Judgements(
        protocol=protocol,
        system=NameColumn.of(row.output.title for row in rows),
        item=NameColumn.of(str(row.segment + 1) for row in rows),
        annotator=NameColumn.same(who, len(rows)),
        score=np.array([row.score for row in rows]),
        other=NameColumn.of(row.other.title for row in rows if row.other is not None) if pairwise else None,
        spans=None if rows[0].spans is None else tuple(row.spans or () for row in rows),
        labels={**labels, "run": NameColumn.of(str(row.run + 1) for row in rows)},
        higher_is_better=metric.direction is not Direction.LOWER,
    )


def _texts(rows: Sequence[_Row], test_set: TestSet) -> Texts:
    sources = test_set.sources
    return Texts(
        source=None if sources is None else tuple(sources[row.segment] for row in rows),
        target=tuple(row.output.segments[row.segment] for row in rows),
    )
