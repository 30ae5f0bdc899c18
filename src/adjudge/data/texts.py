"""Texts that belong to judgements: source, target, reference and edited text, one per row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import DataError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.data import TestSet

Column = tuple[str | None, ...]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Texts:
    """Texts of judgements, row by row; None where a text is not known."""

    source: Column | None = None
    target: Column | None = None
    """The translation as it was shown, including deliberate damage."""
    reference: Column | None = None
    edited: Column | None = None
    """The target as edited by the annotator."""

    def columns(self) -> dict[str, Column]:
        """The columns that are present, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) is not None
        }

    def __getitem__(self, rows: NDArray[Any] | slice) -> Texts:
        """The texts of some rows: a mask, places or a slice."""
        return Texts(
            **{name: tuple(np.array(column, object)[rows]) for name, column in self.columns().items()}
        )

    def check(self, count: int) -> None:
        """Refuse columns with another number of rows than the judgements."""
        for name, column in self.columns().items():
            if len(column) != count:
                raise DataError(
                    f"{pluralise(count, 'judgement')}, but {pluralise(len(column), 'text')} of the {name}"
                )

    def of(self, name: str, count: int) -> Sequence[str]:
        """One column, '' where a text is not known."""
        column: Column | None = getattr(self, name)
        return [""] * count if column is None else [text or "" for text in column]


def empty_segments(column: Sequence[str | None]) -> int:
    """The number of empty segments in a column."""
    return _native.blank_segments(tuple(column))


def text_lengths(test_set: TestSet) -> tuple[Counts, Counts]:
    """How many words and how many characters segments have: of the source, or else of the (first) reference."""
    if test_set.sources is not None:
        texts: Sequence[str] = test_set.sources
    else:
        columns = zip(*test_set.references, strict=True)
        texts = [next(text for text in column if text is not None) for column in columns]
    words = np.array([len(text.split()) for text in texts], dtype=np.int64)
    return words, np.array([len(text) for text in texts], dtype=np.int64)
