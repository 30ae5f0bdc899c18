"""Drawings of two lists of scores, in SVG that needs no script: scatters with histograms on their margins, histograms
on one scale, and values in a table shaded by how high they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.charts import Points, Scale
from adjudge.display import visible
from adjudge.report.render.markup import NOTHING, Html, html
from adjudge.wording import MINUS, MISSING, number, pluralise

Array = NDArray[np.float64]
SIDE, MARGIN, LEFT, FOOT = 240, 40, 46, 24
"""Of a scatter: the square, the histograms beside it, and room for numbers."""
BINS = 24
DENSE = 300
"""More points than these are shown as shades of cells."""


def scatter(points: Points, *, caption: str, below: str, up: str) -> Html:
    """Points, or shades where there are many, with histograms above and to the right."""
    x, y = Scale.over(list(map(float, points.across)), 3), Scale.over(list(map(float, points.up)), 4)
    many = len(points.across) > DENSE
    marks = _cells(points, x, y) if many else _dots(points, x, y)
    body = [_axes(x, y), marks, _margin(points.across, x, above=True), _margin(points.up, y, above=False)]
    told = f"{caption}: {below} across, {up} upwards, {pluralise(len(points.across), 'point')}"
    return html(
        '<figure class="scatter"><figcaption>{} <span class="soft">{}</span></figcaption>'
        '<svg role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg></figure>',
        caption,
        below,
        told,
        LEFT + SIDE + MARGIN + 4,
        MARGIN + SIDE + FOOT,
        NOTHING.join(body),
    )


def histograms(rows: Sequence[tuple[str, Array]], *, caption: str, below: str) -> Html:
    """Histograms on one scale, one under the other, each by its own total."""
    scale = Scale.over([float(v) for _, values in rows for v in (values.min(), values.max())], 5)
    high, gap = 56, 20
    parts = []
    for place, (name, values) in enumerate(rows):
        top = place * (high + gap) + gap
        bars = _bars(values, scale)
        width = (LEFT + SIDE) / BINS
        parts.append(html('<text x="0" y="{}">{}, mean {}</text>', top - 5, name, _mean(values)))
        parts += [
            html(
                '<rect class="bar{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>',
                " other" if place % 2 else "",
                at * width,
                top + high * (1 - share),
                width - 1,
                high * share,
            )
            for at, share in enumerate(bars)
            if share > 0
        ]
    foot = len(rows) * (high + gap) + gap
    for tick in scale.ticks:
        across, shown = (LEFT + SIDE) * scale.at(tick) / 100, number(tick, scale.decimals, minus=MINUS)
        parts.append(html('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>', across, foot, shown))
    told = f"{caption}: " + "; ".join(f"{name}, mean {_mean(values)}" for name, values in rows)
    return html(
        '<figure class="scatter"><figcaption>{} <span class="soft">{}</span></figcaption>'
        '<svg role="img" aria-label="{}" viewBox="-6 0 {} {}">{}</svg></figure>',
        caption,
        below,
        told,
        LEFT + SIDE + 16,
        foot + 6,
        NOTHING.join(parts),
    )


def heat(
    corner: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[float]]], *, decimals: int = 3
) -> Html:
    """A cell for every row and column, the bluer the higher within its column."""
    values = np.array([row for _, row in rows], float).reshape(len(rows), len(columns))
    head = NOTHING.join(html('<th scope="col">{}</th>', name) for name in columns)
    body = []
    for (name, own), shades in zip(rows, _shares(values), strict=True):
        cells = NOTHING.join(
            html(
                "<td{}>{}</td>",
                _tint(share),
                MISSING if math.isnan(value) else number(value, decimals, minus=MINUS),
            )
            for value, share in zip(own, shades, strict=True)
        )
        body.append(html('<tr><th scope="row">{}</th>{}</tr>', visible(name), cells))
    return html(
        '<div class="scroll" role="region" aria-label="{}" tabindex="0"><table class="shades"><thead><tr>'
        '<th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table></div><div class="notes">'
        "<p>The bluer, the higher within its column.</p></div>",
        corner,
        corner,
        head,
        NOTHING.join(body),
    )


def _shares(values: Array) -> Array:
    """Each value's place between the least and the largest of its column; NaN where there is none."""
    if not values.size:
        return values
    low = np.nanmin(np.where(np.isnan(values), np.inf, values), axis=0)
    high = np.nanmax(np.where(np.isnan(values), -np.inf, values), axis=0)
    width = np.where(high > low, high - low, 1.0)
    return np.asarray((values - np.where(np.isfinite(low), low, 0.0)) / width)


def _tint(share: float) -> Html:
    if math.isnan(share):
        return html(' class="self"')
    return html(' style="background:rgb(0 114 178 / {}%)"', round(4 + 46 * share))


def _dots(points: Points, x: Scale, y: Scale) -> Html:
    names = points.names or ("",) * len(points.across)
    return NOTHING.join(
        html(
            '<circle cx="{:.1f}" cy="{:.1f}" r="4"><title>{}: {:.3g}, {:.3g}</title></circle>',
            LEFT + SIDE * x.at(float(across)) / 100,
            MARGIN + SIDE * (1 - y.at(float(up)) / 100),
            name,
            across,
            up,
        )
        for name, across, up in zip(names, points.across, points.up, strict=True)
    )


def _cells(points: Points, x: Scale, y: Scale) -> Html:
    """Shades by the logarithm of the number of points in a cell, for most of them lie together."""
    across, up = np.clip(points.across, x.low, x.high), np.clip(points.up, y.low, y.high)
    counts, _, _ = np.histogram2d(across, up, bins=2 * BINS, range=[[x.low, x.high], [y.low, y.high]])
    size = SIDE / (2 * BINS)
    most = math.log1p(counts.max())
    return NOTHING.join(
        html(
            '<rect class="cell" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" opacity="{:.2f}"/>',
            LEFT + column * size,
            MARGIN + SIDE - (row + 1) * size,
            size,
            size,
            0.15 + 0.85 * math.log1p(counts[column, row]) / most,
        )
        for column, row in np.argwhere(counts > 0)
    )


def _margin(values: Array, scale: Scale, *, above: bool) -> Html:
    """A histogram above the square, or to its right."""
    size, reach = SIDE / BINS, MARGIN - 12  # away from the words above
    parts = []
    for at, share in enumerate(_bars(values, scale)):
        if share <= 0:
            continue
        x, y = (
            (LEFT + at * size, 6 + reach * (1 - share))
            if above
            else (LEFT + SIDE + 6, MARGIN + SIDE - (at + 1) * size)
        )
        wide, high = (size - 1, reach * share) if above else (reach * share, size - 1)
        parts.append(
            html('<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>', x, y, wide, high)
        )
    return NOTHING.join(parts)


def _bars(values: Array, scale: Scale) -> Array:
    """Counts in bins over a scale, as shares of the largest."""
    # A score of 100.00000000000004 belongs into the last bin, not beyond it.
    inside = np.clip(values, scale.low, scale.high)
    counts, _ = np.histogram(inside, bins=BINS, range=(scale.low, scale.high))
    return np.asarray(counts / max(1, counts.max()))


def _axes(x: Scale, y: Scale) -> Html:
    parts = []
    for tick in y.ticks:
        at, shown = MARGIN + SIDE * (1 - y.at(tick) / 100), number(tick, y.decimals, minus=MINUS)
        parts += [
            html('<line class="axis" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>', LEFT, LEFT + SIDE, at, at),
            html('<text x="{}" y="{:.1f}" text-anchor="end">{}</text>', LEFT - 6, at + 4, shown),
        ]
    for tick in x.ticks:
        at, shown = LEFT + SIDE * x.at(tick) / 100, number(tick, x.decimals, minus=MINUS)
        parts += [
            html(
                '<line class="axis" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}"/>', at, at, MARGIN, MARGIN + SIDE
            ),
            html(
                '<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>', at, MARGIN + SIDE + FOOT - 6, shown
            ),
        ]
    return NOTHING.join(parts)


def _mean(values: Array) -> str:
    return number(float(values.mean()), 2, minus=MINUS)
