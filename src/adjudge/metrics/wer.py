"""Word error rate: Levenshtein's distance on words against the length of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.data import Alignment
from adjudge.metrics.base import Direction, Rows
from adjudge.metrics.ter import alignment_of
from adjudge.metrics.words import WordMetric, error_rate


@dataclass(frozen=True)
class Wer(WordMetric):
    """Insertions, deletions and substitutions in percent of the reference words; rows are both counts.

    Of several references the one with the fewest errors counts, of equals the longest (Moses' evaluator means
    to, but nearly always takes the first). Words stand between white space of any kind; jiwer splits at
    spaces only and so keeps words together that a no-break space or a single tab divides. Time is quadratic
    in the length of a segment, 64 cells a step; memory is linear.
    """

    name = "wer"
    title = "WER"
    summary = "word error rate: edits without shifts (Moses' evaluator, jiwer)"
    direction = Direction.LOWER
    scale = (float("inf"), 0.0)
    references_used = "fewest-errors"

    tokenize: str = "none"

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Errors and reference words."""
        return _native.wer_rows(self.hypotheses(outputs), prepared, self.tokenizer.core_name, threads)

    def alignments(self, prepared: list[_native.Texts], outputs: Sequence[str]) -> list[Alignment]:
        """The edits themselves: equal words, substitutions, and words left over on either side."""
        traces = _native.wer_traces(self.hypotheses(outputs), prepared, self.tokenizer.core_name, 0)
        return [alignment_of(*trace) for trace in traces]

    def aggregate(self, sums: Rows) -> Rows:
        """Errors in percent of the reference words."""
        sums = np.asarray(sums, np.float64)
        return error_rate(sums[..., 0], sums[..., 1])
