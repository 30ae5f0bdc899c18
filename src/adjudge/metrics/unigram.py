"""Precision, recall and F-score of single words, wherever they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Rows, require
from adjudge.metrics.words import MEASURES, Measure, WordMetric, overlap


@dataclass(frozen=True)
class Unigram(WordMetric):
    """Words in common with the reference, each counted once, in percent of the words of either side or of both.

    Rows are matches, hypothesis words and reference words. Of several references the one with the best F-score
    counts for all three measures, the first of equals: precision here is against one reference, where BLEU's
    is against all of them.
    """

    name = "unigram"
    title = "F1"
    summary = "F-score of words in common; precision and recall alone under their names"
    presets = {  # noqa: RUF012
        "precision": {"measure": "precision"},
        "recall": {"measure": "recall"},
        "f1": {},  # fits whatever the others do not
    }
    references_used = "best-f"

    measure: Measure = "f"

    def __post_init__(self) -> None:
        super().__post_init__()
        known = ", ".join(MEASURES)
        require(self.measure in MEASURES, f"unigram(measure={self.measure}): must be one of {known}")

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Matches, hypothesis words and reference words."""
        return _native.overlap_rows(
            self.hypotheses(outputs), prepared, self.tokenizer.core_name, False, 1.0, threads
        )

    def aggregate(self, sums: Rows) -> Rows:
        """Matches in percent of the words that the measure asks for."""
        sums = np.asarray(sums, np.float64)
        return overlap(sums[..., 0], sums[..., 1], sums[..., 2], self.measure)

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, choice of reference and measure."""
        return super().signature_fields() | {"measure": self.measure}
