"""Whether annotators rate as others do, and as they did before (rankings and other choices: choices.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements, language_pairs
from adjudge.errors import UsageError
from adjudge.human.assessment import RAW_PROTOCOLS
from adjudge.human.choices import ChoiceAgreement, PairAgreement, ranking_agreement, yes_no_agreement
from adjudge.human.grouping import (
    Codes,
    RatingsOnce,
    combined_codes,
    first_and_later,
    pairs_within,
    ratings_once,
    usable_rows,
)
from adjudge.stats.agreement import (
    Coefficient,
    alpha,
    no_coefficient,
    renumber,
)
from adjudge.stats.correlation import pearson
from adjudge.stats.intraclass import Intraclass, intraclass, intraclass_one_way
from adjudge.stats.pooled import MOST_PAIRS, TOO_MANY_PAIRS, pooled_cohen
from adjudge.wording import join_names, pluralise

__all__ = [
    "ChoiceAgreement",
    "PairAgreement",
    "RatingAgreement",
    "RatingPart",
    "agreement",
    "agreement_on_tested_scores",
    "ranking_agreement",
    "rating_agreement",
    "yes_no_agreement",
]

Floats: TypeAlias = NDArray[np.float64]

YES_NO = "yes-no"
"""The protocol whose answers are 1 and 0."""
CLOSE = 10.0
"""Points on a scale of 100 that two ratings may lie apart and still count as close."""
CLOSE_Z = 0.5
"""The z-scores that two ratings may lie apart and still count as close."""
MOST_VALUES = 2_000
"""With more distinct ratings, nominal agreement is not computed."""
TOO_MANY_VALUES = "there are too many different ratings"


@dataclass(frozen=True)
class RatingPart:
    """How near to each other ratings of the same translation are."""

    alpha: Coefficient
    """Krippendorff's, interval."""
    ordinal: Coefficient
    """Krippendorff's, ordinal: depends on the order of ratings alone, not on how the scale was used."""
    nominal: Coefficient
    """Whether ratings are the very same; always of the scores as they were given."""
    weighted: Coefficient
    """Cohen's kappa with quadratic weights, of every two annotators taken together; of one: first with later."""
    icc: Coefficient
    """ICC(1,1): how far one rating foretells another."""
    forms: Mapping[str, Intraclass]
    """All six forms, where the same annotators rated everything once; empty elsewhere."""
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


def agreement(
    judgements: Judgements,
    *,
    resamples: int = 0,
    seed: int = 12345,
    counting: str | None = None,
    values: Floats | None = None,
    margin: float | None = None,
    pool_languages: bool = False,
) -> ChoiceAgreement | RatingAgreement:
    """The agreement of whatever these judgements are, with intervals from so many `resamples`.

    `counting` is for rankings: by judges, or as the script of WMT did (`wmt`). `values` (such as z-scores, one a row)
    and the `margin` within which two of them are close are for ratings on a scale. Judgements of several language
    pairs are refused unless `pool_languages` says that they are meant as one: pairs differ in level, which would pass
    for agreement.
    """
    if not pool_languages:
        _check_one_pair(judgements)
    if counting is not None and not judgements.is_ranking:
        raise UsageError("counting is for rankings; these judgements are ratings")
    if judgements.is_ranking or judgements.protocol == YES_NO:
        if values is not None or margin is not None:
            raise UsageError("values and a margin are for ratings on a scale; these judgements are choices")
        if not judgements.is_ranking:
            return yes_no_agreement(judgements, resamples=resamples, seed=seed)
        return ranking_agreement(judgements, counting=counting or "judges", resamples=resamples, seed=seed)
    close = CLOSE if margin is None else margin
    return rating_agreement(judgements, values=values, margin=close, resamples=resamples, seed=seed)


def agreement_on_tested_scores(
    judgements: Judgements, z: Floats | None, *, raw: bool = False
) -> ChoiceAgreement | RatingAgreement:
    """The agreement of judgements on the scores that analyses test, which campaigns show while they run too.

    These are z-scores, unless scores do not depend on who gave them (MQM, HTER) or `raw` ones are asked for. Callers
    part language pairs before, or were asked to pool them.
    """
    if raw or z is None or judgements.is_ranking or judgements.protocol in RAW_PROTOCOLS:
        return agreement(judgements, pool_languages=True)
    return agreement(judgements, values=z, margin=CLOSE_Z, pool_languages=True)


def _check_one_pair(judgements: Judgements) -> None:
    pairs = language_pairs(judgements)
    if len(pairs) > 1:
        raise UsageError(
            f"the judgements are of {pluralise(len(pairs), 'language pair')} ({join_names(pairs, 6)}), and agreement "
            "is of one: adjudge.analyse(judgements) has that of each pair, and pool_languages=True takes them as one"
        )


def rating_agreement(
    judgements: Judgements,
    *,
    values: Floats | None = None,
    margin: float = CLOSE,
    resamples: int = 0,
    seed: int = 12345,
) -> RatingAgreement:
    """Agreement of ratings of the same translation; `values` (such as z-scores, one a row) may stand for the scores.

    Between annotators ordinary items count, and what someone said of a translation several times counts once, as the
    mean. Of one annotator ordinary items and repeats count. Values that are NaN are left out. Intervals draw
    translations.
    """
    if judgements.is_ranking:
        raise UsageError("these judgements are rankings, not ratings")
    used = usable_rows(judgements)
    values = judgements.score if values is None else values
    rows = used.rows[np.isfinite(values[used.rows])] if len(values) == len(judgements) else used.rows
    rows = rows[
        np.argsort(judgements.kind[rows], kind="stable")
    ]  # what is repeated was said before its repeat
    ratings = ratings_once(judgements, values, used)
    plain = ratings if values is judgements.score else ratings_once(judgements, None, used)
    system, item, who = (c.codes[rows] for c in (judgements.system, judgements.item, judgements.annotator))
    given, by_annotator = values[rows], combined_codes(item, system, who)
    first, later = first_and_later(by_annotator)
    pairs = pairs_within(ratings.translation, ratings.who, MOST_PAIRS)
    return RatingAgreement(
        inter=_rating_part(
            ratings.value,
            ratings.translation,
            _with_the_others(ratings),
            nominal=_nominal(plain.value, plain.translation),
            weighted=_weighted_coefficient(ratings, pairs),
            forms=_forms(ratings),
            margin=margin,
            resamples=resamples,
            seed=seed,
        ),
        intra=_rating_part(
            given,
            by_annotator,
            (given[first], given[later]),
            nominal=_nominal(judgements.score[rows], by_annotator),
            weighted=pooled_cohen(given[first], given[later], who[first], weights="quadratic"),
            forms={},
            margin=margin,
            resamples=resamples,
            seed=seed,
        ),
        margin=margin,
        left_out=len(judgements) - len(rows),
    )


def _rating_part(
    values: Floats,
    unit: Codes,
    compared: tuple[Floats, Floats],
    *,
    nominal: Coefficient,
    weighted: Coefficient,
    forms: Mapping[str, Intraclass],
    margin: float,
    resamples: int,
    seed: int,
) -> RatingPart:
    close, apart, pairs = _near(values, unit, margin)
    first, other = compared
    r = float(pearson(first[None], other)[0]) if len(first) > 1 else np.nan
    options = {"resamples": resamples, "seed": seed}
    return RatingPart(
        alpha=alpha(values, unit, level="interval", **options),
        ordinal=alpha(values, unit, level="ordinal", **options),
        nominal=nominal,
        weighted=weighted,
        icc=intraclass_one_way(values, unit, limits=resamples > 0),
        forms=forms,
        pearson=None if np.isnan(r) else r,
        close=close / pairs if pairs else None,
        difference=apart / pairs if pairs else None,
        pairs=pairs,
    )


def _near(values: Floats, unit: Codes, margin: float) -> tuple[int, float, int]:
    """Pairs in the same unit that lie no more than `margin` apart, the sum of all distances, and all pairs."""
    more = np.bincount(unit)[unit] > 1
    distinct, code = np.unique(values[more], return_inverse=True)
    key, width = renumber(unit[more]) * (len(distinct) + 1), len(distinct) + 1
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


def _nominal(values: Floats, unit: Codes) -> Coefficient:
    if len(np.unique(values)) > MOST_VALUES:
        return no_coefficient(TOO_MANY_VALUES)
    return alpha(values, unit, level="nominal")


def _weighted_coefficient(ratings: RatingsOnce, pairs: tuple[Codes, Codes] | None) -> Coefficient:
    if pairs is None:
        return no_coefficient(TOO_MANY_PAIRS)
    first, other = pairs
    both = combined_codes(ratings.who[first], ratings.who[other])
    return pooled_cohen(ratings.value[first], ratings.value[other], both, weights="quadratic")


def _forms(ratings: RatingsOnce) -> dict[str, Intraclass]:
    """Intraclass correlations of a full table of translations and annotators."""
    unit, who = renumber(ratings.translation), renumber(ratings.who)
    shape = int(unit.max(initial=-1)) + 1, int(who.max(initial=-1)) + 1
    if min(shape) < 2 or shape[0] * shape[1] != len(unit):  # each annotator is there once a translation
        return {}
    table = np.empty(shape)
    table[unit, who] = ratings.value
    return intraclass(table)


def _with_the_others(ratings: RatingsOnce) -> tuple[Floats, Floats]:
    """Each rating beside the mean of the others of the same translation."""
    others = ratings.others()
    compared = ~np.isnan(others)
    return ratings.value[compared], others[compared]
