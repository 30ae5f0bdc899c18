"""How scores of segments are spread, and how far metrics agree on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.base import AnalysisInputs, Members, design_notes, rows_by_title
from adjudge.charts import Chart, Histograms, Points, Scatter
from adjudge.comparison.comparing import measure
from adjudge.comparison.groups import units_to_draw
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import (
    Cell,
    Column,
    Data,
    Displayable,
    Row,
    Section,
    Signature,
    Table,
    arrow,
    sparkline,
    visible,
)
from adjudge.metrics.base import Metric, Rows
from adjudge.stats.correlation import kendall, spearman
from adjudge.stats.design import AUTO, Design
from adjudge.stats.resampling import bootstrap
from adjudge.wording import MISSING, number, percent, pluralise

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

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Scores of segments of {pluralise(len(self.systems), 'system')}"

    def sections(self) -> list[Section]:
        """One table per metric, and one per pair of metrics."""
        parts = [
            Section(
                f"{visible(spread.label)} of segments",
                (_spread_table(spread),),
                key=f"histogram {spread.metric}",
                charts=_histograms(spread),
            )
            for spread in self.spreads
        ]
        for a, b in _metrics(self):
            pairs = [pair for pair in self.pairs if (pair.a, pair.b) == (a.metric, b.metric)]
            title = f"{visible(a.label)} × {visible(b.label)}"
            points = _points(a, b)
            scatter = Scatter(points, title, visible(a.label), visible(b.label), on_screen=True)
            parts.append(
                Section(
                    title,
                    (_pair_table(pairs, len(self.systems)),),
                    key=f"scatter {a.metric} {b.metric}",
                    charts=(scatter,) if points.across.size else (),
                )
            )
        notes: list[str | Signature] = [
            "Histograms have the same bins for all systems; the first and the last one hold what lies further off. "
            "score: of the whole text, which need not be the mean of its segments."
        ]
        if self.pairs:
            notes.append(
                "Correlations are over segments, metrics turned so that more is better; the interval "
                f"({percent(self.confidence)}) is that of Pearson's r. Metrics that agree may still both be wrong: "
                "adjudge meta holds them against people."
            )
            notes += design_notes(self.design)
        notes += [Signature(spread.metric, spread.signature) for spread in self.spreads]
        return [*parts, Section(notes=tuple(notes), key="notes")]

    def data(self) -> Data:
        """One row per segment: the scores of every system by every metric."""
        columns = [(spread.metric, system) for spread in self.spreads for system in spread.systems]
        rows = [
            [place + 1, *(float(column.scores[place]) for _, column in columns)]
            for place in range(len(columns[0][1].scores))
        ]
        return Data(["segment", *(f"{metric} {column.system}" for metric, column in columns)], rows)


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
    spreads = tuple(_spread(metric_rows, bins) for metric_rows in measured)
    systems = tuple(system.system for system in spreads[0].systems)
    units, design = units_to_draw(test_set, unit)
    how: dict[str, Any] = {"resamples": resamples, "seed": seed, "units": units, "confidence": confidence}
    pairs = []
    for a, b in combinations([spread for spread in spreads if spread.higher_is_better is not None], 2):
        tables = [np.array([_orient(spread, place) for place in range(len(systems))]) for spread in (a, b)]
        for place, system in enumerate(systems):
            pairs.append(_pair(a, b, system, tables[0][[place]], tables[1][[place]], how))
        if len(systems) > 1:
            pairs.append(_pair(a, b, "", tables[0], tables[1], how))
    return ScoreDistributions(systems, spreads, tuple(pairs), confidence, design)


def _orient(spread: Spread, system: int) -> Floats:
    scores = spread.systems[system].scores
    return -scores if spread.higher_is_better is False else scores


def _spread(measured: Measured, bins: int) -> Spread:
    rows = rows_by_title(measured)
    scores = {title: np.asarray(measured.segment_scores(row), np.float64) for title, row in rows.items()}
    edges = bin_edges(np.concatenate(list(scores.values())), bins)
    systems = []
    for title, score in scores.items():
        known = score[np.isfinite(score)]
        place = _bins(score, edges)
        quartiles = np.quantile(known, [0, 0.25, 0.5, 0.75, 1]) if known.size else np.full(5, math.nan)
        least, quarter, middle, most, largest = map(float, quartiles)
        systems.append(
            SystemScoreDistribution(
                system=title,
                score=float(measured.aggregate(rows[title].sum(0))),
                segments=int(known.size),
                mean=float(known.mean()) if known.size else math.nan,
                deviation=float(known.std(ddof=1)) if known.size > 1 else math.nan,
                quartiles=(least, quarter, middle, most, largest),
                counts=tuple(np.bincount(place[place >= 0], minlength=bins).tolist()),
                scores=score,
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


def analyse(
    inputs: AnalysisInputs,
    *,
    metrics: Annotated[tuple[str, ...], "May be repeated. Default: chrf, ter and length-ratio."] = (
        "chrf",
        "ter",
        "length-ratio",
    ),
    bins: int = BINS,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    threads: int = 0,
    cache: RowCache | None = None,
) -> ScoreDistributions:
    """Show histograms of the segments' scores, ratios of lengths among them, and scatters of every two metrics.

    \b
    adjudge analyse scores -r reference.en rulebased.en neural.en
    adjudge analyse scores -r reference.en -m bleu -m chrf -m ter -o scores.html rulebased.en neural.en
    """
    loaded = inputs.load()
    return score_distributions(
        loaded.test_set,
        loaded.outputs,
        metrics,
        bins=bins,
        resamples=resamples,
        unit=unit,
        seed=seed,
        threads=threads,
        cache=cache,
        progress=inputs.progress,
    )


def _metrics(result: ScoreDistributions) -> list[tuple[Spread, Spread]]:
    """Every two metrics that were held against each other."""
    by_name = {spread.metric: spread for spread in result.spreads}
    return [(by_name[a], by_name[b]) for a, b in dict.fromkeys((pair.a, pair.b) for pair in result.pairs)]


def _spread_table(spread: Spread) -> Table:
    head = (
        Column("System"),
        Column(f"histogram, {spread.edges[0]:.4g} to {spread.edges[-1]:.4g}"),
        Column("score", True, arrow(spread.higher_is_better)),
        *(Column(name, True) for name in ("mean", "sd", "least", "¼", "middle", "¾", "largest")),
    )
    rows = []
    for system in spread.systems:
        values = (system.score, system.mean, system.deviation, *system.quartiles)
        cells = [Cell(number(value, spread.decimals)) for value in values]
        rows.append(Row((Cell(visible(system.system)), Cell(sparkline(system.counts)), *cells)))
    return Table(head, tuple(rows))


def _pair_table(pairs: Sequence[MetricCorrelation], systems: int) -> Table:
    head = (
        Column("System"),
        *(Column(name, True) for name in ("segments", "Pearson", "from", "to", "Spearman", "Kendall")),
    )
    rows = []
    for pair in pairs:
        values = (pair.pearson, pair.low, pair.high, pair.spearman, pair.kendall)
        name = visible(pair.system) or "all"
        cells = [Cell(MISSING if value != value else number(value, 3)) for value in values]
        rows.append(
            Row((Cell(name), Cell(f"{pair.segments:,}"), *cells), rule=systems > 1 and not pair.system)
        )
    return Table(head, tuple(rows))


def _points(a: Spread, b: Spread) -> Points:
    """The segments of all systems that have both scores."""
    first, second = (np.concatenate([system.scores for system in spread.systems]) for spread in (a, b))
    known = np.isfinite(first) & np.isfinite(second)
    return Points(first[known], second[known])


def _histograms(spread: Spread) -> tuple[Chart, ...]:
    """What is beyond the bins stands in the first and the last."""
    rows = [
        (
            visible(system.system),
            np.clip(system.scores[np.isfinite(system.scores)], spread.edges[0], spread.edges[-1]),
        )
        for system in spread.systems
    ]
    rows = [(name, scores) for name, scores in rows if scores.size]
    caption = f"{visible(spread.label)} {arrow(spread.higher_is_better)}".strip()
    return (Histograms(rows, caption, "segments"),) if rows else ()
