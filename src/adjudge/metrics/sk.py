"""The sequence kernel (Bunescu and Mooney 2006) of output and reference, as TSKM uses it (Duma and Menzel 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from adjudge import _native
from adjudge.data import TestSet, languages
from adjudge.metrics.base import MeanMetric, Rows, require, shortest, target_language
from adjudge.metrics.words import WordMetric
from adjudge.text import stems

Words = Literal["exact", "lemma"]
WORDS = ("exact", "lemma")


@dataclass(frozen=True)
class Sk(WordMetric, MeanMetric):
    """Word sequences of up to `n` words in common, gaps allowed, in percent of what each side has with itself.

    K(h, r)/√(K(h, h)·K(r, r)), where K sums decay^(places that the sequence spans in h and in r). A segment's score
    is the best over its references, a system's the mean of its segments'. A side without words scores 0.
    """

    name = "sk"
    title = "SK"
    takes_turns = True
    summary = "word sequences in common, with gaps (the sequence kernel of TSKM)"
    references_used = "best"

    n: int = 4
    decay: float = 0.75
    words: Words = "exact"
    language: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(1 <= self.n <= 1000, f"sk(n={self.n}): must be a whole number from 1 to 1000")
        require(0 < self.decay <= 1, f"sk(decay={self.decay}): must be a number above 0 and at most 1")
        require(self.words in WORDS, f"sk(words={self.words}): must be one of {', '.join(WORDS)}")
        require(
            not self.language or self.words == "lemma",
            f"sk(language={self.language}): the language is for words=lemma",
        )
        if self.language:
            object.__setattr__(self, "language", languages.code(self.language))  # one spelling for one thing

    def for_test_set(self, test_set: TestSet) -> Self:
        """The metric with the tokenizer and, for lemmas, the language of the test set, if none was asked for."""
        chosen = super().for_test_set(test_set)
        return replace(chosen, language=target_language(self, test_set)) if self.needs_language else chosen

    @property
    def follows_language(self) -> bool:
        """Whether no tokenizer was asked for, or lemmas of no language."""
        return super().follows_language or self.needs_language

    @property
    def needs_language(self) -> bool:
        """Lemmas are those of a language."""
        return self.words == "lemma" and not self.language

    def depends_on(self, language: str) -> bool:
        """Where lemmas are used, in every language."""
        return self.words == "lemma" or super().depends_on(language)

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core, as lemmas on request."""
        return [self._pair_texts(column) for column in test_set.references]

    def segments(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The best score over the references, in percent."""
        tokenizer = "none" if self.words == "lemma" else self.tokenizer.core_name
        rows = _native.sk_rows(self._pair_texts(outputs), prepared, tokenizer, self.n, self.decay, threads)
        return 100.0 * rows[:, 0]

    def _pair_texts(self, segments: Sequence[str | None]) -> _native.Texts:
        texts = self.tokenizer.cross(segments, lowercase=self.lowercase)
        if self.words == "exact":
            return texts
        lemma = stems.lemmatizer(self._language)
        cut = _native.tokenize(texts, self.tokenizer.core_name)
        return _native.texts(
            [
                None if segment is None else " ".join("_".join(lemma(word).split()) or word for word in words)
                for segment, words in zip(segments, cut, strict=True)
            ]
        )

    @property
    def _language(self) -> str:
        return self.language or "en"

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, choice of reference, length, decay, and whose lemmas."""
        fields = super().signature_fields()
        fields |= {"n": str(self.n), "decay": shortest(self.decay, "g"), "words": self.words}
        if self.words == "lemma":
            fields |= {"lang": self._language, "lemmas": stems.lemma_signature()}
        return fields
