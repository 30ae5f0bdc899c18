"""Each annotator compared with the others: severity, spread, speed, drift, agreement.

Few people judge the same, and they may be unusual themselves: `Panel` corrects for that. What is worth a look
`annotator_flags` decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, ORDINARY, REPEAT, Judgements
from adjudge.human.annotator_flags import (
    ENOUGH_TRANSLATIONS,
    HASTY_SHARE,
    Diagnosis,
    adjust_known,
    flags,
    student_p,
    student_reach,
)
from adjudge.human.curves import answers_with_others
from adjudge.human.grouping import (
    Codes,
    RatingsOnce,
    judgement_order,
    ratings_once,
    refuse_holes,
    without_tutorials,
)
from adjudge.stats.agreement import renumber
from adjudge.stats.components import components
from adjudge.stats.moments import moments, sums

Floats: TypeAlias = NDArray[np.float64]

PAIRS = 1 << 22
"""Pairs of judgements that are looked at together."""
STEPS = 200
"""Of the iteration, which halves what is left in two steps or three where people share their work."""
MOST_OTHERS = 30
"""Of the others who judged the same, beside whom a change is sought."""

__all__ = ["Diagnosis", "diagnoses"]


def diagnoses(judgements: Judgements) -> tuple[Diagnosis, ...]:
    """Describe every annotator; anonymous ones, and those who judged only tutorials, are left out.

    Severity, spread and drift are corrected for how unusual the others are who judged the same (`Panel`). Control items
    count for speed and for equal answers in a row, not for the rest.
    """
    judgements = without_tutorials(judgements)
    refuse_holes(judgements)
    columns = _rankings(judgements) if judgements.is_ranking else _ratings(judgements)
    columns |= _habits(judgements)
    columns["drift_p"] = adjust_known(columns["drift_p"])
    unflagged = []
    for place, name in enumerate(judgements.annotator.names):
        values = {key: _python_number(column[place]) for key, column in columns.items()}
        unflagged.append(Diagnosis(annotator=name, **values))
    return tuple(
        replace(diagnosis, flags=own_flags)
        for diagnosis, own_flags in zip(unflagged, flags(unflagged, judgements), strict=True)
    )


def _ratings(judgements: Judgements) -> dict[str, NDArray[Any]]:
    count = len(judgements.annotator.names)
    ratings = ratings_once(judgements)
    others = ratings.others()
    known = ~np.isnan(others)
    who, own, theirs = ratings.who[known], ratings.value[known], others[known]
    all_ = moments(ratings.value, ratings.who, count)
    below, mine, beside = (moments(values, who, count) for values in (theirs - own, own, theirs))
    compared = mine.count
    few = compared < 2
    with np.errstate(invalid="ignore", divide="ignore"):
        error = below.deviation / np.sqrt(compared)
        spread = np.sqrt(mine.variance / _others_variance(ratings, known, count))
        together = sums((own - mine.mean[who]) * (theirs - beside.mean[who]), who, count)
        correlation = together / compared / np.sqrt(mine.variance * beside.variance)
    panel, enough = Panel.of(ratings.who, ratings.translation, count), compared >= ENOUGH_TRANSLATIONS
    severity = -panel.effects(-below.mean, enough)
    with np.errstate(invalid="ignore", divide="ignore"):
        corrected_spread = np.exp(panel.effects(np.log(np.where(spread > 0, spread, math.nan)), enough))
    drift, drift_p = _drift(
        ratings, judgement_order(judgements)[ratings.row].astype(np.float64), panel, enough
    )
    return {
        "compared": compared,
        "others": panel.others,
        "mean": all_.mean,
        "deviation": all_.deviation,
        "severity": severity if judgements.higher_is_better else -severity,
        "severity_error": error,
        "spread": np.where(few | ~np.isfinite(corrected_spread), math.nan, corrected_spread),
        "spread_error": _spread_error(own - mine.mean[who], who, count),
        "agreement": np.where(few | ~np.isfinite(correlation), math.nan, np.clip(correlation, -1, 1)),
        "drift": 100 * drift,
        "drift_p": drift_p,
    }


def _rankings(judgements: Judgements) -> dict[str, NDArray[Any]]:
    count = len(judgements.annotator.names)
    answers = answers_with_others(judgements)
    who, answer = judgements.annotator.codes, np.sign(judgements.score)
    named = (who != NONE) & np.isin(judgements.kind, (ORDINARY, REPEAT))
    answered = np.bincount(who[named], minlength=count).astype(np.float64)
    tied, first = (sums((answer == x)[named] * 1.0, who[named], count) for x in (0, 1))
    known = answers.comparable > 0
    rows, share = answers.row[known], answers.agreeing[known] / answers.comparable[known]
    of = who[rows].astype(np.int64)
    turn, by_turn, whose = _by_turn(judgement_order(judgements)[rows], share, of)
    panel, made = Panel.of(of, answers.question[known], count), np.bincount(whose, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = sums(answers.agreeing[known], of, count) / sums(answers.comparable[known], of, count)
        slope, slope_error = _trend(turn, by_turn, whose, count)
        # Two who agree more and more have both learnt: what is seen of one is more, not less, the others' change.
        drift = panel.effects(slope, made >= ENOUGH_TRANSLATIONS, sign=-1.0)
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
    """Measures that need no other annotators: number of judgements, speed, and repeated answers."""
    count = len(judgements.annotator.names)
    codes, turn = judgements.annotator.codes, judgement_order(judgements)
    order = np.lexsort((turn, codes))
    order = order[codes[order] != NONE]
    who, when, answer = codes[order], turn[order], judgements.score[order]
    follows = np.zeros(len(order), dtype=bool)
    follows[1:] = who[1:] == who[:-1]
    is_first = np.ones(len(order), dtype=bool)  # the first row of each judgement
    is_first[1:] = ~follows[1:] | (when[1:] != when[:-1])
    judged = np.bincount(who[is_first], minlength=count)
    seconds, hasty, timed = np.full(count, math.nan), np.zeros(count, np.int64), np.zeros(count, np.int64)
    if judgements.seconds is not None:
        times, whose = judgements.seconds[order][is_first], who[is_first]
        seconds = _medians(times, whose, count)
        typical = float(np.median(seconds[~np.isnan(seconds)])) if not np.isnan(seconds).all() else math.nan
        timed = np.bincount(whose[~np.isnan(times)], minlength=count)
        hasty = np.bincount(whose[times < HASTY_SHARE * typical], minlength=count)
    same = np.zeros(len(order), dtype=bool)
    same[1:] = follows[1:] & (answer[1:] == answer[:-1])
    equal, usual, longest = (
        np.full(count, math.nan),
        np.full(count, math.nan),
        np.zeros(count, dtype=np.int64),
    )
    if is_first.all():
        usual = _modal_share(answer, who, count)
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


def _others_variance(ratings: RatingsOnce, known: NDArray[np.bool_], count: int) -> Floats:
    """The variance of single judgements that others gave to what an annotator judged; each translation counts once."""
    off = ratings.value - ratings.value.mean() if len(ratings.value) else ratings.value
    more = (np.bincount(ratings.translation)[ratings.translation] - 1.0)[known]
    total, square = (
        (np.bincount(ratings.translation, x)[ratings.translation] - x)[known] / more for x in (off, off**2)
    )
    who = ratings.who[known]
    number = np.bincount(who, minlength=count)
    mean, mean_square = sums(total, who, count) / number, sums(square, who, count) / number
    variance: Floats = mean_square - mean**2
    return np.where(variance > 1e-12 * (1 + mean_square), variance, math.nan)


def _by_turn(turn: Codes, share: Floats, who: Codes) -> tuple[Floats, Floats, Codes]:
    """Average the shares of a ranking: its pairs are a single opinion."""
    width = int(turn.max(initial=0)) + 1
    key, at, number = np.unique(who * width + turn, return_inverse=True, return_counts=True)
    return (key % width).astype(np.float64), np.bincount(at, share, len(key)) / number, key // width


def _drift(
    ratings: RatingsOnce, turn: Floats, panel: Panel, enough: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """By how much each annotator's scores change per judgement, and p.

    An annotator whose own scores do not change in the same direction has not changed: the others have. So a change is
    measured relative to the others, but is no larger than the 95 % interval of the annotator's own trend allows, and p
    is the larger of both.
    """
    slope, error, free = _changes(ratings, turn, enough)
    relative = panel.relative_to_median(slope, enough & np.isfinite(slope))
    alone, alone_error = _trend(turn, ratings.value, ratings.who, len(enough))
    freedom = np.bincount(ratings.who, minlength=len(enough)) - 2
    p = np.maximum(student_p(relative, error, free), student_p(alone, alone_error, freedom))
    reach = student_reach(alone_error, freedom)
    drift = np.clip(relative, np.minimum(alone - reach, 0.0), np.maximum(alone + reach, 0.0))
    return drift, np.where(alone * relative < 0, 1.0, p)


def _changes(ratings: RatingsOnce, turn: Floats, enough: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """How everyone's scores change with every judgement beside what the others said of the same, and its error.

    Two people differ by a constant, and by how both change in their own time; every two have a constant of their own.
    So working with a severe person first and with a generous one later is no change. The changes of all who
    are well known (`enough`) are found together, step by step; errors allow for what one judgement is beside many,
    and have as many degrees of freedom as the last of the three says.
    """
    count, (judgement, other, weight) = len(enough), _rating_pairs(ratings)
    who, whom = ratings.who[judgement], ratings.who[other]
    pair = renumber(who * count + whom)
    total = np.bincount(pair, weight)
    first, second = (np.zeros(len(total), np.int64) for _ in range(2))  # the annotators of every pair
    first[pair], second[pair] = who, whom

    def within(values: Floats) -> Floats:
        return np.asarray(values - (np.bincount(pair, weight * values) / total)[pair])

    x, y, known = within(turn[judgement]), within(turn[other]), np.zeros(count)
    square, differ = sums(weight * x * x, who, count), within(ratings.value[judgement] - ratings.value[other])
    seen, together = sums(weight * x * differ, who, count), np.bincount(pair, weight * x * y)
    slope, used = known, known
    with np.errstate(invalid="ignore", divide="ignore"):
        for _ in range(STEPS):
            used = known
            slope = (seen + sums(used[second] * together, first, count)) / square
            step = np.where(enough & np.isfinite(slope), (used + slope) / 2, 0.0)
            if np.allclose(step, used, rtol=1e-9, atol=1e-12):
                break
            known = step
        left = differ + used[whom] * y
        off = np.bincount(judgement, weight * x * (left - slope[who] * x), len(ratings.who)).astype(
            np.float64
        )
        # What a judgement draws to itself hides how far it is off: HC3 (MacKinnon and White 1985).
        pull = np.bincount(judgement, weight * (x * x / square[who] + 1 / total[pair]), len(ratings.who))
        off /= np.maximum(1 - pull, 1e-9)
        beside = np.zeros(len(ratings.who), dtype=bool)
        beside[judgement] = True
        judged, others = (np.bincount(names, minlength=count) for names in (ratings.who[beside], first))
        free: Floats = judged - others - np.float64(1)  # a constant for each of the others
        error = np.sqrt(sums(off**2, ratings.who, count)) / square
    estimable = (free > 0) & (square > 1e-9)
    return np.where(estimable, slope, math.nan), np.where(estimable, error, math.nan), free


def _rating_pairs(ratings: RatingsOnce) -> tuple[Codes, Codes, Floats]:
    """Pair every judgement with the others of the same translation (at most `MOST_OTHERS`); its weights add up to 1."""
    order = np.argsort(ratings.translation, kind="stable")
    times = np.bincount(ratings.translation)
    size = times[ratings.translation[order]]
    begin = (np.cumsum(times) - times)[ratings.translation[order]]
    place = np.arange(len(order)) - begin
    judgement, other = [], []
    for shift in range(1, min(int(size.max(initial=0)), MOST_OTHERS + 1)):
        has_other = size > shift
        judgement.append(order[has_other])
        other.append(order[(begin + (place + shift) % np.maximum(size, 1))[has_other]])
    if not judgement:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    first = np.concatenate(judgement)
    weight = 1.0 / np.minimum(times[ratings.translation[first]] - 1.0, MOST_OTHERS)
    return first, np.concatenate(other), weight


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


def _modal_share(answer: Floats, who: NDArray[Any], count: int) -> Floats:
    """Share of each annotator's most frequent answer."""
    order = np.lexsort((answer, who))
    differs = (np.diff(who[order]) != 0) | (np.diff(answer[order]) != 0)
    begins = np.flatnonzero(np.concatenate([[True], differs])[: len(order)])
    most = np.zeros(count)
    np.maximum.at(most, who[order[begins]], np.diff(begins, append=len(order)))
    number = np.bincount(who, minlength=count)
    return np.where(number > 0, most / np.maximum(number, 1), math.nan)


def _medians(values: Floats, who: NDArray[Any], count: int) -> Floats:
    known = ~np.isnan(values)
    values, who = values[known], who[known]
    order = np.lexsort((values, who))
    values = values[order]
    number = np.bincount(who, minlength=count)
    begins = np.cumsum(number) - number
    medians = np.full(count, math.nan)
    some = number > 0
    low, high = (begins + (number - 1) // 2)[some], (begins + number // 2)[some]
    medians[some] = (values[low] + values[high]) / 2
    return medians


def _python_number(value: Any) -> Any:
    """A plain Python number; None for NaN."""
    if isinstance(value, np.integer):
        return int(value)
    return None if math.isnan(value) else float(value)


@dataclass(frozen=True, eq=False)
class Panel:
    """Which annotators judged the same translations."""

    first: Codes
    """With `second` and `share`: the pairs of people who judged some of the same, both ways."""
    second: Codes
    share: Floats
    """The share of `second` among those who judged the same as `first`."""
    others: Codes
    """How many different others judged some of the same."""
    part: Codes
    """Connected components of the annotators: nothing tells people of different parts apart."""

    @classmethod
    def of(cls, who: NDArray[Any], what: NDArray[Any], count: int) -> Panel:
        """From one row for each thing that an annotator judged."""
        cells = np.sort(what.astype(np.int64) * count + who)
        what, who = np.divmod(cells[np.diff(cells, prepend=-1) > 0], count)
        times = np.bincount(what)[what]
        several = times > 1
        who, what, times = who[several], what[several], times[several]
        blocks = [_pairs(who[rows], what[rows], times[rows], count) for rows in _blocks(what, times)]
        keys, parts = (np.concatenate(part) for part in zip(*blocks, strict=True))
        pairs, together = _summed(keys, parts, count * count)
        first, second = np.divmod(pairs, count)
        share = together / sums(together, first, count)[first]
        others = np.bincount(first, minlength=count)
        return cls(first, second, share, others, components(first, second, count))

    def mean_of_others(self, values: Floats) -> Floats:
        """For each annotator, the mean of the values of those who judged the same; 0 without any."""
        return sums(self.share * values[self.second], self.first, len(self.others))

    def effects(self, differences: Floats, known: NDArray[np.bool_], *, sign: float = 1.0) -> Floats:
        """Everyone's effect relative to the panel's median, from differences to the others.

        A difference is an annotator's effect less the mean of the others' (with a sign of −1: plus it). Annotators who
        are not well `known` count as 0 among the others.
        """
        effects = np.zeros(len(differences))
        used = known & np.isfinite(differences)
        for _ in range(STEPS):
            step = np.where(used, (effects + differences + sign * self.mean_of_others(effects)) / 2, 0.0)
            step = np.where(used, step - self._means(step, used), 0.0) if sign > 0 else step
            if np.allclose(step, effects, rtol=1e-13, atol=1e-15):
                break
            effects = step
        return self.relative_to_median(differences + sign * self.mean_of_others(effects), used)

    def relative_to_median(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        """Values relative to the median of the `known` annotators of the same component."""
        relative = values.copy()
        for number in np.unique(self.part):
            members = self.part == number
            used = known & members if (known & members).any() else members & np.isfinite(values)
            relative[members] -= np.median(relative[used]) if used.any() else 0.0
        return relative

    def _means(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        number = np.bincount(self.part[known], minlength=len(self.part))
        total = np.bincount(self.part[known], values[known], len(self.part))
        means: Floats = total / np.maximum(number, 1)
        return means[self.part]


def _blocks(what: Codes, times: Codes) -> Iterator[slice]:
    """Rows of whole things, which are sorted, with so many pairs at a time that memory suffices."""
    before = (np.cumsum(times) - times)[np.searchsorted(what, what)] // PAIRS
    edges = [0, *(np.flatnonzero(np.diff(before)) + 1).tolist(), len(what)]
    yield from (slice(*ends) for ends in pairwise(edges))


def _pairs(who: Codes, what: Codes, times: Codes, count: int) -> tuple[Codes, Floats]:
    """Pairs of people who judged the same thing, each as one number, with the second's part in the first one's work."""
    begins = np.searchsorted(what, what)
    first = np.repeat(np.arange(len(what)), times)
    second = np.arange(len(first)) - np.repeat(np.cumsum(times) - times - begins, times)
    first, second = first[first != second], second[first != second]
    return _summed(who[first] * count + who[second], 1.0 / (times[first] - 1), count * count)


def _summed(keys: Codes, values: Floats, size: int) -> tuple[Codes, Floats]:
    """The keys that occur among so many, in order, each with the sum of its positive values."""
    if size <= PAIRS:  # a table of all keys is quicker than sorting them
        table = sums(values, keys, size)
        present = np.flatnonzero(table)
        return present, table[present]
    present, place = np.unique(keys, return_inverse=True)
    return present, sums(values, place, len(present))
