"""Lines of systems over their versions, as a page: a chart a line, what is significant on it, every version below."""

from __future__ import annotations

import math
from dataclasses import replace

from adjudge.charts import Scale
from adjudge.display import Table, arrow, visible
from adjudge.history.record_list import when
from adjudge.history.version_lines import HistoryLine, Lines, Version
from adjudge.report.charts.plot import FOOT, MARK, NARROW, Plot, PlotFrame, dot, left_room, triangle
from adjudge.report.charts.plot import line as straight
from adjudge.report.pages.exhibits import DossierChart, chart_figure, table_block
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page as whole_page
from adjudge.wording import noun_form, number, percent, pluralise

STYLES = ("analysis.css", "report.css")
HEIGHT = 200
DRAWN = 2
"""The column of the table that the chart stands for, from 0."""
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
        html('<p class="soft">{}: {}</p>', result.place, result.summary()),
        html('<nav aria-label="Contents"><ul class="contents">{}</ul></nav>', contents)
        if len(result.lines) > 1
        else NOTHING,
        html("</header><main>"),
        *(_part(line, result, place, charts=charts) for place, line in enumerate(result.lines)),
        html("</main>"),
        html("<footer><p>{}</p><p>adjudge {}</p></footer>", prose(result.how()), version),
    ]
    return whole_page(heading, body, styles=STYLES, modules=("exports.js",) if charts else (), images=charts)


def _short(line: HistoryLine) -> str:
    return visible(f"{line.system}, {line.label}{f', {line.test_set}' if line.test_set else ''}")


def _part(line: HistoryLine, result: Lines, place: int, *, charts: bool) -> Html:
    table = line._version_table(result)
    shown = table if not charts else _without_drawing(table)
    name = f"history-{line.system}-{line.metric}"
    return html(
        '<section id="line-{}"><h2>{}</h2>{}{}<details{}><summary>{}</summary>{}</details></section>',
        place,
        line.title(),
        chart_figure(chart(line, result)) if charts else NOTHING,
        html_list(line.sentences(result)),
        NOTHING if charts else html(" open"),
        f"All {pluralise(len(line.versions), 'version')}" if len(line.versions) > 1 else "The version",
        table_block(shown, name, line.title()),
    )


def _without_drawing(table: Table) -> Table:
    """The table without the column that the chart stands for."""
    rows = (replace(row, cells=(*row.cells[:DRAWN], *row.cells[DRAWN + 1 :])) for row in table.rows)
    return Table((*table.columns[:DRAWN], *table.columns[DRAWN + 1 :]), tuple(rows))


def chart(line: HistoryLine, result: Lines) -> DossierChart:
    """The line: scores as dots with their intervals, triangles where a step is significant, gaps where it breaks."""
    label = f"{visible(line.label)} {arrow(line.higher_is_better)}".strip()
    significant = noun_form(len(line.marked), "significant step")
    key = f"dots: scores; lines: {percent(result.plan.confidence)} intervals"
    key += f"; triangles: {significant}" if line.marked else ""
    key += "; gaps: nothing to compare with" if any(version.broken for version in line.versions) else ""
    return DossierChart(
        label,
        key,
        f"history-{line.system}-{line.metric}",
        lambda width: _plot(line, visible(line.label), width),
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


def _plot(line: HistoryLine, label: str, width: int) -> Plot:
    """Versions stand at equal distances: some days have ten, and some months none."""
    scale = Scale.over(
        [value for version in line.versions for value in (version.low, version.score, version.high)]
    )
    left = left_room(scale, label)
    frame = PlotFrame(left, 10, width - left - 10, HEIGHT)
    level = len(line.versions) <= (8 if width > NARROW else 3)
    names = frame.names_below([visible(version.name) for version in line.versions], level=level)
    parts, dots, before = [frame.axis_left(scale, label), names], [], None
    for place, version in enumerate(line.versions):
        x, y = frame.left + (place + 0.5) * frame.width / len(line.versions), frame.up(scale, version.score)
        low, high = frame.up(scale, version.low), frame.up(scale, version.high)
        parts.append(straight(x, low, x, high, MARK, width=3, opacity=0.4))
        if before is not None and before[2] == version.stretch:
            parts.append(straight(before[0], before[1], x, y, MARK, width=1.5, opacity=0.8))
        before = x, y, version.stretch
        dots.append(_dot(line, version, x, y) if math.isfinite(version.score) else NOTHING)
    return Plot(width, frame.foot + (FOOT if level else 92), [*parts, *dots])


def _dot(line: HistoryLine, version: Version, x: float, y: float) -> Html:
    """A score; a triangle where its step is significant."""
    verdict = version.step.verdict if version.step else "same"
    told = f"{version.full_name()}: {number(version.score, line.decimals)}"
    if verdict not in COLOURS:
        return dot(x, y, told)
    told += f", significantly {TOLD.get(verdict, verdict)}"
    return triangle(x, y, told, colour=COLOURS[verdict], upwards=verdict == "better")
