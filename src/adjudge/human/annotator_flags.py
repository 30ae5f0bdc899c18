"""Flags: which annotators deserve a closer look, and why, always compared with the panel and corrected for its size.

A flag is a reason to look, not an accusation, and comes with its figure. Each kind of flag has its own tests, one per
annotator, corrected for their number (Holm), and an effect must also be large enough to matter. People differ, so that
being unlike the median is no finding: severity and spread must be shown to exceed ordinary differences. At most one in
twenty panels of honest people has a flag (bench/annotators.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements
from adjudge.stats.agreement import chance_with_ties
from adjudge.stats.distributions import binomial_cdf, normal_cdf, t_cdf, t_quantile
from adjudge.stats.multiple import adjust_p_values
from adjudge.stats.significance import significant
from adjudge.wording import pluralise, with_sign

Floats: TypeAlias = NDArray[np.float64]

ENOUGH_TRANSLATIONS = 20
"""Translations judged by others too, below which nothing is said of severity, spread and agreement.

Of rankings both so many of them and so many pairs that others judged too: a ranking of five alone has ten pairs.
"""
FEWEST_OTHERS = 2
"""With a single other annotator, it is unknown which of the two is the outlier."""
SEVERE = 1.0
"""So many typical standard deviations from the panel are flagged."""
NARROW, WIDE = 0.5, 2.0
USUAL = 0.5
"""Of these limits (of the logarithm of a spread), what anybody may differ by; a flag needs to be shown beyond it.

Held against no difference at all, the largest of forty severities, which are never all the same, would be shown to
differ in most panels, and chance would carry it beyond the limit in one of ten.
"""
LONGEST_RUN = 8
HASTY_SHARE = 1 / 3
"""A median time below this share of the panel's median."""
SHORTEST = 1.0
"""Seconds; a panel whose median is shorter has times that are not those of judging."""
DRIFTED = 0.5
"""Standard deviations by which scores change from an annotator's first judgement to the last."""
DRIFTED_SHARE = 0.2
"""In rankings: the change of the share of answers that agree with others'."""
CORRELATION_VARIANCE = 1.5
"""Correlations of scores with a ceiling, beside others who differ, vary so much more than Fisher's 1 / (n − 3)."""
ALPHA = 0.05
LEAST_P = 0.001
"""Smaller p-values are shown as below this one."""
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
    others: int = 0
    """How many different others did."""
    mean: float | None = None
    deviation: float | None = None
    severity: float | None = None
    """How many points worse than the panel's median for the same translations, on average; negative is generous.

    Worse is below, or above where scores are penalties.
    """
    severity_error: float | None = None
    """Its standard error."""
    spread: float | None = None
    """Standard deviation over the panel's median one, for the same translations."""
    spread_error: float | None = None
    """Standard error of its logarithm."""
    agreement: float | None = None
    """Ratings: correlation with the others' mean. Rankings: share of pairs with others' answers that are the same."""
    ties: float | None = None
    """Share of ties (rankings)."""
    first: float | None = None
    """Share of answers, ties apart, in favour of the system that stands first (rankings)."""
    seconds: float | None = None
    """Median time for a judgement."""
    hasty: int = 0
    """Judgements that took less than a third of the panel's median time."""
    timed: int = 0
    """Judgements whose time is known."""
    equal: float | None = None
    """Share of answers equal to the one before."""
    usual: float | None = None
    """Share of the answer that was given most often."""
    longest_run: int = 0
    """Equal answers in a row; not counted where several systems were ranked at once."""
    drift: float | None = None
    """Change over 100 judgements beside the panel's median: of the score (ratings), of agreement (rankings).

    Of ratings no more than one's own scores may have changed.
    """
    drift_p: float | None = None
    """That there is none; adjusted for the number of annotators (Holm)."""
    flags: tuple[str, ...] = ()


def flags(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> list[tuple[str, ...]]:
    """The flags of every annotator."""
    if not diagnoses:
        return []
    kinds = (_severity, _spread, _agreement, _runs, _haste, _drift)
    by_kind = [kind(diagnoses, judgements) for kind in kinds]
    return [
        tuple(
            text
            for texts in ([_constant(diagnosis, judgements)], *([kind[i]] for kind in by_kind))
            for text in texts
            if text
        )
        for i, diagnosis in enumerate(diagnoses)
    ]


Flags: TypeAlias = list[str]


def _constant(diagnosis: Diagnosis, judgements: Judgements) -> str:
    if diagnosis.deviation != 0 or diagnosis.judgements <= LONGEST_RUN or judgements.protocol in OFTEN_EQUAL:
        return ""
    return f"gave {pluralise(diagnosis.judgements, 'judgement')} the same score"


def _severity(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> Flags:
    typical = _median([diagnosis.deviation for diagnosis in diagnoses])
    limit = SEVERE * typical
    effect, error, number = (_column(diagnoses, name) for name in ("severity", "severity_error", "compared"))
    p = _adjusted_where_known(student_p(effect, error, number - 1, usual=USUAL * limit), diagnoses)

    def say(diagnosis: Diagnosis) -> str:
        assert diagnosis.severity is not None
        side = "below" if (diagnosis.severity > 0) == judgements.higher_is_better else "above"
        return f"scores {abs(diagnosis.severity):.1f} points {side} the panel's median ({_others(diagnosis)})"

    return _sentences(diagnoses, significant(p, ALPHA) & (np.abs(effect) > limit), say)


def _spread(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> Flags:
    spread, error, number = (_column(diagnoses, name) for name in ("spread", "spread_error", "compared"))
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.log(spread)
    # Student's t, for errors come from the same few scores, and ratios of variances have longer tails than normal ones.
    p = _adjusted_where_known(student_p(effect, error, number - 1, usual=USUAL * math.log(WIDE)), diagnoses)
    odd = significant(p, ALPHA) & ((spread < NARROW) | (spread > WIDE))
    return _sentences(
        diagnoses,
        odd,
        lambda diagnosis: (
            f"spreads scores {diagnosis.spread:.2f} times as far as the panel's median ({_others(diagnosis)})"
        ),
    )


def _agreement(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> Flags:
    """Flag annotators who agree no more than chance would, and less than the panel's median."""
    agreement, number = _column(diagnoses, "agreement"), _column(diagnoses, "compared")
    number = np.minimum(number, _column(diagnoses, "judgements"))
    known = (number >= ENOUGH_TRANSLATIONS) & np.isfinite(agreement)
    middle = float(np.median(agreement[known])) if known.any() else math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        if judgements.is_ranking:
            chance = np.array(
                [
                    float(chance_with_ties(diagnosis.ties)) if diagnosis.ties is not None else 0.0
                    for diagnosis in diagnoses
                ]
            )
            z = (agreement - middle) * np.sqrt(number / (middle * (1 - middle)))
        else:
            chance = np.zeros(len(diagnoses))
            z = (np.arctanh(agreement) - np.arctanh(middle)) * np.sqrt((number - 3) / CORRELATION_VARIANCE)
    p = _adjusted_where_known(np.where(known, _normal_p(z), math.nan), diagnoses)

    def say(diagnosis: Diagnosis) -> str:
        figure = (
            f"agreement {diagnosis.agreement:.2f}"
            if judgements.is_ranking
            else f"correlation {diagnosis.agreement:.2f}"
        )
        return f"does not agree with the panel ({figure}, the median is {middle:.2f}; {_others(diagnosis)})"

    return _sentences(diagnoses, significant(p, ALPHA) & (agreement <= chance) & (agreement < middle), say)


def _runs(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> Flags:
    """Flag runs of equal answers that are longer than a random order of the answers would give."""
    if judgements.protocol in OFTEN_EQUAL:
        return [""] * len(diagnoses)
    run, number, usual = (_column(diagnoses, name) for name in ("longest_run", "judgements", "usual"))
    if len(diagnoses) > 1:
        top, next_ = np.sort(np.nan_to_num(usual))[-1], np.sort(np.nan_to_num(usual))[-2]
        usual = np.minimum(usual, np.where(usual == top, next_, top))
    with np.errstate(invalid="ignore"):
        expected = usual ** (run - 1) * (1 + (number - run) * (1 - usual))
        p = adjust_known(np.where(run > 0, -np.expm1(-expected), math.nan))
    varies = np.array([diagnosis.deviation != 0 for diagnosis in diagnoses])
    return _sentences(
        diagnoses,
        significant(p, ALPHA) & (run > LONGEST_RUN) & varies,
        lambda diagnosis: f"gave {pluralise(diagnosis.longest_run, 'equal answer')} in a row",
    )


def _haste(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> Flags:
    """Flag annotators whose median time is below a third of the panel's, by a sign test."""
    typical = _median([diagnosis.seconds for diagnosis in diagnoses])
    hasty, timed, seconds = (_column(diagnoses, name) for name in ("hasty", "timed", "seconds"))
    if (timed > 0).sum() <= FEWEST_OTHERS or not typical >= SHORTEST:
        return [""] * len(diagnoses)
    number = np.maximum(timed, 1)
    chance = binomial_cdf(number - hasty, number, 0.5)  # of as many hasty ones, or more
    p = adjust_known(np.where(timed >= ENOUGH_TRANSLATIONS, chance, math.nan))
    return _sentences(
        diagnoses,
        significant(p, ALPHA) & (seconds < HASTY_SHARE * typical),
        lambda diagnosis: (
            f"takes {diagnosis.seconds:.1f} s for a judgement, the panel's median is {typical:.1f} s"
        ),
    )


def _drift(diagnoses: Sequence[Diagnosis], judgements: Judgements) -> Flags:
    drift, p, number = (_column(diagnoses, name) for name in ("drift", "drift_p", "judgements"))
    ranking = judgements.is_ranking
    far = DRIFTED_SHARE if ranking else DRIFTED * _median([diagnosis.deviation for diagnosis in diagnoses])
    odd = significant(p, ALPHA) & (np.abs(drift) * number / 100 > far)
    odd &= (number >= ENOUGH_TRANSLATIONS) & (_column(diagnoses, "others") >= FEWEST_OTHERS)

    def say(diagnosis: Diagnosis) -> str:
        assert diagnosis.drift_p is not None
        assert diagnosis.drift is not None
        change = with_sign(diagnosis.drift, 2 if ranking else 1)
        figure = f"{change} of agreement" if ranking else f"{change} points"
        p = f"p < {LEAST_P}" if diagnosis.drift_p < LEAST_P else f"p = {diagnosis.drift_p:.2g}"
        return f"changes by {figure} in 100 judgements beside the panel's median ({_others(diagnosis)}, {p})"

    return _sentences(diagnoses, odd, say)


def _others(diagnosis: Diagnosis) -> str:
    return f"{diagnosis.others:,} others"


def _sentences(
    diagnoses: Sequence[Diagnosis], odd: NDArray[np.bool_], say: Callable[[Diagnosis], str]
) -> Flags:
    return [say(diagnosis) if flagged else "" for diagnosis, flagged in zip(diagnoses, odd, strict=True)]


def _column(diagnoses: Sequence[Diagnosis], name: str) -> Floats:
    values: list[Any] = [getattr(diagnosis, name) for diagnosis in diagnoses]
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def _median(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else math.nan


def _adjusted_where_known(p: Floats, diagnoses: Sequence[Diagnosis]) -> Floats:
    """p-values adjusted over the annotators with enough shared translations and enough others; NaN for the rest."""
    known = (_column(diagnoses, "compared") >= ENOUGH_TRANSLATIONS) & (
        _column(diagnoses, "others") >= FEWEST_OTHERS
    )
    return adjust_known(np.where(known, p, math.nan))


def adjust_known(p: Floats) -> Floats:
    """p-values adjusted for the number of those that are not NaN (Holm)."""
    result = p.copy()
    known = ~np.isnan(p)
    result[known] = adjust_p_values(p[known])
    return result


def student_p(effect: Floats, error: Floats, freedom: NDArray[Any], *, usual: float = 0.0) -> Floats:
    """Two-sided p of an effect that is at most `usual` in size; 1 where there is no effect at all."""
    with np.errstate(invalid="ignore", divide="ignore"):
        beyond = ((np.abs(effect) - side * usual) / error for side in (1, -1))
        p = sum(t_cdf(np.maximum(freedom, 1), -t) for t in beyond)
    p = np.where(np.abs(effect) <= 1e-12, 1.0, p)
    return np.where(np.isnan(effect) | np.isnan(error), math.nan, p)


def student_reach(error: Floats, freedom: NDArray[Any]) -> Floats:
    """Half the width of a 95 % interval."""
    return np.asarray(t_quantile(np.maximum(freedom, 1), 1 - ALPHA / 2) * error)


def _normal_p(z: Floats) -> Floats:
    return np.asarray(2 * normal_cdf(-np.abs(z)))
