"""Drawings for pages, in SVG and HTML that need no script: intervals, two values beside each other, curves, shades.

Positions are percentages, so that a drawing takes the width there is and its letters keep their size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.report.matrix import Matrix, Meeting
from adjudge.report.page import text
from adjudge.report.table import MISSING, number, share, visible
from adjudge.report.text import cell_width, shortened
from adjudge.wording import p_number, p_text

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
WIDTH, HEIGHT, LEFT, FOOT = 320, 170, 40, 24
"""Of a curve, in its own units."""
LONGEST = 28
"""Names beside a table of shades; what is left out stands in its title."""


@dataclass(frozen=True)
class Bar:
    """One system's score with its interval."""

    name: str
    score: float
    low: float
    high: float
    cluster: int | None
    shown: str
    """The score as tables show it."""


@dataclass(frozen=True)
class Scale:
    """From the least to the largest value, with round numbers between them."""

    low: float
    high: float
    ticks: tuple[float, ...]
    decimals: int

    @classmethod
    def over(cls, values: Sequence[float], most: int = 5) -> Scale:
        """A scale that holds all values."""
        there = [value for value in values if math.isfinite(value)]
        low, high = (min(there), max(there)) if there else (0.0, 1.0)
        if high - low < 1e-12 * max(1.0, abs(high)):
            low, high = low - 0.5, high + 0.5
        rough = (high - low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next((factor * power for factor in STEPS if factor * power >= rough), 10 * power)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        decimals += round(step * 10**decimals, 9) != round(step * 10**decimals)  # a step of 2.5, 0.25, …
        ticks = tuple(round(step * k, 12) for k in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks, decimals)

    def at(self, value: float) -> float:
        """Where a value stands, in percent."""
        return 100 * (value - self.low) / (self.high - self.low)


def intervals(bars: Sequence[Bar], *, label: str, better: str, interval: str) -> str:
    """A row a system: its score as a dot, its interval as a line; shades part clusters."""
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
            marks.append(f'<circle cx="{scale.at(bar.score):.2f}%" cy="50%" r="5"/>')
        place = "" if bar.cluster is None else f'<span class="cluster">{bar.cluster}</span>'
        rows.append(
            f'<li class="{"odd" if odd else "even"}"><span class="name">{place}{text(bar.name)}</span>'
            f"{_track(scale, marks, told)}"
            f'<span class="value">{text(bar.shown)}</span></li>'
        )
    caption = f"{text(label)} {better}".strip()
    parted = "; shades part clusters" if len({bar.cluster for bar in bars}) > 1 else ""
    key = f"dots: scores; lines: {text(interval)}{parted}" if interval else "dots: scores"
    return _figure(caption, key, rows, scale, [bar.name for bar in bars], [bar.shown for bar in bars])


def beside(
    rows: Sequence[tuple[str, float, float]], *, label: str, first: str, second: str, decimals: int
) -> str:
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
                marks.append(f'<circle class="{kind}" cx="{scale.at(value):.2f}%" cy="50%" r="5"/>')
        items.append(
            f'<li class="even"><span class="name">{text(name)}</span>'
            f"{_track(scale, marks, told)}"
            f'<span class="value">{shown}</span></li>'
        )
    key = f'<span class="key">{text(first)}</span> <span class="key ring">{text(second)}</span>'
    values = [f"{_number(a, decimals)} → {_number(b, decimals)}" for _, a, b in rows]
    return _figure(text(label), key, items, scale, [name for name, *_ in rows], values)


def _figure(
    caption: str, key: str, rows: Sequence[str], scale: Scale, names: Sequence[str], values: Sequence[str]
) -> str:
    """Rows in three columns that are as wide as their longest text, so that all drawings stand below each other."""
    sizes = f"--names:{max(map(cell_width, names), default=0)}ch;--values:{max(map(cell_width, values), default=0)}ch"
    ticks = "".join(
        f'<span style="left:{scale.at(tick):.2f}%">{_number(tick, scale.decimals)}</span>'
        for tick in scale.ticks
    )
    return (
        f'<figure class="bars" style="{sizes}"><figcaption>{caption} <span class="soft">{key}</span></figcaption>'
        f'<ol>{"".join(rows)}</ol><div class="ticks" aria-hidden="true"><span></span><div>{ticks}</div><span></span>'
        "</div></figure>"
    )


def _track(scale: Scale, marks: Sequence[str], told: str) -> str:
    return (
        f'<div class="track"><svg role="img" aria-label="{text(told)}"><title>{text(told)}</title>'
        f"{_grid(scale)}{''.join(marks)}</svg></div>"
    )


def _line(low: float, high: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{low:.2f}%" x2="{high:.2f}%" y1="50%" y2="50%"/>'


def _grid(scale: Scale) -> str:
    return "".join(
        f'<line class="grid" x1="{scale.at(tick):.2f}%" x2="{scale.at(tick):.2f}%" y1="0" y2="100%"/>'
        for tick in scale.ticks
    )


def _number(value: float, decimals: int) -> str:
    return number(value, decimals).replace("-", "−")


def shades(matrix: Matrix) -> str:
    """A cell for every system (row) against every other (column): the share it wins, p below, shaded by who wins."""
    head = "".join(
        f'<th scope="col" title="{text(name)}"><span aria-hidden="true">{place}</span>'
        f'<span class="sr">{text(name)}</span></th>'
        for place, name in enumerate(matrix.systems, 1)
    )
    corrected = ", as corrected" if matrix.corrected else ""
    rows = []
    for place, a in enumerate(matrix.systems, 1):
        cells = "".join(_shade(matrix, a, b) for b in matrix.systems)
        name = f'<span class="place">{place}</span> {text(shortened(visible(a), LONGEST))}'
        rows.append(f'<tr><th scope="row" title="{text(a)}">{name}</th>{cells}</tr>')
    return (
        f'<div class="scroll" role="region" aria-label="{text(matrix.corner)}" tabindex="0"><table class="shades">'
        f'<thead><tr><th scope="col">{text(matrix.corner)}</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody>'
        "</table></div>"
        f'<div class="notes"><p>Large: {text(matrix.share + matrix.numbers)}; small: p{corrected}, with a star below '
        f"{matrix.alpha:g}. Blue: the row wins more often than the column, orange: less often.</p></div>"
    )


def _shade(matrix: Matrix, a: str, b: str) -> str:
    found = matrix.meetings.get((a, b))
    if a == b:
        return '<td class="self"></td>'
    if found is None:
        return f'<td class="self">{MISSING}</td>'
    shares = f"wins {share(found.wins)}, loses {share(found.losses)} of {found.items:,} items, "
    told = f"{a} against {b}: {shares if found.enough else ''}{p_text(found.p)}"
    star = "*" if found.significant else ""
    return (
        f'<td{_tint(found)} title="{text(told)}"{" class=significant" if found.significant else ""}>'
        f"{matrix.told(found)}<small>{text(p_number(found.p, matrix.alpha))}{star}</small></td>"
    )


def _tint(found: Meeting) -> str:
    """Blue or orange, the more the further apart; translucent, so that it does on light and dark paper."""
    lead = found.wins - found.losses
    if math.isnan(lead) or not found.enough:
        return ""
    colour = "0 114 178" if lead > 0 else "213 94 0"
    return f' style="background:rgb({colour} / {round(8 + 52 * min(1.0, abs(lead)))}%)"'


def curve(
    points: Sequence[tuple[float, float | None, float | None, float | None]], *, caption: str, across: str
) -> str:
    """A line through (x, y, low, high); where y is None there is a gap."""
    known = [(x, y, low, high) for x, y, low, high in points if y is not None]
    if len(known) < 2:
        return ""
    x_scale = Scale.over([x for x, *_ in known], 4)
    y_scale = Scale.over([v for _, *values in known for v in values if v is not None], 4)
    wide, high_ = WIDTH - LEFT - 10, HEIGHT - FOOT - 10

    def at(x: float, y: float) -> str:
        return f"{LEFT + wide * x_scale.at(x) / 100:.1f} {10 + high_ * (1 - y_scale.at(y) / 100):.1f}"

    grid = []
    for tick in y_scale.ticks:
        y = 10 + high_ * (1 - y_scale.at(tick) / 100)
        grid.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}"/>')
        grid.append(
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_number(tick, y_scale.decimals)}</text>'
        )
    for tick in x_scale.ticks:
        x = LEFT + wide * x_scale.at(tick) / 100
        grid.append(
            f'<text x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{_number(tick, x_scale.decimals)}</text>'
        )
    band = ""
    bounded = [(x, low, top) for x, _, low, top in known if low is not None and top is not None]
    if len(bounded) > 1:
        there, back = [at(x, top) for x, _, top in bounded], [at(x, low) for x, low, _ in reversed(bounded)]
        band = f'<path class="band" d="M{"L".join([*there, *back])}Z"/>'
    dots = "".join(
        f'<circle cx="{place[0]}" cy="{place[1]}" r="3"><title>{x:g}: {y:.3f}</title></circle>'
        for x, y, *_ in known
        for place in [at(x, y).split()]
    )
    line = "L".join(at(x, y) for x, y, *_ in known)
    told = f"{caption}: {known[0][1]:.3f} at {known[0][0]:g}, {known[-1][1]:.3f} at {known[-1][0]:g}"
    return (
        f'<figure class="curve"><figcaption>{text(caption)} <span class="soft">{text(across)}</span></figcaption>'
        f'<svg role="img" aria-label="{text(told)}" viewBox="0 0 {WIDTH} {HEIGHT}">{"".join(grid)}{band}'
        f'<path class="line" d="M{line}"/>{dots}</svg></figure>'
    )
