"""GTM, the General Text Matcher (Melamed, Green and Turian 2003; Turian, Shen and Melamed 2003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.errors import DataError
from adjudge.metrics.base import Rows, require, shortest
from adjudge.metrics.words import MEASURES, Measure, WordMetric, overlap


@dataclass(frozen=True)
class Gtm(WordMetric):
    """Size of the match of hypothesis and reference in percent of their mean length, or of either's.

    The match is made of runs, stretches of words in the same order on both sides, each word used once: the
    longest run first, then the longest of what is left (of equals the first in the hypothesis, then in the
    reference). Its size is (Σ run^exponent)^(1/exponent): with an exponent of 1 the number of words in common,
    above it the more the fewer the runs. To take the longest first is not always the best match for an exponent
    above 1, but finding that one takes too long.

    Rows are sizes, hypothesis words and reference words, so a system's score is of the summed sizes. Of several
    references the one with the best F-score counts, the first of equals. Time grows with the pairs of equal
    words in a segment (one that would take more than some seconds is refused), memory with its words.
    """

    name = "gtm"
    title = "GTM"
    summary = "F-score of a match that rewards runs of words; gtm is e=1, gtm-2 and gtm-3 weigh runs"
    presets = {"gtm-2": {"exponent": 2.0}, "gtm-3": {"exponent": 3.0}}  # noqa: RUF012
    references_used = "best-f"

    exponent: float = 1.0
    measure: Measure = "f"

    def __post_init__(self) -> None:
        super().__post_init__()
        known = ", ".join(MEASURES)
        require(self.measure in MEASURES, f"gtm(measure={self.measure}): must be one of {known}")
        require(
            1 <= self.exponent < float("inf"), f"gtm(exponent={self.exponent}): must be a number from 1 up"
        )

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Size of the match, hypothesis words and reference words."""
        hypotheses, core = self.hypotheses(outputs), self.tokenizer.core_name
        try:
            return _native.overlap_rows(hypotheses, prepared, core, False, self.exponent, threads)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None

    def aggregate(self, sums: Rows) -> Rows:
        """Size of the match in percent of the words that the measure asks for."""
        sums = np.asarray(sums, np.float64)
        return overlap(sums[..., 0], sums[..., 1], sums[..., 2], self.measure)

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, choice of reference, exponent and measure."""
        fields = {"e": shortest(self.exponent, "g"), "measure": self.measure}
        return super().signature_fields() | fields
