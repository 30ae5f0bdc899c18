"""Judges compared by the errors that they mark: precision, recall and F1 of characters, with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Unpack

from adjudge import __version__
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.plan import Plan, PlanOptions, plan_of
from adjudge.comparison.results import Comparison, Measured
from adjudge.comparison.scoring import Progress, TestSetFacts
from adjudge.data.judgements import Judgements
from adjudge.errors import UsageError
from adjudge.human.spans import HALF, SpanRows, span_rows
from adjudge.metrics.base import Rows, divide, shortest
from adjudge.stats.design import AUTO, SEGMENT, choose_unit
from adjudge.stats.units import distinct


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

    credit: float = HALF
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
