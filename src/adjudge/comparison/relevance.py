"""Whether a difference between two systems is one that people usually notice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adjudge.wording import join_names

USUAL_SHARE = 0.75
"""Agreement from which a difference counts as one that people usually notice.

It lies half-way between chance (50 %) and certainty. Psychophysics calls a difference just noticeable where 75 % of
forced choices between two stimuli are right (Gescheider 1997, chapter 2), and preferring a system is such a choice.
"""

Visibility = Literal["clear", "likely", "doubtful", "slight"]
NOTICE: dict[Visibility, str] = {
    "clear": "usually notice",
    "likely": "probably notice",
    "doubtful": "may not notice",
    "slight": "hardly notice",
}
"""What people do with a difference, as sentences say it."""


@dataclass(frozen=True)
class Relevance:
    """How often people prefer the system that a metric prefers, for a difference of some size."""

    metric: str
    """As the table calls it: the metric with its default options."""
    delta: float
    """The size of the difference, without a sign."""
    agreement: float
    """The share of system pairs that people order as the metric does, by the fitted curve; 0.5 is chance."""
    low: float
    high: float
    """Ends of the 95 % interval of that share on a new test set."""
    margin: float
    """The smallest difference whose agreement reaches `USUAL_SHARE`; infinite where the curve never does."""
    data: str
    """The test sets behind the curve, as sentences call them: WMT 2013–2023."""

    @property
    def noticeable(self) -> bool:
        """The difference is at least as large as the margin."""
        return self.delta >= self.margin

    @property
    def visibility(self) -> Visibility:
        """How sure it is that people notice, or do not: where the interval for a new test set lies about the share.

        Clear and slight need the whole interval on one side; in between, the curve itself decides.
        """
        if self.low >= USUAL_SHARE:
            return "clear"
        if self.high < USUAL_SHARE:
            return "slight"
        return "likely" if self.noticeable else "doubtful"


def relevance(metric: str, delta: float, language: str = "") -> Relevance | None:
    """Whether people usually notice a difference of a metric's score, by the curves that come along.

    `metric` is a spec such as `bleu` or `chrf++`; `language` a language pair or a target language. None where no curve
    fits: an unknown metric, an option that changes what a difference means, or a difference that is not a number.
    """
    from adjudge.io.difference_tables import shipped_tables  # late: only such a sentence needs them

    tables = shipped_tables()
    curve = tables.curve(metric, language)
    if curve is None or math.isnan(delta):
        return None
    data = tables.label(curve)
    agreement, low, high = curve.points.at(delta)
    margin = curve.points.reaches(USUAL_SHARE)
    return Relevance(curve.metric, abs(delta), agreement, low, high, margin, data)


def size_words(
    metric: str,
    delta: float,
    *,
    margin: float | None = None,
    language: str = "",
    several: bool = False,
) -> str:
    """Whether a difference exceeds the margin that was given, or is one that people notice; '' where neither is known.

    The words continue a sentence about the difference; with `several`, about the smallest of several differences.
    """
    if margin is not None:
        verb = "exceeds" if abs(delta) >= margin else "is within"
        return f"the {'smallest ' * several}difference seen {verb} the margin of {margin:g}"
    known = relevance(metric, delta, language)
    what = "the smallest of these differences" if several else "such a difference"
    return "" if known is None else f"people {NOTICE[known.visibility]} {what}"


def unknown_size(labels: Sequence[str], option: str = "--margin") -> str:
    """What is said once of measures for which neither a margin nor people's judgements of differences are known.

    `option` is what sets a margin; '' where nothing does.
    """
    remedy = f"; {option} sets what counts" if option else ""
    return f"How large a difference in {join_names(labels)} must be to matter is not known{remedy}."


def in_hundred(share: float) -> str:
    """A share of agreement in per cent, at most 99: no curve shows that people always agree."""
    return f"{min(99.0, 100 * share):.0f}"
