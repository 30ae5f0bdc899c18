"""What analyses of ratings and of rankings share when they are shown: groups in tables of data and on pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudge.charts import Bar, Folded, IntervalChart, Matrix
from adjudge.display import Data, Section, group_name
from adjudge.wording import MINUS, number

Labels = Mapping[str, str]
"""Which judgements a group is made of; empty for all of them."""


def system_data(groups: Iterable[tuple[Labels, Sequence[Any]]], names: Sequence[str]) -> Data:
    """A row a system of every group, with its ranks."""
    rows = [
        [group_name(by), *(getattr(system, name) for name in names), *(system.rank or (None, None))]
        for by, systems in groups
        for system in systems
    ]
    return Data(["group", *names, "rank_low", "rank_high"], rows)


def pair_data(groups: Iterable[tuple[Labels, Sequence[Mapping[str, Any]]]], names: Sequence[str]) -> Data:
    """A row a pair of every group."""
    rows = [[group_name(by), *(pair[name] for name in names)] for by, pairs in groups for pair in pairs]
    return Data(["group", *names], rows)


def bar(system: Any, score: float, decimals: int) -> Bar:
    """A system's score and interval, for a chart."""
    shown = number(score, decimals, minus=MINUS)
    return Bar(system.system, score, system.low, system.high, system.cluster, shown)


def drawn_group(
    sections: Sequence[Section], chart: IntervalChart, matrix: Matrix, title: str
) -> list[Section]:
    """For a page: the systems of a group, and every one against every other; the first group is all there is."""
    shown = []
    for section in sections:
        if section.key.startswith("group "):
            section = replace(section, charts=(chart,), below=(Folded(title, matrix),))
        elif section.key == "systems":
            section = replace(section, title="Systems", charts=(chart,))
        elif section.key == "matrix":
            section = replace(section, title=title, charts=(matrix,), drawn_instead=True)
        shown.append(section)
    return shown
