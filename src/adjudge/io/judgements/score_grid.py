"""A score for every system and segment, for files that have a line for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import ORDINARY, Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.io.judgements.output import WriteRequest
from adjudge.wording import counted, some_of


@dataclass(frozen=True)
class Grid:
    """Means of what was said, NaN where nothing was."""

    items: tuple[str, ...]
    scores: Mapping[str, Sequence[float]]
    """For each system, in the order of the items."""
    warnings: tuple[str, ...]


def grid(request: WriteRequest) -> Grid:
    """The mean of each translation's ordinary judgements; segments are those of the order, or those judged."""
    judgements, warnings = without_controls(request.judgements)
    if np.isnan(judgements.score).any():
        row = int(np.argmax(np.isnan(judgements.score)))
        raise DataError(f"{judgements.place(row)}: there is no score; errors have to be weighed first")
    items = request.items or _in_order(judgements.item)
    place = {item: at for at, item in enumerate(items)}
    unknown = [name for name in judgements.item.names if name not in place]
    if unknown:
        raise DataError(f"judged, but not among the items that are to be written: {some_of(unknown)}")
    scores: dict[str, list[list[float]]] = {name: [[] for _ in items] for name in judgements.system.names}
    rows = zip(judgements.system.values(), judgements.item.values(), judgements.score.tolist(), strict=True)
    several = 0
    for system, item, score in rows:
        if not item:
            raise DataError("these are scores of whole systems, not of segments")
        cell = scores[system][place[item]]
        cell.append(score)
        several += len(cell) == 2
    if several:
        warnings = (
            *warnings,
            f"{counted(several, 'translation')} with several judgements: their mean is written",
        )
    return Grid(items, {name: [mean(cell) for cell in cells] for name, cells in scores.items()}, warnings)


def mean(values: Sequence[float]) -> float:
    """The mean; of one value that value itself, −0.0 as well."""
    if len(values) == 1:
        return values[0]
    return math.fsum(values) / len(values) if values else math.nan


def without_controls(judgements: Judgements) -> tuple[Judgements, tuple[str, ...]]:
    """Ordinary judgements only, and a word on the others."""
    ordinary = judgements.kind == ORDINARY
    if ordinary.all():
        return judgements, ()
    left = counted(int((~ordinary).sum()), "control item")
    return judgements[ordinary], (f"{left} left out, which this format does not know",)


def _in_order(item: NameColumn) -> tuple[str, ...]:
    """Segments by their numbers, if they have numbers."""
    if all(name.isdecimal() for name in item.names):
        return tuple(sorted(item.names, key=int))
    return item.names
