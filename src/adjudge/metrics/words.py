"""What metrics on words share: references crossed into the core once, outputs prepared the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from adjudge import _native
from adjudge.data import TestSet
from adjudge.metrics.base import Metric, Rows, divide
from adjudge.text import tokenizers
from adjudge.text.tokenizers import Tokenizer

Measure = Literal["f", "precision", "recall"]
MEASURES = ("f", "precision", "recall")


def crossed_references(test_set: TestSet, tokenizer: Tokenizer, *, lowercase: bool) -> list[_native.Texts]:
    """Every reference set as the core reads it."""
    return [tokenizer.cross(column, lowercase=lowercase) for column in test_set.references]


def crossed_outputs(outputs: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool) -> _native.Texts:
    """A system's segments as the core reads them."""
    return tokenizer.cross(outputs, lowercase=lowercase)


@dataclass(frozen=True)
class WordMetric(Metric):
    """A metric on words whose first options say what a word is."""

    references_used: ClassVar[str] = ""
    """Which of several references counts, as the signature says it; empty where all do."""

    tokenize: str = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        tokenizers.check(self.tokenize)

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core, tokenized where Python must do it."""
        return crossed_references(test_set, self.tokenizer, lowercase=self.lowercase)

    def hypotheses(self, outputs: Sequence[str]) -> _native.Texts:
        """Outputs in the core, tokenized where Python must do it."""
        return crossed_outputs(outputs, self.tokenizer, lowercase=self.lowercase)

    @property
    def tokenizer(self) -> Tokenizer:
        """What cuts segments into words."""
        return tokenizers.tokenizer(self.tokenize)

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, and which of several references counts."""
        fields = {"case": "lc" if self.lowercase else "mixed", "tok": self.tokenizer.signature}
        return fields | ({"refs": self.references_used} if self.references_used else {})


def error_rate(errors: Rows, words: Rows) -> Rows:
    """Errors in percent of the reference words; where there are none, 100 for any error (sacreBLEU's TER)."""
    rate = 100.0 * divide(errors, words, otherwise=0.0)
    return np.where(np.asarray(words) > 0, rate, 100.0 * (np.asarray(errors) > 0))


def overlap(match: Rows, hypothesis: Rows, reference: Rows, measure: Measure) -> Rows:
    """A match in percent of the hypothesis, of the reference or of their mean; 0 where there are no words."""
    words = {"precision": hypothesis, "recall": reference, "f": (hypothesis + reference) / 2}[measure]
    return 100.0 * divide(match, words, otherwise=0.0)
