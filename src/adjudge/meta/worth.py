"""A comparison's differences, and how often people agreed with such ones elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass

from adjudge.comparison import Comparison
from adjudge.comparison.pairwise_view import too_few
from adjudge.comparison.results import Pair
from adjudge.comparison.verdict import distinct_segments
from adjudge.data.difference_tables import DifferenceTables


@dataclass(frozen=True)
class PairWorth:
    """One difference of a comparison."""

    metric: str
    better: str
    worse: str
    """By this metric's scores."""
    delta: float
    """The better one's score less the worse one's: below 0 where lower is better."""
    significant: bool
    agreement: float
    """The share of pairs with such a difference of which people prefer the same system, by a fitted curve."""
    low: float
    high: float
    """Ends of its interval for a new test set."""
    pairs: int
    """To which the curve was fitted."""
    family: str
    data: str
    """The test sets behind the curve, as sentences call them."""


@dataclass(frozen=True)
class Worth:
    """All differences of which something can be said, and the metrics of which nothing can."""

    table: str
    confidence: float
    pairs: tuple[PairWorth, ...]
    unknown: tuple[str, ...]
    """Labels of metrics without a curve."""


def worth_of(comparison: Comparison, tables: DifferenceTables, language: str = "") -> Worth:
    """What the tables say of a comparison's pairs, in their order; so few segments do not tell how far two differ."""
    labels = {standing.metric: standing for standing in comparison.results}
    curves = {
        metric: tables.curve(metric, language)
        for metric, standing in labels.items()
        if standing.higher_is_better is not None
    }
    worths = []
    pairs = [pair for pair in comparison.pairs if not too_few(distinct_segments(comparison, pair))]
    compared = {pair.metric for pair in pairs}
    for pair in pairs:
        curve = curves.get(pair.metric)
        if curve is None or math.isnan(pair.delta) or pair.delta == 0:
            continue
        better, worse, delta = _orient(pair, labels[pair.metric].higher_is_better is not False)
        worth = (delta, pair.significant, *curve.points.at(delta), curve.pairs, curve.family)
        worths.append(PairWorth(pair.metric, better, worse, *worth, tables.label(curve)))
    unknown = tuple(
        labels[metric].label for metric, curve in curves.items() if curve is None and metric in compared
    )
    return Worth(tables.name, tables.confidence, tuple(worths), unknown)


def _orient(pair: Pair, higher_is_better: bool) -> tuple[str, str, float]:
    """The system that scores better first."""
    if (pair.delta > 0) == higher_is_better:
        return pair.a, pair.b, pair.delta
    return pair.b, pair.a, -pair.delta
