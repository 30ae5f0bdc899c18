"""What is drawn in a resample: segments or whole documents, by labels that are numbers; and sums of rows in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.wording import pluralise

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
            unit, count = number_labels(labels)
        if strata is None:
            return cls(segments, unit, count)
        stratum, _ = number_labels(strata)
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
        step = max(16 * BLOCK, self.count)
        for start in range(0, len(rows), step):  # which may be more than memory holds
            codes, values = self.unit[start : start + step], rows[start : start + step]
            if start:  # what is known comes first, so that rows are added up in their order
                codes = np.concatenate([np.arange(self.count), codes])
                values = np.concatenate([summed, values])
            columns = values.reshape(len(codes), -1).T
            sums = np.empty((self.count, len(columns)))
            for number, column in enumerate(columns):
                sums[:, number] = np.bincount(codes, column, self.count)
            summed = sums.reshape(summed.shape)
        return summed


def _check_length(labels: Sequence[str] | None, segments: int, what: str) -> None:
    if labels is not None and len(labels) != segments:
        raise DataError(f"{pluralise(len(labels), 'label')} for {what}, but {pluralise(segments, 'segment')}")


BLOCK = 1 << 14
"""Rows whose sum is taken by itself; sums of blocks are added in order. Below so many rows there is one block. A chunk
that is sent to another machine is one too (native/resampling.cpp knows the same number)."""


def total(rows: Rows) -> Rows:
    """The sum of all rows, in the order that a stream of chunks of them has as well."""
    sums: Rows = block_sum(rows[:BLOCK])
    for start in range(BLOCK, len(rows), BLOCK):
        sums += block_sum(rows[start : start + BLOCK])
    return sums


def block_sum(rows: Rows) -> Rows:
    """The sum of at most a block of rows, one after the other however they lie in memory."""
    rows = np.ascontiguousarray(rows)
    if (
        rows.ndim == 2 and rows.shape[1] == 2
    ):  # the rows of a mean; this adds them in the same order, and sooner
        return np.asarray(np.einsum("ij->j", rows), dtype=np.float64)
    return np.asarray(rows.sum(0), dtype=np.float64)


Codes = NDArray[Any]
"""Whole numbers, as wide as they come."""


class CodedLabels(Sequence[str]):
    """A column of labels: the different ones, and which of them each segment has."""

    def __init__(self, values: Sequence[str], codes: Codes) -> None:
        self.values, self.codes = tuple(values), codes
        """Values in the order of their first segment."""

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self.values[code] for code in self.codes[place].tolist())
        return self.values[int(self.codes[place])]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self.codes), BLOCK):
            yield from self[start : start + BLOCK]

    def of(self, segments: Codes) -> CodedLabels:
        """The labels of some segments."""
        return CodedLabels.of_codes(self.values, self.codes[segments])

    @classmethod
    def of_codes(cls, names: Sequence[str], codes: Codes) -> CodedLabels:
        """From the number of every segment's label among names in any order."""
        known, first = np.unique(codes, return_index=True)
        order = known[np.argsort(first)]
        number = np.zeros(len(names), dtype=np.int32)
        number[order] = np.arange(len(order))
        return cls([names[code] for code in order.tolist()], number[codes])


def number_labels(labels: Sequence[str]) -> tuple[Codes, int]:
    """Labels as numbers in the order of their first appearance, so that renaming them changes nothing; how many."""
    if isinstance(labels, CodedLabels):
        return labels.codes, len(labels.values)
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.intp)
    return codes, len(numbers)


def distinct(labels: Sequence[str]) -> Sequence[str]:
    """The different labels, in the order of their first segment."""
    return labels.values if isinstance(labels, CodedLabels) else tuple(dict.fromkeys(labels))


def labels_at(labels: Sequence[str], segments: Codes) -> Sequence[str]:
    """The labels of some segments."""
    return labels.of(segments) if isinstance(labels, CodedLabels) else [labels[i] for i in segments]
