"""chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.data import TestSet
from adjudge.metrics.base import Metric, Rows, divide, require, shortest, yes_no

EPSILON = 1e-16


@dataclass(frozen=True)
class Chrf(Metric):
    """F-score of character n-grams, beside word n-grams in chrF++; rows are hyp, ref, match by order."""

    name = "chrf"
    title = "chrF"
    takes_turns = False
    summary = "character n-gram F-score (sacreBLEU's); chrf++ adds word bigrams"
    presets = {"chrf++": {"word_order": 2}, "chrf+": {"word_order": 1}}  # noqa: RUF012

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        require(0 <= self.char_order <= 100, f"chrf(char_order={self.char_order}): must be from 0 to 100")
        require(0 <= self.word_order <= 100, f"chrf(word_order={self.word_order}): must be from 0 to 100")
        require(self.char_order + self.word_order > 0, "chrf needs a char_order or a word_order above 0")
        # Its square weighs recall; beyond this nothing is left of precision, and at last no number is.
        require(0 <= self.beta <= 1e6, f"chrf(beta={self.beta}): must be a number from 0 to 1000000")

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core."""
        return [_native.texts(column, lowercase=self.lowercase) for column in test_set.references]

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """For each order: n-grams of the hypothesis, of the best reference, and matches."""
        return _native.chrf_rows(
            _native.texts(outputs, lowercase=self.lowercase),
            prepared,
            self.char_order,
            self.word_order,
            self.beta,
            self.whitespace,
            self.eps_smoothing,
            threads,
        )

    def all_pairs(self, texts: Sequence[str]) -> _native.ChrfPairs:
        """All pairs of some texts, from the sets of texts that have an n-gram."""
        crossed = _native.texts(texts, lowercase=self.lowercase)
        return _native.ChrfPairs(crossed, self.char_order, self.word_order, self.whitespace)

    def aggregate(self, sums: Rows) -> Rows:
        """F-score of mean precision and mean recall over the orders that both sides have."""
        sums = np.asarray(sums, np.float64)
        hyp, ref, match = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
        factor = self.beta**2
        if self.eps_smoothing:
            precision = divide(match, hyp, otherwise=EPSILON)
            recall = divide(match, ref, otherwise=EPSILON)
            scores = divide((1 + factor) * precision * recall, factor * precision + recall, otherwise=EPSILON)
            return np.asarray(100.0 * _total(scores) / (self.char_order + self.word_order))
        both = (hyp > 0) & (ref > 0)
        orders = both.sum(-1).astype(np.float64)

        def mean(counts: Rows) -> Rows:
            ratios = np.where(both, divide(match, counts, otherwise=0.0), 0.0)
            return divide(_total(ratios), orders, otherwise=0.0)

        precision, recall = mean(hyp), mean(ref)
        return 100.0 * divide((1 + factor) * precision * recall, factor * precision + recall, otherwise=0.0)

    def sentence_row(self, hypothesis: str, references: Sequence[str | None]) -> list[float]:
        """Counts of n-grams in one sentence, without a test set around it."""
        prepared = [_native.texts((text,), lowercase=self.lowercase) for text in references]
        row: list[float] = self.stats(prepared, (hypothesis,), threads=1)[0].tolist()
        return row

    def score_of_row(self, row: Sequence[float]) -> float:
        """What `aggregate` gives for one row, in numbers: of so few, arrays take twenty times as long."""
        factor, counts = self.beta**2, zip(row[0::3], row[1::3], row[2::3], strict=True)
        if self.eps_smoothing:
            scores = 0.0
            for hyp, ref, match in counts:
                precision, recall = match / hyp if hyp else EPSILON, match / ref if ref else EPSILON
                below = factor * precision + recall
                scores += (1 + factor) * precision * recall / below if below else EPSILON
            return 100.0 * scores / (self.char_order + self.word_order)
        precision = recall = 0.0
        orders = 0
        for hyp, ref, match in counts:
            if hyp and ref:
                orders, precision, recall = orders + 1, precision + match / hyp, recall + match / ref
        if not precision:
            return 0.0
        precision, recall = precision / orders, recall / orders
        return 100.0 * ((1 + factor) * precision * recall / (factor * precision + recall))

    def signature_fields(self) -> dict[str, str]:
        """Fields of sacreBLEU's signature, and beta where it is not 2."""
        fields = {
            "case": "lc" if self.lowercase else "mixed",
            "eff": yes_no(not self.eps_smoothing),
            "nc": str(self.char_order),
            "nw": str(self.word_order),
            "space": yes_no(self.whitespace),
        }
        if self.beta != 2:
            fields["beta"] = shortest(self.beta, "g")
        return fields


def _total(values: Rows) -> Rows:
    """The sum over orders in sacreBLEU's sequence; numpy's own sum adds eight numbers in pairs."""
    return np.asarray(np.cumsum(values, axis=-1)[..., -1])
