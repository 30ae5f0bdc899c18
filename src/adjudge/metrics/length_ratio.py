"""Length ratio: how many words the output has for each word of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Direction, Rows, divide
from adjudge.metrics.words import WordMetric


@dataclass(frozen=True)
class LengthRatio(WordMetric):
    """Hypothesis words over reference words; rows are both. Neither long nor short is better, 1 is.

    Of several references the one closest in length counts, of equals the shorter, as in BLEU. Where a reference
    has no words it counts as one word, and two texts without words have a ratio of 1.
    """

    name = "length-ratio"
    title = "length ratio"
    summary = "words of the output for each word of the reference; says how long, not how good"
    direction = Direction.NEITHER
    scale = (0.0, float("inf"))
    decimals = 3
    references_used = "closest"

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Hypothesis words and words of the closest reference."""
        rows = _native.bleu_rows(self.hypotheses(outputs), prepared, self.tokenizer.core_name, 1, threads)
        return np.ascontiguousarray(rows[:, :2])

    def aggregate(self, sums: Rows) -> Rows:
        """The quotient."""
        sums = np.asarray(sums, np.float64)
        hypothesis, reference = sums[..., 0], sums[..., 1]
        without = np.where(hypothesis > 0, hypothesis, 1.0)
        return np.where(reference > 0, divide(hypothesis, reference, otherwise=1.0), without)
