"""CDER (Leusch, Ueffing and Ney 2006) as Moses' evaluator computes it: edits and jumps at one error each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Direction, Rows
from adjudge.metrics.words import WordMetric, error_rate


@dataclass(frozen=True)
class Cder(WordMetric):
    """Edits in percent of the reference words where going on anywhere else in the hypothesis is one edit.

    Every reference word must be covered, hypothesis words may be used again or not at all. Rows are errors
    and reference words. Of several references the one with the fewest errors counts, of equals the longest
    (Moses' evaluator means to, but nearly always takes the first). Time is quadratic in the length of a
    segment, 64 cells a step; memory is linear.
    """

    name = "cder"
    title = "CDER"
    summary = "cover/disjoint error rate: edits with block moves at one edit (Moses' evaluator)"
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)
    references_used = "fewest-errors"

    tokenize: str = "none"

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Errors and reference words."""
        return _native.cder_rows(self.hypotheses(outputs), prepared, self.tokenizer.core_name, threads)

    def aggregate(self, sums: Rows) -> Rows:
        """Errors in percent of the reference words."""
        sums = np.asarray(sums, np.float64)
        return error_rate(sums[..., 0], sums[..., 1])
