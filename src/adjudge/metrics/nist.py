"""NIST (Doddington 2002) as mteval-v14 computes it: n-gram precision weighted by information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from adjudge import _native
from adjudge.data import TestSet
from adjudge.metrics.base import OVER_REFERENCES, Rows, divide, require
from adjudge.metrics.words import WordMetric, crossed_references

# A hypothesis two thirds as long as the references keeps half of the score.
BETA = -log(0.5) / log(1.5) ** 2


@dataclass(eq=False)
class NistReferences:
    """References in the core, and what their n-grams weigh."""

    references: list[_native.Texts]
    model: _native.NistModel | None = None
    """Counted by the first outputs that are scored, on as many threads as they are."""


@dataclass(frozen=True)
class Nist(WordMetric):
    """Mean information of the matched n-grams, summed over the orders, with a length penalty.

    The last word of an n-gram carries log2(count of the n-gram without it / count of the n-gram) bits, counted
    over all references of the test set: rows of one test set can be added, rows of two cannot. All references
    of a segment count: matches are clipped as in BLEU, lengths are compared with the mean reference length.
    As in mteval, whose Perl takes "0" for no word at all, a bigram that starts with 0 weighs as much as if all
    words of the references stood for its first one. mteval lower-cases A to Z only unless it tokenizes
    internationally; here lower-casing is always that of Unicode.
    """

    name = "nist"
    title = "NIST"
    summary = "n-gram precision weighted by information (mteval-v14's)"
    scale = (0.0, float("inf"))
    decimals = 3

    max_order: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        require(1 <= self.max_order <= 100, f"nist(max_order={self.max_order}): must be from 1 to 100")

    @property
    def undivided(self) -> str:
        """N-grams weigh what all references tell."""
        return f"the information of n-grams is {OVER_REFERENCES}"

    def prepare(self, test_set: TestSet) -> NistReferences:  # type: ignore[override]
        """References in the core."""
        return NistReferences(crossed_references(test_set, self.tokenizer, lowercase=self.lowercase))

    def stats(self, prepared: NistReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Hypothesis length, mean reference length, then information of matches and n-grams by order."""
        references, tokenizer, order = prepared.references, self.tokenizer.core_name, self.max_order
        if prepared.model is None:
            prepared.model = _native.NistModel(references, tokenizer, order, threads)
        return _native.nist_rows(
            self.hypotheses(outputs), references, prepared.model, tokenizer, order, threads
        )

    def aggregate(self, sums: Rows) -> Rows:
        """Information per n-gram, summed over the orders, times the length penalty."""
        return np.asarray(self.by_order(sums).sum(-1))  # over orders

    def by_order(self, sums: Rows) -> Rows:
        """What each order adds to the score, one a column."""
        sums = np.asarray(sums, np.float64)
        information, totals = sums[..., 2 : 2 + self.max_order], sums[..., 2 + self.max_order :]
        return divide(information, totals, otherwise=0.0) * self.length_penalty(sums)[..., None]

    def length_penalty(self, sums: Rows) -> Rows:
        """exp(−β·ln²(hypothesis length / mean reference length)) for short hypotheses, else 1."""
        length, mean = sums[..., 0], sums[..., 1]
        ratio = np.minimum(divide(length, mean, otherwise=1.0), 1.0)
        logs = np.log(np.where(ratio > 0, ratio, 1.0))
        return np.where(ratio > 0, np.exp(-BETA * logs**2), 0.0)

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, and the order where it is not 5."""
        fields = super().signature_fields()
        if self.max_order != 5:
            fields["order"] = str(self.max_order)
        return fields
