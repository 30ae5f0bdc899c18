"""What parallel text teaches of two languages: language models, frequencies and lexicons of both directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.qe.language_model import BITS, SPECIAL, LanguageModel, train_language_model
from adjudge.qe.lexicon import Lexicon, train_lexicon
from adjudge.qe.word_text import WordText, WordVocabulary, tokenizer_for

LARGE = 200_000
"""Segments above which trigrams that were seen once are left out of language models."""


@dataclass(frozen=True, eq=False)
class LanguageSide:
    """One of the two languages."""

    vocabulary: WordVocabulary
    model: LanguageModel

    def occurrences(self, text: WordText) -> NDArray[np.int64]:
        """How often each word was seen in the training text, 0 for words that never were."""
        unigrams = self.model.orders[0]
        places = unigrams.places((text.ids.astype(np.int64) + SPECIAL).astype(np.uint64))
        return np.where((text.ids >= 0) & (places >= 0), unigrams.counts[places], 0)


@dataclass(frozen=True, eq=False)
class EstimatorResources:
    """Both languages and what goes from one to the other."""

    languages: tuple[str, str]
    """Source and target language, "" where unknown."""
    source: LanguageSide
    target: LanguageSide
    forward: Lexicon
    """p(target word | source word)."""
    backward: Lexicon
    segments: int
    """Of the text that taught all this."""


def train_resources(
    sources: Sequence[str], targets: Sequence[str], languages: tuple[str, str], *, threads: int = 0
) -> EstimatorResources:
    """All that two sides of a parallel text teach."""
    if len(sources) != len(targets):
        raise DataError(f"parallel text: {len(sources):,} source segments, but {len(targets):,} translations")
    if not any(source.strip() and target.strip() for source, target in zip(sources, targets, strict=True)):
        raise DataError(
            "parallel text: no segment has words on both sides, so there is nothing to learn from"
        )
    source, source_text = _side(sources, languages[0])
    target, target_text = _side(targets, languages[1])
    sizes = len(source.vocabulary), len(target.vocabulary)
    forward = train_lexicon(source_text, target_text, *sizes, threads=threads)
    backward = train_lexicon(target_text, source_text, *sizes[::-1], threads=threads)
    return EstimatorResources(languages, source, target, forward, backward, len(sources))


def _side(segments: Sequence[str], language: str) -> tuple[LanguageSide, WordText]:
    vocabulary = WordVocabulary(tokenizer_for(language))
    text = vocabulary.add(segments)
    fewest = 2 if len(segments) > LARGE else 1
    return LanguageSide(vocabulary, train_language_model(text, len(vocabulary), fewest=fewest)), text


def quartiles(model: LanguageModel, order: int) -> tuple[int, int]:
    """The counts that a quarter and three quarters of all different n-grams of an order do not exceed."""
    counts = model.orders[order - 1].counts
    counts = counts[counts > 0]
    if not len(counts):
        return 0, 0
    low, high = np.quantile(counts, [0.25, 0.75], method="inverted_cdf")
    return int(low), int(high)


def ngram_counts(
    side: LanguageSide, text: WordText, order: int
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """How often each n-gram of a text was seen in training, and the segment it stands in."""
    ids = text.ids.astype(np.int64)
    length = len(ids) - order + 1
    if length <= 0:
        return np.zeros(0, np.int64), np.zeros(0, np.intp)
    keys = np.zeros(length, np.uint64)
    known = np.ones(length, bool)
    for place in range(order):
        sentence = ids[place : place + length]
        keys = (keys << np.uint64(BITS)) | (sentence + SPECIAL).astype(np.uint64)
        known &= sentence >= 0
    segments = text.segments
    inside = segments[:length] == segments[order - 1 :]
    ngrams = side.model.orders[order - 1]
    places = ngrams.places(keys)
    counts = np.where(known & (places >= 0), ngrams.counts[places] if len(ngrams.counts) else 0, 0)
    return counts[inside], segments[:length][inside]
