"""Several lines in one drawing, in SVG that needs no script: each with its band, beside lines that they are held to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.charts import Curve, LineChart, MarkedPoint, ReferenceLevel, Scale
from adjudge.report.charts.intervals import FOOT, HEIGHT, LEFT, WIDTH, axes
from adjudge.report.render.markup import NOTHING, Html, html

WIDE, HIGH = WIDTH - LEFT - 10, HEIGHT - FOOT - 10
DOTTED = 30
"""More points than these are a line without dots."""
KINDS = 6
"""Colours and dashes that can be told apart; then they begin again."""


@dataclass(frozen=True)
class _Frame:
    x: Scale
    y: Scale

    def at(self, x: float, y: float) -> str:
        return f"{LEFT + WIDE * self.x.at(x) / 100:.1f} {10 + HIGH * (1 - self.y.at(y) / 100):.1f}"


def line_chart(chart: LineChart) -> Html:
    """All curves of a chart over one scale."""
    rows = chart.curves
    known = [point for row in rows for point in row.points]
    if len(known) < 2:
        return NOTHING
    heights = [value for _, *values in known for value in values if value is not None]
    heights += [level.value for level in chart.levels] + ([0.0, 1.0] if chart.whole else [])
    frame = _Frame(Scale.over([x for x, *_ in known], 4), Scale.over(heights, 4))
    parts = [axes(frame.x, frame.y, WIDE, HIGH)]
    parts += [_diagonal(frame)] if chart.diagonal else []
    parts += [_level(level, frame) for level in chart.levels]
    parts += [_line(row, frame, place % KINDS) for place, row in enumerate(rows)]
    parts += [_ring(chart.marked, frame)] if chart.marked else []
    return html(
        '<figure class="curve lines"><figcaption>{} <span class="soft">{}</span>{}</figcaption>'
        '<svg role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg></figure>',
        chart.caption,
        chart.below,
        _keys(rows) if len(rows) > 1 else NOTHING,
        _description(chart),
        WIDTH,
        HEIGHT,
        NOTHING.join(parts),
    )


def _line(row: Curve, frame: _Frame, kind: int) -> Html:
    parts = []
    bounded = [(x, low, high) for x, _, low, high in row.points if low is not None and high is not None]
    if len(bounded) > 1:
        edge = [frame.at(x, high) for x, _, high in bounded]
        edge += [frame.at(x, low) for x, low, _ in reversed(bounded)]
        parts.append(html('<path class="band" d="M{}Z"/>', "L".join(edge)))
    parts.append(html('<path class="line" d="M{}"/>', "L".join(frame.at(x, y) for x, y, *_ in row.points)))
    if len(row.points) <= DOTTED:
        for x, y, *_ in row.points:
            across, up = frame.at(x, y).split()
            told = f"{row.name}: {y:.3g} at {x:.3g}"
            parts.append(html('<circle cx="{}" cy="{}" r="3"><title>{}</title></circle>', across, up, told))
    return html('<g class="kind{}">{}</g>', kind, NOTHING.join(parts))


def _diagonal(frame: _Frame) -> Html:
    low, high = max(frame.x.low, frame.y.low), min(frame.x.high, frame.y.high)
    if low >= high:
        return NOTHING
    return html('<path class="held" d="M{}L{}"/>', frame.at(low, low), frame.at(high, high))


def _level(level: ReferenceLevel, frame: _Frame) -> Html:
    start, end = frame.at(frame.x.low, level.value), frame.at(frame.x.high, level.value)
    up = float(start.split()[1])
    return html('<path class="held" d="M{}L{}"><title>{}</title></path>', start, end, level.name) + html(
        '<text x="{}" y="{:.1f}" text-anchor="{}">{}</text>',
        LEFT + 4 if level.name_left else WIDTH - 14,
        up + 12 if up < HIGH / 2 else up - 5,  # away from the edge that is near
        "start" if level.name_left else "end",
        level.name,
    )


def _ring(chosen: MarkedPoint, frame: _Frame) -> Html:
    across, up = frame.at(chosen.x, chosen.y).split()
    return html(
        '<circle class="chosen" cx="{}" cy="{}" r="5"><title>{}</title></circle>', across, up, chosen.name
    )


def _keys(rows: Sequence[Curve]) -> Html:
    names = (
        html(
            '<span class="kind{}"><svg viewBox="0 0 24 8"><path class="line" d="M0 4L24 4"/></svg>{}</span>',
            k,
            n,
        )
        for k, n in ((place % KINDS, row.name) for place, row in enumerate(rows))
    )
    return html('<span class="keys">{}</span>', NOTHING.join(names))


def _description(chart: LineChart) -> str:
    ends = [
        f"{row.name} from {row.points[0][1]:.3g} at {row.points[0][0]:.3g} to {row.points[-1][1]:.3g} at "
        f"{row.points[-1][0]:.3g}"
        for row in chart.curves
        if row.points
    ]
    ends += [f"{level.name} {level.value:.3g}" for level in chart.levels]
    ends += [f"{own.name}: {own.y:.3g} at {own.x:.3g}"] if (own := chart.marked) else []
    return f"{chart.caption}: {'; '.join(ends)}"
