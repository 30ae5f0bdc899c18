"""Groups of segments, classes of errors and faults of one report, tested as one family.

A report asks where and why systems differ in many ways at once. Each analysis corrects its own tests; read side by
side, they name something of equal systems far more often than each of them promises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adjudge.analysis.buckets import BucketScore, BucketScores
from adjudge.analysis.errors import ErrorClasses
from adjudge.analysis.faults import Faults, SystemFault
from adjudge.stats import multiple
from adjudge.stats.significance import significant


@dataclass(frozen=True)
class Located:
    """Where and why systems differ, corrected over all of it."""

    buckets: tuple[BucketScores, ...]
    errors: ErrorClasses | None
    faults: Faults | None


def in_one_family(located: Located) -> Located:
    """The tests with p corrected after Holm over all of them."""
    known = [p for p in _p_values(located) if not math.isnan(p)]
    adjusted = iter(map(float, multiple.adjust_p_values(known)))

    def corrected(p: float) -> float:
        return math.nan if math.isnan(p) else next(adjusted)

    return Located(  # in the order in which p-values were taken
        tuple(_buckets(result, corrected, len(known)) for result in located.buckets),
        located.errors and _errors(located.errors, corrected, len(known)),
        located.faults and _faults(located.faults, corrected, len(known)),
    )


Corrected = Callable[[float], float]


def _p_values(located: Located) -> Sequence[float]:
    scores = [score.p for result in located.buckets for score in _scores(result)]
    differences = [difference.p for difference in located.errors.differences] if located.errors else []
    faults = [fault.p for kind in located.faults.kinds for fault in kind.systems] if located.faults else []
    return [*scores, *differences, *faults]


def _scores(result: BucketScores) -> Sequence[BucketScore]:
    return [score for table in result.tables for bucket in table.buckets for score in bucket.scores]


def _buckets(result: BucketScores, corrected: Corrected, tests: int) -> BucketScores:
    def of_score(score: BucketScore) -> BucketScore:
        p = corrected(score.p)
        return replace(score, p_adjusted=p, significant=significant(p, result.alpha))

    tables = tuple(
        replace(
            table,
            buckets=tuple(
                replace(bucket, scores=tuple(map(of_score, bucket.scores))) for bucket in table.buckets
            ),
        )
        for table in result.tables
    )
    return replace(result, tables=tables, family=tests)


def _errors(result: ErrorClasses, corrected: Corrected, tests: int) -> ErrorClasses:
    changed = []
    for difference in result.differences:
        p = corrected(difference.p)
        changed.append(replace(difference, p_adjusted=p, significant=significant(p, result.alpha)))
    return replace(result, differences=tuple(changed), family=tests)


def _faults(result: Faults, corrected: Corrected, tests: int) -> Faults:
    def of_system(fault: SystemFault) -> SystemFault:
        p = corrected(fault.p)
        return replace(fault, p_adjusted=p, significant=significant(p, result.alpha))

    kinds = tuple(replace(kind, systems=tuple(map(of_system, kind.systems))) for kind in result.kinds)
    return replace(result, kinds=kinds, family=tests)
