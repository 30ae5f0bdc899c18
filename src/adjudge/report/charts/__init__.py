"""Charts for pages: SVG that needs no script, drawn from what results declare."""

from __future__ import annotations

from adjudge.display import Boxes, Chart, Histograms, IntervalChart
from adjudge.report.charts.intervals import boxes, intervals
from adjudge.report.charts.scatter import histograms, scatter
from adjudge.report.render.markup import Html, html


def chart_html(chart: Chart) -> Html:
    """A declared chart as a figure of a page."""
    if isinstance(chart, IntervalChart):
        return intervals(chart.bars, label=chart.label, better=chart.better, interval=chart.interval)
    if isinstance(chart, Boxes):
        return boxes(chart.rows, label=chart.label, decimals=chart.decimals)
    if isinstance(chart, Histograms):
        return histograms(chart.rows, caption=chart.caption, below=chart.below)
    drawn = scatter(chart.points, caption=chart.caption, below=chart.below, up=chart.up)
    return drawn if chart.on_screen else html('<div class="figures">{}</div>', drawn)
