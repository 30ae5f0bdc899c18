"""The charts of a report, each from a frozen result: what its marks say, and where they lead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.analysis.base import REFERENCE
from adjudge.analysis.buckets import BucketScores, BucketTable
from adjudge.analysis.errors import CLASSES, ErrorClasses, classes_of
from adjudge.analysis.faults import Faults
from adjudge.charts import Scale
from adjudge.comparison.comparison_tables import ComparisonView
from adjudge.display import arrow, shorten, visible
from adjudge.dossiers.marks import bucket_mark
from adjudge.report.charts.plot import (
    COLOURS,
    FOOT,
    INK,
    MARK,
    NARROW,
    Plot,
    PlotFrame,
    box,
    dot,
    left_room,
    legend,
    line,
    names_room,
    words,
)
from adjudge.report.pages.exhibits import DossierChart
from adjudge.report.pages.report.browser import View
from adjudge.report.pages.report.links import Links
from adjudge.wording import number, percent

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


def interval_chart(view: ComparisonView, metric: str, links: Links | None) -> DossierChart:
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
    return DossierChart(
        f"{label} {arrow(first.higher_is_better)}".strip(),
        f"dots: scores; lines: {confidence} intervals",
        f"systems-{first.label}",
        lambda width: _intervals(marks, label, width),
        ["system", "score", "low", "high"],
        [[m.system, m.value, m.low, m.high] for m in marks],
        small=True,
    )


def _intervals(marks: Sequence[Mark], label: str, width: int) -> Plot:
    """A row for each system, its name to the left."""
    names = _names([mark.system for mark in marks])
    scale = Scale.over([value for mark in marks for value in (mark.low, mark.value, mark.high)])
    room, step = names_room(names.values(), 115), 28
    frame = PlotFrame(room, 6, width - room - 12, step * len(marks))
    parts = [frame.axis_below(scale, label)]
    for place, mark in enumerate(marks):
        y = frame.top + (place + 0.5) * step
        low, high = frame.across(scale, mark.low), frame.across(scale, mark.high)
        parts.append(words(room - 8, y + 4, shorten(names[mark.system], 14), align="end", colour=INK))
        parts.append(line(low, y, high, y, MARK, width=4, opacity=0.45))
        parts.append(dot(frame.across(scale, mark.value), y, mark.told, mark.link))
    return Plot(width, frame.foot + FOOT, parts)


def bucket_chart(result: BucketScores, table: BucketTable, label: str, links: Links) -> DossierChart:
    """Scores bucket by bucket, a colour a system."""
    marks = [
        Mark(
            visible(bucket.name),
            score.system,
            score.score,
            score.low,
            score.high,
            f"{visible(score.system)}, {visible(bucket.name)}: {number(score.score, table.decimals)}",
            links.of_mark(bucket_mark(result.by, bucket.name), View(system=score.system, sort=table.metric)),
        )
        for bucket in table.buckets
        for score in bucket.scores
        if score.system in result.systems[: len(COLOURS)] and math.isfinite(score.score)
    ]
    return DossierChart(
        f"{label} by {visible(result.by)} {arrow(table.higher_is_better)}".strip(),
        f"dots: scores; lines: {percent(1 - result.alpha)} intervals{_others(result.systems)}",
        f"buckets-{result.by}",
        lambda width: _grouped_points(marks, label, visible(result.by), result.systems, width),
        [result.by, "system", "score", "low", "high"],
        [[m.group, m.system, m.value, m.low, m.high] for m in marks],
    )


def _grouped_points(marks: Sequence[Mark], label: str, by: str, systems: Sequence[str], width: int) -> Plot:
    """Groups from left to right, in each of them the systems beside each other."""
    groups = list(dict.fromkeys(mark.group for mark in marks))
    places, (key, above) = _places(systems), legend(list(_names(systems).values()), width)
    scale = Scale.over([value for mark in marks for value in (mark.low, mark.value, mark.high)])
    left = left_room(scale, label)
    frame = PlotFrame(left, above + 6, width - left - 8, 220)
    level = width > NARROW and len(groups) < 9
    step = frame.width / len(groups)
    parts = [key, frame.axis_left(scale, label), frame.names_below(groups, level=level)]
    for mark in marks:
        place = places[mark.system]
        x = frame.left + (groups.index(mark.group) + (place + 1) / (len(places) + 1)) * step
        low, high = frame.up(scale, mark.low), frame.up(scale, mark.high)
        parts.append(line(x, low, x, high, COLOURS[place], width=3, opacity=0.45))
        parts.append(
            dot(x, frame.up(scale, mark.value), mark.told, mark.link, colour=COLOURS[place], radius=4.5)
        )
    below = FOOT if level else 92
    parts.append(words(frame.left + frame.width / 2, frame.foot + below - 6, by, align="middle"))
    return Plot(width, frame.foot + below, parts)


def error_chart(result: ErrorClasses, links: Links) -> DossierChart:
    """Rates of all classes, a colour a system."""
    systems = [system.system for system in result.systems]
    marks = [
        Mark(
            errors,
            system,
            classes.rate,
            classes.low,
            classes.high,
            f"{visible(system)}, {errors}: {number(classes.rate, 1)} %",
            links.of_count(errors, system),
        )
        for errors in CLASSES
        for system, classes in zip(systems, classes_of(result.systems, errors), strict=True)
        if system in systems[: len(COLOURS)]
    ]
    return DossierChart(
        "Classes of errors ↓",
        f"bars: words in percent; lines: {percent(result.confidence)} intervals{_others(systems)}",
        "errors",
        lambda width: _grouped_bars(marks, "words in percent", systems, width),
        ["errors", "system", "rate", "low", "high"],
        [[m.group, m.system, m.value, m.low, m.high] for m in marks],
    )


def fault_chart(result: Faults, links: Links) -> DossierChart | None:
    """Rates of the kinds that anybody has, a colour a system; None where nobody has any."""
    systems = list(result.systems)
    marks = [
        Mark(
            kind.name,
            system.system,
            system.rate,
            system.low,
            system.high,
            f"{visible(system.system)}, {kind.name}: {system.faults:,} of {system.of:,}",
            links.of_count(kind.name, system.system) if system.faults else "",
        )
        for kind in result.kinds
        if any(s.faults for s in kind.systems if s.system != REFERENCE)
        for system in kind.systems
        if system.system in systems[: len(COLOURS)] and math.isfinite(system.rate)
    ]
    if not marks:
        return None
    return DossierChart(
        "Faults ↓",
        f"bars: in percent of what could be faulty; lines: {percent(1 - result.alpha)} intervals{_others(systems)}",
        "faults",
        lambda width: _grouped_bars(marks, "in percent", systems, width),
        ["fault", "system", "rate", "low", "high"],
        [[m.group, m.system, m.value, m.low, m.high] for m in marks],
    )


def _grouped_bars(marks: Sequence[Mark], label: str, systems: Sequence[str], width: int) -> Plot:
    """Groups one below the other, in each of them a bar for every system."""
    groups = list(dict.fromkeys(mark.group for mark in marks))
    places, (key, above) = _places(systems), legend(list(_names(systems).values()), width)
    scale = Scale.over([0.0, *(value for mark in marks for value in (mark.low, mark.value, mark.high))])
    room, bar = names_room(groups, 130 if width > NARROW else 105), 12
    step = bar * len(places) + 8
    frame = PlotFrame(room, above + 4, width - room - 12, step * len(groups))
    zero = frame.across(scale, 0.0)
    parts = [key, frame.axis_below(scale, label)]
    for place, group in enumerate(groups):
        middle = frame.top + (place + 0.5) * step + 4
        parts.append(words(room - 8, middle, shorten(group, 18), align="end", colour=INK))
    for mark in marks:
        place = places[mark.system]
        y = frame.top + groups.index(mark.group) * step + 4 + place * bar
        long = frame.across(scale, mark.value) - zero
        parts.append(box(zero, y, long, bar - 1, mark.told, mark.link, colour=COLOURS[place], opacity=0.85))
        low, high = frame.across(scale, mark.low), frame.across(scale, mark.high)
        parts.append(line(low, y + 5.5, high, y + 5.5, INK, opacity=0.6))
    return Plot(width, frame.foot + FOOT, parts)


def _places(systems: Sequence[str]) -> dict[str, int]:
    """Which colour each system has, as far as there are colours."""
    return {system: place for place, system in enumerate(systems[: len(COLOURS)])}


def _names(systems: Sequence[str]) -> dict[str, str]:
    """Names short enough to stand beside a chart, no two alike."""
    names: dict[str, str] = {}
    for place, system in enumerate(systems, 1):
        short = shorten(visible(system), NAME)
        names[system] = short if short not in names.values() else f"{short} ({place})"
    return names


def _others(systems: Sequence[str]) -> str:
    more = len(systems) - len(COLOURS)
    return f"; {more} more in the table" if more > 0 else ""
