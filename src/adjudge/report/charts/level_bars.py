"""Histograms below each other on one scale: scores of a metric by what people gave."""

from __future__ import annotations

from adjudge.charts import LevelBars
from adjudge.report.render.markup import NOTHING, Html, html

WIDE, HIGH = 320, 46
"""Of the figure, and of a row."""
LEFT = 66


def level_bars(chart: LevelBars) -> Html:
    """A row of bars for every level."""
    bars = []
    for place, (level, counts) in enumerate(chart.rows):
        most = max(counts) or 1
        width = (WIDE - 70) / len(counts)
        foot = (place + 1) * HIGH
        bars.append(html('<text x="60" y="{}" text-anchor="end">{}</text>', foot - 6, level))
        for at, count in enumerate(counts):
            tall = (HIGH - 10) * count / most
            start = chart.low + at * (chart.high - chart.low) / len(counts)
            bars.append(
                html(
                    '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="currentColor" opacity=".55">'
                    "<title>{:.1f}: {}</title></rect>",
                    *(LEFT + at * width, foot - tall, width - 1, tall, start, count),
                )
            )
    foot = len(chart.rows) * HIGH + 16
    ends = html('<text x="66" y="{}">{:.3g}</text>', foot, chart.low)
    ends += html('<text x="{}" y="{}" text-anchor="end">{:.3g}</text>', WIDE - 4, foot, chart.high)
    return html(
        '<figure class="curve"><figcaption>{} <span class="soft">down: people; across: {}</span></figcaption>'
        '<svg role="img" aria-label="{}" viewBox="0 0 {} {}">{}{}</svg></figure>',
        *(chart.title, chart.metric, f"{chart.title}: scores by people's level", WIDE, foot + 6),
        NOTHING.join(bars),
        ends,
    )
