"""What is drawn in a resample: segments, or whole documents, from all of them or from strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.stats.coded import Codes, numbered
from adjudge.stats.sums import BLOCK
from adjudge.wording import counted

Rows = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a test set of so many segments; without labels every segment is one of its own."""

    segments: int
    unit: Codes | None = None
    """Which unit a segment belongs to; None where each is its own."""
    count: int = 0
    order: tuple[int, ...] = ()
    """Units sorted by stratum; empty without strata."""
    begins: tuple[int, ...] = ()
    """Where each stratum begins in that order, and the end."""

    @classmethod
    def of(
        cls, segments: int, labels: Sequence[str] | None = None, strata: Sequence[str] | None = None
    ) -> Units:
        """Units by a label of each segment, in strata by another; a unit lies in one stratum only."""
        _check_length(labels, segments, "units")
        _check_length(strata, segments, "strata")
        unit: Codes | None = None
        count = segments
        if labels is not None:
            unit, count = numbered(labels)
        if strata is None:
            return cls(segments, unit, count)
        stratum, _ = numbered(strata)
        of_unit = stratum
        if unit is not None and labels is not None:
            of_unit = np.full(count, -1)
            of_unit[unit] = stratum
            if (wrong := np.flatnonzero(of_unit[unit] != stratum)).size:
                raise DataError(
                    f"{labels[wrong[0]]!r} lies in two strata, {strata[wrong[0]]!r} among them; "
                    "whole units can be drawn from strata only where each lies in one"
                )
        order = np.argsort(of_unit, kind="stable")
        begins = (0, *np.cumsum(np.bincount(of_unit)))
        return cls(segments, unit, count, tuple(map(int, order)), tuple(map(int, begins)))

    @property
    def vary(self) -> bool:
        """Whether one resample can differ from another: some stratum has two units to draw from."""
        if not self.begins:
            return self.count > 1
        return any(end - begin > 1 for begin, end in pairwise(self.begins))

    def among(self, segments: NDArray[np.intp]) -> Units:
        """The units that some of the segments belong to, without strata."""
        if self.unit is None:
            return Units(len(segments), None, len(segments))
        known, codes = np.unique(self.unit[segments], return_inverse=True)
        return Units(len(segments), codes, len(known))

    def sums(self, rows: Rows) -> Rows:
        """The rows of each unit added up."""
        if self.unit is None:
            return np.ascontiguousarray(rows, dtype=np.float64)
        summed = np.zeros((self.count, *rows.shape[1:]))
        for start in range(0, len(rows), BLOCK):  # which may be more than memory holds
            np.add.at(summed, self.unit[start : start + BLOCK], rows[start : start + BLOCK])
        return summed


def _check_length(labels: Sequence[str] | None, segments: int, what: str) -> None:
    if labels is not None and len(labels) != segments:
        raise DataError(f"{counted(len(labels), 'label')} for {what}, but {counted(segments, 'segment')}")
