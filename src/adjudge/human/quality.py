"""Quality control: whether an annotator tells damaged translations from whole ones, and says the same thing twice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import BAD_REFERENCE, NONE, ORDINARY, REFERENCE, REPEAT, Judgements
from adjudge.human.grouping import without_tutorials
from adjudge.stats.moments import moments, places
from adjudge.stats.significance import significant
from adjudge.stats.tests.annotators import DEFAULT

Floats = NDArray[np.float64]

LIMIT = 0.05
"""Annotators with a p of at most this tell damaged translations from whole ones."""
FEWEST = 5
"""Damaged translations that somebody must have judged before a code may say that they failed: with fewer of them,
chance fails the careful."""
FASTEST_HIT = 300.0
NOT_LOWER = "damaged translations score no worse than whole ones"
LOW = "references score badly"
TOO_FAST = f"HIT in less than {FASTEST_HIT:.0f} s"
FLAGS = (NOT_LOWER, LOW, TOO_FAST)
"""What is said of annotators; each has a text in every language of the interface."""
LOW_REFERENCE = -0.5
"""References this many deviations worse than the annotator's mean are bad: they should be the best there is."""


@dataclass(frozen=True)
class Quality:
    """What the control items say of one annotator; NaN and None where there were none."""

    annotator: str
    judgements: int
    damaged: int
    """Damaged translations (bad references) that were judged beside the output they were made from."""
    damaged_mean: float
    whole_mean: float
    """Of the outputs that the damaged ones were made from."""
    p: float | None
    """One-sided: that damage would be scored so much worse by chance."""
    passed: bool | None
    """None: there is too little to say."""
    repeats: int
    repeat_difference: float
    """Mean distance between the two judgements of the same translation."""
    reference_mean: float
    fastest_hit: float
    """Seconds."""
    flags: tuple[str, ...]


def quality(judgements: Judgements, *, test: str = DEFAULT, limit: float = LIMIT) -> tuple[Quality, ...]:
    """Check every annotator by the control items; anonymous ones and those who only did tutorials are left out.

    Damage must score less, or more where scores are penalties.
    """
    from adjudge.stats.tests.annotators.base import annotator_test  # late: only those who test load it

    tested = annotator_test(test)
    judgements = without_tutorials(judgements)
    up = 1.0 if judgements.higher_is_better else -1.0
    bad = _matched_controls(judgements, BAD_REFERENCE)
    repeats = _matched_controls(judgements, REPEAT)
    codes, names, score = judgements.annotator.codes, judgements.annotator.names, judgements.score
    scale = moments(score, codes, len(names))
    low = up * scale.mean + LOW_REFERENCE * scale.deviation
    hits = fastest_hits(judgements)
    of_references = np.where(judgements.kind == REFERENCE, codes, NONE)
    rows_by_annotator = (
        places(column, len(names)) for column in (bad.annotator, repeats.annotator, of_references)
    )
    results = []
    for a, (name, damages, repeated, shown) in enumerate(zip(names, *rows_by_annotator, strict=True)):
        whole, damaged = bad.first[damages], bad.second[damages]
        first, second = repeats.first[repeated], repeats.second[repeated]
        references = score[shown]
        p = tested.p(up * whole, up * damaged) if len(whole) > 1 else None
        unflagged = Quality(
            annotator=name,
            judgements=int(scale.count[a]),
            damaged=len(damaged),
            damaged_mean=_mean(damaged),
            whole_mean=_mean(whole),
            p=p,
            passed=None if p is None else significant(p, limit),
            repeats=len(second),
            repeat_difference=_mean(np.abs(first - second)),
            reference_mean=_mean(references),
            fastest_hit=float(hits[a]),
            flags=(),
        )
        is_low = len(references) > 1 and up * unflagged.reference_mean < low[a]
        is_blind = unflagged.damaged > 0 and up * unflagged.damaged_mean >= up * unflagged.whole_mean
        results.append(
            replace(unflagged, flags=tuple(_flags(unflagged, blind=is_blind, low_reference=bool(is_low))))
        )
    return tuple(results)


def _flags(quality: Quality, *, blind: bool, low_reference: bool) -> list[str]:
    flags = []
    if blind:
        flags.append(NOT_LOWER)
    if low_reference:
        flags.append(LOW)
    if quality.fastest_hit < FASTEST_HIT:
        flags.append(TOO_FAST)
    return flags


@dataclass(frozen=True)
class ChoiceQuality:
    """What one annotator said where one of two translations had been damaged."""

    annotator: str
    whole: int
    """Comparisons in which the whole one was preferred."""
    ties: int
    damaged: int


def choice_quality(judgements: Judgements) -> tuple[ChoiceQuality, ...]:
    """Of comparisons: how often each annotator preferred what had been damaged, where a label `spam` names it."""
    spam = judgements.labels.get("spam")
    if spam is None or judgements.other is None:
        return ()
    rows = np.flatnonzero((judgements.kind == BAD_REFERENCE) & (judgements.annotator.codes != NONE))
    first, second, named = (
        np.array([*column.names, ""], object)[column.codes[rows]]
        for column in (judgements.system, judgements.other, spam)
    )
    is_known = (named == first) | (named == second)
    whole = np.where(named == first, -1.0, 1.0) * np.sign(judgements.score[rows])
    who = judgements.annotator.codes[rows]
    results = []
    for code in np.unique(who[is_known]):
        answers = whole[is_known & (who == code)]
        name = judgements.annotator.names[code]
        results.append(ChoiceQuality(name, *(int((answers == answer).sum()) for answer in (1, 0, -1))))
    return tuple(results)


def failed_annotators(qualities: tuple[Quality, ...]) -> tuple[str, ...]:
    """The annotators who were tested and do not tell damaged translations from whole ones."""
    return tuple(quality.annotator for quality in qualities if quality.passed is False)


def fastest_hits(judgements: Judgements) -> Floats:
    """For each annotator the seconds of the fastest HIT; NaN where that is not known."""
    judgements = without_tutorials(judgements)
    names, codes = judgements.annotator.names, judgements.annotator.codes
    fastest = np.full(len(names), math.inf)
    hit = judgements.labels.get("hit")
    if hit is None:
        return np.full(len(names), math.nan)
    taken = _hit_seconds(judgements, hit.codes)
    known = (codes != NONE) & ~np.isnan(taken)
    np.minimum.at(fastest, codes[known], taken[known])
    return np.where(np.isinf(fastest), math.nan, fastest)


def _hit_seconds(judgements: Judgements, hit: NDArray[np.int32]) -> Floats:
    """How long the HIT of every row took: as recorded, or from its first beginning to its last end."""
    if "hit_seconds" in judgements.measures:
        return judgements.measures["hit_seconds"]
    nothing = np.full(len(judgements), math.nan)
    if judgements.start is None or judgements.seconds is None:
        return nothing
    timed = (hit != NONE) & (judgements.annotator.codes != NONE) & ~np.isnan(judgements.start)
    pairs, place = np.unique(
        hit[timed].astype(np.int64) * len(judgements.annotator.names) + judgements.annotator.codes[timed],
        return_inverse=True,
    )
    first, last = np.full(len(pairs), math.inf), np.full(len(pairs), -math.inf)
    np.minimum.at(first, place, judgements.start[timed])
    np.maximum.at(last, place, judgements.start[timed] + np.nan_to_num(judgements.seconds[timed]))
    nothing[timed] = (last - first)[place]
    return nothing


@dataclass(frozen=True, eq=False)
class _MatchedControls:
    """Control items and the ordinary judgement of the same translation by the same annotator."""

    annotator: NDArray[np.int64]
    first: Floats
    """The ordinary judgement; the mean where there are several."""
    second: Floats


def _matched_controls(judgements: Judgements, kind: int) -> _MatchedControls:
    systems, items = len(judgements.system.names) + 1, len(judgements.item.names) + 1
    who = judgements.annotator.codes.astype(np.int64)
    key = (who * systems + judgements.system.codes + 1) * items + judgements.item.codes + 1
    ordinary = (judgements.kind == ORDINARY) & (who != NONE)
    known, place = np.unique(key[ordinary], return_inverse=True)
    mean = np.bincount(place, judgements.score[ordinary], len(known)) / np.maximum(
        np.bincount(place, minlength=len(known)), 1
    )
    control = np.flatnonzero((judgements.kind == kind) & (who != NONE))
    at = np.searchsorted(known, key[control])
    matched = at < len(known)
    matched[matched] = known[at[matched]] == key[control][matched]
    control, at = control[matched], at[matched]
    return _MatchedControls(who[control], mean[at], judgements.score[control])


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan
