"""RIBES (Isozaki et al. 2010): word order by rank correlation, as RIBES 1.03 computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge import _native
from adjudge.metrics.base import MeanMetric, Rows, require, shortest
from adjudge.metrics.words import WordMetric


@dataclass(frozen=True)
class Ribes(WordMetric, MeanMetric):
    """Share of matched word pairs in the same order, times precision^alpha and brevity penalty^beta.

    A segment's score is the best over its references, a system's the mean of its segments'. RIBES itself
    takes text that is tokenized already and lower-cases it: here the text is tokenized (13a) unless
    `tokenize=none` says that it is, and lower-cased unless `lowercase=false`. Two empty lines score 100,
    as in RIBES.
    """

    name = "ribes"
    title = "RIBES"
    summary = "word order: rank correlation of the words in common (RIBES 1.03)"
    references_used = "best"

    lowercase: bool = True
    alpha: float = 0.25
    beta: float = 0.10

    def __post_init__(self) -> None:
        super().__post_init__()
        for key, value in (("alpha", self.alpha), ("beta", self.beta)):
            require(0 <= value < float("inf"), f"ribes({key}={value}): must be a number from 0 up")

    def segments(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The best score over the references, in percent."""
        rows = _native.ribes_rows(
            self.hypotheses(outputs), prepared, self.tokenizer.core_name, self.alpha, self.beta, threads
        )
        return 100.0 * rows[:, 0]

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, and the two weights where they are not RIBES's own."""
        fields = super().signature_fields()
        if self.alpha != 0.25:
            fields["alpha"] = shortest(self.alpha, "g")
        if self.beta != 0.10:
            fields["beta"] = shortest(self.beta, "g")
        return fields
