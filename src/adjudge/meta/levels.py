"""Which score goes with which judgement: histograms of scores by people's level, and people's scores by score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.data.difference_tables import ANY, family_of, metric_name
from adjudge.data.score_tables import ScoredSegments
from adjudge.errors import DataError, UsageError
from adjudge.stats.distributions import t_quantile

Array = NDArray[np.float64]
BARS = 12
"""Of a histogram."""
BANDS = 10
"""Of scores, each with as many outputs."""
FEWEST = 500
"""Outputs below which nothing is said."""
HUNDRED = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
"""Levels of a scale to 100; other scales are cut into fifths of the outputs."""


@dataclass(frozen=True)
class HumanLevel:
    """The outputs of one level of people's scores, and what a metric gives them."""

    low: float
    high: float
    outputs: int
    mean: float
    quartiles: tuple[float, float, float]
    histogram: tuple[int, ...]
    """Outputs by the metric's score, in bars of one width over all its scores."""


@dataclass(frozen=True)
class ScoreBand:
    """The outputs with about one score, and what people give them."""

    score: float
    """The metric's, on average."""
    outputs: int
    people: float
    low: float
    high: float
    """The 95 % interval of people's mean."""
    quartiles: tuple[float, float, float]
    """Of people's scores."""


@dataclass(frozen=True)
class MetricLevels:
    """One metric, in one family of target languages or in any."""

    metric: str
    family: str
    test_sets: int
    outputs: int
    scores: tuple[float, float]
    """From where to where the histograms go."""
    levels: tuple[HumanLevel, ...]
    bands: tuple[ScoreBand, ...]

    def at(self, score: float) -> ScoreBand | None:
        """What people give outputs with such a score, between two bands by a straight line; None beyond all."""
        places = [band.score for band in self.bands]
        if not min(places) <= score <= max(places):
            return None
        order = np.argsort(places)

        def line(values: Sequence[float]) -> float:
            return float(np.interp(score, np.array(places)[order], np.array(values)[order]))

        nearest = min(self.bands, key=lambda band: abs(band.score - score))
        quartiles = tuple(line([band.quartiles[q] for band in self.bands]) for q in range(3))
        return ScoreBand(
            score,
            nearest.outputs,
            line([band.people for band in self.bands]),
            line([band.low for band in self.bands]),
            line([band.high for band in self.bands]),
            (quartiles[0], quartiles[1], quartiles[2]),
        )


@dataclass(frozen=True)
class LevelTables:
    """All metrics, and what they were fitted to."""

    name: str
    """Of the data, as sentences call it."""
    scale: tuple[float, float]
    """Of people's scores."""
    test_sets: tuple[tuple[str, str, int], ...]
    """Name, language and outputs of each."""
    metrics: tuple[MetricLevels, ...]
    made_by: str = ""

    def of(self, metric: str, language: str = "") -> MetricLevels | None:
        """The levels of a metric: those of the target language's family where there are any."""
        name = metric_name(metric, {metric.metric for metric in self.metrics})
        by_family = {metric.family: metric for metric in self.metrics if metric.metric == name}
        return by_family.get(family_of(language)) or by_family.get(ANY)


def fit_levels(
    test_sets: Sequence[ScoredSegments], *, data_name: str, cuts: Sequence[float] = (), made_by: str = ""
) -> LevelTables:
    """Levels and bands of every metric, over all test sets and by family of target languages."""
    people = np.concatenate([test_set.people for test_set in test_sets])
    edges = _edges(people, cuts)
    measured = list(dict.fromkeys(metric for test_set in test_sets for metric in test_set.metrics))
    families = [ANY, *dict.fromkeys(family_of(test_set.language) for test_set in test_sets)]
    tables = []
    for metric in measured:
        for family in filter(None, families):
            chosen = [o for o in test_sets if metric in o.metrics and family in (ANY, family_of(o.language))]
            table = _levels(metric, family, chosen, edges)
            if table is not None:
                tables.append(table)
    if not tables:
        raise DataError(
            f"too few data: at least {FEWEST} outputs with scores of people and of a metric are needed"
        )
    used = tuple((test_set.test_set, test_set.language, len(test_set.people)) for test_set in test_sets)
    return LevelTables(data_name, (edges[0], edges[-1]), used, tuple(tables), made_by)


def _edges(people: Array, cuts: Sequence[float]) -> tuple[float, ...]:
    if cuts:
        if len(cuts) < 2 or any(not a < b for a, b in pairwise(cuts)):
            raise UsageError("levels must be two numbers or more, each larger than the one before: 0,50,100")
        return tuple(cuts)
    if people.min() >= 0 and 20 < people.max() <= HUNDRED[-1]:
        return HUNDRED
    fifths = np.unique(np.quantile(people, np.linspace(0, 1, 6)))
    if len(fifths) < 2:
        raise DataError("people gave everything the same score: there are no levels")
    return tuple(map(float, fifths))


def _levels(
    metric: str, family: str, test_sets: Sequence[ScoredSegments], edges: Sequence[float]
) -> MetricLevels | None:
    if not test_sets:
        return None
    people = np.concatenate([test_set.people for test_set in test_sets])
    scores = np.concatenate([test_set.metrics[metric] for test_set in test_sets])
    segment = np.array([f"{n}/{s}" for n, test_set in enumerate(test_sets) for s in test_set.segment])
    known = ~np.isnan(people) & ~np.isnan(scores)
    people, scores, segment = people[known], scores[known], segment[known]
    if len(people) < FEWEST or np.ptp(scores) == 0:
        return None
    ends = (float(scores.min()), float(scores.max()))
    levels = []
    for place, (low, high) in enumerate(pairwise(edges)):
        last = place == len(edges) - 2
        inside = scores[(people >= low) & ((people <= high) if last else (people < high))]
        bars, _ = np.histogram(inside, BARS, ends)
        mean = float(inside.mean()) if len(inside) else math.nan
        levels.append(HumanLevel(low, high, len(inside), mean, _quartiles(inside), tuple(map(int, bars))))
    order = np.argsort(scores, kind="stable")
    bands = [_band(scores[part], people[part], segment[part]) for part in np.array_split(order, BANDS)]
    return MetricLevels(metric, family, len(test_sets), len(people), ends, tuple(levels), tuple(bands))


def _quartiles(values: Array) -> tuple[float, float, float]:
    if not len(values):
        return math.nan, math.nan, math.nan
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)


def _band(scores: Array, people: Array, segment: NDArray[np.str_]) -> ScoreBand:
    """People's mean with an interval by segments, of which several systems' outputs are alike."""
    mean = float(people.mean())
    _, place = np.unique(segment, return_inverse=True)
    sums = np.bincount(place, people - mean)
    clusters = len(sums)
    reach = math.nan
    if clusters > 1:
        error = math.sqrt(clusters / (clusters - 1) * float(sums @ sums)) / len(people)
        reach = float(t_quantile(clusters - 1, 0.975)) * error
    return ScoreBand(float(scores.mean()), len(people), mean, mean - reach, mean + reach, _quartiles(people))
