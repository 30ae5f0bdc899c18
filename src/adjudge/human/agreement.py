"""Whether annotators say what others say, and what they said before.

Counted, never enumerated: how many pairs of judgements agree follows from how often each answer was given to the same
question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, TUTORIAL, Judgements
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.human.grouping import Codes, Said, once_each, refuse_holes, same, sides, usable
from adjudge.stats.agreement import (
    CHANCE_RANKING,
    CHANCE_YES_NO,
    Chance,
    Coefficient,
    alpha,
    chance_of_two,
    chance_with_ties,
    kappa_of_pairs,
    numbered,
)
from adjudge.stats.correlation import pearson
from adjudge.stats.intraclass import intraclass_one_way

Floats: TypeAlias = NDArray[np.float64]

COUNTINGS = ("judges", "wmt")
"""Pairs of different judges, whichever system was shown first; or as WMT's script has it: all pairs of judgements, the
same judge's too, of two systems shown in the same order."""
CLOSE = 10.0
"""Points on a scale of 100 that two ratings may lie apart and still count as close."""


@dataclass(frozen=True)
class PairAgreement:
    """How often two judgements of the same question are the same."""

    agreeing: int
    comparable: int
    """Pairs of judgements of the same question."""
    ties: int
    """Judgements that are ties (of yes/no judgements: yes), from which chance is computed."""
    judgements: int
    empirical: Coefficient
    """Kappa with the chance agreement that the share of ties implies."""
    fixed: Coefficient
    """Kappa with the chance agreement of guessing: 1/3 for rankings, 1/2 for yes/no."""


@dataclass(frozen=True)
class ChoiceAgreement:
    """Agreement of rankings, comparisons side by side, or yes/no answers."""

    inter: PairAgreement
    """Between different annotators (WMT's counting: between any two judgements)."""
    intra: PairAgreement
    """Of annotators with themselves, where they judged the same thing again."""
    counting: str
    left_out: int
    """Judgements that could not be used: of nobody in particular, recorded twice, or control items."""


@dataclass(frozen=True)
class RatingPart:
    """How near to each other ratings of the same translation are."""

    alpha: Coefficient
    """Krippendorff's, interval."""
    ordinal: Coefficient
    """The same on ranks: blind to how the scale was used, as long as the order is the same."""
    icc: Coefficient
    """ICC(1,1): how far one rating foretells another."""
    pearson: float | None
    """Between annotators: a rating with the mean of the others'; of one annotator: the first with the later."""
    close: float | None
    """Share of pairs that lie no more than `margin` apart."""
    difference: float | None
    """Mean distance of two ratings."""
    pairs: int


@dataclass(frozen=True)
class RatingAgreement:
    """Agreement of ratings on a scale."""

    inter: RatingPart
    intra: RatingPart
    margin: float
    left_out: int


def agreement(judgements: Judgements, **options: Any) -> ChoiceAgreement | RatingAgreement:
    """The agreement of whatever these judgements are."""
    return (
        ranking_agreement(judgements, **options)
        if judgements.is_ranking
        else rating_agreement(judgements, **options)
    )


def ranking_agreement(
    judgements: Judgements, *, counting: str = "judges", resamples: int = 0, seed: int = 0
) -> ChoiceAgreement:
    """Agreement on which of two translations is better; a question is an item and two systems.

    Intervals draw items. `wmt` counts as the script of WMT13 to WMT16 did, so that its figures come out; it counts
    pairs of one judge as agreement between judges, and misses those who saw the same two systems in another order.
    """
    if counting not in COUNTINGS:
        raise unknown_name("counting", counting, COUNTINGS)
    if not judgements.is_ranking:
        raise UsageError("these judgements are ratings, not rankings")
    used = usable(judgements)
    rows = used.rows
    left_out = used.left_out
    if counting == "wmt":
        rows = _all_in_pairs(judgements)
        left_out = len(judgements) - len(rows)
    first, second = (side[rows] for side in sides(judgements))
    answer = np.sign(judgements.score[rows]).astype(np.int64)
    item, who = (
        judgements.item.codes[rows].astype(np.int64),
        judgements.annotator.codes[rows].astype(np.int64),
    )
    if counting == "judges":
        turned = first > second
        first, second = np.where(turned, second, first), np.where(turned, first, second)
        answer = np.where(turned, -answer, answer)
    asked = _Asked(item, same(item, first, second), who, answer + 1, 3, answer == 0)
    inter, intra = _pair_agreement(
        asked, counting, CHANCE_RANKING, chance_with_ties, len(judgements.item.names), resamples, seed
    )
    return ChoiceAgreement(inter, intra, counting, left_out)


def yes_no_agreement(judgements: Judgements, *, resamples: int = 0, seed: int = 0) -> ChoiceAgreement:
    """Agreement of answers that are 1 (yes) or 0 (no); a question is a translation."""
    used = usable(judgements)
    score = judgements.score[used.rows]
    wrong = used.rows[(score != 0) & (score != 1)]
    if len(wrong):
        row = int(wrong[0])
        raise DataError(f"{judgements.place(row)}: {judgements.score[row]:g} is neither yes (1) nor no (0)")
    item = judgements.item.codes[used.rows].astype(np.int64)
    question = same(item, judgements.system.codes[used.rows])
    who = judgements.annotator.codes[used.rows].astype(np.int64)
    asked = _Asked(item, question, who, score.astype(np.int64), 2, score == 1)
    inter, intra = _pair_agreement(
        asked, "judges", CHANCE_YES_NO, chance_of_two, len(judgements.item.names), resamples, seed
    )
    return ChoiceAgreement(inter, intra, "judges", used.left_out)


def rating_agreement(
    judgements: Judgements,
    *,
    values: Floats | None = None,
    margin: float = CLOSE,
    resamples: int = 0,
    seed: int = 0,
) -> RatingAgreement:
    """Agreement of ratings of the same translation; `values` (such as z-scores, one a row) may stand for the scores.

    Between annotators ordinary items count, and what someone said of a translation several times counts once, as the
    mean. Of one annotator ordinary items and repeats count. Values that are NaN are left out. Intervals draw
    translations.
    """
    if judgements.is_ranking:
        raise UsageError("these judgements are rankings, not ratings")
    used = usable(judgements)
    values = judgements.score if values is None else values
    rows = used.rows[np.isfinite(values[used.rows])] if len(values) == len(judgements) else used.rows
    rows = rows[
        np.argsort(judgements.kind[rows], kind="stable")
    ]  # what is repeated was said before its repeat
    said = once_each(judgements, values, used)
    system, item, who = (c.codes[rows] for c in (judgements.system, judgements.item, judgements.annotator))
    given, mine = values[rows], same(item, system, who)
    return RatingAgreement(
        inter=_rating_part(said.value, said.translation, _with_the_others(said), margin, resamples, seed),
        intra=_rating_part(given, mine, _first_and_later(given, mine), margin, resamples, seed),
        margin=margin,
        left_out=len(judgements) - len(rows),
    )


@dataclass(frozen=True, eq=False)
class _Asked:
    """Answers to questions: one row each."""

    item: Codes
    question: Codes
    who: Codes
    answer: Codes
    answers: int
    """How many different ones there can be."""
    marked: NDArray[np.bool_]
    """The answers whose share tells what chance would do: ties, or yes."""


def _all_in_pairs(judgements: Judgements) -> NDArray[np.intp]:
    """All that WMT's script counts: it does not look at who judged, nor at the kind of item, tutorials apart."""
    refuse_holes(judgements)
    assert judgements.other is not None
    known = (
        (judgements.system.codes != NONE) & (judgements.other.codes != NONE) & (judgements.item.codes != NONE)
    )
    return np.flatnonzero(known & (judgements.kind != TUTORIAL))


def _pair_agreement(
    asked: _Asked, counting: str, guess: float, chance: Chance, items: int, resamples: int, seed: int
) -> tuple[PairAgreement, PairAgreement]:
    """Between annotators and of each with himself or herself; a row an item for what is drawn."""

    def summed(of: Codes, numbers: Floats) -> Floats:
        return np.bincount(of, numbers, items).astype(np.float64)

    own = same(asked.question, asked.who)
    (agree, pairs), (agree_own, pairs_own) = (_same_answers(g, asked) for g in (asked.question, own))
    item_of, item_of_own = (_of_group(g, asked.item) for g in (asked.question, own))
    agreed, paired = summed(item_of, agree), summed(item_of, pairs)
    agreed_own, paired_own = summed(item_of_own, agree_own), summed(item_of_own, pairs_own)
    marked, all_ = (
        summed(asked.item, asked.marked.astype(np.float64)),
        summed(asked.item, np.ones(len(asked.item))),
    )
    marked_own, all_own = marked, all_
    if counting == "judges":
        agreed, paired = agreed - agreed_own, paired - paired_own
    else:
        # The script looks, for chance, at all that a judge said of an item, if anything was judged twice.
        block = same(asked.item, asked.who)
        repeated = np.zeros(int(block.max(initial=-1)) + 1, dtype=bool)
        repeated[_of_group(own, block)[pairs_own > 0]] = True
        there = repeated[block]
        marked_own = summed(asked.item[there], asked.marked[there].astype(np.float64))
        all_own = summed(asked.item[there], np.ones(int(there.sum())))
    return (
        _counted(np.column_stack([agreed, paired, marked, all_]), guess, chance, resamples, seed),
        _counted(
            np.column_stack([agreed_own, paired_own, marked_own, all_own]), guess, chance, resamples, seed
        ),
    )


def _counted(rows: Floats, guess: float, chance: Chance, resamples: int, seed: int) -> PairAgreement:
    agreeing, comparable, marked, judged = (round(x) for x in rows.sum(0))
    empirical, fixed = (
        kappa_of_pairs(rows, chance=one, resamples=resamples, seed=seed) for one in (chance, guess)
    )
    return PairAgreement(agreeing, comparable, marked, judged, empirical, fixed)


def _same_answers(group: Codes, asked: _Asked) -> tuple[Floats, Floats]:
    """For each group of judgements: pairs of them that agree, and all pairs."""
    groups = int(group.max(initial=-1)) + 1
    times = np.bincount(group * asked.answers + asked.answer, minlength=groups * asked.answers)
    table = times.reshape(groups, asked.answers).astype(np.float64)
    n = table.sum(1)
    return (table * (table - 1) / 2).sum(1), n * (n - 1) / 2


def _of_group(group: Codes, column: Codes) -> Codes:
    """What a column holds for each group, in which it is the same for all."""
    found = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.int64)
    found[group] = column
    return found


def _rating_part(
    values: Floats, unit: Codes, compared: tuple[Floats, Floats], margin: float, resamples: int, seed: int
) -> RatingPart:
    close, apart, pairs = _near(values, unit, margin)
    one, other = compared
    r = float(pearson(one[None], other)[0]) if len(one) > 1 else np.nan
    options = {"resamples": resamples, "seed": seed}
    return RatingPart(
        alpha=alpha(values, unit, level="interval", **options),
        ordinal=alpha(values, unit, level="ordinal", **options),
        icc=intraclass_one_way(values, unit, **options),
        pearson=None if np.isnan(r) else r,
        close=close / pairs if pairs else None,
        difference=apart / pairs if pairs else None,
        pairs=pairs,
    )


def _near(values: Floats, unit: Codes, margin: float) -> tuple[int, float, int]:
    """Pairs in the same unit that lie no more than `margin` apart, the sum of all distances, and all pairs."""
    more = np.bincount(unit)[unit] > 1
    distinct, code = np.unique(values[more], return_inverse=True)
    key, width = numbered(unit[more]) * (len(distinct) + 1), len(distinct) + 1
    order = np.argsort(key + code)
    key, code = key[order], code[order]
    values, unit = distinct[code] if len(code) else values[:0], key // width
    size = np.bincount(unit)
    begins = (np.cumsum(size) - size)[unit]
    place = np.arange(len(values)) - begins
    # Each value is the higher one in as many pairs as stand before it, the lower one in those behind it.
    apart = float(((2 * place + 1 - size[unit]) * values).sum())
    reach = np.searchsorted(distinct, distinct + margin, side="right")
    ends = np.searchsorted(key + code, key + reach[code], side="left")
    close = int((ends - np.arange(len(values)) - 1).sum())
    return close, apart, int((size * (size - 1) // 2).sum())


def _first_and_later(values: Floats, mine: Codes) -> tuple[Floats, Floats]:
    """The first rating beside each later one by the same annotator of the same translation."""
    _, first, at = np.unique(mine, return_index=True, return_inverse=True)
    later = np.ones(len(values), dtype=bool)
    later[first] = False
    return values[first[at]][later], values[later]


def _with_the_others(said: Said) -> tuple[Floats, Floats]:
    """Each rating beside the mean of the others of the same translation."""
    others = said.others()
    there = ~np.isnan(others)
    return said.value[there], others[there]
