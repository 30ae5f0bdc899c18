"""How scores of segments are spread and how far metrics agree, shown: histograms and scatters, drawn and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.score_distributions import MetricCorrelation, ScoreDistributions, Spread
from adjudge.display import (
    Cell,
    Column,
    Line,
    Points,
    Row,
    Section,
    Signature,
    StyledText,
    Table,
    arrow,
    sparkline,
    visible,
)
from adjudge.report.charts.scatter import histograms, scatter
from adjudge.report.render.analysis_forms import Lines, analysis_forms, design_notes, facts
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING
from adjudge.report.render.text import table_lines
from adjudge.wording import MISSING, counted, number, percent

if TYPE_CHECKING:
    from adjudge.io import Input

Floats = NDArray[np.float64]
SHADES = " ·░▒▓█"
ACROSS, UP = 36, 12
"""Cells of a scatter on a screen."""


def forms(result: ScoreDistributions, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Histograms and scatters in every format."""
    return analysis_forms(
        f"Scores of segments of {counted(len(result.systems), 'system')}",
        lambda: sections(result),
        lambda: facts(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
    )


def sections(result: ScoreDistributions) -> list[Section]:
    """A table a metric, and one of every two of them."""
    parts = [
        Section(f"{visible(own.label)} of segments", (_spread_table(own),), key=f"histogram {own.metric}")
        for own in result.spreads
    ]
    for a, b in _metrics(result):
        own = [pair for pair in result.pairs if (pair.a, pair.b) == (a.metric, b.metric)]
        table = _pair_table(own, len(result.systems))
        parts.append(
            Section(
                f"{visible(a.label)} × {visible(b.label)}",
                (table,),
                key=f"scatter {a.metric} {b.metric}",
                drawn=lambda width, rule, table=table, a=a, b=b: [  # type: ignore[misc]
                    *table_lines(table, width=width, rule=rule),
                    [],
                    *text_scatter(*_points(a, b), across=visible(a.label), up=visible(b.label)),
                ],
            )
        )
    notes: list[str | Signature] = [
        "Histograms have the same bins for all systems; the first and the last one hold what lies further off. "
        "score: of the whole text, which need not be the mean of its segments."
    ]
    if result.pairs:
        notes.append(
            "Correlations are over segments, metrics turned so that more is better; the interval "
            f"({percent(result.confidence)}) is that of Pearson's r. Metrics that agree may still both be wrong: "
            "adjudge meta holds them against people."
        )
        notes += design_notes(result.design)
    notes += [Signature(own.metric, own.signature) for own in result.spreads]
    return [*parts, Section(notes=tuple(notes), key="notes")]


def _metrics(result: ScoreDistributions) -> list[tuple[Spread, Spread]]:
    """Every two metrics that were held against each other."""
    by_name = {own.metric: own for own in result.spreads}
    return [(by_name[a], by_name[b]) for a, b in dict.fromkeys((pair.a, pair.b) for pair in result.pairs)]


def _spread_table(spread: Spread) -> Table:
    head = (
        Column("System"),
        Column(f"histogram, {spread.edges[0]:.4g} to {spread.edges[-1]:.4g}"),
        Column("score", True, arrow(spread.higher_is_better)),
        *(Column(name, True) for name in ("mean", "sd", "least", "¼", "middle", "¾", "largest")),
    )
    rows = []
    for own in spread.systems:
        values = (own.score, own.mean, own.deviation, *own.quartiles)
        cells = [Cell(number(value, spread.decimals)) for value in values]
        rows.append(Row((Cell(visible(own.system)), Cell(sparkline(own.counts)), *cells)))
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


def _points(a: Spread, b: Spread) -> tuple[Floats, Floats]:
    """The segments of all systems that have both scores."""
    first, second = (np.concatenate([own.scores for own in spread.systems]) for spread in (a, b))
    known = np.isfinite(first) & np.isfinite(second)
    return first[known], second[known]


def text_scatter(x: Floats, y: Floats, *, across: str, up: str) -> list[Line]:
    """Points as shades of a grid of letters, the darker the more; what lies far off is at the edge."""
    if not x.size:
        return []
    low, high = ([float(np.quantile(own, q)) for own in (x, y)] for q in (0.01, 0.99))
    cells = []
    for own, begin, end, count in ((x, low[0], high[0], ACROSS), (y, low[1], high[1], UP)):
        width = end - begin if end > begin else 1.0
        cells.append(np.clip(((own - begin) / width * count).astype(int), 0, count - 1))
    counts = np.zeros((UP, ACROSS), int)
    np.add.at(counts, (cells[1], cells[0]), 1)
    most = counts.max()
    # By the square root, for most cells have few points.
    shade = np.where(counts > 0, 1 + np.sqrt(counts / most) * (len(SHADES) - 1.001), 0).astype(int)
    shade = np.minimum(shade, len(SHADES) - 1)
    labels = [f"{high[1]:.4g}", *[""] * (UP - 2), f"{low[1]:.4g}"]
    room = max(map(len, labels))
    lines: list[Line] = [[StyledText(f"{'':{room}} {up} ↑")]]
    for label, row in zip(labels, shade[::-1], strict=True):
        lines.append([StyledText(f"{label:>{room}} │{''.join(SHADES[i] for i in row)}│")])
    ends = f"{low[0]:.4g}", f"{high[0]:.4g}"
    lines.append([StyledText(f"{'':{room}} {ends[0]}{ends[1]:>{ACROSS + 2 - len(ends[0])}}  {across} →")])
    return lines


def drawings(result: ScoreDistributions) -> Mapping[str, Drawing]:
    """A figure of histograms a metric, and a scatter of every two metrics."""
    figures = {}
    for spread in result.spreads:
        low, high = spread.edges[0], spread.edges[-1]
        rows = [
            (visible(own.system), np.clip(own.scores[np.isfinite(own.scores)], low, high))
            for own in spread.systems
        ]
        rows = [(name, scores) for name, scores in rows if scores.size]
        if rows:
            better = arrow(spread.higher_is_better)
            figures[f"histogram {spread.metric}"] = Drawing(
                histograms(rows, caption=f"{visible(spread.label)} {better}".strip(), below="segments")
            )
    for a, b in _metrics(result):
        x, y = _points(a, b)
        drawing = (
            scatter(
                Points(x, y),
                caption=f"{visible(a.label)} × {visible(b.label)}",
                below=visible(a.label),
                up=visible(b.label),
            )
            if x.size
            else NOTHING
        )
        figures[f"scatter {a.metric} {b.metric}"] = Drawing(drawing)
    return figures


def lines(result: ScoreDistributions) -> Lines:
    """A line a segment: the scores of every system by every metric."""
    columns = [(spread.metric, own) for spread in result.spreads for own in spread.systems]
    yield ["segment", *(f"{metric} {own.system}" for metric, own in columns)]
    for place in range(len(columns[0][1].scores)):
        yield [place + 1, *(float(own.scores[place]) for _, own in columns)]
