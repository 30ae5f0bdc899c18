"""Labels of segments as numbers: a column of texts in a few bytes each, which may lie in a file mapped into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.sums import BLOCK

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
        own = self.codes[segments]
        known, first = np.unique(own, return_index=True)
        order = known[np.argsort(first)]
        number = np.zeros(len(self.values), dtype=np.int32)
        number[order] = np.arange(len(order))
        return CodedLabels([self.values[code] for code in order.tolist()], number[own])


def numbered(labels: Sequence[str]) -> tuple[Codes, int]:
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
