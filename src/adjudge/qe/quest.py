"""The 17 baseline features of QuEst (Specia et al. 2013), each by its formula in docs/qe.md."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adjudge.qe.means import Array, segment_means
from adjudge.qe.resources import Resources, ngram_counts, quartiles
from adjudge.qe.word_text import WordText, tokens

NAMES = (
    "source_tokens",
    "target_tokens",
    "source_token_length",
    "source_lm",
    "target_lm",
    "target_occurrences",
    "translations_02",
    "translations_001_rare",
    "unigrams_low",
    "unigrams_high",
    "bigrams_low",
    "bigrams_high",
    "trigrams_low",
    "trigrams_high",
    "unigrams_seen",
    "source_punctuation",
    "target_punctuation",
)


def quest_features(
    resources: Resources, sources: Sequence[str], outputs: Sequence[str], source: WordText, target: WordText
) -> Array:
    """Segments × 17."""
    side = resources.source
    source_tokens = tokens(sources, side.vocabulary.tokenizer)
    target_tokens = tokens(outputs, resources.target.vocabulary.tokenizer)
    columns = [
        source.sizes.astype(np.float64),
        target.sizes.astype(np.float64),
        _mean_length(source_tokens),
        side.model.sentence_scores(source),
        resources.target.model.sentence_scores(target),
        np.array([len(words) / max(1, len({w.lower() for w in words})) for words in target_tokens]),
        *_translations(resources, source),
    ]
    for order in (1, 2, 3):
        counts, segments = ngram_counts(side, source, order)
        low, high = quartiles(side.model, order)
        columns += [
            segment_means((counts > 0) & (counts <= low), segments, len(sources)),
            segment_means(counts > high, segments, len(sources)),
        ]
    columns.append(segment_means(side.occurrences(source) > 0, source.segments, len(sources)))
    columns += [_punctuation(source_tokens), _punctuation(target_tokens)]
    return np.stack(columns, 1)


def _mean_length(segments: Sequence[Sequence[str]]) -> Array:
    return np.array([sum(map(len, words)) / max(1, len(words)) for words in segments])


def _punctuation(segments: Sequence[Sequence[str]]) -> Array:
    """How many words of each segment are signs alone."""
    return np.array([float(sum(not any(c.isalnum() for c in w) for w in words)) for words in segments])


def _translations(resources: Resources, source: WordText) -> tuple[Array, Array]:
    """Mean numbers of translations a source word: likelier than .2, and likelier than .01 where rare words count."""
    known = source.ids >= 0
    words = source.ids[known]
    segments = source.segments[known]
    total = len(source.sizes)
    likely = resources.forward.translations(0.2)[words]
    some = resources.forward.translations(0.01)[words]
    rarity = 1.0 / np.maximum(resources.source.occurrences(source)[known], 1)
    return segment_means(likely, segments, total), segment_means(some * rarity, segments, total)
