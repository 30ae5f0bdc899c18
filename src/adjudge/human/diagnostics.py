"""What is peculiar about each annotator: severity, spread, speed, drift, agreement with the others.

Nobody is sent away here: a flag is a reason to look, with the figure beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, ORDINARY, REPEAT, Judgements
from adjudge.human.curves import answers_beside_others
from adjudge.human.grouping import Codes, Said, once_each, refuse_holes, turns, without_tutorials
from adjudge.stats.agreement import chance_with_ties
from adjudge.stats.moments import moments, sums
from adjudge.stats.multiple import adjusted

Floats: TypeAlias = NDArray[np.float64]

ENOUGH = 20
"""Translations judged by others too, below which nothing is said of severity, spread and agreement.

Of rankings both so many of them and so many pairs that others judged too: a ranking of five alone has ten pairs.
"""
SEVERE = 1.0
"""So many typical standard deviations from the others are flagged."""
NARROW, WIDE = 0.5, 2.0
LONGEST_RUN = 8
HASTY = 1 / 3
"""A median time below this share of the annotators' median."""
ALPHA = 0.05
LEAST_P = 0.001
"""Below this nobody wants to know how small p is."""
OFTEN_EQUAL = frozenset({"mqm", "hter", "post-edit", "yes-no", "comprehension"})
"""Protocols by which most translations may well have the same score: none of them has an error."""


@dataclass(frozen=True)
class Diagnosis:
    """One annotator; None where it cannot be said."""

    annotator: str
    judgements: int
    """Ratings, or rankings of several systems at once."""
    compared: int
    """Of these, translations (or pairs of systems on an item) that others judged too."""
    mean: float | None = None
    deviation: float | None = None
    severity: float | None = None
    """How many points worse than the others' mean for the same translations, on average; negative is generous.

    Worse is below, or above where scores are penalties.
    """
    severity_error: float | None = None
    """Its standard error."""
    spread: float | None = None
    """Standard deviation over that of the others' judgements of the same translations."""
    agreement: float | None = None
    """Ratings: correlation with the others' mean. Rankings: share of pairs with others' answers that are the same."""
    ties: float | None = None
    """Share of ties (rankings)."""
    first: float | None = None
    """Share of answers, ties apart, in favour of the system that stands first (rankings)."""
    seconds: float | None = None
    """Median time for a judgement."""
    equal: float | None = None
    """Share of answers equal to the one before."""
    longest_run: int = 0
    """Equal answers in a row; not counted where several systems were ranked at once."""
    drift: float | None = None
    """Change over 100 judgements: of the score beside the others' (ratings), of agreement with them (rankings)."""
    drift_p: float | None = None
    """That there is none; adjusted for the number of annotators (Holm)."""
    flags: tuple[str, ...] = ()


def diagnoses(judgements: Judgements) -> tuple[Diagnosis, ...]:
    """What can be said of every annotator; who has no name, or judged nothing but tutorials, has none.

    Control items count for speed and for equal answers in a row, not for the rest.
    """
    judgements = without_tutorials(judgements)
    refuse_holes(judgements)
    columns = _rankings(judgements) if judgements.is_ranking else _ratings(judgements)
    columns |= _habits(judgements)
    columns["drift_p"] = _adjusted(columns["drift_p"])
    found = []
    for place, name in enumerate(judgements.annotator.names):
        values = {key: _plain(column[place]) for key, column in columns.items()}
        found.append(Diagnosis(annotator=name, **values))
    typical = _typical(found)
    return tuple(replace(one, flags=tuple(_flags(one, typical, judgements))) for one in found)


def _ratings(judgements: Judgements) -> dict[str, NDArray[Any]]:
    count = len(judgements.annotator.names)
    said = once_each(judgements)
    others = said.others()
    there = ~np.isnan(others)
    who, own, theirs = said.who[there], said.value[there], others[there]
    all_ = moments(said.value, said.who, count)
    below, mine, beside = (moments(values, who, count) for values in (theirs - own, own, theirs))
    compared = mine.count
    few = compared < 2
    with np.errstate(invalid="ignore", divide="ignore"):
        error = below.deviation / np.sqrt(compared)
        spread = np.sqrt(mine.variance / _others_variance(said, there, count))
        together = sums((own - mine.mean[who]) * (theirs - beside.mean[who]), who, count)
        correlation = together / compared / np.sqrt(mine.variance * beside.variance)
    turn = turns(judgements)[said.row[there]]
    slope, p = _trend(turn.astype(np.float64), own - theirs, who, count)
    return {
        "compared": compared,
        "mean": all_.mean,
        "deviation": all_.deviation,
        "severity": below.mean if judgements.higher_is_better else -below.mean,
        "severity_error": error,
        "spread": np.where(few | ~np.isfinite(spread), math.nan, spread),
        "agreement": np.where(few | ~np.isfinite(correlation), math.nan, np.clip(correlation, -1, 1)),
        "drift": 100 * slope,
        "drift_p": p,
    }


def _rankings(judgements: Judgements) -> dict[str, NDArray[Any]]:
    count = len(judgements.annotator.names)
    beside = answers_beside_others(judgements)
    who, answer = judgements.annotator.codes, np.sign(judgements.score)
    named = (who != NONE) & np.isin(judgements.kind, (ORDINARY, REPEAT))
    answered = np.bincount(who[named], minlength=count).astype(np.float64)
    tied, first = (sums((answer == x)[named] * 1.0, who[named], count) for x in (0, 1))
    there = beside.comparable > 0
    rows, share = beside.row[there], beside.agreeing[there] / beside.comparable[there]
    of = who[rows].astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = sums(beside.agreeing[there], of, count) / sums(beside.comparable[there], of, count)
        slope, p = _trend(*_by_turn(turns(judgements)[rows], share, of), count)
        return {
            "compared": np.bincount(of, minlength=count),
            "agreement": agreement,
            "ties": tied / answered,
            "first": first / (answered - tied),
            "drift": 100 * slope,
            "drift_p": p,
        }


def _habits(judgements: Judgements) -> dict[str, NDArray[Any]]:
    """What shows without looking at others: how many, how fast, how often the same again."""
    count = len(judgements.annotator.names)
    codes, turn = judgements.annotator.codes, turns(judgements)
    order = np.lexsort((turn, codes))
    order = order[codes[order] != NONE]
    who, when, answer = codes[order], turn[order], judgements.score[order]
    follows = np.zeros(len(order), dtype=bool)
    follows[1:] = who[1:] == who[:-1]
    one = np.ones(len(order), dtype=bool)  # the first row of each judgement
    one[1:] = ~follows[1:] | (when[1:] != when[:-1])
    judged = np.bincount(who[one], minlength=count)
    seconds = np.full(count, math.nan)
    if judgements.seconds is not None:
        seconds = _medians(judgements.seconds[order][one], who[one], count)
    same = np.zeros(len(order), dtype=bool)
    same[1:] = follows[1:] & (answer[1:] == answer[:-1])
    equal, longest = np.full(count, math.nan), np.zeros(count, dtype=np.int64)
    if one.all():
        with np.errstate(invalid="ignore", divide="ignore"):
            equal = np.where(judged > 1, sums(same * 1.0, who, count) / (judged - 1), math.nan)
        begins = np.flatnonzero(~same)
        np.maximum.at(longest, who[begins], np.diff(begins, append=len(order)))
    return {"judgements": judged, "seconds": seconds, "equal": equal, "longest_run": longest}


@dataclass(frozen=True)
class _Typical:
    """What most annotators do: medians."""

    deviation: float
    seconds: float


def _typical(found: list[Diagnosis]) -> _Typical:
    def median(values: list[float | None]) -> float:
        there = [value for value in values if value is not None]
        return float(np.median(there)) if there else math.nan

    return _Typical(median([one.deviation for one in found]), median([one.seconds for one in found]))


def _flags(one: Diagnosis, typical: _Typical, judgements: Judgements) -> list[str]:
    flags = []
    protocol, ranking = judgements.protocol, judgements.is_ranking
    if one.deviation == 0:
        flags.append(f"gave {one.judgements} judgements the same score")
    if one.severity is not None and one.severity_error is not None and one.compared >= ENOUGH:
        far = max(SEVERE * typical.deviation, 3 * one.severity_error)
        if abs(one.severity) > far:
            side = "below" if (one.severity > 0) == judgements.higher_is_better else "above"
            flags.append(f"scores {abs(one.severity):.1f} points {side} the others")
    if one.spread is not None and one.compared >= ENOUGH and not NARROW <= one.spread <= WIDE:
        flags.append(f"spreads scores {one.spread:.2f} times as far as the others")
    if one.agreement is not None and min(one.compared, one.judgements) >= ENOUGH:
        chance = 0.0 if not ranking else float(chance_with_ties(one.ties))
        if one.agreement <= chance:
            what = (
                f"{one.agreement:.2f}, by chance {chance:.2f}"
                if ranking
                else f"correlation {one.agreement:.2f}"
            )
            flags.append(f"does not agree with the others ({what})")
    if one.longest_run > LONGEST_RUN and one.deviation != 0 and protocol not in OFTEN_EQUAL:
        flags.append(f"gave {one.longest_run} equal answers in a row")
    if one.seconds is not None and one.seconds < HASTY * typical.seconds:
        flags.append(f"takes {one.seconds:.1f} s for a judgement, others {typical.seconds:.1f} s")
    if one.drift is not None and one.drift_p is not None and one.drift_p < ALPHA and one.judgements >= ENOUGH:
        figure = f"{one.drift:+.2f} of agreement" if ranking else f"{one.drift:+.1f} points"
        p = f"p < {LEAST_P}" if one.drift_p < LEAST_P else f"p = {one.drift_p:.2g}"
        flags.append(f"drifts by {figure} in 100 judgements ({p})")
    return flags


def _others_variance(said: Said, there: NDArray[np.bool_], count: int) -> Floats:
    """The variance of single judgements that others gave to what an annotator judged; each translation counts once."""
    off = said.value - said.value.mean() if len(said.value) else said.value
    more = (np.bincount(said.translation)[said.translation] - 1.0)[there]
    total, square = (
        (np.bincount(said.translation, x)[said.translation] - x)[there] / more for x in (off, off**2)
    )
    who = said.who[there]
    number = np.bincount(who, minlength=count)
    mean, mean_square = sums(total, who, count) / number, sums(square, who, count) / number
    found: Floats = mean_square - mean**2
    return np.where(found > 1e-12 * (1 + mean_square), found, math.nan)


def _by_turn(turn: Codes, share: Floats, who: Codes) -> tuple[Floats, Floats, Codes]:
    """One share for each ranking: pairs from one are not several opinions."""
    width = int(turn.max(initial=0)) + 1
    key, at, number = np.unique(who * width + turn, return_inverse=True, return_counts=True)
    return (key % width).astype(np.float64), np.bincount(at, share, len(key)) / number, key // width


def _trend(x: Floats, y: Floats, who: Codes, count: int) -> tuple[Floats, Floats]:
    """Slope of y over x for each annotator by least squares, and p that there is none (Student's t)."""
    from scipy.special import stdtr  # late: commands that need none of it start faster

    number = np.bincount(who, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        dx, dy = (v - (sums(v, who, count) / number)[who] for v in (x, y))
        xx, xy, yy = (sums(a * b, who, count) for a, b in ((dx, dx), (dx, dy), (dy, dy)))
        slope = xy / xx
        left = np.maximum(yy - slope * xy, 0.0)
        t = slope / np.sqrt(left / (number - 2) / xx)
        p = 2 * stdtr(np.maximum(number - 2, 1), -np.abs(t))
    known = (number > 2) & (xx > 0)
    flat = yy <= 1e-20 * (1 + np.abs(xx))
    slope, p = np.where(flat, 0.0, slope), np.where(flat, 1.0, p)
    return np.where(known, slope, math.nan), np.where(known, p, math.nan)


def _medians(values: Floats, who: NDArray[Any], count: int) -> Floats:
    there = ~np.isnan(values)
    values, who = values[there], who[there]
    order = np.lexsort((values, who))
    values = values[order]
    number = np.bincount(who, minlength=count)
    begins = np.cumsum(number) - number
    found = np.full(count, math.nan)
    some = number > 0
    low, high = (begins + (number - 1) // 2)[some], (begins + number // 2)[some]
    found[some] = (values[low] + values[high]) / 2
    return found


def _adjusted(p: Floats) -> Floats:
    found = p.copy()
    there = ~np.isnan(p)
    found[there] = adjusted(p[there])
    return found


def _plain(value: Any) -> Any:
    """A number as Python knows it, None for NaN."""
    if isinstance(value, np.integer):
        return int(value)
    return None if math.isnan(value) else float(value)
