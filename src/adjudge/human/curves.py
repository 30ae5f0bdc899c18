"""Agreement curves: without everyone's first judgements, and without the judges who agree least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements
from adjudge.errors import UsageError
from adjudge.human.agreement import ranking_agreement
from adjudge.human.grouping import (
    combined_codes,
    judgement_order,
    ratings_once,
    sides,
    usable_rows,
    without_unused_columns,
)
from adjudge.stats.agreement import Coefficient, alpha
from adjudge.stats.draws import permutation
from adjudge.stats.moments import sums

Floats: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = Callable[[Judgements], Coefficient]

FIRST = (0, 1, 2, 5, 10, 20, 30, 40, 50)
"""Judgements of each judge that are dropped, as WMT09 looked at them."""


@dataclass(frozen=True)
class AgreementPoint:
    """The agreement that is left after so many were dropped."""

    dropped: int
    agreement: Coefficient
    judgements: int
    annotators: int


def without_first(
    judgements: Judgements, *, steps: Sequence[int] = FIRST, measure: Measure | None = None
) -> tuple[AgreementPoint, ...]:
    """Agreement without the first k judgements of every judge, a ranking being one: whether they had to learn."""
    judgements = without_unused_columns(judgements)
    measure = measure or agreement_between
    turn = judgement_order(judgements)
    points = []
    for k in steps:
        if k < 0:
            raise UsageError(f"{k} judgements cannot be dropped")
        rest = judgements[(turn >= k) | (turn == NONE)] if k else judgements
        points.append(_point(k, rest, measure))
    return tuple(points)


def without_least(
    judgements: Judgements,
    *,
    steps: Sequence[int] | None = None,
    measure: Measure | None = None,
    held_out: bool = False,
    seed: int = 12345,
) -> tuple[AgreementPoint, ...]:
    """Agreement without the k judges who agree least with the others.

    Who is sent away for disagreeing leaves agreement behind, even among judges who all flip coins: the curve rises by
    selection alone. With `held_out` judges are chosen by one half of the items and agreement is measured on the other,
    where coins show no rise.
    """
    judgements = without_unused_columns(judgements)
    measure = measure or agreement_between
    chosen_by, measured = judgements, judgements
    if held_out:
        order = permutation(len(judgements.item.names), seed)
        half = np.append(order % 2 == 0, False)[judgements.item.codes]
        chosen_by, measured = judgements[half], judgements[~half]
    names = judgements.annotator.names
    place = {name: i for i, name in enumerate(names)}
    closeness = np.full(len(names), np.inf)
    for name, value in zip(chosen_by.annotator.names, closeness_to_others(chosen_by), strict=True):
        # Who cannot be compared with anybody does not agree less than others.
        closeness[place[name]] = np.inf if np.isnan(value) else value
    order = np.argsort(closeness, kind="stable")
    most = max(0, len(names) - 2)
    steps = range(min(most, 10) + 1) if steps is None else steps
    annotator_places = np.array([place[name] for name in measured.annotator.names] + [NONE], dtype=np.int64)
    who = annotator_places[measured.annotator.codes]
    points = []
    for k in steps:
        if not 0 <= k <= len(names):
            raise UsageError(f"{k} of {len(names)} judges cannot be dropped")
        points.append(_point(k, measured[~np.isin(who, order[:k])] if k else measured, measure))
    return tuple(points)


def agreement_between(judgements: Judgements) -> Coefficient:
    """The agreement between annotators that the curves show: kappa of rankings, alpha of ratings."""
    if judgements.is_ranking:
        return ranking_agreement(judgements).inter.empirical
    ratings = ratings_once(judgements)
    return alpha(ratings.value, ratings.translation)


def closeness_to_others(judgements: Judgements) -> Floats:
    """For each annotator: the share of pairs with others' rankings that agree; for ratings the mean squared distance.

    That distance is negative, so that higher is nearer; NaN for those who judged nothing that others judged.
    """
    count = len(judgements.annotator.names)
    if judgements.is_ranking:
        agreeing, comparable = agreeing_with_others(judgements)
        with np.errstate(invalid="ignore"):
            share: Floats = agreeing / comparable
        return share
    ratings = ratings_once(judgements)
    others = np.bincount(ratings.translation)[ratings.translation] - 1.0
    total, square = (
        np.bincount(ratings.translation, x)[ratings.translation] for x in (ratings.value, ratings.value**2)
    )
    apart = square - 2 * ratings.value * total + (others + 1) * ratings.value**2
    with np.errstate(invalid="ignore"):
        distance: Floats = -np.bincount(ratings.who, apart, count) / np.bincount(ratings.who, others, count)
    return distance


def agreeing_with_others(judgements: Judgements) -> tuple[Floats, Floats]:
    """For each annotator: pairs of his or her rankings with others' of the same two systems that agree, and all."""
    comparable = answers_with_others(judgements)
    who, count = judgements.annotator.codes[comparable.row], len(judgements.annotator.names)
    return sums(comparable.agreeing, who, count), sums(comparable.comparable, who, count)


@dataclass(frozen=True, eq=False)
class SharedAnswers:
    """Rows of judgements with how many of other annotators' answers to the same question are the same."""

    row: NDArray[np.intp]
    question: NDArray[np.int64]
    agreeing: Floats
    comparable: Floats


def answers_with_others(judgements: Judgements) -> SharedAnswers:
    """Each ranking of two systems beside those by others, whichever system they were shown first."""
    rows = usable_rows(judgements).rows
    first, second = (side[rows] for side in sides(judgements))
    answer = np.sign(judgements.score[rows]).astype(np.int64)
    answer = np.where(first > second, -answer, answer) + 1
    question = combined_codes(
        judgements.item.codes[rows], np.minimum(first, second), np.maximum(first, second)
    )
    who = judgements.annotator.codes[rows]

    def times(*columns: NDArray[Any]) -> Floats:
        codes = combined_codes(*columns)
        return np.bincount(codes).astype(np.float64)[codes]

    agreeing = times(question, answer) - times(question, answer, who)
    return SharedAnswers(rows, question, agreeing, times(question) - times(question, who))


def _point(dropped: int, rest: Judgements, measure: Measure) -> AgreementPoint:
    return AgreementPoint(dropped, measure(rest), len(rest), len(rest.annotator.names))
