"""Charts of how scores of segments are spread: how many have which, and two scores against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from adjudge.charts import Scale
from adjudge.display import shorten, visible
from adjudge.dossiers.grids import Axis, ScoreGrid
from adjudge.dossiers.histograms import Histogram
from adjudge.report.charts.plot import COLOURS, FOOT, INK, Plot, PlotFrame, box, left_room, words
from adjudge.report.pages.exhibits import DossierChart
from adjudge.report.pages.report.charts import NAME
from adjudge.report.pages.report.links import Links
from adjudge.wording import number, pluralise


def histogram_chart(histograms: Sequence[Histogram], links: Links) -> DossierChart:
    """How many segments score how, a row for each system."""
    shown = histograms[: len(COLOURS)]
    label = visible(shown[0].title)
    return DossierChart(
        f"Segments by {label}",
        "bars: how many segments have such a score",
        f"segments-{shown[0].title}",
        lambda width: _rows_of_bars(shown, label, links, width),
        ["system", "from", "to", "segments"],
        [
            [entry.system, *band, n]
            for entry in shown
            for band, n in zip(entry.bands, entry.counts, strict=True)
        ],
        small=True,
    )


def _rows_of_bars(shown: Sequence[Histogram], label: str, links: Links, width: int) -> Plot:
    """Bars between two values, a row of them for each system."""
    across = Scale.over([value for entry in shown for band in entry.bands for value in band])
    up = Scale.over([0.0, *(float(count) for entry in shown for count in entry.counts)], 2)
    left, tall, gap = left_room(up), 46, 26
    parts = []
    frame = PlotFrame(left, gap, width - left - 10, tall)
    for row, entry in enumerate(shown):
        frame = PlotFrame(left, gap + row * (tall + gap), width - left - 10, tall)
        parts.append(words(left, frame.top - 6, shorten(visible(entry.system), NAME), colour=INK, bold=True))
        parts.append(frame.axis_left(up))
        for place, ((low, high), count) in enumerate(zip(entry.bands, entry.counts, strict=True)):
            if not count:
                continue
            told = f"{visible(entry.system)}, {low:g} to {high:g}: {pluralise(count, 'segment')}"
            link = links.of_band(entry.key, entry.system, low, high, last=place == len(entry.counts) - 1)
            x, y = frame.across(across, low), frame.up(up, count)
            parts.append(box(x, y, frame.across(across, high) - x - 1, frame.foot - y, told, link))
    parts.append(frame.axis_below(across, label, grid=False))
    return Plot(width, frame.foot + FOOT, parts)


def grid_chart(grid: ScoreGrid, links: Links) -> DossierChart:
    """Two scores against each other: the darker a cell, the more segments."""
    x, y = (_axis_title(axis, grid) for axis in (grid.x, grid.y))
    alike = "" if math.isnan(grid.correlation) else f"; r = {number(grid.correlation, 2)}"
    return DossierChart(
        f"{y} against {x}",
        f"the darker, the more of {pluralise(grid.segments, 'segment')}{alike}",
        f"grid-{grid.x.key}-{grid.y.key}",
        lambda width: _cells(grid, x, y, links, width),
        [f"{x} from", f"{x} to", f"{y} from", f"{y} to", "segments"],
        [[*grid.x.bounds(i), *grid.y.bounds(j), count] for i, j, count in grid.counts],
        small=True,
    )


def _axis_title(axis: Axis, grid: ScoreGrid) -> str:
    two = grid.x.system != grid.y.system
    return f"{visible(axis.title)} of {shorten(visible(axis.system), NAME)}" if two else visible(axis.title)


def _cells(grid: ScoreGrid, x: str, y: str, links: Links, width: int) -> Plot:
    across = Scale.over([value for i, _, _ in grid.counts for value in grid.x.bounds(i)])
    up = Scale.over([value for _, j, _ in grid.counts for value in grid.y.bounds(j)])
    left = left_room(up, y)
    frame = PlotFrame(left, 8, width - left - 10, min(300, width - 60))
    most = max((count for *_, count in grid.counts), default=1)
    parts = [frame.axis_left(up, y), frame.axis_below(across, x)]
    for i, j, count in grid.counts:
        (low_x, high_x), (low_y, high_y) = grid.x.bounds(i), grid.y.bounds(j)
        told = f"{x} {low_x:g} to {high_x:g}, {y} {low_y:g} to {high_y:g}: {pluralise(count, 'segment')}"
        place = frame.across(across, low_x), frame.up(up, high_y)
        size = frame.across(across, high_x) - place[0], frame.up(up, low_y) - place[1]
        # The number of segments is seen by its root, so that cells with few of them are not lost.
        opacity = 0.12 + 0.88 * math.sqrt(count / most)
        parts.append(box(*place, *size, told, links.of_cell(grid, i, j), opacity=opacity))
    return Plot(width, frame.foot + FOOT, parts)
