"""The charts of a report, each from a frozen result: what Vega-Lite is to draw, and where its marks lead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.analysis.buckets import BucketScores, BucketTable
from adjudge.analysis.errors import CLASSES, ErrorClasses, classes_of
from adjudge.analysis.faults import REFERENCE, Faults
from adjudge.display import arrow, visible
from adjudge.dossiers.marks import bucket_mark
from adjudge.report.charts.vega import NARROW, Specification
from adjudge.report.pages.browser import View
from adjudge.report.pages.dossier_links import Links
from adjudge.report.pages.exhibits import Chart
from adjudge.report.render.text import shortened
from adjudge.report.results.comparison_tables import View as Standings
from adjudge.wording import number, percent

COLOURS = tuple(f"var(--s{place})" for place in range(1, 9))
"""Of systems, in their order; a chart of more than these shows the first."""
LEADS: dict[str, Any] = {"href": {"field": "href"}, "description": {"field": "told"}}
"""What a mark says and where it leads; intervals beside it do neither, lest everything is told twice."""
NAME = 24
"""Characters of a name beside a chart."""


@dataclass(frozen=True)
class Mark:
    """One value with its interval, told in words, and the address it leads to."""

    group: str
    system: str
    value: float
    low: float
    high: float
    told: str
    link: str


def interval_chart(view: Standings, metric: str, links: Links | None) -> Chart:
    """Every system's score by a metric with its interval."""
    first = view.pairwise.metrics[metric]
    confidence = percent(view.test.confidence)
    marks = []
    for system in view.systems:
        own = view.standings.get((system, metric))
        if own is None or math.isnan(own.score):
            continue
        shown = number(own.score, view.places(metric))
        cluster = "" if own.cluster is None else f", cluster {own.cluster}"
        told = f"{visible(system)}: {shown}{cluster}"
        link = "" if links is None else links.by_score(system, metric)
        marks.append(Mark("", system, own.score, own.low, own.high, told, link))
    label = visible(first.label)
    return Chart(
        f"{label} {arrow(first.higher_is_better)}".strip(),
        f"dots: scores; lines: {confidence} intervals",
        f"systems-{first.label}",
        lambda width: _intervals(marks, label, width),
        ["system", "score", "low", "high"],
        [[m.system, m.value, m.low, m.high] for m in marks],
        small=True,
    )


def _intervals(marks: Sequence[Mark], label: str, width: int) -> Specification:
    names = _names([mark.system for mark in marks])
    rows = [_row(mark, place) | {"name": names[mark.system], "at": place} for place, mark in enumerate(marks)]
    room = 115
    quantity = {"field": "value", "type": "quantitative", "title": label, "scale": {"zero": False}}
    return Specification(
        {
            "width": width - room,
            "height": {"step": 28},
            "data": {"values": rows},
            "encoding": {
                "y": {
                    "field": "name",
                    "type": "nominal",
                    "sort": {"field": "at"},
                    "title": None,
                    "axis": {
                        "ticks": False,
                        "domain": False,
                        "labelLimit": room - 20,
                        "labelColor": "var(--ink)",
                    },
                },
            },
            "layer": [
                {
                    "mark": {
                        "type": "rule",
                        "aria": False,
                        "strokeWidth": 4,
                        "opacity": 0.45,
                        "color": "var(--mark)",
                    },
                    "encoding": {"x": quantity | {"field": "low"}, "x2": {"field": "high"}},
                },
                {
                    "mark": {
                        "type": "point",
                        "filled": True,
                        "size": 110,
                        "opacity": 1,
                        "color": "var(--mark)",
                    },
                    "encoding": {"x": quantity, **LEADS},
                },
            ],
        },
        [mark.link for mark in marks],
    )


def bucket_chart(result: BucketScores, table: BucketTable, label: str, links: Links) -> Chart:
    """Scores bucket by bucket, a colour a system."""
    marks = [
        Mark(
            visible(bucket.name),
            own.system,
            own.score,
            own.low,
            own.high,
            f"{visible(own.system)}, {visible(bucket.name)}: {number(own.score, table.decimals)}",
            links.of_mark(bucket_mark(result.by, bucket.name), View(system=own.system, sort=table.metric)),
        )
        for bucket in table.buckets
        for own in bucket.scores
        if own.system in result.systems[: len(COLOURS)] and math.isfinite(own.score)
    ]
    return Chart(
        f"{label} by {visible(result.by)} {arrow(table.higher_is_better)}".strip(),
        f"dots: scores; lines: {percent(1 - result.alpha)} intervals{_others(result.systems)}",
        f"buckets-{result.by}",
        lambda width: _grouped_points(marks, label, visible(result.by), result.systems, width),
        [result.by, "system", "score", "low", "high"],
        [[m.group, m.system, m.value, m.low, m.high] for m in marks],
    )


def _grouped_points(
    marks: Sequence[Mark], label: str, by: str, systems: Sequence[str], width: int
) -> Specification:
    groups = list(dict.fromkeys(mark.group for mark in marks))
    names = _names(systems)
    rows = [
        _row(mark, place) | {"group": mark.group, "name": names[mark.system]}
        for place, mark in enumerate(marks)
    ]
    quantity = {"field": "value", "type": "quantitative", "title": label, "scale": {"zero": False}}
    return Specification(
        {
            "width": width - 50,
            "height": 220,
            "data": {"values": rows},
            "encoding": {
                "x": {
                    "field": "group",
                    "type": "ordinal",
                    "sort": groups,
                    "title": by,
                    "axis": {
                        "labelAngle": 0 if width > NARROW and len(groups) < 9 else -45,
                        "labelLimit": 110,
                    },
                },
                "xOffset": {"field": "name", "type": "nominal", "sort": list(names.values())},
                "color": _colour(systems, names, width),
            },
            "layer": [
                {
                    "mark": {"type": "rule", "aria": False, "strokeWidth": 3, "opacity": 0.45},
                    "encoding": {"y": quantity | {"field": "low"}, "y2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                    "encoding": {"y": quantity, **LEADS},
                },
            ],
        },
        [mark.link for mark in marks],
    )


def error_chart(result: ErrorClasses, links: Links) -> Chart:
    """Rates of all classes, a colour a system."""
    systems = [system.system for system in result.systems]
    marks = [
        Mark(
            errors,
            system,
            own.rate,
            own.low,
            own.high,
            f"{visible(system)}, {errors}: {number(own.rate, 1)} %",
            links.of_count(errors, system),
        )
        for errors in CLASSES
        for system, own in zip(systems, classes_of(result.systems, errors), strict=True)
        if system in systems[: len(COLOURS)]
    ]
    return Chart(
        "Classes of errors ↓",
        f"bars: words in percent; lines: {percent(result.confidence)} intervals{_others(systems)}",
        "errors",
        lambda width: _grouped_bars(marks, "words in percent", systems, width),
        ["errors", "system", "rate", "low", "high"],
        [[m.group, m.system, m.value, m.low, m.high] for m in marks],
    )


def fault_chart(result: Faults, links: Links) -> Chart | None:
    """Rates of the kinds that anybody has, a colour a system; None where nobody has any."""
    systems = list(result.systems)
    marks = [
        Mark(
            kind.name,
            own.system,
            own.rate,
            own.low,
            own.high,
            f"{visible(own.system)}, {kind.name}: {own.faults:,} of {own.of:,}",
            links.of_count(kind.name, own.system) if own.faults else "",
        )
        for kind in result.kinds
        if any(s.faults for s in kind.systems if s.system != REFERENCE)
        for own in kind.systems
        if own.system in systems[: len(COLOURS)] and math.isfinite(own.rate)
    ]
    if not marks:
        return None
    return Chart(
        "Faults ↓",
        f"bars: in percent of what could be faulty; lines: {percent(1 - result.alpha)} intervals{_others(systems)}",
        "faults",
        lambda width: _grouped_bars(marks, "in percent", systems, width),
        ["fault", "system", "rate", "low", "high"],
        [[m.group, m.system, m.value, m.low, m.high] for m in marks],
    )


def _grouped_bars(marks: Sequence[Mark], label: str, systems: Sequence[str], width: int) -> Specification:
    groups = list(dict.fromkeys(mark.group for mark in marks))
    names = _names(systems)
    rows = [
        _row(mark, place) | {"group": mark.group, "name": names[mark.system]}
        for place, mark in enumerate(marks)
    ]
    room = 130 if width > NARROW else 105
    quantity: dict[str, Any] = {"field": "value", "type": "quantitative", "title": label}
    return Specification(
        {
            "width": width - room,
            "height": {"step": 12, "for": "offset"},
            "data": {"values": rows},
            "encoding": {
                "y": {
                    "field": "group",
                    "type": "nominal",
                    "sort": groups,
                    "title": None,
                    "axis": {"ticks": False, "domain": False, "labelColor": "var(--ink)"},
                },
                "yOffset": {"field": "name", "type": "nominal", "sort": list(names.values())},
                "color": _colour(systems, names, width),
            },
            "layer": [
                {"mark": {"type": "bar", "opacity": 0.85}, "encoding": {"x": quantity, **LEADS}},
                {
                    "mark": {"type": "rule", "color": "var(--ink)", "opacity": 0.6, "aria": False},
                    "encoding": {
                        "x": quantity | {"field": "low"},
                        "x2": {"field": "high"},
                        "color": {"value": "var(--ink)"},
                    },
                },
            ],
        },
        [mark.link for mark in marks],
    )


def _row(mark: Mark, place: int) -> dict[str, Any]:
    """A row of a chart's data; a number that there is not is left out."""
    numbers = {"value": mark.value, "low": mark.low, "high": mark.high}
    known = {name: value for name, value in numbers.items() if math.isfinite(value)}
    return {**known, "told": mark.told, "href": f"#{place}"}


def _names(systems: Sequence[str]) -> dict[str, str]:
    """Names short enough to stand beside a chart, no two alike."""
    names: dict[str, str] = {}
    for place, system in enumerate(systems, 1):
        short = shortened(visible(system), NAME)
        names[system] = short if short not in names.values() else f"{short} ({place})"
    return names


def _colour(systems: Sequence[str], names: dict[str, str], width: int) -> dict[str, Any]:
    shown = systems[: len(COLOURS)]
    return {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": [names[s] for s in shown], "range": list(COLOURS[: len(shown)])},
        "legend": {"columns": 4 if width > NARROW else 2} if len(shown) > 1 else None,
    }


def _others(systems: Sequence[str]) -> str:
    more = len(systems) - len(COLOURS)
    return f"; {more} more in the table" if more > 0 else ""
