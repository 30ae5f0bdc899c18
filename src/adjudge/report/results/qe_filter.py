"""A filter, shown: its threshold, what it promises, and what it costs with and without it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.qe.filtering import Costs, FilterPoint
from adjudge.report.pages.qe_page import filter_page
from adjudge.report.render.formats import Forms
from adjudge.report.render.tsv import tsv_line
from adjudge.wording import number, percent_of, pluralise

if TYPE_CHECKING:
    from adjudge.io import Input

SHOWN = 8
"""Thresholds in the table."""


def filter_forms(
    chosen: FilterPoint,
    points: Sequence[FilterPoint],
    kept: Mapping[str, NDArray[np.bool_]],
    costs: Costs,
    good: float,
    *,
    version: str,
    inputs: Sequence[Input] = (),
) -> Forms:
    """The filter in every format; TSV names the segments that are kept."""

    def sections() -> list[Section]:
        return _sections(chosen, points, kept, costs, good)

    return Forms(
        sections,
        lambda: {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            "good": good,
            "chosen": _facts(chosen),
            "costs": asdict(costs),
            "points": [_facts(point) for point in points],
            "engines": [
                {"engine": engine, "kept": int(own.sum()), "segments": len(own), "share": float(own.mean())}
                for engine, own in kept.items()
            ],
            "kept": {engine: (np.flatnonzero(own) + 1).tolist() for engine, own in kept.items()},
        },
        tsv=lambda: "".join(
            [
                tsv_line(["system", "segment", "kept"]),
                *(
                    tsv_line([engine, str(place), str(bool(value)).lower()])
                    for engine, own in kept.items()
                    for place, value in enumerate(own, 1)
                ),
            ]
        ),
        html=lambda: filter_page(sections(), points, chosen, version=version, inputs=inputs),
    )


def _facts(point: FilterPoint) -> dict[str, Any]:
    facts = {**asdict(point), "saving": point.saving}
    return {key: None if math.isnan(value) else value for key, value in facts.items()}


def _sections(
    chosen: FilterPoint,
    points: Sequence[FilterPoint],
    kept: Mapping[str, NDArray[np.bool_]],
    costs: Costs,
    good: float,
) -> list[Section]:
    sentences = [
        f"{engine}: {int(own.sum()):,} of {pluralise(len(own), 'segment')} pass ({percent_of(float(own.mean()))})."
        for engine, own in kept.items()
    ]
    held_out = [
        f"Of judged segments held out, {percent_of(chosen.kept)} pass; {percent_of(chosen.precision)} of them "
        f"({percent_of(chosen.precision_low)} to {percent_of(chosen.precision_high)}) are good, and "
        f"{percent_of(chosen.recall)} of all good ones pass."
        if chosen.kept
        else "No judged segment that was held out passes."
    ]
    return [
        Section(
            f"Threshold {number(chosen.threshold, 4)}",
            sentences=(*sentences, *held_out, _roi(chosen)),
            notes=(
                f"Good: a score of {good:g} by people, or better. Costs a segment: {costs.review:g} to review a good "
                f"one, {costs.repair:g} to repair another, {costs.scratch:g} to translate anew.",
            ),
        ),
        Section("What other thresholds would do", (_table(points, chosen),), key="filter"),
    ]


def _roi(point: FilterPoint) -> str:
    """Cost with and without."""
    both = f"{number(point.cost, 3)} a segment with the filter, {number(point.cost_unfiltered, 3)} without, "
    both += f"{number(point.cost_scratch, 3)} without the machine"
    if point.saving > 0:
        return f"Cost: {both}: the filter saves {percent_of(point.saving)} of the cheaper of the two others."
    if point.saving < 0:
        return f"Cost: {both}: the filter costs {percent_of(-point.saving)} more than the cheaper of the two others."
    return f"Cost: {both}: the filter saves nothing."


def _table(points: Sequence[FilterPoint], chosen: FilterPoint) -> Table:
    places = np.unique(np.linspace(0, len(points) - 1, SHOWN).astype(int))
    shown = sorted({*(points[int(place)] for place in places), chosen}, key=lambda point: point.threshold)
    columns = tuple(
        Column(name, True) for name in ("threshold", "kept", "precision", "recall", "cost", "saving")
    )
    rows = tuple(
        Row(
            (
                Cell(number(point.threshold, 4), best=point == chosen),
                Cell(percent_of(point.kept)),
                Cell(percent_of(point.precision) if point.kept else "–"),
                Cell(percent_of(point.recall)),
                Cell(number(point.cost, 3)),
                Cell(number(100 * point.saving, 1) + " %"),
            )
        )
        for point in shown
    )
    return Table(columns, rows)
