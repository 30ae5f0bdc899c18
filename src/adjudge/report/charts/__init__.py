"""Charts for pages: SVG that needs no script, drawn from what results declare."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass

from adjudge.charts import (
    Boxes,
    Chart,
    ChartRow,
    CorrelationShades,
    CurveChart,
    Folded,
    Histograms,
    IntervalChart,
    LevelBars,
    LineChart,
    Matrix,
    PairedDots,
    Picture,
    PowerGrid,
    Remarks,
    Scatter,
    SetShades,
)
from adjudge.display import Table
from adjudge.report.charts.intervals import boxes, curve, draw_dumbbells, intervals
from adjudge.report.charts.level_bars import level_bars
from adjudge.report.charts.lines import line_chart
from adjudge.report.charts.power_map import power_table
from adjudge.report.charts.scatter import heat, histograms, scatter
from adjudge.report.charts.shades import set_shades, shades
from adjudge.report.render.html import html_list, html_table
from adjudge.report.render.markup import NOTHING, Html, html, prose


def _nowhere(*_: str) -> str:
    return ""


@dataclass(frozen=True)
class Addresses:
    """Where the numbers of a chart lead, by what they are of; '' where there is nothing to show."""

    system: Callable[[str], str] = _nowhere
    pair: Callable[[str, str], str] = _nowhere
    """Of one system held against another."""
    cell: Callable[[str, str], str] = _nowhere
    """Of a test set and a system."""


NOWHERE = Addresses()


def chart_html(chart: Chart, addresses: Addresses = NOWHERE) -> Html:
    """A declared chart as a figure of a page."""
    if isinstance(chart, IntervalChart):
        return intervals(
            chart.bars,
            label=chart.label,
            better=chart.better,
            interval=chart.interval,
            address=addresses.system,
        )
    if isinstance(chart, Matrix):
        return shades(chart, addresses.pair)
    if isinstance(chart, SetShades):
        return set_shades(chart, addresses.cell)
    if isinstance(chart, Folded):
        own = chart.content
        shown = html_table(own, label=chart.label) if isinstance(own, Table) else chart_html(own, addresses)
        return html("<details><summary>{}</summary>{}</details>", chart.summary, shown)
    return _unlinked(chart)


def _unlinked(chart: Chart) -> Html:
    """A chart whose numbers lead nowhere."""
    if isinstance(chart, Remarks):
        if chart.listed:
            return html_list(chart.sentences)
        return NOTHING.join(html("<p>{}</p>", prose(sentence)) for sentence in chart.sentences)
    if isinstance(chart, Picture):
        content = base64.b64encode(chart.svg().encode("utf-8")).decode("ascii")
        return html('<img alt="{}" src="data:image/svg+xml;base64,{}">', chart.title, content)
    if isinstance(chart, Boxes):
        return boxes(chart.rows, label=chart.label, decimals=chart.decimals)
    if isinstance(chart, PairedDots):
        return draw_dumbbells(
            chart.rows, label=chart.label, first=chart.first, second=chart.second, decimals=chart.decimals
        )
    if isinstance(chart, PowerGrid):
        return power_table(chart)
    if isinstance(chart, LevelBars):
        return level_bars(chart)
    if isinstance(chart, CorrelationShades):
        return heat("Metric", chart.columns, chart.rows)
    if isinstance(chart, Histograms):
        return histograms(chart.rows, caption=chart.caption, below=chart.below)
    if isinstance(chart, LineChart):
        return line_chart(chart)
    if isinstance(chart, CurveChart):
        return curve(chart.points, caption=chart.caption, across=chart.across)
    if isinstance(chart, ChartRow):
        return html('<div class="figures">{}</div>', NOTHING.join(map(_in_row, chart.charts)))
    assert isinstance(chart, Scatter)
    drawn = _in_row(chart)
    return drawn if chart.on_screen else html('<div class="figures">{}</div>', drawn)


def _in_row(chart: Histograms | LineChart | Scatter) -> Html:
    """A chart that has others beside it."""
    if not isinstance(chart, Scatter):
        return chart_html(chart)
    return scatter(chart.points, caption=chart.caption, below=chart.below, up=chart.up)
