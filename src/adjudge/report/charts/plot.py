"""Plots in pixels: a frame with axes, and marks in it that say what they are and where they lead.

What a mark says is its title, which browsers show beside the pointer and screen readers read out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adjudge.charts import Scale
from adjudge.display import shorten, visible
from adjudge.report.render.html import attributes
from adjudge.report.render.markup import NOTHING, Html, anchor, html
from adjudge.wording import MINUS, number

WIDE, HALF, NARROW = 760, 470, 305
"""Widths that a plot is drawn in: for a desk, for a notebook, and for a phone or several side by side."""
CHARACTER = 6.6
"""The width of a letter, on average."""
FOOT = 40
"""Room below a frame for the numbers and the name of its axis."""
COLOURS = tuple(f"var(--s{place})" for place in range(1, 9))
"""Of systems, in their order; a chart of more than these shows the first."""
INK, SOFT, LINE, MARK = (f"var(--{name})" for name in ("ink", "soft", "line", "mark"))


@dataclass(frozen=True)
class Plot:
    """What is drawn, and how large it is."""

    width: float
    height: float
    parts: Sequence[Html]

    def svg(self, *, kind: str, label: str) -> Html:
        """The plot for a page; `label` is for those who do not see it."""
        named = attributes(
            {
                "class": kind,
                "viewBox": f"0 0 {self.width:g} {self.height:g}",
                "width": f"{self.width:g}",
                "height": f"{self.height:g}",
                "aria-label": label,
            }
        )
        svg = '<svg xmlns="http://www.w3.org/2000/svg" role="group" font-family="sans-serif" font-size="12"{}>{}</svg>'
        return html(svg, named, NOTHING.join(self.parts))


@dataclass(frozen=True)
class PlotFrame:
    """Where marks stand, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def foot(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    def across(self, scale: Scale, value: float) -> float:
        """Where a value stands from left to right."""
        return self.left + self.width * scale.at(value) / 100

    def up(self, scale: Scale, value: float) -> float:
        """Where a value stands from the foot upwards."""
        return self.foot - self.height * scale.at(value) / 100

    def axis_below(self, scale: Scale, title: str = "", *, grid: bool = True) -> Html:
        """The numbers of a scale below the frame, a line at each, and the name of what they count."""
        parts = []
        for tick in scale.ticks:
            x = self.across(scale, tick)
            parts += [line(x, self.top, x, self.foot, LINE)] if grid else []
            parts.append(words(x, self.foot + 16, tick_text(scale, tick), align="middle"))
        parts.append(words(self.left + self.width / 2, self.foot + 34, title, align="middle"))
        return NOTHING.join(parts)

    def axis_left(self, scale: Scale, title: str = "") -> Html:
        """The numbers of a scale to the left of the frame, a line at each, and the name of what they count."""
        parts = []
        for tick in scale.ticks:
            y = self.up(scale, tick)
            parts.append(line(self.left, y, self.left + self.width, y, LINE))
            parts.append(words(self.left - 6, y + 4, tick_text(scale, tick), align="end"))
        if title:
            turned = html(
                '<text transform="translate(10 {:.1f}) rotate(-90)" text-anchor="middle" fill="{}">{}</text>',
                *(self.top + self.height / 2, SOFT, title),
            )
            parts.append(turned)
        return NOTHING.join(parts)

    def names_below(self, names: Sequence[str], *, level: bool) -> Html:
        """Names at equal distances below the frame, level or slanting; some are left out where there is no room."""
        step = self.width / max(1, len(names))
        every = math.ceil((max(map(len, names), default=0) * CHARACTER if level else 16) / step)
        most = max(8, int(110 / CHARACTER))
        parts = []
        for place, name in list(enumerate(names))[:: max(1, 1 if level else every)]:
            x, y, text = self.left + (place + 0.5) * step, self.foot + 16, shorten(name, most)
            slanting = html(
                '<text transform="translate({:.1f} {:.1f}) rotate(-45)" text-anchor="end" fill="{}">{}</text>',
                *(x, y, SOFT, text),
            )
            parts.append(words(x, y, text, align="middle") if level else slanting)
        return NOTHING.join(parts)


def tick_text(scale: Scale, tick: float) -> str:
    """A number of a scale."""
    return number(tick, scale.decimals, minus=MINUS)


def left_room(scale: Scale, title: str = "") -> float:
    """How much room the numbers of a scale take beside a frame."""
    return 10 + max(len(tick_text(scale, tick)) for tick in scale.ticks) * CHARACTER + (14 if title else 0)


def names_room(names: Iterable[str], most: float) -> float:
    """How much room names take beside a frame; longer ones are shortened."""
    return min(most, 16 + max(map(len, names), default=0) * CHARACTER)


def words(
    x: float, y: float, text: str, *, align: str = "start", colour: str = SOFT, bold: bool = False
) -> Html:
    """A text in a plot."""
    looks = {"text-anchor": "" if align == "start" else align, "font-weight": "bold" if bold else ""}
    if not text:
        return NOTHING
    return html('<text x="{:.1f}" y="{:.1f}" fill="{}"{}>{}</text>', x, y, colour, attributes(looks), text)


def line(
    x1: float, y1: float, x2: float, y2: float, colour: str, *, width: float = 1, opacity: float = 1
) -> Html:
    """A straight line; nothing where an end is not known."""
    if not all(map(math.isfinite, (x1, y1, x2, y2))):
        return NOTHING
    looks = {
        "stroke-width": "" if width == 1 else f"{width:g}",
        "opacity": "" if opacity == 1 else f"{opacity:g}",
    }
    return html(
        '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}"{}/>',
        *(x1, y1, x2, y2, colour, attributes(looks)),
    )


def dot(x: float, y: float, told: str, link: str = "", *, colour: str = MARK, radius: float = 5) -> Html:
    """A point that says what it is, and leads somewhere."""
    place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{radius:g}", "fill": colour}
    return _mark("circle", place, told, link)


def triangle(x: float, y: float, told: str, *, colour: str, upwards: bool) -> Html:
    """A point that stands out, upwards or downwards."""
    tip, base = (y - 8, y + 5) if upwards else (y + 8, y - 5)
    shape = f"M{x:.1f} {tip:.1f}L{x + 7.5:.1f} {base:.1f}L{x - 7.5:.1f} {base:.1f}Z"
    return _mark("path", {"d": shape, "fill": colour}, told, "")


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    told: str,
    link: str = "",
    *,
    colour: str = MARK,
    opacity: float = 0.8,
) -> Html:
    """A rectangle that says what it is, and leads somewhere."""
    place = {
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "width": f"{max(width, 0.5):.1f}",
        "height": f"{max(height, 0):.1f}",
    }
    return _mark("rect", {**place, "fill": colour, "opacity": f"{opacity:.3g}"}, told, link)


def _mark(tag: str, place: Mapping[str, str], told: str, link: str) -> Html:
    named = attributes({**place, "aria-label": visible(told), "role": "img"})
    drawn = html("<{}{}><title>{}</title></{}>", tag, named, told, tag)
    return anchor(drawn, link if link.startswith("#") else "")


def legend(names: Sequence[str], width: float) -> tuple[Html, float]:
    """A square and a name for each colour, and how much room they take above a frame; nothing for one name."""
    if len(names) < 2:
        return NOTHING, 0
    room = max(map(len, names)) * CHARACTER + 28
    columns = max(1, min(4, len(names), int(width / room)))
    parts = []
    for place, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        x, y = (place % columns) * room, (place // columns) * 18
        parts.append(html('<rect x="{:.1f}" y="{:.1f}" width="10" height="10" fill="{}"/>', x, y + 2, colour))
        parts.append(words(x + 15, y + 11, name, colour=INK))
    return NOTHING.join(parts), 18 * math.ceil(min(len(names), len(COLOURS)) / columns) + 8
