"""What analyses of ratings and of rankings share when they are shown: groups in JSON, in TSV and on pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.display import Bar, group_name
from adjudge.report.charts.intervals import intervals, shades
from adjudge.report.charts.matrix import Matrix
from adjudge.report.pages.addresses import NOWHERE, Addresses
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import html
from adjudge.report.render.tsv import spelled, tsv_line
from adjudge.wording import MINUS, number

if TYPE_CHECKING:
    from adjudge.io import Input

Labels = Mapping[str, str]
"""Which judgements a group is made of; empty for all of them."""


def group_document(
    content: Mapping[str, Any],
    *,
    version: str,
    inputs: Sequence[Input] = (),
    further: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A document with the version and the files before what was found, and `further` below it."""
    head = {"version": version, "inputs": [asdict(item) for item in inputs]}
    return {**head, **content, **(further or {})}


def systems_tsv(groups: Iterable[tuple[Labels, Sequence[Any]]], names: Sequence[str]) -> str:
    """A line a system of every group, with its ranks; unrounded."""
    lines = [tsv_line(["group", *names, "rank_low", "rank_high"])]
    for by, systems in groups:
        for system in systems:
            values = [*(getattr(system, name) for name in names), *(system.rank or (None, None))]
            lines.append(tsv_line([group_name(by), *map(spelled, values)]))
    return "".join(lines)


def pairs_tsv(groups: Iterable[tuple[Labels, Sequence[Mapping[str, Any]]]], names: Sequence[str]) -> str:
    """A line a pair of every group; unrounded."""
    lines = [tsv_line(["group", *names])]
    for by, pairs in groups:
        lines += [tsv_line([group_name(by), *(spelled(pair[name]) for name in names)]) for pair in pairs]
    return "".join(lines)


def bar(system: Any, score: float, decimals: int, link: str = "") -> Bar:
    """A system's score and interval, for a drawing."""
    shown = number(score, decimals, minus=MINUS)
    return Bar(system.system, score, system.low, system.high, system.cluster, shown, link)


def group_drawings(
    place: int,
    bars: Sequence[Bar],
    matrix: Matrix,
    *,
    label: str,
    better: str,
    level: str,
    title: str,
    addresses: Addresses = NOWHERE,
) -> dict[str, Drawing]:
    """For a page: the systems of a group, and every one against every other; the first group is all there is."""
    figure = intervals(bars, label=label, better=better, interval=f"{level} intervals")
    table = shades(matrix, addresses.pair)
    if place:
        more = html("<details><summary>{}</summary>{}</details>", title, table)
        return {f"group {place}": Drawing(figure, below=more)}
    return {
        "systems": Drawing(figure, "Systems"),
        "matrix": Drawing(table, title, for_tables=True, for_note=matrix.note),
    }
