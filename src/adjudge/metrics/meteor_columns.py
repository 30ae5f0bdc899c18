"""Where the counts of METEOR's rows stand, and what they come to: the core has both, Python reads them by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Rows
from adjudge.metrics.meteor_parameters import MATCHERS, Parameters


@dataclass(frozen=True)
class MeteorColumns:
    """The place of each count; the hypothesis is the output."""

    hypothesis_words: int
    reference_words: int
    hypothesis_function_words: int
    reference_function_words: int
    hypothesis_matched: int
    """Words that are matched, by whatever matcher."""
    reference_matched: int
    chunks: int
    """0 for a segment that is matched whole, in one (not in the form of 2005)."""
    by_matcher: int
    """The first of those of the matchers: `matched` takes them apart."""
    all: int
    """How many there are; the form of 2005 has one more behind them: whether anything is matched."""


COLUMN = MeteorColumns(**_native.METEOR_COLUMNS)


def matched_words(rows: Rows) -> Rows:
    """Matched words: rows × matchers × (of the output, of the reference) × (content, function)."""
    counts = np.asarray(rows, np.float64)[..., COLUMN.by_matcher : COLUMN.all]
    return counts.reshape(*counts.shape[:-1], len(MATCHERS), 2, 2)


def parts(sums: Rows, parameters: Parameters, *, form_2005: bool = False) -> dict[str, Rows]:
    """Precision, recall, fmean, fragmentation and score of sums of rows, all from 0 to 1: `(..., k) -> (...)`."""
    flat = np.ascontiguousarray(sums, np.float64)
    values = _native.meteor_parts(flat.reshape(-1, flat.shape[-1]), parameters.numbers, form_2005)
    return {
        name: column.reshape(flat.shape[:-1])
        for name, column in zip(_native.METEOR_PARTS, values.T, strict=True)
    }
