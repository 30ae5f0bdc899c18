"""Alignments as a picture for papers and slides: plain SVG that any program draws, and dark where a browser is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from adjudge.analysis.xray import SegmentView, SystemView, Xray
from adjudge.display import cell_width, visible
from adjudge.report.pages.xray.signs import in_order, kind_class
from adjudge.report.pages.xray.xray import empty_note
from adjudge.report.render import page
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html
from adjudge.wording import number

ROW, PAD, GUTTER = 26, 18, 120
LETTER = 8.4
"""Width of a column of letters; a bit more than most fonts need, for nobody knows which there will be."""
FONT = 14
BAR = 9
"""From a word to the bar beside it."""
DASHES = {"stem": "10 3", "synonym": "7 3", "paraphrase": "9 3 2 3", "substitution": "2 4"}
PAINTED = ("exact", "stem", "synonym", "paraphrase", "shift", "substitution", "other", "none", "ink", "soft")


def picture(result: Xray, *, decimals: int | None = None) -> Html:
    """All segments, one below the other."""
    decimals = result.decimals if decimals is None else decimals
    drawings = [
        _Drawing(segment, views, result, decimals)
        for segment in result.segments
        for views in ([segment.systems] if segment.same_reference else [(view,) for view in segment.systems])
    ]
    width = max([320.0, *(drawing.width for drawing in drawings)])
    shapes: list[Html] = []
    top = float(PAD)
    for drawing in drawings:
        shapes.append(
            html(
                '<g transform="translate({:g} {:g})">{}</g>', (width - drawing.width) / 2, top, drawing.shapes
            )
        )
        top += drawing.height + PAD
    if not drawings:
        shapes.append(_text(PAD, top + ROW / 2, visible(empty_note(result)), "soft"))
        top += ROW
    entries, legend_height = _legend(result, width)
    shapes.append(html('<g transform="translate(0 {:g})">{}</g>', top, NOTHING.join(entries)))
    top += legend_height + PAD / 2
    names = " and ".join(visible(system.system) for system in result.systems)
    told = "; ".join(_description(segment, result, decimals) for segment in result.segments)
    light, dark = colours()
    rules = NOTHING.join(
        f".{name}{{stroke:{dark[name]}}}text.{name},.fill.{name}{{fill:{dark[name]};stroke:none}}"
        for name in PAINTED
    )
    return (
        html(
            '<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {:g} {:g}" width="{:g}" '
            'height="{:g}" font-family="system-ui, sans-serif" '
            'font-size="{}">\n<title>{}</title>\n<desc>{}</desc>\n<style>@media (prefers-color-scheme: '
            'dark){{.paper{{fill:{}}}{}}}</style>\n<rect class="paper" width="100%" height="100%" fill="{}"/>\n',
            width,
            top,
            width,
            top,
            FONT,
            f"{names} by {visible(result.label)}",
            told,
            dark["card"],
            rules,
            light["card"],
        )
        + NEW_LINE.join(shapes)
        + html("\n</svg>\n")
    )


@cache
def colours() -> tuple[dict[str, str], dict[str, str]]:
    """The page's colours by name, light and dark."""
    return page.colours("xray.css")


class _Drawing:
    """One segment of one or two systems against one reference, and its size."""

    def __init__(
        self, segment: SegmentView, views: Sequence[SystemView], result: Xray, decimals: int
    ) -> None:
        self.views = views
        reference = views[0].alignment.reference
        several = len(segment.references) > 1
        self.name = f"reference {views[0].reference}" if several else "reference"
        heads = [
            (visible(v.system), f"{visible(result.short_label)} {number(v.score, decimals)}") for v in views
        ]
        self.columns = [
            _widest([*view.alignment.hypothesis, *head]) for view, head in zip(views, heads, strict=True)
        ]
        middle = _widest([*reference, self.name])
        # From left to right: words, bar, lines, bar, words of the reference, and the same mirrored.
        self.left = PAD + self.columns[0]
        self.begin = self.left + GUTTER
        self.end = self.begin + middle + 24
        self.right = self.end + GUTTER
        self.width = (self.right + self.columns[1] if len(views) == 2 else self.end) + PAD
        rows = max(len(words) for v in views for words in (v.alignment.hypothesis, reference))
        self.top = 3.4 * ROW
        self.height = self.top + max(1, rows) * ROW
        self.shapes = NOTHING.join(self._shapes(segment, heads))

    def _shapes(self, segment: SegmentView, heads: Sequence[tuple[str, str]]) -> Iterator[Html]:
        centre = (self.begin + self.end) / 2
        yield _text(PAD, ROW / 2, f"Segment {segment.number}", "ink", weight="600")
        yield _text(centre, 1.7 * ROW, self.name, "soft", anchor="middle")
        for x, anchor, (name, score) in zip((self.left, self.right), ("end", "start"), heads, strict=False):
            yield _text(x, 1.7 * ROW, name, "ink", anchor=anchor, weight="600")
            yield _text(x, 2.5 * ROW, score, "soft", anchor=anchor)
        for place, word in enumerate(self.views[0].alignment.reference):
            linked = any(place in range(*link.reference) for v in self.views for link in v.alignment.links)
            yield _text(centre, self._y(place), visible(word), "ink" if linked else "none", anchor="middle")
        for index, view in enumerate(self.views):
            yield from self._side(view, mirrored=index == 1)

    def _side(self, view: SystemView, *, mirrored: bool) -> Iterator[Html]:
        ours, theirs = (self.right - BAR, self.end) if mirrored else (self.left + BAR, self.begin)
        for chunk in view.structure.chunks:
            band = self._band(ours, chunk.hypothesis, theirs, chunk.reference)
            yield html(
                '<path class="fill ink" d="{}" fill="{}" fill-opacity="0.08"/>', band, colours()[0]["ink"]
            )
        for link in view.alignment.links:
            kind = kind_class(link.kind)
            paint = html('class="{}" stroke="{}" fill="none"', kind, colours()[0][kind])
            if any(end - begin > 1 for begin, end in (link.hypothesis, link.reference)):
                band = self._band(ours, link.hypothesis, theirs, link.reference)
                yield html(
                    '<path class="fill {}" d="{}" fill="{}" fill-opacity="0.2"/>',
                    kind,
                    band,
                    colours()[0][kind],
                )
            a, b = (self.top + ROW * sum(side) / 2 for side in (link.hypothesis, link.reference))
            half = (ours + theirs) / 2
            curve = f"M{ours:g} {a:g}C{half:g} {a:g} {half:g} {b:g} {theirs:g} {b:g}"
            yield html('<path {} stroke-width="2"{} d="{}"/>', paint, _dash(kind), curve)
            bars = [(ours, n) for n in range(*link.hypothesis)] + [
                (theirs, n) for n in range(*link.reference)
            ]
            ends = NOTHING.join(f"M{x:g} {self.top + ROW * n + 4:g}v{ROW - 8}" for x, n in bars)
            yield html('<path {} stroke-width="4" d="{}"/>', paint, ends)
        for place, word in enumerate(view.alignment.hypothesis):
            linked = any(place in range(*link.hypothesis) for link in view.alignment.links)
            x, anchor = (self.right, "start") if mirrored else (self.left, "end")
            yield _text(x, self._y(place), visible(word), "ink" if linked else "none", anchor=anchor)

    def _y(self, place: int) -> float:
        return self.top + ROW * (place + 0.5)

    def _band(self, x: float, ours: tuple[int, int], z: float, theirs: tuple[int, int]) -> str:
        (a, b), (c, d) = ((self.top + ROW * n for n in side) for side in (ours, theirs))
        half = (x + z) / 2
        return (
            f"M{x:g} {a + 2:g}C{half:g} {a + 2:g} {half:g} {c + 2:g} {z:g} {c + 2:g}"
            f"V{d - 2:g}C{half:g} {d - 2:g} {half:g} {b - 2:g} {x:g} {b - 2:g}Z"
        )


def _legend(result: Xray, width: float) -> tuple[list[Html], float]:
    """A piece of line and a name for every kind that occurs, in as many rows as it takes."""
    if not result.segments:
        return [], 0.0
    light, _ = colours()
    used = {link.kind for s in result.segments for view in s.systems for link in view.alignment.links}
    samples = []
    for kind in in_order(used):
        style = kind_class(kind)
        line = html(
            '<path class="{}" stroke="{}" stroke-width="3"{} d="M0 0h28"/>', style, light[style], _dash(style)
        )
        samples.append((line, visible(kind), "soft"))
    shade = html('<path class="fill ink" fill="{}" fill-opacity="0.08" d="M0 -7h28v14h-28Z"/>', light["ink"])
    samples += [(shade, "chunk", "soft"), (NOTHING, "unmatched", "none")]
    x, y, entries = float(PAD), ROW / 2, []
    for sample, name, colour in samples:
        start = 36 if sample else 0
        wide = start + _widest([name])
        if x > PAD and x + wide > width - PAD:
            x, y = float(PAD), y + ROW
        entries.append(
            html('<g transform="translate({:g} {:g})">{}{}</g>', x, y, sample, _text(start, 0, name, colour))
        )
        x += wide + 16
    return entries, y + ROW / 2


def _dash(kind: str) -> Html:
    return html(' stroke-dasharray="{}"', DASHES[kind]) if kind in DASHES else NOTHING


def _description(segment: SegmentView, result: Xray, decimals: int) -> str:
    scores = ", ".join(
        f"{visible(v.system)} {number(v.score, decimals)} with "
        + (", ".join(f"{count} {visible(kind)}" for kind, count in v.structure.kinds.items()) or "no links")
        for v in segment.systems
    )
    return f"segment {segment.number}: {scores}"


def _widest(words: Sequence[str]) -> float:
    return LETTER * max((cell_width(visible(word)) for word in words), default=0)


def _text(x: float, y: float, words: str, colour: str, *, anchor: str = "start", weight: str = "") -> Html:
    heavy = html(' font-weight="{}"', weight) if weight else ""
    return html(
        '<text class="{}" x="{:g}" y="{:g}" dy="0.35em" text-anchor="{}" fill="{}"{}>{}</text>',
        colour,
        x,
        y,
        anchor,
        colours()[0][colour],
        heavy,
        words,
    )
