"""Where the counts of METEOR's rows stand: the core lays them out and says so, Python reads them by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Rows
from adjudge.metrics.meteor_parameters import MATCHERS


@dataclass(frozen=True)
class Columns:
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


COLUMN = Columns(**_native.METEOR_COLUMNS)


def matched(rows: Rows) -> Rows:
    """Matched words: rows × matchers × (of the output, of the reference) × (content, function)."""
    found = np.asarray(rows, np.float64)[..., COLUMN.by_matcher : COLUMN.all]
    return found.reshape(*found.shape[:-1], len(MATCHERS), 2, 2)
