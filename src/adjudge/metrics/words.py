"""What metrics on words share: references crossed into the core once, outputs prepared the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

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
class TokenizedMetric(Metric):
    """A metric whose option `tokenize` says what a word is; left empty, the target language decides.

    That is sacreBLEU's rule: 13a, but for Chinese, Japanese and Korean a tokenizer of their own.
    """

    tokenize: str = ""

    @property
    def tokenizer(self) -> Tokenizer:
        """What cuts segments into words."""
        return tokenizers.tokenizer(self.tokenize or tokenizers.USUAL)

    @property
    def follows_language(self) -> bool:
        """Whether no tokenizer was asked for."""
        return not self.tokenize

    def for_test_set(self, test_set: TestSet) -> Self:
        """The metric with the tokenizer of the target language, if none was asked for."""
        usual = tokenizers.usual(test_set)
        if usual == tokenizers.USUAL == self.tokenize and type(self).tokenize == "":
            return replace(self, tokenize="")  # one spelling for one thing
        return replace(self, tokenize=usual) if not self.tokenize and usual != tokenizers.USUAL else self

    def depends_on(self, language: str) -> bool:
        """Whether the language has a tokenizer of its own, and it is in use."""
        return bool(self.tokenize) and tokenizers.BY_LANGUAGE.get(language) == self.tokenize

    @property
    def splits_at_spaces(self) -> bool:
        """Whether the tokenizer leaves scripts without spaces whole."""
        return (self.tokenize or tokenizers.USUAL) in ("13a", "intl", "none")


@dataclass(frozen=True)
class WordMetric(TokenizedMetric):
    """A metric on words whose first options say what a word is."""

    takes_turns = False
    references_used: ClassVar[str] = ""
    """Which of several references counts, as the signature says it; empty where all do."""

    lowercase: bool = False

    def __post_init__(self) -> None:
        tokenizers.check(self.tokenize or tokenizers.USUAL)

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core, tokenized where Python must do it."""
        return crossed_references(test_set, self.tokenizer, lowercase=self.lowercase)

    def hypotheses(self, outputs: Sequence[str]) -> _native.Texts:
        """Outputs in the core, tokenized where Python must do it."""
        return crossed_outputs(outputs, self.tokenizer, lowercase=self.lowercase)

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
