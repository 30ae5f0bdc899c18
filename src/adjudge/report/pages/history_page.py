"""Lines of systems over their versions, as a page: a chart a line, what is significant on it, every version below."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

from adjudge.display import Table, arrow, visible
from adjudge.history.lines import HistoryLine, Lines, Version
from adjudge.report.charts.vega import NARROW, Specification
from adjudge.report.pages.exhibits import Chart, chart_figure, table_block
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page as whole_page
from adjudge.report.results.history import how, sentences, summary, title, told, version_table
from adjudge.report.results.history_list import when
from adjudge.wording import noun_form, number, percent, pluralise

STYLES = ("analysis.css", "report.css")
HEIGHT = 200
DRAWN = 2
"""The column of the table that the chart stands for, from 0."""
SHAPES = {"better": "triangle-up", "worse": "triangle-down", "tolerated": "triangle-down"}
TOLD = {"tolerated": "worse, within the margin"}
COLOURS = {"better": "var(--s3)", "worse": "var(--s2)", "tolerated": "var(--s2)"}


def page(result: Lines, version: str, *, charts: bool = True) -> Html:
    """The whole page."""
    systems = dict.fromkeys(line.system for line in result.lines)
    heading = f"History of {pluralise(len(systems), 'system') if len(systems) > 3 else ', '.join(systems)}"
    contents = NOTHING.join(
        html('<li><a href="#line-{}">{}</a></li>', place, _short(line))
        for place, line in enumerate(result.lines)
    )
    body = [
        html("<header><h1>{}</h1>", prose(visible(heading))),
        html('<p class="soft">{}: {}</p>', result.place, summary(result)),
        html('<nav aria-label="Contents"><ul class="contents">{}</ul></nav>', contents)
        if len(result.lines) > 1
        else NOTHING,
        html("</header><main>"),
        *(_part(line, result, place, charts=charts) for place, line in enumerate(result.lines)),
        html("</main>"),
        html("<footer><p>{}</p><p>adjudge {}</p></footer>", prose(how(result)), version),
    ]
    return whole_page(heading, body, styles=STYLES, modules=("exports.js",) if charts else (), images=charts)


def _short(line: HistoryLine) -> str:
    return visible(f"{line.system}, {line.label}{f', {line.test_set}' if line.test_set else ''}")


def _part(line: HistoryLine, result: Lines, place: int, *, charts: bool) -> Html:
    table = version_table(line, result)
    shown = table if not charts else _without_drawing(table)
    name = f"history-{line.system}-{line.metric}"
    return html(
        '<section id="line-{}"><h2>{}</h2>{}{}<details{}><summary>{}</summary>{}</details></section>',
        place,
        title(line),
        chart_figure(chart(line, result)) if charts else NOTHING,
        html_list(sentences(line, result)),
        NOTHING if charts else html(" open"),
        f"All {pluralise(len(line.versions), 'version')}" if len(line.versions) > 1 else "The version",
        table_block(shown, name, title(line)),
    )


def _without_drawing(table: Table) -> Table:
    """The table without the column that the chart stands for."""
    rows = (replace(row, cells=(*row.cells[:DRAWN], *row.cells[DRAWN + 1 :])) for row in table.rows)
    return Table((*table.columns[:DRAWN], *table.columns[DRAWN + 1 :]), tuple(rows))


def chart(line: HistoryLine, result: Lines) -> Chart:
    """The line: scores as dots with their intervals, triangles where a step is significant, gaps where it breaks."""
    label = f"{visible(line.label)} {arrow(line.higher_is_better)}".strip()
    significant = noun_form(len(line.marked), "significant step")
    key = f"dots: scores; lines: {percent(result.plan.confidence)} intervals"
    key += f"; triangles: {significant}" if line.marked else ""
    key += "; gaps: nothing to compare with" if any(version.broken for version in line.versions) else ""
    return Chart(
        label,
        key,
        f"history-{line.system}-{line.metric}",
        lambda width: _specification(line, visible(line.label), width),
        ["record", "version", "made", "score", "low", "high", "change", "p"],
        [_row(version) for version in line.versions],
    )


def _row(version: Version) -> list[str | float]:
    step = version.step
    change, p = (step.delta, step.p_adjusted) if step else (math.nan, math.nan)
    return [
        version.record.id,
        version.name,
        when(version.made),
        version.score,
        version.low,
        version.high,
        change,
        p,
    ]


def _specification(line: HistoryLine, label: str, width: int) -> Specification:
    values = [_value(line, version, place) for place, version in enumerate(line.versions)]
    quantity: dict[str, Any] = {
        "field": "score",
        "type": "quantitative",
        "title": label,
        "scale": {"zero": False},
    }
    # Versions stand at equal distances: some days have ten, and some months none.
    across = {
        "field": "at",
        "type": "ordinal",
        "title": None,
        "axis": {
            "labelExpr": _labels([value["name"] for value in values]),
            "labelAngle": 0 if len(values) <= (8 if width > NARROW else 3) else -45,
            "labelOverlap": "greedy",
            "labelLimit": 90,
        },
    }
    kinds = ["none", *SHAPES]
    shape = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": kinds, "range": ["circle", *SHAPES.values()]},
        "legend": None,
    }
    colour = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": kinds, "range": ["var(--mark)", *COLOURS.values()]},
        "legend": None,
    }
    size = {"condition": {"test": "datum.verdict != 'none'", "value": 190}, "value": 70}
    rule = {"type": "rule", "aria": False, "strokeWidth": 3, "opacity": 0.4, "color": "var(--mark)"}
    through = {"type": "line", "aria": False, "color": "var(--mark)", "strokeWidth": 1.5, "opacity": 0.8}
    dot = {"type": "point", "filled": True, "opacity": 1}
    return Specification(
        {
            "width": width - 60,
            "height": HEIGHT,
            "data": {"values": values},
            "encoding": {"x": across},
            "layer": [
                {"mark": rule, "encoding": {"y": quantity | {"field": "low"}, "y2": {"field": "high"}}},
                {"mark": through, "encoding": {"y": quantity, "detail": {"field": "stretch"}}},
                {
                    "mark": dot,
                    "encoding": {
                        "y": quantity,
                        "shape": shape,
                        "color": colour,
                        "size": size,
                        "description": {"field": "told"},
                    },
                },
            ],
        }
    )


def _labels(names: list[str]) -> str:
    """Names by the places of versions, as an expression of Vega's."""
    return f"{json.dumps(names)}[datum.value]"


def _value(line: HistoryLine, version: Version, place: int) -> dict[str, Any]:
    step = version.step
    verdict = step.verdict if step and step.verdict in SHAPES else "none"
    shown = f"{told(version)}: {number(version.score, line.decimals)}"
    numbers = {"score": version.score, "low": version.low, "high": version.high}
    return {
        **{name: value for name, value in numbers.items() if math.isfinite(value)},
        "at": place,
        "name": visible(version.name),
        "stretch": version.stretch,
        "verdict": verdict,
        "told": f"{shown}, significantly {TOLD.get(verdict, verdict)}" if verdict in SHAPES else shown,
    }
