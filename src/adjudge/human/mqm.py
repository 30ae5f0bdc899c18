"""Marked errors: their weights, and the kinds that each system makes."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.error_weights import NO_ERROR, ErrorWeights
from adjudge.data.judgements import Judgements, Span
from adjudge.errors import DataError, UsageError, unknown_name

Floats = NDArray[np.float64]
NO_CATEGORY = "(no category)"


def severities(judgements: Judgements) -> list[str]:
    """The severities of marked errors, in lower case."""
    return sorted({span.severity.lower() for spans in judgements.spans or () for span in spans} - {*NO_ERROR})


def read_weights(text: str, severities: Sequence[str] = ()) -> ErrorWeights | None:
    """Weights as a user writes them: `major=10,minor=1`; those that are not named are Google's, and none if none is.

    Names are Google's, or those of `severities` that were marked.
    """
    if not text.strip():
        return None
    known = {
        field.name.replace("_", "-"): field.name for field in fields(ErrorWeights) if field.name != "own"
    }
    given: dict[str, float] = {}
    by_severity: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        marked = name.strip().lower()
        name = marked.replace("_", "-")
        if name not in known and marked not in severities:
            raise unknown_name("weight", name, [*known, *severities], "--error-weights major=5,minor=1")
        try:
            number = float(value)
        except ValueError:
            raise UsageError(f"weight {part!r}: write NAME=NUMBER, as in major=5") from None
        if name in known:
            given[known[name]] = number
        else:
            by_severity[marked] = number
    return ErrorWeights(**given, own=tuple(by_severity.items()))


Weigh = Callable[[Span], float]


def weight_in_file(span: Span) -> float:
    """The weight that the file gives an error."""
    return span.weight or 0.0


def error_penalties(judgements: Judgements, weigh: Weigh | None = None, *, most: int | None = None) -> Floats:
    """The sum of weights of every judgement; with `most`, of its heaviest errors only, as Google keeps five."""
    if judgements.spans is None:
        raise DataError("no errors are marked in these judgements: there is nothing to weigh")
    weigh = weigh or ErrorWeights().of
    sums = np.zeros(len(judgements))
    for row, spans in enumerate(judgements.spans):
        if spans:
            each = sorted(_weights(judgements, row, weigh), reverse=True)
            sums[row] = math.fsum(each[:most])
    return sums


def _weights(judgements: Judgements, row: int, weigh: Weigh) -> list[float]:
    assert judgements.spans is not None
    try:
        return [weigh(span) for span in judgements.spans[row]]
    except DataError as error:
        raise DataError(f"{judgements.place(row)}: {error}") from None


@dataclass(frozen=True, eq=False)
class ErrorScores:
    """Judgements whose scores follow from the errors that were marked, and what those weigh."""

    judgements: Judgements
    weigh: Weigh
    weights: str
    """In words; empty where nothing was weighed."""
    warnings: tuple[str, ...] = ()


def weigh_errors(
    judgements: Judgements, weights: ErrorWeights | None = None, *, most: int | None = None
) -> ErrorScores:
    """MQM as penalties: by the weights that are asked for, else as the files have them, else by Google's.

    Judgements of other protocols stay as they are, and so do scores that files give beside errors without weights.
    """
    every = sum(map(len, judgements.spans or ()))
    with_weight = sum(span.weight is not None for spans in judgements.spans or () for span in spans)
    as_given = weights is None and 0 < with_weight == every
    weigh = weight_in_file if as_given else (weights or ErrorWeights()).of
    if judgements.protocol != "mqm" or judgements.spans is None:
        return ErrorScores(judgements, weigh, "")
    if weights is None and most is None and not with_weight and _has_scores(judgements):
        return ErrorScores(judgements, weigh, "nothing, for the files have scores of their own")
    penalties = replace(
        judgements, score=error_penalties(judgements, weigh, most=most), higher_is_better=False
    )
    warnings: tuple[str, ...] = ()
    if weights is None and 0 < with_weight < every:
        warnings = (
            f"only {with_weight:,} of {every:,} errors say what they weigh: all are weighed as Google does",
        )
    return ErrorScores(
        penalties, weigh, "as the files say" if as_given else str(weights or ErrorWeights()), warnings
    )


def _has_scores(judgements: Judgements) -> bool:
    return bool(np.isfinite(judgements.score).all() and judgements.score.any())


@dataclass(frozen=True)
class ErrorType:
    """How often and how badly one system errs in one way."""

    system: str
    category: str
    severity: str
    count: int
    rate: float
    """Errors in a hundred judgements."""
    weight: float
    """What they add to the system's score: weight a judgement."""


def as_scores(judgements: Judgements) -> Judgements:
    """Errors of MQM as scores that go down from −0.0, as Google and mt-metrics-eval have them; others unchanged."""
    if judgements.protocol != "mqm" or judgements.spans is None:
        return judgements
    penalties = weigh_errors(judgements).judgements
    return replace(penalties, score=-penalties.score, higher_is_better=True)


def error_types(judgements: Judgements, weigh: Weigh | None = None) -> tuple[ErrorType, ...]:
    """The errors of every system by category and severity, the heaviest first."""
    if judgements.spans is None:
        return ()
    weigh = weigh or ErrorWeights().of
    counts: Counter[tuple[int, str, str]] = Counter()
    weighs: defaultdict[tuple[int, str, str], float] = defaultdict(float)
    for row, (code, spans) in enumerate(zip(judgements.system.codes.tolist(), judgements.spans, strict=True)):
        for span, weight in zip(spans, _weights(judgements, row, weigh), strict=True):
            severity = span.severity.lower()
            if severity not in NO_ERROR:
                key = code, span.category or NO_CATEGORY, severity
                counts[key] += 1
                weighs[key] += weight
    judged = np.bincount(judgements.system.codes, minlength=len(judgements.system.names))
    types = [
        ErrorType(
            system=judgements.system.names[code],
            category=category,
            severity=severity,
            count=count,
            rate=100 * count / judged[code],
            weight=weighs[code, category, severity] / judged[code],
        )
        for (code, category, severity), count in counts.items()
        if code >= 0
    ]
    return tuple(sorted(types, key=lambda e: (e.system, -e.weight, -e.count, e.category, e.severity)))
