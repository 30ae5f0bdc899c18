"""What each annotator does beside the others: severity, spread, speed, drift, agreement.

What of it is worth a look, `peculiar` says.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, ORDINARY, REPEAT, Judgements
from adjudge.human.curves import answers_beside_others
from adjudge.human.grouping import Codes, Said, once_each, refuse_holes, turns, without_tutorials
from adjudge.human.panel import Panel
from adjudge.human.peculiar import ENOUGH, HASTY, Diagnosis, adjusted_known, flags, student_p
from adjudge.stats.moments import moments, sums

Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Diagnosis", "diagnoses"]


def diagnoses(judgements: Judgements) -> tuple[Diagnosis, ...]:
    """What can be said of every annotator; who has no name, or judged nothing but tutorials, has none.

    Severity, spread and drift are freed of how peculiar those are beside whom one was seen (`panel`). Control items
    count for speed and for equal answers in a row, not for the rest.
    """
    judgements = without_tutorials(judgements)
    refuse_holes(judgements)
    columns = _rankings(judgements) if judgements.is_ranking else _ratings(judgements)
    columns |= _habits(judgements)
    columns["drift_p"] = adjusted_known(columns["drift_p"])
    found = []
    for place, name in enumerate(judgements.annotator.names):
        values = {key: _plain(column[place]) for key, column in columns.items()}
        found.append(Diagnosis(annotator=name, **values))
    return tuple(replace(one, flags=said) for one, said in zip(found, flags(found, judgements), strict=True))


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
    slope, slope_error = _trend(turn.astype(np.float64), own - theirs, who, count)
    panel, enough = Panel.of(said.who, said.translation, count), compared >= ENOUGH
    severity = -panel.freed(-below.mean, enough)
    with np.errstate(invalid="ignore", divide="ignore"):
        freed_spread = np.exp(panel.freed(np.log(np.where(spread > 0, spread, math.nan)), enough))
    drift = panel.freed(slope, enough)
    return {
        "compared": compared,
        "others": panel.others,
        "mean": all_.mean,
        "deviation": all_.deviation,
        "severity": severity if judgements.higher_is_better else -severity,
        "severity_error": error,
        "spread": np.where(few | ~np.isfinite(freed_spread), math.nan, freed_spread),
        "spread_error": _spread_error(own - mine.mean[who], who, count),
        "agreement": np.where(few | ~np.isfinite(correlation), math.nan, np.clip(correlation, -1, 1)),
        "drift": 100 * drift,
        "drift_p": student_p(drift, slope_error, compared - 2),
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
    turn, by_turn, whose = _by_turn(turns(judgements)[rows], share, of)
    panel, made = Panel.of(of, beside.question[there], count), np.bincount(whose, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = sums(beside.agreeing[there], of, count) / sums(beside.comparable[there], of, count)
        slope, slope_error = _trend(turn, by_turn, whose, count)
        # Two who agree more and more have both learnt: what is seen of one is more, not less, the others' change.
        drift = panel.freed(slope, made >= ENOUGH, sign=-1.0)
        return {
            "compared": np.bincount(of, minlength=count),
            "others": panel.others,
            "agreement": agreement,
            "ties": tied / answered,
            "first": first / (answered - tied),
            "drift": 100 * drift,
            "drift_p": student_p(drift, slope_error, made - 2),
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
    seconds, hasty, timed = np.full(count, math.nan), np.zeros(count, np.int64), np.zeros(count, np.int64)
    if judgements.seconds is not None:
        times, whose = judgements.seconds[order][one], who[one]
        seconds = _medians(times, whose, count)
        typical = float(np.median(seconds[~np.isnan(seconds)])) if not np.isnan(seconds).all() else math.nan
        timed = np.bincount(whose[~np.isnan(times)], minlength=count)
        hasty = np.bincount(whose[times < HASTY * typical], minlength=count)
    same = np.zeros(len(order), dtype=bool)
    same[1:] = follows[1:] & (answer[1:] == answer[:-1])
    equal, usual, longest = (
        np.full(count, math.nan),
        np.full(count, math.nan),
        np.zeros(count, dtype=np.int64),
    )
    if one.all():
        usual = _most_often(answer, who, count)
        with np.errstate(invalid="ignore", divide="ignore"):
            equal = np.where(judged > 1, sums(same * 1.0, who, count) / (judged - 1), math.nan)
        begins = np.flatnonzero(~same)
        np.maximum.at(longest, who[begins], np.diff(begins, append=len(order)))
    return {
        "judgements": judged,
        "seconds": seconds,
        "hasty": hasty,
        "timed": timed,
        "equal": equal,
        "usual": usual,
        "longest_run": longest,
    }


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
    """Slope of y over x for each annotator by least squares, and its standard error."""
    number = np.bincount(who, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        dx, dy = (v - (sums(v, who, count) / number)[who] for v in (x, y))
        xx, xy, yy = (sums(a * b, who, count) for a, b in ((dx, dx), (dx, dy), (dy, dy)))
        slope = xy / xx
        left = np.maximum(yy - slope * xy, 0.0)
        error = np.sqrt(left / (number - 2) / xx)
    known = (number > 2) & (xx > 0)
    flat = yy <= 1e-20 * (1 + np.abs(xx))
    slope, error = np.where(flat, 0.0, slope), np.where(flat, 0.0, error)
    return np.where(known, slope, math.nan), np.where(known, error, math.nan)


def _spread_error(off: Floats, who: Codes, count: int) -> Floats:
    """Standard error of a deviation's logarithm, larger where tails are long; the panel's varies as much."""
    number = np.bincount(who, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        square, fourth = (sums(off**power, who, count) / number for power in (2, 4))
        kurtosis = np.fmax(fourth / square**2, 3.0)
        return np.asarray(np.sqrt((kurtosis - 1) / 2 / (number - 1)))


def _most_often(answer: Floats, who: NDArray[Any], count: int) -> Floats:
    """Share of the answer that each annotator gave most often."""
    key, times = np.unique(np.stack([who.astype(np.float64), answer]), axis=1, return_counts=True)
    most = np.zeros(count)
    np.maximum.at(most, key[0].astype(np.int64), times)
    number = np.bincount(who, minlength=count)
    return np.where(number > 0, most / np.maximum(number, 1), math.nan)


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


def _plain(value: Any) -> Any:
    """A number as Python knows it, None for NaN."""
    if isinstance(value, np.integer):
        return int(value)
    return None if math.isnan(value) else float(value)
