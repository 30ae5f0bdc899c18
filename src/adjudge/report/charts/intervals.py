"""Drawings for pages, in SVG and HTML that need no script: intervals, two values beside each other, curves.

Positions are percentages, so that a drawing takes the width there is and its letters keep their size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from adjudge.charts import Bar, Scale
from adjudge.display import cell_width
from adjudge.report.render.markup import NOTHING, Html, anchor, html
from adjudge.wording import MINUS, number

WIDTH, HEIGHT, LEFT, FOOT = 320, 170, 40, 24
"""Of a curve, in its own units."""


def intervals(
    bars: Sequence[Bar],
    *,
    label: str,
    better: str,
    interval: str,
    address: Callable[[str], str] = lambda name: "",
) -> Html:
    """A row a system: its score as a dot, its interval as a line; shades part clusters.

    `address` says where the number of a system leads.
    """
    scale = Scale.over([value for bar in bars for value in (bar.low, bar.score, bar.high)])
    rows, above, odd = [], None, False
    for index, bar in enumerate(bars):
        odd ^= index > 0 and bar.cluster != above
        above = bar.cluster
        told = f"{bar.name}: {bar.shown}"
        marks = []
        if math.isfinite(bar.low) and math.isfinite(bar.high):
            marks.append(_line(scale.at(bar.low), scale.at(bar.high), "range"))
            told += f", {_number(bar.low, scale.decimals + 2)} to {_number(bar.high, scale.decimals + 2)}"
        if math.isfinite(bar.score):
            marks.append(html('<circle cx="{:.2f}%" cy="50%" r="5"/>', scale.at(bar.score)))
        place = "" if bar.cluster is None else html('<span class="cluster">{}</span>', bar.cluster)
        rows.append(
            html(
                '<li class="{}"><span class="name">{}{}</span>{}<span class="value">{}</span></li>',
                "odd" if odd else "even",
                place,
                bar.name,
                _track(scale, marks, told),
                anchor(bar.shown, address(bar.name)),
            )
        )
    caption = f"{label} {better}".strip()
    parted = "; shades part clusters" if len({bar.cluster for bar in bars}) > 1 else ""
    key = f"dots: scores; lines: {interval}{parted}" if interval else "dots: scores"
    return _figure(caption, key, rows, scale, [bar.name for bar in bars], [bar.shown for bar in bars])


def draw_dumbbells(
    rows: Sequence[tuple[str, float, float]], *, label: str, first: str, second: str, decimals: int
) -> Html:
    """Two values a row, joined by a line: a full dot and a ring."""
    scale = Scale.over([value for _, a, b in rows for value in (a, b)])
    items = []
    for name, a, b in rows:
        shown = f"{_number(a, decimals)} → {_number(b, decimals)}"
        told = f"{name}: {first} {_number(a, decimals)}, {second} {_number(b, decimals)}"
        marks = []
        if math.isfinite(a) and math.isfinite(b):
            marks.append(_line(scale.at(min(a, b)), scale.at(max(a, b)), "join"))
        for value, kind in ((a, "first"), (b, "second")):
            if math.isfinite(value):
                marks.append(html('<circle class="{}" cx="{:.2f}%" cy="50%" r="5"/>', kind, scale.at(value)))
        items.append(
            html(
                '<li class="even"><span class="name">{}</span>{}<span class="value">{}</span></li>',
                name,
                _track(scale, marks, told),
                shown,
            )
        )
    key = html('<span class="key"><i></i>{}</span> <span class="key ring"><i></i>{}</span>', first, second)
    values = [f"{_number(a, decimals)} → {_number(b, decimals)}" for _, a, b in rows]
    return _figure(label, key, items, scale, [name for name, *_ in rows], values)


def boxes(
    rows: Sequence[tuple[str, Sequence[float]]], *, label: str, decimals: int, middle: float = 0.0
) -> Html:
    """A row a group: a box from the first to the third quartile with the median in it, lines to the ends.

    The five numbers are the least, the quartiles and the largest; `middle` is on the scale whatever they are.
    """
    scale = Scale.over([middle, *(value for _, numbers in rows for value in numbers)])
    items = []
    for name, (least, low, median, high, most) in rows:
        numbers = [_number(value, decimals) for value in (least, low, median, high, most)]
        told = f"{name}: median {numbers[2]}, quartiles {numbers[1]} and {numbers[3]}, {numbers[0]} to {numbers[4]}"
        marks = [
            _line(scale.at(least), scale.at(most), "join"),
            html(
                '<rect class="box" x="{:.2f}%" y="25%" width="{:.2f}%" height="50%"/>',
                scale.at(low),
                max(scale.at(high) - scale.at(low), 0.1),
            ),
            html(
                '<line class="median" x1="{:.2f}%" x2="{:.2f}%" y1="15%" y2="85%"/>',
                scale.at(median),
                scale.at(median),
            ),
        ]
        items.append(
            html(
                '<li class="even"><span class="name">{}</span>{}<span class="value">{}</span></li>',
                name,
                _track(scale, marks, told),
                numbers[2],
            )
        )
    key = "boxes: quartiles; lines: from the least to the largest"
    return _figure(
        label, key, items, scale, [name for name, _ in rows], [_number(n[2], decimals) for _, n in rows]
    )


def _figure(
    caption: str, key: str, rows: Sequence[str], scale: Scale, names: Sequence[str], values: Sequence[str]
) -> Html:
    """Rows in three columns that are as wide as their longest text, so that all drawings stand below each other."""
    sizes = f"--names:{max(map(cell_width, names), default=0)}ch;--values:{max(map(cell_width, values), default=0)}ch"
    ticks = NOTHING.join(
        html('<span style="left:{:.2f}%">{}</span>', scale.at(tick), _number(tick, scale.decimals))
        for tick in scale.ticks
    )
    return html(
        '<figure class="bars" style="{}"><figcaption>{} <span class="soft">{}</span></figcaption><ol>{}</ol>'
        '<div class="ticks" aria-hidden="true"><span></span><div>{}</div><span></span></div></figure>',
        sizes,
        caption,
        key,
        NOTHING.join(rows),
        ticks,
    )


def _track(scale: Scale, marks: Sequence[str], told: str) -> Html:
    return html(
        '<div class="track"><svg role="img" aria-label="{}"><title>{}</title>{}{}</svg></div>',
        told,
        told,
        _grid(scale),
        NOTHING.join(marks),
    )


def _line(low: float, high: float, kind: str) -> Html:
    return html('<line class="{}" x1="{:.2f}%" x2="{:.2f}%" y1="50%" y2="50%"/>', kind, low, high)


def _grid(scale: Scale) -> Html:
    return NOTHING.join(
        html(
            '<line class="grid" x1="{:.2f}%" x2="{:.2f}%" y1="0" y2="100%"/>', scale.at(tick), scale.at(tick)
        )
        for tick in scale.ticks
    )


def _number(value: float, decimals: int) -> str:
    return number(value, decimals, minus=MINUS)


def curve(
    points: Sequence[tuple[float, float | None, float | None, float | None]], *, caption: str, across: str
) -> Html:
    """A line through (x, y, low, high); where y is None there is a gap."""
    known = [(x, y, low, high) for x, y, low, high in points if y is not None]
    if len(known) < 2:
        return NOTHING
    x_scale = Scale.over([x for x, *_ in known], 4)
    y_scale = Scale.over([v for _, *values in known for v in values if v is not None], 4)
    wide, high_ = WIDTH - LEFT - 10, HEIGHT - FOOT - 10

    def at(x: float, y: float) -> str:
        return f"{LEFT + wide * x_scale.at(x) / 100:.1f} {10 + high_ * (1 - y_scale.at(y) / 100):.1f}"

    band = ""
    bounded = [(x, low, top) for x, _, low, top in known if low is not None and top is not None]
    if len(bounded) > 1:
        upper, lower = [at(x, top) for x, _, top in bounded], [at(x, low) for x, low, _ in reversed(bounded)]
        band = html('<path class="band" d="M{}Z"/>', "L".join([*upper, *lower]))
    dots = NOTHING.join(
        html('<circle cx="{}" cy="{}" r="3"><title>{:g}: {:.3f}</title></circle>', place[0], place[1], x, y)
        for x, y, *_ in known
        for place in [at(x, y).split()]
    )
    line = "L".join(at(x, y) for x, y, *_ in known)
    told = f"{caption}: {known[0][1]:.3f} at {known[0][0]:g}, {known[-1][1]:.3f} at {known[-1][0]:g}"
    return html(
        '<figure class="curve"><figcaption>{} <span class="soft">{}</span></figcaption>'
        '<svg role="img" aria-label="{}" viewBox="0 0 {} {}">{}{}<path class="line" d="M{}"/>{}</svg>'
        "</figure>",
        caption,
        across,
        told,
        WIDTH,
        HEIGHT,
        axes(x_scale, y_scale, wide, high_),
        band,
        line,
        dots,
    )


def axes(x_scale: Scale, y_scale: Scale, wide: float, high: float) -> Html:
    """Lines across at the ticks of y, and the numbers of both scales."""
    grid = []
    for tick in y_scale.ticks:
        y = 10 + high * (1 - y_scale.at(tick) / 100)
        text = _number(tick, y_scale.decimals)
        grid += [
            html('<line class="axis" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>', LEFT, WIDTH - 10, y, y),
            html('<text x="{}" y="{:.1f}" text-anchor="end">{}</text>', LEFT - 6, y + 4, text),
        ]
    for tick in x_scale.ticks:
        x, text = LEFT + wide * x_scale.at(tick) / 100, _number(tick, x_scale.decimals)
        grid.append(html('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>', x, HEIGHT - 6, text))
    return NOTHING.join(grid)
