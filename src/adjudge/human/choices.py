"""Whether annotators choose what others choose, and what they chose before: rankings, side by side, yes or no.

Counted, never enumerated: how many pairs of judgements agree follows from how often each answer was given to the same
question. Only Cohen's kappa asks who the two were.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, TUTORIAL, Judgements
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.human.grouping import (
    Codes,
    combined_codes,
    first_and_later,
    pairs_within,
    refuse_holes,
    sides,
    usable_rows,
)
from adjudge.stats.agreement import (
    CHANCE_RANKING,
    CHANCE_YES_NO,
    Chance,
    Coefficient,
    alpha,
    chance_of_two,
    chance_with_ties,
    fleiss,
    kappa_of_pairs,
    no_coefficient,
    renumber,
)
from adjudge.stats.pooled import MOST_PAIRS, TOO_MANY_PAIRS, pooled_cohen

Floats: TypeAlias = NDArray[np.float64]

COUNTINGS = ("judges", "wmt")
"""Pairs of different judges, whichever system was shown first; or as WMT's script has it: all pairs of judgements, the
same judge's too, of two systems shown in the same order."""


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
    cohen: Coefficient
    """Cohen's kappa of every two annotators taken together; of one: the first answer with the later."""
    fleiss: Coefficient
    alpha: Coefficient
    """Krippendorff's, nominal. In these three better and worse are counted from both sides."""


@dataclass(frozen=True)
class ChoiceAgreement:
    """Agreement of rankings, comparisons side by side, or yes/no answers."""

    inter: PairAgreement
    """Between different annotators (WMT's counting: between any two judgements)."""
    intra: PairAgreement
    """Of annotators with themselves, where they judged the same thing again."""
    counting: str
    left_out: int
    """Judgements that could not be used: anonymous ones, those recorded twice, and control items."""


def ranking_agreement(
    judgements: Judgements, *, counting: str = "judges", resamples: int = 0, seed: int = 12345
) -> ChoiceAgreement:
    """Agreement on which of two translations is better; a question is an item and two systems.

    Intervals draw items. `wmt` counts as the script of WMT13 to WMT16 did, so that its figures come out; it counts
    pairs of one judge as agreement between judges, and misses those who saw the same two systems in another order.
    """
    if counting not in COUNTINGS:
        raise unknown_name("counting", counting, COUNTINGS)
    if not judgements.is_ranking:
        raise UsageError("these judgements are ratings, not rankings")
    used = usable_rows(judgements)
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
        is_swapped = first > second
        first, second = np.where(is_swapped, second, first), np.where(is_swapped, first, second)
        answer = np.where(is_swapped, -answer, answer)
    asked = _Answers(item, combined_codes(item, first, second), who, answer + 1, 3, answer == 0)
    inter, intra = _pair_agreement(
        asked, counting, CHANCE_RANKING, chance_with_ties, len(judgements.item.names), resamples, seed
    )
    return ChoiceAgreement(inter, intra, counting, left_out)


def yes_no_agreement(judgements: Judgements, *, resamples: int = 0, seed: int = 12345) -> ChoiceAgreement:
    """Agreement of answers that are 1 (yes) or 0 (no); a question is a translation."""
    used = usable_rows(judgements)
    score = judgements.score[used.rows]
    wrong = used.rows[(score != 0) & (score != 1)]
    if len(wrong):
        row = int(wrong[0])
        raise DataError(f"{judgements.place(row)}: {judgements.score[row]:g} is neither yes (1) nor no (0)")
    item = judgements.item.codes[used.rows].astype(np.int64)
    question = combined_codes(item, judgements.system.codes[used.rows])
    who = judgements.annotator.codes[used.rows].astype(np.int64)
    asked = _Answers(item, question, who, score.astype(np.int64), 2, score == 1)
    inter, intra = _pair_agreement(
        asked, "judges", CHANCE_YES_NO, chance_of_two, len(judgements.item.names), resamples, seed
    )
    return ChoiceAgreement(inter, intra, "judges", used.left_out)


@dataclass(frozen=True, eq=False)
class _Answers:
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
    asked: _Answers, counting: str, guess: float, chance: Chance, items: int, resamples: int, seed: int
) -> tuple[PairAgreement, PairAgreement]:
    """Between annotators and of each with himself or herself; a row an item for what is drawn."""

    def summed(of: Codes, numbers: Floats) -> Floats:
        return np.bincount(of, numbers, items).astype(np.float64)

    by_annotator = combined_codes(asked.question, asked.who)
    (agree, pairs), (agree_own, pairs_own) = (_same_answers(g, asked) for g in (asked.question, by_annotator))
    item_of, item_of_own = (_of_group(g, asked.item) for g in (asked.question, by_annotator))
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
        block = combined_codes(asked.item, asked.who)
        repeated = np.zeros(int(block.max(initial=-1)) + 1, dtype=bool)
        repeated[_of_group(by_annotator, block)[pairs_own > 0]] = True
        own_rows = repeated[block]
        marked_own = summed(asked.item[own_rows], asked.marked[own_rows].astype(np.float64))
        all_own = summed(asked.item[own_rows], np.ones(int(own_rows.sum())))
    first, later = first_and_later(by_annotator)
    once = np.ones(len(by_annotator), dtype=bool)
    once[later] = False
    return (
        _agreement_of_counts(
            np.column_stack([agreed, paired, marked, all_]),
            guess,
            chance,
            resamples,
            seed,
            _cohen_between(asked, once),
            *_fleiss_and_alpha(asked.answer[once], renumber(asked.question[once]), asked.answers),
        ),
        _agreement_of_counts(
            np.column_stack([agreed_own, paired_own, marked_own, all_own]),
            guess,
            chance,
            resamples,
            seed,
            _cohen(asked.answer[first], asked.answer[later], asked.who[first], asked.answers),
            *_fleiss_and_alpha(asked.answer, by_annotator, asked.answers),
        ),
    )


def _agreement_of_counts(
    rows: Floats,
    guess: float,
    chance: Chance,
    resamples: int,
    seed: int,
    cohen: Coefficient,
    of_fleiss: Coefficient,
    of_krippendorff: Coefficient,
) -> PairAgreement:
    agreeing, comparable, marked, judged = (round(x) for x in rows.sum(0))
    empirical, fixed = (
        kappa_of_pairs(rows, chance=by_chance, resamples=resamples, seed=seed)
        for by_chance in (chance, guess)
    )
    return PairAgreement(
        agreeing, comparable, marked, judged, empirical, fixed, cohen, of_fleiss, of_krippendorff
    )


def _same_answers(group: Codes, asked: _Answers) -> tuple[Floats, Floats]:
    """For each group of judgements: pairs of them that agree, and all pairs."""
    groups = int(group.max(initial=-1)) + 1
    times = np.bincount(group * asked.answers + asked.answer, minlength=groups * asked.answers)
    table = times.reshape(groups, asked.answers).astype(np.float64)
    n = table.sum(1)
    return (table * (table - 1) / 2).sum(1), n * (n - 1) / 2


def _of_group(group: Codes, column: Codes) -> Codes:
    """What a column holds for each group, in which it is the same for all."""
    values = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.int64)
    values[group] = column
    return values


def _cohen_between(asked: _Answers, once: NDArray[np.bool_]) -> Coefficient:
    who, answer = asked.who[once], asked.answer[once]
    pairs = pairs_within(asked.question[once], who, MOST_PAIRS)
    if pairs is None:
        return no_coefficient(TOO_MANY_PAIRS)
    first, other = pairs
    return _cohen(answer[first], answer[other], combined_codes(who[first], who[other]), asked.answers)


def _cohen(first: Codes, second: Codes, pairs: Codes, answers: int) -> Coefficient:
    if answers == 2:
        return pooled_cohen(first, second, pairs)
    a, b, both = (
        np.concatenate([column, mirrored])
        for column, mirrored in ((first, 2 - first), (second, 2 - second), (pairs, pairs))
    )
    return _halve(pooled_cohen(a, b, both))


def _fleiss_and_alpha(answer: Codes, unit: Codes, answers: int) -> tuple[Coefficient, Coefficient]:
    units = int(unit.max(initial=-1)) + 1
    if answers == 3:
        answer, unit = np.concatenate([answer, 2 - answer]), np.concatenate([unit, unit + units])
        units *= 2
    table = np.bincount(unit * answers + answer, minlength=units * answers).reshape(units, answers)
    coefficients = fleiss(table), alpha(answer, unit, level="nominal")
    return coefficients if answers == 2 else (_halve(coefficients[0]), _halve(coefficients[1]))


def _halve(coefficient: Coefficient) -> Coefficient:
    """Better and worse were counted from both sides, so that it does not matter which system is the first."""
    return replace(coefficient, units=coefficient.units // 2, judgements=coefficient.judgements // 2)


@dataclass(frozen=True, eq=False)
class DistinctOutputs:
    """Rankings in which each output stands once.

    Files do not say which systems had the same output. But people see so many outputs at once and no more; a larger
    ranking was made larger by giving each system with a shared output a line of its own. In such an item, systems that
    always stand together and always tie have one output, as far as anybody can tell.
    """

    judgements: Judgements
    copies: int
    """Comparisons left out, which say again what others say."""
    shown: int
    """Outputs that people saw at once."""


def without_copies(judgements: Judgements) -> DistinctOutputs:
    """What was said of outputs, where several systems may have had the same one."""
    ranking = judgements.ranking
    if ranking is None or judgements.other is None or not len(judgements):
        return DistinctOutputs(judgements, 0, 0)
    first, second = sides(judgements)
    known = (first != NONE) & (second != NONE) & (judgements.item.codes != NONE)
    sizes = _sizes(ranking[known], first[known], second[known])
    shown, most = np.bincount(sizes).argmax(), sizes.max(initial=0)
    if shown < 2 or most <= shown or 2 * (sizes == shown).sum() <= len(sizes):
        return DistinctOutputs(judgements, 0, int(shown))
    item = judgements.item.codes.astype(np.int64)
    tied = known & (judgements.score == 0)
    width = int(max(first.max(), second.max())) + 1
    # Systems of an item, each with the rankings it is in; pairs with the rankings in which they tie.
    key, often = _distinct_counts(
        np.concatenate([item[known], item[known]]) * width + np.concatenate([first[known], second[known]]),
        np.concatenate([ranking[known], ranking[known]]),
    )
    low, high = np.minimum(first, second)[tied], np.maximum(first, second)[tied]
    pair, ties = _distinct_counts((item[tied] * width + low) * width + high, ranking[tied])
    of_low, of_high = pair // width, pair // width // width * width + pair % width
    together = (often[np.searchsorted(key, of_low)] == ties) & (often[np.searchsorted(key, of_high)] == ties)
    large = np.unique(item[known][np.isin(ranking[known], _larger(ranking[known], sizes, int(shown)))])
    copies = of_high[together & np.isin(pair // width // width, large)]
    gone = np.isin(item * width + first, copies) | np.isin(item * width + second, copies)
    gone &= known
    return DistinctOutputs(judgements[~gone] if gone.any() else judgements, int(gone.sum()), int(shown))


def _sizes(
    ranking: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many systems each ranking holds, in the order of their numbers."""
    width = int(max(first.max(initial=0), second.max(initial=0))) + 1
    number = np.unique(ranking, return_inverse=True)[1]
    members = np.unique(np.concatenate([number, number]) * width + np.concatenate([first, second]))
    return np.bincount(members // width).astype(np.int64)


def _larger(ranking: NDArray[np.int64], sizes: NDArray[np.int64], shown: int) -> NDArray[np.int64]:
    return np.unique(ranking)[sizes > shown]


def _distinct_counts(
    key: NDArray[np.int64], ranking: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each key, in order, with the number of different rankings it is in."""
    values, code = np.unique(key, return_inverse=True)
    _, at = np.unique(combined_codes(code, ranking), return_index=True)
    return values, np.bincount(code[at], minlength=len(values)).astype(np.int64)
