"""What each system leaves to do for whoever corrects it: words to change, and money where a price is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.comparison import Comparison, Standing
from adjudge.errors import UsageError

EDIT_METRICS = ("hter", "ter")
"""Edits in percent of words: against a correction of the output, or, for want of one, against the reference."""


@dataclass(frozen=True)
class EditingCost:
    """The words of one system that would be changed, an estimate with its interval."""

    system: str
    measure: str
    """`hter`, where outputs were corrected, or `ter`, against a reference that was made without them: it counts too
    many, since another good wording is a change to it."""
    edits: float
    """In 100 words."""
    edits_low: float
    edits_high: float
    price: float
    """Of changing 1,000 words' worth of output; NaN without a price of a word."""
    price_low: float
    price_high: float


def editing_costs(comparison: Comparison, price: float | None = None) -> tuple[EditingCost, ...]:
    """The cost of every system, the cheapest first; nothing where edits were not counted.

    `price` is what changing one word costs, in any currency.
    """
    measure = next((name for name in EDIT_METRICS if _standings(comparison, name)), "")
    return _costs(measure, _standings(comparison, measure) if measure else [], price)


def mean_costs(study: Comparison, price: float | None = None) -> tuple[EditingCost, ...]:
    """The cost of every system in the mean over test sets, of those that have outputs for all of them."""
    known = {table.metric.partition("(")[0]: table for table in reversed(study.tables) if table.is_metric}
    measure = next((name for name in EDIT_METRICS if name in known), "")
    return _costs(measure, known[measure].results if measure else [], price)


def _costs(measure: str, scores: Sequence[Standing], price: float | None) -> tuple[EditingCost, ...]:
    if price is not None and not (math.isfinite(price) and price > 0):
        raise UsageError(f"price {price:g} of a word: must be a number above 0 (0.05)")
    if price is not None and not measure:
        raise UsageError("a price of a word is for words to change, which TER counts: -m ter")
    each = math.nan if price is None else 10 * price  # of 1,000 words, edits in 100 are tenfold
    return tuple(
        EditingCost(s.system, measure, s.score, s.low, s.high, each * s.score, each * s.low, each * s.high)
        for s in sorted(scores, key=lambda s: s.score)
        if math.isfinite(s.score)
    )


def _standings(comparison: Comparison, name: str) -> list[Standing]:
    """What the first metric of that name says of every system."""
    own = [s for s in comparison.results if s.metric.partition("(")[0] == name]
    return [s for s in own if s.metric == own[0].metric]
