"""Charts by Vega-Lite, drawn without a browser and without a network: a specification in, SVG for a page out.

Vega's SVG is taken apart and put together anew: only elements, attributes and colours that are known pass, and a link
is the number of an address that was given beside the specification, so that no text of the data is ever an address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, Any

from adjudge.display import visible
from adjudge.errors import MissingExtraError
from adjudge.report.render.html import attributes
from adjudge.report.render.markup import NOTHING, Html, html

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

VEGA_LITE = "6.4"
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDE, HALF, NARROW = 760, 470, 305
"""Widths in pixels that a chart is drawn in: for a desk, for a notebook, and for a phone or several side by side."""
LETTERS = 12
ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "text", "tspan", "a", "circle"})
ATTRIBUTES = frozenset(
    {"d", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "cx", "cy", "r", "width", "height", "transform"}
    | {"fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "stroke-opacity", "opacity"}
    | {"text-anchor", "font-size", "font-weight", "aria-label"}
)
USUAL = {
    "opacity": "1",
    "stroke-width": "1",
    "text-anchor": "start",
    "font-size": f"{LETTERS}px",
    "x2": "0",
    "y2": "0",
}
"""What browsers and the style sheet take for granted."""
_COLOUR = re.compile(r"none|transparent|#[0-9a-f]{3,8}|var\(--[\w-]+\)", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_LINK = re.compile(r"#(\d+)$")


@dataclass(frozen=True)
class Specification:
    """A chart before it is drawn: Vega-Lite, and the addresses that its links are numbers of."""

    vega_lite: Mapping[str, Any]
    links: Sequence[str] = field(default_factory=tuple)

    def whole(self) -> dict[str, Any]:
        """The specification with the looks of the pages, and without characters that do not print."""
        own = _printable(self.vega_lite)
        return {"$schema": SCHEMA, "background": "transparent", "config": CONFIG, **own}


def _printable(value: Any) -> Any:
    """The same with texts as they can be seen: the program that draws is ended by a NUL."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {key: _printable(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(own) for own in value]
    return value


CONFIG: dict[str, Any] = {
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": LETTERS,
        "titleFontSize": LETTERS,
        "titleFontWeight": "normal",
        "labelColor": "var(--soft)",
        "titleColor": "var(--soft)",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelLimit": 170,
        "ticks": False,
        "labelPadding": 4,
        "tickCount": 6,
    },
    "header": {
        "labelFontSize": LETTERS,
        "labelColor": "var(--ink)",
        "labelFontWeight": "bold",
        "title": None,
    },
    "legend": {
        "labelFontSize": LETTERS,
        "labelColor": "var(--ink)",
        "title": None,
        "orient": "top",
        "symbolType": "square",
        "symbolStrokeWidth": 0,
        "labelLimit": 200,
    },
}


def begin_early() -> None:
    """Let the program that draws begin, on another core: that takes it half a second, in which others can work.

    Whoever draws later gets what went wrong here, if anything did.
    """

    def draw_anything() -> None:
        with suppress(Exception):
            import vl_convert

            vl_convert.vegalite_to_svg(Specification(ANYTHING).whole(), vl_version=VEGA_LITE)

    Thread(target=draw_anything, name="adjudge charts").start()


ANYTHING = {
    "data": {"values": [{"name": "a", "value": 1}]},
    "mark": "bar",
    "encoding": {
        "x": {"field": "value", "type": "quantitative"},
        "y": {"field": "name", "type": "nominal"},
    },
}


def svg_of(chart: Specification, *, kind: str, label: str) -> Html:
    """The chart as SVG, whose colours are those of the page; `label` is for those who do not see it."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("a report with charts", "report") from None
    from xml.etree.ElementTree import fromstring

    drawn = vl_convert.vegalite_to_svg(chart.whole(), vl_version=VEGA_LITE)
    root = fromstring(drawn)
    box = root.get("viewBox", "0 0 1 1")
    inner = NOTHING.join(_element(child, chart.links) for child in root)
    numbers = [float(number) for number in box.split()]
    named = attributes(
        {
            "class": kind,
            "viewBox": " ".join(f"{number:g}" for number in numbers),
            "width": f"{numbers[2]:g}",
            "height": f"{numbers[3]:g}",
            "aria-label": label,
        }
    )
    return html('<svg xmlns="http://www.w3.org/2000/svg" role="group"{}>{}</svg>', named, inner)


def _element(element: Element, links: Sequence[str]) -> Html:
    tag = element.tag.rpartition("}")[2]
    if tag not in ELEMENTS or element.get("display") == "none" or not _is_drawn(tag, element):
        return NOTHING
    inner = NOTHING.join(_element(child, links) for child in element)
    if element.text and tag in ("text", "tspan"):
        inner = html("{}", element.text) + inner
    if tag == "g" and not inner:
        return NOTHING
    if tag == "a":
        return _link(element, inner, links)
    kept = {
        name: _value(name, value)
        for name, value in element.items()
        if name in ATTRIBUTES and USUAL.get(name) != value
    }
    if tag == "g":  # groups are named for programs that draw, not for people
        kept.pop("aria-label", None)
    if "aria-label" in kept:
        kept["role"] = "img"
        inner = html("<title>{}</title>", kept["aria-label"]) + inner
    return html("<{}{}>{}</{}>", tag, attributes(kept), inner, tag)


def _is_drawn(tag: str, element: Element) -> bool:
    """Whether an element shows anything: not the empty frames that Vega puts around groups."""
    if tag == "path":
        return bool(element.get("d")) and element.get("class") not in ("background", "foreground")
    return True


def _link(element: Element, inner: Html, links: Sequence[str]) -> Html:
    """A link to an address that was given; others are left out, and what they are around stays."""
    address = next((value for name, value in element.items() if name.rpartition("}")[2] == "href"), "")
    number = _LINK.search(address)
    if number is None or int(number[1]) >= len(links) or not links[int(number[1])].startswith("#"):
        return inner
    return html('<a href="{}">{}</a>', links[int(number[1])], inner)


def _value(name: str, value: str) -> str:
    if name in ("fill", "stroke") and not _COLOUR.fullmatch(value):
        return "none"
    if name in ("d", "transform", "x", "y", "x2", "y2"):
        return _NUMBER.sub(lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), value)
    return value
