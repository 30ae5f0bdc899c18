"""Segments that people judged, as an estimator learns from them and is held against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.io.table import Input
from adjudge.qe.features import LogProbabilities

Kind = Literal["da", "hter", "mqm"]
KINDS: tuple[Kind, ...] = ("da", "hter", "mqm")
LOWER: frozenset[str] = frozenset({"hter"})
"""Kinds of scores of which lower ones are better."""
Cell = TypeVar("Cell")
BAD, OK = "BAD", "OK"


@dataclass(frozen=True, eq=False)
class LabelledSegments:
    """Sources, outputs and what people said of them; all as long as each other."""

    sources: tuple[str, ...]
    outputs: tuple[str, ...]
    scores: NDArray[np.float64]
    post_edits: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    log_probabilities: tuple[LogProbabilities, ...] | None = None
    tags: tuple[tuple[str, ...] | None, ...] | None = None
    """OK or BAD for each word of an output, split at spaces; None for untagged outputs."""
    score_name: str = "score"
    inputs: tuple[Input, ...] = ()

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def units(self) -> tuple[str, ...]:
        """What belongs together: documents where they are known, else outputs of one source."""
        return self.documents or self.sources


def join_labelled(parts: Sequence[LabelledSegments]) -> LabelledSegments:
    """All segments one behind the other; what some parts lack is not known there."""
    if len(parts) == 1:
        return parts[0]
    names = {part.score_name for part in parts}
    if len(names) > 1:
        raise DataError(
            f"scores in different columns: {', '.join(sorted(names))}; say which one is meant with --column NAME"
        )
    documents: tuple[str, ...] | None = None
    if any(part.documents is not None for part in parts):
        # A segment without a document is one of its own; equal names in two files are two documents.
        documents = tuple(
            f"{place}:{part.documents[row] if part.documents else row}"
            for place, part in enumerate(parts)
            for row in range(len(part))
        )
    return LabelledSegments(
        tuple(text for part in parts for text in part.sources),
        tuple(text for part in parts for text in part.outputs),
        np.concatenate([part.scores for part in parts]),
        _all_or_none([part.post_edits for part in parts]),
        documents,
        _fill_cells([part.log_probabilities for part in parts], parts),
        _fill_cells([part.tags for part in parts], parts),
        parts[0].score_name,
        tuple(item for part in parts for item in part.inputs),
    )


def _all_or_none(columns: Sequence[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    known = [column for column in columns if column is not None]
    return tuple(text for column in known for text in column) if len(known) == len(columns) else None


def _fill_cells(
    columns: Sequence[tuple[Cell, ...] | None], parts: Sequence[LabelledSegments]
) -> tuple[Cell | None, ...] | None:
    if all(column is None for column in columns):
        return None
    return tuple(
        cell
        for column, part in zip(columns, parts, strict=True)
        for cell in (column if column is not None else (None,) * len(part))
    )
