"""Position-independent word error rate (Tillmann et al. 1997) as Moses' evaluator computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Direction, Rows
from adjudge.metrics.words import WordMetric, error_rate


@dataclass(frozen=True)
class Per(WordMetric):
    """Reference words the hypothesis lacks plus words it has too many, in percent of the reference words.

    Rows are matches, hypothesis words and reference words. As in Moses' evaluator, what a system has too many
    is counted on the sums, so that a long segment makes up for a short one; a single segment has
    max(hypothesis words, reference words) − matches errors. Of several references the one with the fewest
    errors counts, of equals the longest (Moses' evaluator takes one reference only).
    """

    name = "per"
    title = "PER"
    summary = "position-independent word error rate (Moses' evaluator)"
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)
    references_used = "fewest-errors"

    tokenize: str = "none"

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Matches, hypothesis words and reference words."""
        return _native.overlap_rows(
            self.hypotheses(outputs), prepared, self.tokenizer.core_name, True, 1.0, threads
        )

    def aggregate(self, sums: Rows) -> Rows:
        """Errors in percent of the reference words."""
        sums = np.asarray(sums, np.float64)
        matches, hypothesis, reference = sums[..., 0], sums[..., 1], sums[..., 2]
        return error_rate(np.maximum(hypothesis, reference) - matches, reference)
