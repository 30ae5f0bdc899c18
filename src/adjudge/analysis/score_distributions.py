"""How scores of segments are spread, system by system, and how far metrics agree on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.members import Members
from adjudge.comparison.groups import units_to_draw
from adjudge.comparison.measuring import measure
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import Displayable
from adjudge.metrics.base import Metric, Rows
from adjudge.stats.correlation import kendall, spearman
from adjudge.stats.design import AUTO, Design
from adjudge.stats.resampling import bootstrap

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
BINS = 20
FEWEST = 3
"""Segments below which a correlation says nothing."""


@dataclass(frozen=True)
class SystemScoreDistribution:
    """The segments of one system by one metric."""

    system: str
    score: float
    """Of the whole text."""
    segments: int
    """That have a score."""
    mean: float
    deviation: float
    quartiles: tuple[float, float, float, float, float]
    """The least, a quarter, the middle, three quarters, the largest."""
    counts: tuple[int, ...]
    """Segments by bin."""
    scores: Floats = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    """By segment; NaN where there is none."""


@dataclass(frozen=True)
class Spread:
    """One metric's scores of all systems, in the same bins."""

    metric: str
    label: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    edges: tuple[float, ...]
    """Where bins begin, and where the last one ends, which belongs to it."""
    systems: tuple[SystemScoreDistribution, ...]

    def members(self, system: int, bin: int) -> Members:
        """The segments of a system in a bin."""
        return np.flatnonzero(_bins(self.systems[system].scores, np.array(self.edges)) == bin)


@dataclass(frozen=True)
class MetricCorrelation:
    """Two metrics on the segments of one system, or of all; both turned so that more is better."""

    a: str
    b: str
    system: str
    """Empty: all systems together."""
    segments: int
    pearson: float
    low: float
    high: float
    spearman: float
    kendall: float
    """Tau-b."""


@dataclass(frozen=True)
class ScoreDistributions(Displayable):
    """Several metrics by themselves and two by two."""

    systems: tuple[str, ...]
    spreads: tuple[Spread, ...]
    pairs: tuple[MetricCorrelation, ...]
    confidence: float
    design: Design
    """What intervals draw."""


def score_distributions(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = ("chrf", "ter", "length-ratio"),
    *,
    bins: int = BINS,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    threads: int = 0,
    unit: str = AUTO,
    cache: RowCache | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    measured: Sequence[Measured] | None = None,
) -> ScoreDistributions:
    """Histograms of the segments' scores by every metric, and correlations of every two metrics.

    Metrics of which neither high nor low is better, as the ratio of lengths, are shown and not correlated. Intervals
    are over units (a label, `segment`, or `auto`: whole documents where they are labelled), all systems of which are
    drawn together. `measured` are rows that are there already.
    """
    outputs = tuple(outputs)
    if measured is None:
        measured = measure(test_set, outputs, metrics, threads=threads, cache=cache, progress=progress)
    spreads = tuple(_spread(own, bins) for own in measured)
    systems = tuple(own.system for own in spreads[0].systems)
    units, design = units_to_draw(test_set, unit)
    how: dict[str, Any] = {"resamples": resamples, "seed": seed, "units": units, "confidence": confidence}
    pairs = []
    for a, b in combinations([own for own in spreads if own.higher_is_better is not None], 2):
        tables = [np.array([_turned(own, place) for place in range(len(systems))]) for own in (a, b)]
        for place, system in enumerate(systems):
            pairs.append(_pair(a, b, system, tables[0][[place]], tables[1][[place]], how))
        if len(systems) > 1:
            pairs.append(_pair(a, b, "", tables[0], tables[1], how))
    return ScoreDistributions(systems, spreads, tuple(pairs), confidence, design)


def _turned(spread: Spread, system: int) -> Floats:
    scores = spread.systems[system].scores
    return -scores if spread.higher_is_better is False else scores


def _spread(measured: Measured, bins: int) -> Spread:
    scores = {}
    totals = {}
    for name, runs in measured.rows.items():
        for run, rows in zip(measured.runs[name], runs, strict=True):
            title = f"{name} (run {run})" if run else name
            scores[title] = np.asarray(measured.segment_scores(rows), np.float64)
            totals[title] = float(measured.aggregate(rows.sum(0)))
    edges = bin_edges(np.concatenate(list(scores.values())), bins)
    systems = []
    for title, own in scores.items():
        known = own[np.isfinite(own)]
        place = _bins(own, edges)
        quartiles = np.quantile(known, [0, 0.25, 0.5, 0.75, 1]) if known.size else np.full(5, math.nan)
        least, quarter, middle, most, largest = map(float, quartiles)
        systems.append(
            SystemScoreDistribution(
                system=title,
                score=totals[title],
                segments=int(known.size),
                mean=float(known.mean()) if known.size else math.nan,
                deviation=float(known.std(ddof=1)) if known.size > 1 else math.nan,
                quartiles=(least, quarter, middle, most, largest),
                counts=tuple(np.bincount(place[place >= 0], minlength=bins).tolist()),
                scores=own,
            )
        )
    return Spread(
        measured.metric,
        measured.label,
        measured.signature,
        measured.higher_is_better,
        measured.decimals,
        tuple(map(float, edges)),
        tuple(systems),
    )


def bin_edges(scores: Floats, bins: int) -> Floats:
    """Bins of equal width over all scores; those that lie far off are in the first or the last one.

    A segment of one word may have a TER of several hundred, and one such would leave a single bar of all others: bins
    reach beyond the middle 98 % of the scores by half of their width, and no further.
    """
    known = scores[np.isfinite(scores)]
    if not known.size:
        return np.linspace(0.0, 1.0, bins + 1)
    low, high = np.quantile(known, [0.01, 0.99])
    room = 0.5 * (high - low)
    low, high = max(known.min(), low - room), min(known.max(), high + room)
    if high - low <= 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1)


def _bins(scores: Floats, edges: Floats) -> NDArray[np.intp]:
    """The bin of each score, −1 where there is none."""
    place = np.clip(np.searchsorted(edges, scores, side="right") - 1, 0, len(edges) - 2)
    return np.where(np.isfinite(scores), place, -1)


def _pair(
    a: Spread, b: Spread, system: str, first: Floats, second: Floats, how: Mapping[str, Any]
) -> MetricCorrelation:
    """Two metrics on systems × segments."""
    known = np.isfinite(first) & np.isfinite(second)
    x, y = first[known], second[known]
    if x.size < FEWEST or not (np.ptp(x) and np.ptp(y)):
        nothing = math.nan
        return MetricCorrelation(a.metric, b.metric, system, int(x.size), *[nothing] * 5)
    centred = np.where(known, first - x.mean(), 0.0), np.where(known, second - y.mean(), 0.0)
    parts = (known, centred[0], centred[1], centred[0] ** 2, centred[1] ** 2, centred[0] * centred[1])
    rows = np.stack([part.sum(0) for part in parts], axis=-1).astype(np.float64)
    drawn = bootstrap(rows, _pearson, **how)
    return MetricCorrelation(
        a.metric,
        b.metric,
        system,
        int(x.size),
        drawn.score,
        drawn.low,
        drawn.high,
        float(spearman(x[None], y)[0]),
        float(kendall(x[None], y)[0]),
    )


def _pearson(sums: Rows) -> Rows:
    """Pearson's r from sums of 1, x, y, x², y² and xy; NaN where one of them does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(all="ignore"):
        below = np.sqrt(np.maximum(n * xx - x * x, 0) * np.maximum(n * yy - y * y, 0))
        return np.where(below > 0, (n * xy - x * y) / below, math.nan)
