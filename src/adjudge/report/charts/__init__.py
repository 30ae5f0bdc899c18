"""Charts for pages: SVG that needs no script, drawn from what results declare."""

from __future__ import annotations

from adjudge.display import Boxes, Chart, ChartRow, CurveChart, Histograms, IntervalChart, LineChart, Scatter
from adjudge.report.charts.intervals import boxes, curve, intervals
from adjudge.report.charts.lines import line_chart
from adjudge.report.charts.scatter import histograms, scatter
from adjudge.report.render.markup import NOTHING, Html, html


def chart_html(chart: Chart) -> Html:
    """A declared chart as a figure of a page."""
    if isinstance(chart, IntervalChart):
        return intervals(chart.bars, label=chart.label, better=chart.better, interval=chart.interval)
    if isinstance(chart, Boxes):
        return boxes(chart.rows, label=chart.label, decimals=chart.decimals)
    if isinstance(chart, Histograms):
        return histograms(chart.rows, caption=chart.caption, below=chart.below)
    if isinstance(chart, LineChart):
        return line_chart(chart)
    if isinstance(chart, CurveChart):
        return curve(chart.points, caption=chart.caption, across=chart.across)
    if isinstance(chart, ChartRow):
        return html('<div class="figures">{}</div>', NOTHING.join(map(_in_row, chart.charts)))
    drawn = _in_row(chart)
    return drawn if chart.on_screen else html('<div class="figures">{}</div>', drawn)


def _in_row(chart: Histograms | LineChart | Scatter) -> Html:
    """A chart that has others beside it."""
    if not isinstance(chart, Scatter):
        return chart_html(chart)
    return scatter(chart.points, caption=chart.caption, below=chart.below, up=chart.up)
