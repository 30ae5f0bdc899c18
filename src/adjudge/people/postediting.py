"""Post-edits, of several systems compared: time, typing, HTER, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from adjudge.data.judgements import ORDINARY, Judgements
from adjudge.errors import UsageError
from adjudge.evaluate.comparing import compare_measured
from adjudge.evaluate.comparison import Comparison, Measured
from adjudge.evaluate.plan import PlanOptions, plan_of
from adjudge.evaluate.scoring import TestSetFacts
from adjudge.human.grouping import settled
from adjudge.human.postediting import WORDS, Bill, Rates, bill, efforts
from adjudge.stats.resampling import quotient
from adjudge.wording import counted

SECONDS = "seconds a word"


@dataclass(frozen=True)
class PostEdits:
    """How much work each system leaves."""

    comparison: Comparison
    bills: tuple[Bill, ...]
    """In the order of the systems; empty without rates."""
    warnings: tuple[str, ...] = ()
    currency: str = ""
    """Of the bills, where it is known."""


def post_edits(
    judgements: Judgements, *, rates: Rates | None = None, **options: Unpack[PlanOptions]
) -> PostEdits:
    """Every kind of effort that was recorded, tested as metrics are; `options` as in `compare`."""
    judgements = settled(judgements[judgements.kind == ORDINARY])
    kinds = efforts(judgements)
    measured = [
        Measured(
            metric=effort.name,
            label=effort.name,
            signature=effort.name,
            higher_is_better=False,
            decimals=effort.decimals,
            aggregate=quotient,
            segment_scores=quotient,
            rows={system: (rows,) for system, rows in effort.rows.items()},
        )
        for effort in kinds
    ]
    facts = TestSetFacts("", len(judgements.item.names), 0, "")
    plan = plan_of(None, options)
    comparison = compare_measured(
        measured, facts, plan=plan, scope="these post-edits", by_people=True, alone=True
    )
    bills: tuple[Bill, ...] = ()
    if rates is not None:
        timed = [s for s in comparison.results if s.metric == SECONDS]
        if not timed:
            raise UsageError(
                "what post-editing costs follows from seconds, which these post-edits do not have"
            )
        bills = tuple(bill(s.system, (s.score, s.low, s.high), rates) for s in timed)
    empty = int((judgements.measures[WORDS] == 0).sum())
    warnings = (f"{counted(empty, 'post-edit')} of texts without a word left out",) if empty else ()
    return PostEdits(comparison, bills, warnings, rates.currency if rates else "")
