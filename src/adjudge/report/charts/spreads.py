"""Charts of how scores of segments are spread: how many have which, and two scores against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from adjudge.display import visible
from adjudge.dossiers.grids import Axis, ScoreGrid
from adjudge.dossiers.histograms import Histogram
from adjudge.report.charts.dossier_charts import COLOURS, NAME
from adjudge.report.charts.vega import Specification
from adjudge.report.pages.dossier_links import Links
from adjudge.report.pages.exhibits import Chart
from adjudge.report.render.text import shortened
from adjudge.wording import number, pluralise


def histogram_chart(histograms: Sequence[Histogram], links: Links) -> Chart:
    """How many segments score how, a row a system."""
    shown = histograms[: len(COLOURS)]
    label = visible(shown[0].title)
    rows: list[dict[str, Any]] = []
    addresses: list[str] = []
    for own in shown:
        for place, ((low, high), count) in enumerate(zip(own.bands, own.counts, strict=True)):
            rows.append(
                {
                    "name": shortened(visible(own.system), NAME),
                    "low": low,
                    "high": high,
                    "count": count,
                    "href": f"#{len(addresses)}",
                    "told": f"{visible(own.system)}, {low:g} to {high:g}: {pluralise(count, 'segment')}",
                }
            )
            last = place == len(own.counts) - 1
            addresses.append(links.of_band(own.key, own.system, low, high, last=last))
    return Chart(
        f"Segments by {label}",
        "bars: how many segments have such a score",
        f"segments-{shown[0].title}",
        lambda width: Specification(_rows_of_bars(rows, label, width), addresses),
        ["system", "from", "to", "segments"],
        [[own.system, *band, n] for own in shown for band, n in zip(own.bands, own.counts, strict=True)],
        small=True,
    )


def _rows_of_bars(rows: Sequence[dict[str, Any]], label: str, width: int) -> dict[str, Any]:
    """Bars between two values, a row of them for each name."""
    header = {"labelAngle": 0, "labelAlign": "left", "labelOrient": "top"}
    names = list(dict.fromkeys(row["name"] for row in rows))
    return {
        "data": {"values": [row for row in rows if row["count"]]},
        "facet": {"row": {"field": "name", "type": "nominal", "sort": names, "header": header}},
        "spacing": 8,
        "spec": {
            "width": width - 50,
            "height": 46,
            "mark": {"type": "bar", "color": "var(--mark)", "opacity": 0.8},
            "encoding": {
                "x": {"field": "low", "type": "quantitative", "title": label, "bin": "binned"},
                "x2": {"field": "high"},
                "y": {"field": "count", "type": "quantitative", "title": None, "axis": {"tickCount": 2}},
                "href": {"field": "href"},
                "description": {"field": "told"},
            },
        },
    }


def grid_chart(grid: ScoreGrid, links: Links) -> Chart:
    """Two scores against each other: the darker a cell, the more segments."""
    x, y = (_axis_title(axis, grid) for axis in (grid.x, grid.y))
    rows, addresses = [], []
    for place, (i, j, count) in enumerate(grid.counts):
        (left, right), (low, high) = grid.x.bounds(i), grid.y.bounds(j)
        told = f"{x} {left:g} to {right:g}, {y} {low:g} to {high:g}: {pluralise(count, 'segment')}"
        sides = {"left": left, "right": right, "low": low, "high": high}
        # The number of segments is seen by its root, so that cells with few of them are not lost.
        rows.append({**sides, "root": math.sqrt(count), "told": told, "href": f"#{place}"})
        addresses.append(links.of_cell(grid, i, j))
    alike = "" if math.isnan(grid.correlation) else f"; r = {number(grid.correlation, 2)}"
    return Chart(
        f"{y} against {x}",
        f"the darker, the more of {pluralise(grid.segments, 'segment')}{alike}",
        f"grid-{grid.x.key}-{grid.y.key}",
        lambda width: Specification(_cells(rows, x, y, width), addresses),
        [f"{x} from", f"{x} to", f"{y} from", f"{y} to", "segments"],
        [[*grid.x.bounds(i), *grid.y.bounds(j), count] for i, j, count in grid.counts],
        small=True,
    )


def _axis_title(axis: Axis, grid: ScoreGrid) -> str:
    two = grid.x.system != grid.y.system
    return f"{visible(axis.title)} of {shortened(visible(axis.system), NAME)}" if two else visible(axis.title)


def _cells(rows: Sequence[dict[str, Any]], x: str, y: str, width: int) -> dict[str, Any]:
    most = max((row["root"] for row in rows), default=1.0)
    return {
        "width": width - 60,
        "height": min(300, width - 60),
        "data": {"values": rows},
        "mark": {"type": "rect", "color": "var(--mark)"},
        "encoding": {
            "x": {"field": "left", "type": "quantitative", "title": x, "bin": "binned"},
            "x2": {"field": "right"},
            "y": {"field": "low", "type": "quantitative", "title": y, "bin": "binned"},
            "y2": {"field": "high"},
            "opacity": {
                "field": "root",
                "type": "quantitative",
                "scale": {"domain": [0, most], "range": [0.12, 1]},
                "legend": None,
            },
            "href": {"field": "href"},
            "description": {"field": "told"},
        },
    }
